/* diagram.h: a position as a picture in text, for people. */
#ifndef TSUME_SOLVER_DIAGRAM_H
#define TSUME_SOLVER_DIAGRAM_H

#include "rules/position.h"

/* The board with White's hand above and Black's below, in lines that end in newlines. In kanji it is a BOD diagram, which other
 * shogi programs read; with ascii it has the letters of SFEN. malloc'd; NULL when memory is short. Thread safe. */
char *diagram_text(const struct setup *setup, bool ascii);

#endif
