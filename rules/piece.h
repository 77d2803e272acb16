/* piece.h: colours, squares, kinds of piece, pieces.
 *
 * Everything here is a value; every function is pure and thread safe. */
#ifndef TSUME_RULES_PIECE_H
#define TSUME_RULES_PIECE_H

#include <stdbool.h>
#include <stdint.h>

/* Black (先手, sente) moves up the board, from rank i towards rank a. */
enum color { BLACK = 0, WHITE = 1 };

static inline enum color color_other(enum color c) {
    return (enum color)(c ^ 1);
}

/* A square is file × 9 + rank: file 0–8 is printed 1–9 (right to left seen from Black), rank 0–8 is printed a–i (top to
 * bottom). So "1a" is 0, "1i" is 8, "9i" is 80. */
enum { FILES = 9, RANKS = 9, SQUARES = 81, NO_SQUARE = 127 };

static inline int square_make(int file, int rank) {
    return file * RANKS + rank;
}
static inline int square_file(int sq) {
    return sq / RANKS;
}
static inline int square_rank(int sq) {
    return sq % RANKS;
}

/* Rank as the mover sees it: 0 is his far end (where a pawn must promote), 8 his own back rank. */
static inline int rank_seen_by(enum color c, int rank) {
    return c == BLACK ? rank : RANKS - 1 - rank;
}

/* The three far ranks. */
static inline bool square_in_zone(enum color c, int sq) {
    return rank_seen_by(c, square_rank(sq)) < 3;
}

/* Kinds of piece. A promoted kind is its base kind + PROMOTED; gold and king have none. Base kinds PAWN…GOLD are also
 * the kinds a hand can hold. */
enum kind {
    NO_KIND = 0,
    PAWN,
    LANCE,
    KNIGHT,
    SILVER,
    BISHOP,
    ROOK,
    GOLD,
    KING,
    PRO_PAWN,   /* tokin と */
    PRO_LANCE,  /* 成香 */
    PRO_KNIGHT, /* 成桂 */
    PRO_SILVER, /* 成銀 */
    HORSE,      /* promoted bishop 馬 */
    DRAGON,     /* promoted rook 龍 */
    KINDS
};
enum { PROMOTED = 8, HAND_KINDS = 8 /* index 1–7 used */ };

static inline bool kind_is_promoted(int kind) {
    return kind > KING;
}
static inline bool kind_can_promote(int kind) {
    return kind >= PAWN && kind <= ROOK;
}
/* What the piece is in a hand: promoted kinds go back to their base. */
static inline int kind_base(int kind) {
    return kind > KING ? kind - PROMOTED : kind;
}
/* Pieces that move as a gold: gold and the four small promotions. */
static inline bool kind_moves_as_gold(int kind) {
    return kind == GOLD || (kind >= PRO_PAWN && kind <= PRO_SILVER);
}

/* Whether a piece of this kind, unpromoted, could never move again from sq: pawn and lance on the far rank, knight on the
 * far two. Such moves and drops are illegal. */
static inline bool kind_is_dead_on(int kind, enum color c, int sq) {
    int rank = rank_seen_by(c, square_rank(sq));
    return ((kind == PAWN || kind == LANCE) && rank == 0) || (kind == KNIGHT && rank <= 1);
}

/* The letter of the base kind in SFEN, USI and diagrams: capital for Black, small for White. */
static inline char kind_letter(enum color c, int kind) {
    char letter = " PLNSBRGK"[kind_base(kind)];
    return c == BLACK ? letter : (char)(letter - 'A' + 'a');
}
/* The base kind of a capital letter, NO_KIND if it is none. */
static inline int kind_of_letter(char capital) {
    for (int kind = PAWN; kind <= KING; kind++)
        if (kind_letter(BLACK, kind) == capital)
            return kind;
    return NO_KIND;
}

/* The kinds a hand can hold in the order of their worth, i from 0 (rook) to 6 (pawn): how hands are written. */
enum { HELD_KINDS = 7 };
static inline int kind_by_worth(int i) {
    static const int8_t dearest_first[HELD_KINDS] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    return dearest_first[i];
}

/* How many pieces of a base kind a full set has (18 pawns … 2 kings). */
static inline int kind_set_size(int kind) {
    static const int8_t size[KINDS] = {0, 18, 4, 4, 4, 2, 2, 4, 2};
    return size[kind];
}

/* A piece on the board: kind | colour × 16; an empty square is 0. */
typedef uint8_t piece;
enum { NO_PIECE = 0 };

static inline piece piece_make(enum color c, int kind) {
    return (piece)(kind | (int)c << 4);
}
static inline int piece_kind(piece p) {
    return p & 15;
}
static inline enum color piece_color(piece p) {
    return (enum color)(p >> 4);
}

#endif
