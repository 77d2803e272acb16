/* kif_words.c: words of Japanese records. */
#include "problems/kif_words.h"

#include "problems/text.h"
#include "rules/language.h"

#include <stdio.h>
#include <string.h>

long words_column(const struct words *w) {
    return text_column(w->line, (size_t)(w->at - w->line));
}

const char *words_shown(const struct words *w, char shown[WORDS_SHOWN_SIZE]) {
    if (words_at_end(w))
        return _("the end of the line");
    size_t length = 0;
    for (int characters = 0; w->at[length] != '\0' && characters < 8; characters++)
        do
            length++;
        while (((unsigned char)w->at[length] & 0xC0) == 0x80);
    snprintf(shown, WORDS_SHOWN_SIZE, "'%.*s'", (int)length, w->at);
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return shown;
}

bool words_accept(struct words *w, const char *word) {
    if (*w->at != *word) /* most are not */
        return false;
    size_t length = strlen(word);
    if (strncmp(w->at, word, length) != 0)
        return false;
    w->at += length;
    return true;
}

int words_accept_any(struct words *w, const char *const *list) {
    for (int i = 0; list[i]; i++)
        if (words_accept(w, list[i]))
            return i;
    return -1;
}

bool words_skip_spaces(struct words *w) {
    static const char *const spaces[] = {" ", "　", "\t", NULL};
    const char *start = w->at;
    while (words_accept_any(w, spaces) >= 0) {
    }
    return w->at > start;
}

static const char *const kanji_digits[] = {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九", NULL};
static const char *const wide_digits[] = {"０", "１", "２", "３", "４", "５", "６", "７", "８", "９", NULL};

static int plain_digit(struct words *w) {
    if (*w->at >= '0' && *w->at <= '9')
        return *w->at++ - '0';
    return words_accept_any(w, wide_digits);
}

int words_digit(struct words *w) {
    int digit = plain_digit(w);
    return digit >= 0 ? digit : words_accept_any(w, kanji_digits);
}

/* 十, 十六, 二十, 二十三, 三. */
static long kanji_number(struct words *w) {
    int tens = words_accept_any(w, kanji_digits);
    if (!words_accept(w, "十"))
        return tens;
    int ones = words_accept_any(w, kanji_digits);
    return (tens < 0 ? 1 : tens) * 10 + (ones < 0 ? 0 : ones);
}

long words_number(struct words *w) {
    long number = plain_digit(w);
    if (number < 0)
        return kanji_number(w);
    for (int digit; (digit = plain_digit(w)) >= 0;)
        number = number * 10 + digit > WORDS_NUMBER_MAX ? WORDS_NUMBER_MAX : number * 10 + digit;
    return number;
}

int words_square(struct words *w) {
    struct words start = *w;
    int file = words_digit(w), rank = words_digit(w);
    if (file >= 1 && rank >= 1)
        return square_make(file - 1, rank - 1);
    *w = start;
    return NO_SQUARE;
}

int words_piece(struct words *w) {
    /* Promoted pieces of two characters before the single ones. */
    static const char *const names[] = {"成香", "成桂", "成銀", "成歩", "歩", "香", "桂", "銀", "金", "角", "飛",
                                        "玉",   "王",   "と",   "ト",   "杏", "圭", "全", "馬", "龍", "竜", NULL};
    static const int8_t kinds[] = {PRO_LANCE, PRO_KNIGHT, PRO_SILVER, PRO_PAWN,   PAWN,  LANCE,  KNIGHT,
                                   SILVER,    GOLD,       BISHOP,     ROOK,       KING,  KING,   PRO_PAWN,
                                   PRO_PAWN,  PRO_LANCE,  PRO_KNIGHT, PRO_SILVER, HORSE, DRAGON, DRAGON};
    int found = words_accept_any(w, names);
    return found < 0 ? NO_KIND : kinds[found];
}

int words_mark(struct words *w) {
    static const char *const marks[] = {"▲", "☗", "▼", "△", "☖", "▽", NULL};
    int found = words_accept_any(w, marks);
    return found < 0 ? -1 : found < 3 ? BLACK : WHITE;
}
