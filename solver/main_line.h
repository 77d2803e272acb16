/* main_line.h: the main line (作意) of a problem: as stated where that is optimal play, else as the values say. */
#ifndef TSUME_SOLVER_MAIN_LINE_H
#define TSUME_SOLVER_MAIN_LINE_H

#include "solver/findings.h"

/* The solution that the input states. */
struct stated_line {
    move *moves;
    size_t count;
    bool complete; /* it claims to end in mate, or went on with what is no legal move */
};

struct main_line {
    struct line line;
    bool stated; /* it is the stated one, to the end */
};

/* Finds the main line from the worker's position, which is mate by `value`. What is wrong with the stated solution becomes a finding. It is
 * judged within the limits of `search`, the worker's; those are lifted for building the line afterwards. Where several moves are
 * best the defender takes the first that the generator gives, whatever the table holds. On LINE_BUILT the caller frees
 * main->line.moves. */
enum line_outcome main_line_find(struct worker *worker, struct search *search, const struct mate *value,
                                 const struct stated_line *stated, struct main_line *main, struct findings *findings);

#endif
