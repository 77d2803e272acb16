/* alternative.h: how another check is related to the main line: what can be told by the rules alone. */
#ifndef TSUME_SOLVER_ALTERNATIVE_H
#define TSUME_SOLVER_ALTERNATIVE_H

#include "rules/movegen.h"

#include <stddef.h>

/* A main line with all its positions: positions[i] is the one before moves[i], positions[length] the mate. */
struct played_line {
    const move *moves;
    size_t length;
    const struct position *positions;
    enum color attacker;
};

/* Do the two moves differ only in promoting or not? */
bool differs_in_promotion(move a, move b);

/* Does `other`, in place of the check at turn i, drop the same slider from another distance along the same line, so that the
 * rest of the main line can be played unchanged? Then *end is where it leads: the caller asks whether that is mate. */
bool differs_in_distance(const struct played_line *line, size_t i, move other, struct position *end);

/* Can `other`, in place of the check at turn i, lead to a later position of the main line by the same attacker's moves in
 * another order, whatever the defender does in between? */
bool reorders(const struct played_line *line, size_t i, move other);

#endif
