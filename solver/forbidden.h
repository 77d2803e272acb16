/* forbidden.h: positions that a search counts as failures of the attacker.
 *
 * Judging another check than the main line's (tsume-rules §5), the positions of the main line do not count as mates: what mates only by
 * going back to them is a detour. A position is forbidden with the attacker's hand that the main line has there and with every
 * smaller one, so that more in hand is still never harder and dominance by hands stays true. */
#ifndef TSUME_SOLVER_FORBIDDEN_H
#define TSUME_SOLVER_FORBIDDEN_H

#include "rules/hand.h"

#include <stddef.h>

struct forbidden;

/* An empty set with room for so many positions; NULL when memory is short. */
struct forbidden *forbidden_new(size_t positions);
void forbidden_free(struct forbidden *set);

/* Adds a board, by its key, with the attacker's hand. There must be room for it. */
void forbidden_add(struct forbidden *set, uint64_t board, hand attackers);

/* Is the board forbidden with this hand? If so, *most is a hand that contains it and is forbidden too. */
bool forbidden_has(const struct forbidden *set, uint64_t board, hand attackers, hand *most);
/* Is the board forbidden with any hand? */
bool forbidden_knows(const struct forbidden *set, uint64_t board);

#endif
