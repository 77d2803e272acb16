/* sfen.h: the SFEN notation of a position, and the move list that may follow it. The only SFEN parser. */
#ifndef TSUME_RULES_SFEN_H
#define TSUME_RULES_SFEN_H

#include "rules/position.h"

#include <stddef.h>

/* Where and why a text is not SFEN. column: 0-based offset in bytes from the start of the text. */
struct sfen_error {
    size_t column;
    char message[256];
};

/* Reads board, side, hands and (if there is one) the move number from text, which ends at NUL. Hands may list pieces in any order
 * and repeat a kind. Returns the number of bytes read, white space after the last field included; 0 on error, with *error filled.
 * The setup may still have a fault: this judges spelling only. Thread safe. */
size_t sfen_parse(const char *text, struct setup *setup, struct sfen_error *error);

/* Writes the SFEN (rooks first in hands, as USI asks: R B G S N L P) with its move number. SFEN_SIZE bytes are always
 * enough. */
enum { SFEN_SIZE = 256 };
void sfen_write(const struct setup *setup, char text[SFEN_SIZE]);
/* The same of a position, with move number 1. */
void position_to_sfen(const struct position *pos, char text[SFEN_SIZE]);

/* The opening position. */
extern const char SFEN_OPENING[];

#endif
