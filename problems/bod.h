/* bod.h: the diagram of a position that Japanese records have (BOD), which other shogi programs read. */
#ifndef TSUME_PROBLEMS_BOD_H
#define TSUME_PROBLEMS_BOD_H

#include "rules/position.h"

#include <stdio.h>

/* Writes White's hand, the board, Black's hand, and 後手番 where White moves, as lines of UTF-8. Thread safe for different
 * files. */
void bod_write(FILE *out, const struct setup *setup);
/* Writes a hand as it stands there: "飛　金二　歩十八", "なし" if it is empty. Thread safe for different files. */
void bod_write_hand(FILE *out, const struct setup *setup, enum color c);

/* The character that stands for a kind (全 for a promoted silver). */
const char *bod_kanji(int kind);

#endif
