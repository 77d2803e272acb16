/* described.h: a problem in words, so that tests can compare what was written with what is read. */
#ifndef TSUME_TESTS_DESCRIBED_H
#define TSUME_TESTS_DESCRIBED_H

#include "problems/writer.h"

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
    DESCRIBED_HEADERS = 256,   /* id and title among them */
};

/* What a format holds of a problem, but for what its writer said is lost (bits of enum loss): that is to come back as it was.
 * A list tells only of mate how a line ends, by its length, and JKF has whole seconds; so neither is among its parts. */
unsigned described_parts_kept(enum format format, unsigned lost);

/* Position, length, and what the parts name: several lines. To be freed. */
char *described_problem(const struct tsume_problem *problem, unsigned parts);
/* Position without move number, and the tree of moves as described_moves writes it, in one line. To be freed. */
char *described_play(const struct tsume_problem *problem, unsigned parts);
/* The tree of moves: ` 7g7f T12000 "comment" (2g2f 3c3d) %TSUMI`, other moves in brackets behind the one that they
 * replace. */
void described_moves(FILE *out, const struct stated_move *first, unsigned parts);

#endif
