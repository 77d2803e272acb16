/* draw_board.h: one diagram: heading, board, hands, caption. */
#ifndef TSUME_SOLVER_DRAW_BOARD_H
#define TSUME_SOLVER_DRAW_BOARD_H

#include "solver/draw.h"
#include "solver/draw_text.h"

/* How large a diagram is, in widths of a square of the board. */
extern const double BOARD_WIDTH, BOARD_HEIGHT;

/* Draws the diagram with its upper left corner at x, y; `square`: the width of a square. */
void board_draw(struct pen *pen, const struct draw_diagram *diagram, double x, double y, double square);

#endif
