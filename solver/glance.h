/* glance.h: a sensible move where no mate is known. */
#ifndef TSUME_SOLVER_GLANCE_H
#define TSUME_SOLVER_GLANCE_H

#include "rules/position.h"

/* The legal move that looks best two plies ahead: by the material won and left to be taken, and whether it allows a mate in one.
 * Always the same for the same position; NO_MOVE if there is no legal move. The position is restored. */
move glance(struct position *pos);

#endif
