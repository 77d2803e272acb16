/* bitboard.h: sets of squares, and what the pieces attack.
 *
 * 81 squares, file-major, in two words held as one 128-bit vector: word 0 has files 1–7 (63 bits), word 1 files 8–9 (18 bits). A file
 * is nine neighbouring bits and never crosses a word, so lances, rooks along files and pawn checks are shifts and one table.
 * The operators & | ^ ~ work on the type; after ~ bits that are no square are set, so mask with a real set.
 *
 * The tables behind these functions are filled once, before main, and never change: everything here is thread safe. */
#ifndef TSUME_RULES_BITBOARD_H
#define TSUME_RULES_BITBOARD_H

#include "rules/piece.h"

#if defined(__BMI2__) || defined(__SSE4_1__)
#include <immintrin.h>
#endif

typedef uint64_t bitboard __attribute__((vector_size(16)));

/* Private part: the tables. */
struct bishop_magic {
    bitboard mask; /* inner squares of both diagonals */
    uint32_t offset;
    uint32_t low_bits; /* how many of them lie in word 0 */
};
extern bitboard bb_square_table[128]; /* zero from 81 on */
extern bitboard bb_step_table[2][KINDS][SQUARES];
extern bitboard bb_between_table[SQUARES][SQUARES];
extern bitboard bb_line_table[SQUARES][SQUARES];
extern bitboard bb_ray_table[8][SQUARES];
extern bitboard bb_reach_table[2][KINDS][SQUARES];
extern bitboard bb_near_table[2][SQUARES][KINDS];
extern uint16_t bb_file_table[RANKS][128];
extern bitboard bb_rank_table[FILES][128];
extern struct bishop_magic bb_bishop_magic[SQUARES];
extern bitboard bb_bishop_table[];

static inline bitboard bb_make(uint64_t low, uint64_t high) {
    return (bitboard){low, high};
}
static inline bitboard bb_none(void) {
    return (bitboard){0, 0};
}
static inline bitboard bb_all(void) {
    return (bitboard){(UINT64_C(1) << 63) - 1, (UINT64_C(1) << 18) - 1};
}
/* The set of one square; empty for NO_SQUARE. */
static inline bitboard bb_square(int sq) {
    return bb_square_table[sq];
}

#if defined(__SSE4_1__)
static inline bool bb_meet(bitboard a, bitboard b) {
    return !_mm_testz_si128((__m128i)a, (__m128i)b);
}
#else
static inline bool bb_meet(bitboard a, bitboard b) {
    bitboard both = a & b;
    return (both[0] | both[1]) != 0;
}
#endif
static inline bool bb_any(bitboard b) {
    return bb_meet(b, b);
}
static inline bool bb_has(bitboard b, int sq) {
    return bb_meet(b, bb_square_table[sq]);
}
static inline int bb_count(bitboard b) {
    return __builtin_popcountll(b[0]) + __builtin_popcountll(b[1]);
}
static inline bool bb_many(bitboard b) {
    return b[0] ? ((b[0] & (b[0] - 1)) | b[1]) != 0 : (b[1] & (b[1] - 1)) != 0;
}
/* The lowest square of a set that is not empty. */
static inline int bb_first(bitboard b) {
    return b[0] ? __builtin_ctzll(b[0]) : 63 + __builtin_ctzll(b[1]);
}

/* for (struct bb_iter it = bb_iter(set); bb_next(&it, &sq);) visits the squares in order. */
struct bb_iter {
    uint64_t low, high;
};
static inline struct bb_iter bb_iter(bitboard b) {
    return (struct bb_iter){b[0], b[1]};
}
static inline bool bb_next(struct bb_iter *it, int *sq) {
    if (it->low) {
        *sq = __builtin_ctzll(it->low);
        it->low &= it->low - 1;
        return true;
    }
    if (it->high) {
        *sq = 63 + __builtin_ctzll(it->high);
        it->high &= it->high - 1;
        return true;
    }
    return false;
}

