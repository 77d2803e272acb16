/* sfen.c: reading and writing SFEN. */
#include "rules/sfen.h"

#include "rules/language.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char SFEN_OPENING[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/* A place in the text, and the error to fill. */
struct cursor {
    const char *text;
    size_t at;
    struct sfen_error *error;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct cursor *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(c->error->message, sizeof c->error->message, format, args);
    va_end(args);
    c->error->column = c->at;
    return false;
}

enum { SHOWN_SIZE = 40 };

/* A character for an error message: itself in quotes, or its code. */
static const char *shown(char ch, char buffer[SHOWN_SIZE]) {
    if (ch == '\0')
        return _("the end of the text");
    if (ch > ' ' && ch < 127)
        snprintf(buffer, SHOWN_SIZE, "'%c'", ch);
    else
        snprintf(buffer, SHOWN_SIZE, _("byte 0x%02x"), (unsigned char)ch);
    return buffer;
}

static bool is_space(char ch) {
    return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n';
}

/* expected: the message where there is none; %s stands for what was found. */
static bool skip_spaces(struct cursor *c, const char *expected) {
    if (!is_space(c->text[c->at])) {
        char buffer[SHOWN_SIZE];
        return fail(c, expected, shown(c->text[c->at], buffer));
    }
    while (is_space(c->text[c->at]))
        c->at++;
    return true;
}

/* Colour and base kind of a piece letter; NO_KIND if it is none. */
static int letter_kind(char ch, enum color *color) {
    *color = ch >= 'a' && ch <= 'z' ? WHITE : BLACK;
    return kind_of_letter((char)(*color == WHITE ? ch - 'a' + 'A' : ch));
}

static bool parse_piece(struct cursor *c, struct setup *setup, int file, int rank) {
    char buffer[SHOWN_SIZE];
    bool promoted = c->text[c->at] == '+';
    if (promoted)
        c->at++;
    enum color color;
    int kind = letter_kind(c->text[c->at], &color);
    if (kind == NO_KIND)
        return fail(c,
                    promoted ? _("expected a piece letter after '+', found %s")
                             : _("expected a piece letter, a digit or '/', found %s"),
                    shown(c->text[c->at], buffer));
    if (promoted && !kind_can_promote(kind))
        return fail(c, _("%s cannot be promoted"), shown(c->text[c->at], buffer));
    if (file < 0)
        return fail(c, _("rank %d has more than 9 squares"), rank + 1);
    setup->board[square_make(file, rank)] = piece_make(color, kind + (promoted ? PROMOTED : 0));
    c->at++;
    return true;
}

static bool parse_board(struct cursor *c, struct setup *setup) {
    for (int rank = 0; rank < RANKS; rank++) {
        int file = FILES - 1;
        while (c->text[c->at] != '/' && c->text[c->at] != '\0' && !is_space(c->text[c->at])) {
            char ch = c->text[c->at];
            if (ch >= '1' && ch <= '9') {
                if (ch - '0' > file + 1)
                    return fail(c, _("rank %d has more than 9 squares"), rank + 1);
                file -= ch - '0';
                c->at++;
            } else {
                if (!parse_piece(c, setup, file, rank))
                    return false;
                file--;
            }
        }
        if (file >= 0)
            return fail(c,
                        Q_("rank %d has %d square, expected 9", "rank %d has %d squares, expected 9", FILES - 1 - file),
                        rank + 1, FILES - 1 - file);
        if (rank < RANKS - 1) {
            if (c->text[c->at] != '/')
                return fail(c,
                            Q_("the board ends after %d rank, expected 9", "the board ends after %d ranks, expected 9",
                               rank + 1),
                            rank + 1);
            c->at++;
        }
    }
    return c->text[c->at] == '/' ? fail(c, _("the board has more than 9 ranks")) : true;
}

static bool parse_side(struct cursor *c, struct setup *setup) {
    char ch = c->text[c->at], buffer[SHOWN_SIZE];
    if (ch != 'b' && ch != 'w')
        return fail(c, _("expected the side to move, 'b' or 'w', found %s"), shown(ch, buffer));
    setup->side = ch == 'b' ? BLACK : WHITE;
    c->at++;
    return true;
}

