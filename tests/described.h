/* described.h: a problem in words, so that tests can compare what was written with what is read. */
#ifndef TSUME_TESTS_DESCRIBED_H
#define TSUME_TESTS_DESCRIBED_H

#include "problems/problem.h"

#include <stdio.h>

/* What is described of it. */
enum described_parts {
    DESCRIBED_VARIATIONS = 1,
    DESCRIBED_COMMENTS = 2,
    DESCRIBED_TIMES = 4, /* whole seconds */
    DESCRIBED_ENDS = 8,
    DESCRIBED_MOVES = 16,
    DESCRIBED_MILLISECONDS = 32,
    DESCRIBED_MOVE_NUMBER = 64,
    DESCRIBED_NO_BLANKS = 128, /* comments without empty lines */
};

/* Position, id, title, length, headers, and what the parts name: several lines. To be freed. */
char *described_problem(const struct tsume_problem *problem, unsigned parts);
/* Position without move number, and the tree of moves as described_moves writes it, in one line. To be freed. */
char *described_play(const struct tsume_problem *problem, unsigned parts);
/* The tree of moves: ` 7g7f T12000 "comment" (2g2f 3c3d) %TSUMI`, other moves in brackets behind the one that they
 * replace. */
void described_moves(FILE *out, const struct stated_move *first, unsigned parts);

#endif