/* Whole files and ranks, the promotion zone of a colour. */
static inline bitboard bb_file(int file) {
    return file < 7 ? bb_make(UINT64_C(0x1ff) << file * 9, 0) : bb_make(0, UINT64_C(0x1ff) << (file - 7) * 9);
}
static inline bitboard bb_rank(int rank) {
    return bb_make(UINT64_C(0x0040201008040201) << rank, UINT64_C(0x201) << rank);
}
static inline bitboard bb_zone(enum color c) {
    return c == BLACK ? bb_rank(0) | bb_rank(1) | bb_rank(2) : bb_rank(6) | bb_rank(7) | bb_rank(8);
}
/* The squares where a piece of this kind would have no move (see kind_is_dead_on). */
static inline bitboard bb_dead(enum color c, int kind) {
    int far = c == BLACK ? 0 : 8, next = c == BLACK ? 1 : 7;
    if (kind == PAWN || kind == LANCE)
        return bb_rank(far);
    return kind == KNIGHT ? bb_rank(far) | bb_rank(next) : bb_none();
}
/* The files on which `pawns` has at least one square. */
static inline bitboard bb_files_of(bitboard pawns) {
    /* fold each file into its lowest bit, then spread it over the nine */
    bitboard f = pawns | pawns >> 1;
    f |= f >> 2;
    f |= f >> 4;
    f |= pawns >> 8; /* bits of the next file can only leak into positions that the mask drops */
    bitboard low = f & bb_rank(0);
    return (low << 9) - low;
}

/* Squares strictly between two squares on a common file, rank or diagonal; empty otherwise. */
static inline bitboard bb_between(int a, int b) {
    return bb_between_table[a][b];
}
/* The whole line through two squares; empty if they share none. */
static inline bitboard bb_line(int a, int b) {
    return bb_line_table[a][b];
}

/* ---- Attacks: the squares a piece attacks from sq. ---- */

/* Pieces that step: pawn, knight, silver, golds, king. */
static inline bitboard attacks_step(enum color c, int kind, int sq) {
    return bb_step_table[c][kind][sq];
}
static inline bitboard attacks_king(int sq) {
    return bb_step_table[BLACK][KING][sq];
}
static inline bitboard attacks_gold(enum color c, int sq) {
    return bb_step_table[c][GOLD][sq];
}
/* What the piece would attack on an empty board: a superset of what it ever attacks. */
static inline bitboard attacks_reach(enum color c, int kind, int sq) {
    return bb_reach_table[c][kind][sq];
}

/* From where a piece of the colour and kind might attack a square next to sq: index by kind. */
static inline const bitboard *attacks_near(enum color c, int sq) {
    return bb_near_table[c][sq];
}

static inline bitboard attacks_file(int sq, bitboard occupied) {
    int file = square_file(sq), rank = square_rank(sq);
    if (file < 7) {
        unsigned occ = (unsigned)(occupied[0] >> (file * 9 + 1)) & 127;
        return bb_make((uint64_t)bb_file_table[rank][occ] << file * 9, 0);
    }
    unsigned occ = (unsigned)(occupied[1] >> ((file - 7) * 9 + 1)) & 127;
    return bb_make(0, (uint64_t)bb_file_table[rank][occ] << (file - 7) * 9);
}

static inline bitboard attacks_lance(enum color c, int sq, bitboard occupied) {
    return attacks_file(sq, occupied) & bb_reach_table[c][LANCE][sq];
}

#if defined(__BMI2__)
/* One PEXT a word gathers the blockers of both diagonals (about 320 KiB of tables in all). */
static inline bitboard attacks_bishop(int sq, bitboard occupied) {
    const struct bishop_magic *m = &bb_bishop_magic[sq];
    uint64_t index = _pext_u64(occupied[0], m->mask[0]) | _pext_u64(occupied[1], m->mask[1]) << m->low_bits;
    return bb_bishop_table[m->offset + index];
}
/* The rank's seven inner squares as an index; the answer of the top rank is shifted down. */
static inline bitboard attacks_rank(int sq, bitboard occupied) {
    int rank = square_rank(sq);
    uint64_t low = occupied[0] >> rank, high = occupied[1] >> rank;
    uint64_t index = _pext_u64(low, UINT64_C(0x0040201008040200)) | (high & 1) << 6;
    return bb_rank_table[square_file(sq)][index] << rank;
}
#else
/* Without a fast PEXT: the first blocker on each ray, by bit scan. */
bitboard attacks_bishop(int sq, bitboard occupied);
bitboard attacks_rank(int sq, bitboard occupied);
#endif

static inline bitboard attacks_rook(int sq, bitboard occupied) {
    return attacks_file(sq, occupied) | attacks_rank(sq, occupied);
}

/* Any kind. */
static inline bitboard attacks_of(enum color c, int kind, int sq, bitboard occupied) {
    switch (kind) {
    case LANCE:
        return attacks_lance(c, sq, occupied);
    case BISHOP:
        return attacks_bishop(sq, occupied);
    case ROOK:
        return attacks_rook(sq, occupied);
    case HORSE:
        return attacks_bishop(sq, occupied) | attacks_king(sq);
    case DRAGON:
        return attacks_rook(sq, occupied) | attacks_king(sq);
    default:
        return attacks_step(c, kind, sq);
    }
}

#endif