static bool parse_hands(struct cursor *c, struct setup *setup) {
    if (c->text[c->at] == '-') {
        char ch = c->text[++c->at], buffer[SHOWN_SIZE];
        if (ch != '\0' && !is_space(ch))
            return fail(c, _("expected a space after '-' (no pieces in hand), found %s"), shown(ch, buffer));
        return true;
    }
    if (c->text[c->at] == '\0')
        return fail(c, _("expected the pieces in hand, or '-', found the end of the text"));
    while (c->text[c->at] != '\0' && !is_space(c->text[c->at])) {
        size_t start = c->at;
        char buffer[SHOWN_SIZE];
        int count = 0;
        for (; c->text[c->at] >= '0' && c->text[c->at] <= '9'; c->at++)
            count = count > 99 ? count : count * 10 + (c->text[c->at] - '0');
        bool counted = c->at > start;
        enum color color;
        int kind = letter_kind(c->text[c->at], &color);
        if (kind == NO_KIND || kind == KING)
            return fail(c, _("expected a piece in hand (R B G S N L P), found %s"), shown(c->text[c->at], buffer));
        if (counted && count == 0) {
            c->at = start;
            return fail(c, _("a hand cannot hold 0 of a piece"));
        }
        int total = setup->hand[color][kind] + (counted ? count : 1);
        if (total > 99) {
            c->at = start;
            return fail(c, _("a hand cannot hold %d of a piece"), total);
        }
        setup->hand[color][kind] = (uint8_t)total;
        c->at++;
    }
    return true;
}

/* The move number and the space around it, if there is one. */
static void parse_move_number(struct cursor *c, struct setup *setup) {
    size_t at = c->at;
    while (is_space(c->text[at]))
        at++;
    size_t digits = at;
    int number = 0;
    for (; c->text[digits] >= '0' && c->text[digits] <= '9'; digits++)
        number = number > MOVE_NUMBER_MAX / 10 ? MOVE_NUMBER_MAX : number * 10 + (c->text[digits] - '0');
    if (digits > at && (c->text[digits] == '\0' || is_space(c->text[digits]))) {
        setup->move_number = number > 0 ? number : 1;
        c->at = digits;
    }
    while (is_space(c->text[c->at]))
        c->at++;
}

size_t sfen_parse(const char *text, struct setup *setup, struct sfen_error *error) {
    struct cursor c = {text, 0, error};
    memset(setup, 0, sizeof *setup);
    setup->move_number = 1;
    if (!parse_board(&c, setup) || !skip_spaces(&c, _("expected a space before the side to move, found %s")) ||
        !parse_side(&c, setup) || !skip_spaces(&c, _("expected a space before the pieces in hand, found %s")) ||
        !parse_hands(&c, setup))
        return 0;
    parse_move_number(&c, setup);
    return c.at;
}

void sfen_write(const struct setup *setup, char text[SFEN_SIZE]) {
    char *out = text;
    for (int rank = 0; rank < RANKS; rank++) {
        int empty = 0;
        for (int file = FILES - 1; file >= 0; file--) {
            piece p = setup->board[square_make(file, rank)];
            if (p == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            if (kind_is_promoted(piece_kind(p)))
                *out++ = '+';
            *out++ = kind_letter(piece_color(p), piece_kind(p));
        }
        if (empty)
            *out++ = (char)('0' + empty);
        *out++ = rank < RANKS - 1 ? '/' : ' ';
    }
    *out++ = setup->side == BLACK ? 'b' : 'w';
    *out++ = ' ';
    char *hands = out;
    for (int color = BLACK; color <= WHITE; color++)
        for (int i = 0; i < HELD_KINDS; i++) {
            int count = setup->hand[color][kind_by_worth(i)];
            if (count > 1)
                out += sprintf(out, "%d", count);
            if (count > 0)
                *out++ = kind_letter((enum color)color, kind_by_worth(i));
        }
    if (out == hands)
        *out++ = '-';
    snprintf(out, 16, " %d", setup->move_number);
}

void position_to_sfen(const struct position *pos, char text[SFEN_SIZE]) {
    struct setup setup;
    position_get(pos, &setup);
    sfen_write(&setup, text);
}
