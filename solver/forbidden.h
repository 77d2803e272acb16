/* forbidden.h: positions that a search counts as failures of the attacker.
 *
 * Judging another check than the main line's (tsume-rules §5), the positions of the main line do not count as mates: what mates only by
 * going back to them is a detour. Only the very position is forbidden: whoever comes back to its board with less in hand, and still mates,
 * has found a cook. So more in hand may be harder here, and what the search finds out about such a board, or through it, holds for one hand
 * only. */
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

/* Is the board forbidden with this hand? */
bool forbidden_has(const struct forbidden *set, uint64_t board, hand attackers);
/* Is the board forbidden with any hand? */
bool forbidden_knows(const struct forbidden *set, uint64_t board);

#endif
