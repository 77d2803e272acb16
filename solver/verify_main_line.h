/* verify_main_line.h: reading what certificate.h describes as the main line, SOUND and COOK. */
#ifndef TSUME_SOLVER_VERIFY_MAIN_LINE_H
#define TSUME_SOLVER_VERIFY_MAIN_LINE_H

#include "solver/verify_payload.h"

/* Reads the line and plays it from the position. */
bool read_line(struct checker *c, const struct vr_position *first);
/* Is this, after a check, the end of the line? */
bool line_ends_at(const struct checker *c, const struct vr_position *checked);
/* Is this one of the attacker's positions of the line, or its end? Is it but for what the players have in hand? Only while a cook is read. */
bool line_has(const struct checker *c, const struct vr_position *position);
bool line_has_board(const struct checker *c, const struct vr_position *position);

/* Reads what becomes of all other checks along the line; counts blemishes into the report. */
bool read_alternatives(struct checker *c);
/* Reads a cook, and tells of it in the report. */
bool read_cook_of_line(struct checker *c);

#endif
