/* line.h: the main line of a mate, rebuilt from the table and checked by the rules. */
#ifndef TSUME_SOLVER_LINE_H
#define TSUME_SOLVER_LINE_H

#include "solver/dfpn.h"

struct line {
    move *moves; /* malloc'd */
    size_t length, room;
    int leftover; /* pieces in the attacker's hand at the end */
};

enum line_outcome {
    LINE_BUILT,
    LINE_STOPPED, /* a limit of the search came first; the line is empty */
    LINE_BROKEN,  /* the table contradicts itself, or the line is no mate: a fault of the solver; the line is empty */
    LINE_NO_MEMORY
};

/* Adds a move, or makes an empty line of `count` moves; false when memory is short, and the line is as before. */
bool line_append(struct line *line, move m);
bool line_copy(struct line *line, const move *moves, size_t count);

/* The line of play from the worker's position, from which the attacker was proved to mate by `value`. When the value is exact, the line is
 * optimal for both sides by it; else the attacker follows the proof and the defender the longest defence that the table
 * knows. What the table has lost is searched again. The line is replayed by the rules before it is given. The caller frees
 * line->moves. */
enum line_outcome line_build(struct worker *worker, code value, bool exact, struct line *line);

/* At a defender's position whose exact value is `value`: does he lose sooner by this answer? DISPROVED: no, it holds out as long. PROVED: yes,
 * or it is a futile interposition and does not count. */
enum outcome line_judges_answer(struct worker *worker, code value, move answer);

/* Does the line mate by the rules: every move legal, every attacker's move a check, no answer at the end? `futile`: answers that are all
 * drops between king and checker are as good as none. Sets *leftover. */
bool line_mates(const struct position *start, enum color attacker, const move *moves, size_t length, bool futile,
                int *leftover);

#endif
