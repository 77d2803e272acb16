/* random_tree.h: stated moves made by chance: a line of play with comments, times, ends, and variations in variations.
 * */
#ifndef TSUME_TESTS_RANDOM_TREE_H
#define TSUME_TESTS_RANDOM_TREE_H

#include "problems/problem.h"
#include "tests/random_position.h"

/* Gives the problem a tree of legal moves, up to so many plies long. Lines end in one of the ends now and then, where
 * no move follows; a foul by the side to move is END_ILLEGAL_MOVE, as KIF has it. */
void random_tree_grow(struct random_source *random, struct tsume_problem *problem, int most_plies,
                      const enum play_end *ends, int end_count);

#endif
