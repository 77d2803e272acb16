/* kif_words.h: the vocabulary of Japanese records (KIF, BOD): a place in a line of UTF-8, and the words that may stand there. */
#ifndef TSUME_PROBLEMS_KIF_WORDS_H
#define TSUME_PROBLEMS_KIF_WORDS_H

#include "rules/piece.h"

#include <stddef.h>

/* A place in a line that ends at NUL. A function that accepts something moves past it, and stays where it is otherwise. */
struct words {
    const char *line, *at;
};

static inline struct words words_of(const char *line) {
    return (struct words){line, line};
}
static inline bool words_at_end(const struct words *w) {
    return *w->at == '\0';
}

/* The column of the place, in characters from 1. */
long words_column(const struct words *w);
/* What stands at the place, for an error message: up to eight characters in quotes, or "the end of the line". */
enum { WORDS_SHOWN_SIZE = 48 };
const char *words_shown(const struct words *w, char shown[WORDS_SHOWN_SIZE]);

bool words_accept(struct words *w, const char *word);
/* One of the words of the list, which ends with NULL: its index, −1 if none stands here. */
int words_accept_any(struct words *w, const char *const *list);
/* Spaces, tabs and ideographic spaces. True if there were any. */
bool words_skip_spaces(struct words *w);

/* One digit 0–9, ASCII, full width or kanji (一–九); −1 if there is none. */
int words_digit(struct words *w);
/* A number in digits, or in kanji up to 九十九 (larger ones count as WORDS_NUMBER_MAX); −1 if there is none. */
enum { WORDS_NUMBER_MAX = 1000000 };
long words_number(struct words *w);
/* A square, file and rank in any digits; NO_SQUARE if there is none. */
int words_square(struct words *w);
/* A piece by any of its names; NO_KIND if there is none. */
int words_piece(struct words *w);
/* A mark of the player, ▲☗ or △☖▽: BLACK, WHITE, or −1. */
int words_mark(struct words *w);

#endif
