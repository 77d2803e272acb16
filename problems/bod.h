/* bod.h: the diagram of a position that Japanese records have (BOD), which other shogi programs read. */
#ifndef TSUME_PROBLEMS_BOD_H
#define TSUME_PROBLEMS_BOD_H

#include "rules/position.h"

#include <stdio.h>

/* Writes White's hand, the board, Black's hand, and 後手番 where White moves, as lines of UTF-8. Thread safe for different
 * files. */
void bod_write(FILE *out, const struct setup *setup);

#endif
