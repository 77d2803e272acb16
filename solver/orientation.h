/* orientation.h: looking at a problem from one side only.
 *
 * Many choices of a search are ties that the order of squares breaks. So that a problem, its mirror image and the same with colours
 * reversed get the same report, mirrored, all of them are turned to one orientation first: Black attacks, and of the two boards that mirror
 * each other the one that comes first in a fixed order is taken. */
#ifndef TSUME_SOLVER_ORIENTATION_H
#define TSUME_SOLVER_ORIENTATION_H

#include "rules/position.h"

#include <stddef.h>

struct orientation {
    bool turned;   /* the board by half a turn, and colours exchanged */
    bool mirrored; /* left and right exchanged */
};

/* The orientation of a setup with this attacker. Where the board is its own mirror image the moves decide. */
struct orientation orientation_of(const struct setup *setup, enum color attacker, const move *moves, size_t count);

/* The setup, the move in this orientation; the same again gives the original back. */
struct setup orientation_setup(struct orientation orientation, const struct setup *setup);
move orientation_move(struct orientation orientation, move m);

#endif
