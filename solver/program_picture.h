/* program_picture.h: a problem as the diagram that draw.h draws, and the solution that its file states. */
#ifndef TSUME_PROGRAM_PICTURE_H
#define TSUME_PROGRAM_PICTURE_H

#include "draw.h"
#include "tsume.h"

/* All functions here end the process with STATUS_FAILED when memory is short. */

/* The solution stated, in USI notation. */
struct stated_line {
    const char **moves;
    size_t length;
    char (*texts)[TSUME_MOVE_SIZE]; /* private */
};
struct stated_line stated_line_of(const struct tsume_problem *problem);
void stated_line_free(struct stated_line *line);
/* Its first moves, in some notation, from the index `from` on; malloc'd. */
char *stated_line_text(const struct tsume_problem *problem, const struct stated_line *line, size_t from, size_t count,
                       enum tsume_notation notation);

/* The hand of a defender who is given all that is nowhere else: left out (as magazines do), in these words (残り全部), or piece by piece. A hand that is
 * something else is always written piece by piece, unless none is wanted. */
enum defender_hand { DEFENDER_HAND_AUTO, DEFENDER_HAND_REST, DEFENDER_HAND_PIECES, DEFENDER_HAND_NONE };

struct picture_options {
    enum tsume_notation notation;
    enum defender_hand defender_hand;
    bool flipped;  /* seen from White */
    bool solution; /* to be written too */
};

struct picture {
    struct draw_diagram diagram;
    char *texts[6]; /* private: what it is made of */
    size_t text_count;
};

/* The diagram of a problem after the first `plies` moves of its stated line, the last of them marked. `position` is the problem after these moves. Keeps
 * texts of both. */
void picture_make(struct picture *picture, const struct tsume_problem *problem, const struct tsume_problem *position,
                  const struct stated_line *line, size_t plies, const struct picture_options *options);
void picture_free(struct picture *picture);

#endif
