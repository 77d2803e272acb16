/* notation.c: writing moves for people. */
#include "rules/notation.h"

#include <stdio.h>
#include <string.h>

static const char *const kanji_names[KINDS] = {
    [PAWN] = "歩",         [LANCE] = "香",        [KNIGHT] = "桂", [SILVER] = "銀",   [BISHOP] = "角",
    [ROOK] = "飛",         [GOLD] = "金",         [KING] = "玉",   [PRO_PAWN] = "と", [PRO_LANCE] = "成香",
    [PRO_KNIGHT] = "成桂", [PRO_SILVER] = "成銀", [HORSE] = "馬",  [DRAGON] = "龍",
};
static const char csa_names[KINDS][3] = {
    [PAWN] = "FU",       [LANCE] = "KY",      [KNIGHT] = "KE", [SILVER] = "GI",   [BISHOP] = "KA",
    [ROOK] = "HI",       [GOLD] = "KI",       [KING] = "OU",   [PRO_PAWN] = "TO", [PRO_LANCE] = "NY",
    [PRO_KNIGHT] = "NK", [PRO_SILVER] = "NG", [HORSE] = "UM",  [DRAGON] = "RY",
};

const char *notation_kanji(int kind) {
    return kanji_names[kind];
}

const char *notation_csa_kind(int kind) {
    return csa_names[kind];
}

int notation_kind_of_csa(const char *text) {
    for (int kind = PAWN; kind < KINDS; kind++)
        if (strncmp(text, csa_names[kind], 2) == 0)
            return kind;
    return NO_KIND;
}

void notation_kanji_square(int sq, char text[NOTATION_SQUARE_SIZE]) {
    static const char *const files[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};
    static const char *const ranks[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};
    snprintf(text, NOTATION_SQUARE_SIZE, "%s%s", files[square_file(sq)], ranks[square_rank(sq)]);
}

/* ---- Telling pieces apart ---- */

enum {
    HORIZONTAL = RELATION_LEFT | RELATION_STRAIGHT | RELATION_RIGHT,
    VERTICAL = RELATION_UP | RELATION_SIDE | RELATION_BACK,
};

/* The pieces of the mover's kind that could go to the square, those on the board that move there included. */
static bitboard rivals(const struct position *pos, move m) {
    bitboard attackers = position_attackers(pos, move_to(m), (enum color)pos->side, position_occupied(pos));
    return attackers & pos->by_kind[move_kind(m)];
}

/* How far left of `to` a square lies, in files, as the side to move sees it. */
static int leftness(const struct position *pos, int sq, int to) {
    int files = square_file(sq) - square_file(to);
    return pos->side == BLACK ? files : -files;
}

static unsigned side_of(int left) {
    return left > 0 ? RELATION_LEFT : left < 0 ? RELATION_RIGHT : 0;
}

/* All that is true of going from one square to another. Of horses and dragons there are two at most: they are left and
 * right of each other, not of the square. */
static unsigned manner(const struct position *pos, int from, int to, bitboard all) {
    int ahead =
        rank_seen_by((enum color)pos->side, square_rank(from)) - rank_seen_by((enum color)pos->side, square_rank(to));
    unsigned vertical = ahead > 0 ? RELATION_UP : ahead < 0 ? RELATION_BACK : RELATION_SIDE;
    bitboard others = all & ~bb_square(from);
    int kind = piece_kind(pos->board[from]), left = leftness(pos, from, to);
    if (kind == HORSE || kind == DRAGON)
        return vertical | (bb_any(others) ? side_of(leftness(pos, from, bb_first(others))) : 0);
    return vertical | (left == 0 && ahead == 1 ? RELATION_STRAIGHT : side_of(left));
}

unsigned notation_relation(const struct position *pos, move m) {
    bitboard all = rivals(pos, m);
    if (move_is_drop(m))
        return bb_any(all) ? RELATION_DROP : 0;
    bitboard others = all & ~bb_square(move_from(m));
    if (!bb_any(others))
        return 0;
    unsigned mine = manner(pos, move_from(m), move_to(m), all), shared = 0;
    int sq;
    for (struct bb_iter it = bb_iter(others); bb_next(&it, &sq);)
        shared |= mine & manner(pos, sq, move_to(m), all);
    if (!(shared & VERTICAL))
        return mine & VERTICAL;
    return shared & HORIZONTAL ? mine : mine & HORIZONTAL;
}

bool notation_fits(const struct position *pos, move m, unsigned relation) {
    return !(relation & ~manner(pos, move_from(m), move_to(m), rivals(pos, m)));
}

bool notation_declines(const struct position *pos, move m) {
    enum color us = (enum color)pos->side;
    return !move_is_drop(m) && !move_promotes(m) && kind_can_promote(move_kind(m)) &&
           (square_in_zone(us, move_from(m)) || square_in_zone(us, move_to(m)));
}

/* ---- The notations ---- */

static void write_japanese(const struct position *pos, move m, int previous_to, char text[NOTATION_SIZE]) {
    static const char *const words[] = {"左", "直", "右", "上", "寄", "引", "打"};
    char target[NOTATION_SQUARE_SIZE] = "同", related[3 * 3 + 1] = "";
    unsigned relation = notation_relation(pos, m);
    if (move_to(m) != previous_to)
        notation_kanji_square(move_to(m), target);
    for (int i = 0; i < 7; i++)
        if (relation & 1u << i)
            strcat(related, words[i]);
    snprintf(text, NOTATION_SIZE, "%s%s%s%s%s", pos->side == BLACK ? "▲" : "△", target, notation_kanji(move_kind(m)),
             related,
             move_promotes(m)            ? "成"
             : notation_declines(pos, m) ? "不成"
                                         : "");
}

static void write_western(const struct position *pos, move m, char text[NOTATION_SIZE]) {
    char usi[USI_MOVE_SIZE];
    move_to_usi(m, usi);
    bool drop = move_is_drop(m), alone = drop || !bb_many(rivals(pos, m));
    snprintf(text, NOTATION_SIZE, "%s%c%.*s%c%.2s%s", kind_is_promoted(move_kind(m)) ? "+" : "",
             kind_letter(BLACK, move_kind(m)), alone ? 0 : 2, usi,
             drop               ? '*'
             : move_captured(m) ? 'x'
                                : '-',
             usi + 2,
             move_promotes(m)            ? "+"
             : notation_declines(pos, m) ? "="
                                         : "");
}

static void write_csa(const struct position *pos, move m, char text[NOTATION_SIZE]) {
    int from = move_from(m), to = move_to(m), file = 0, rank = 0;
    if (!move_is_drop(m)) {
        file = square_file(from) + 1;
        rank = square_rank(from) + 1;
    }
    snprintf(text, NOTATION_SIZE, "%c%d%d%d%d%s", pos->side == BLACK ? '+' : '-', file, rank, square_file(to) + 1,
             square_rank(to) + 1, notation_csa_kind(move_kind_after(m)));
}

void notation_write(const struct position *pos, move m, int previous_to, enum notation notation,
                    char text[NOTATION_SIZE]) {
    switch (notation) {
    case NOTATION_USI:
        move_to_usi(m, text);
        break;
    case NOTATION_JAPANESE:
        write_japanese(pos, m, previous_to, text);
        break;
    case NOTATION_WESTERN:
        write_western(pos, m, text);
        break;
    case NOTATION_CSA:
        write_csa(pos, m, text);
        break;
    }
}
