/* bitboard.c: fills the attack tables, once, before main. */
#include "rules/bitboard.h"

bitboard bb_square_table[128];
bitboard bb_step_table[2][KINDS][SQUARES];
bitboard bb_between_table[SQUARES][SQUARES];
bitboard bb_line_table[SQUARES][SQUARES];
bitboard bb_ray_table[8][SQUARES];
bitboard bb_reach_table[2][KINDS][SQUARES];
bitboard bb_near_table[2][SQUARES][KINDS];
uint16_t bb_file_table[RANKS][128];
bitboard bb_rank_table[FILES][128];
struct bishop_magic bb_bishop_magic[SQUARES];

/* Directions as (file, rank) steps. Even ones run towards higher squares. */
enum { DIRECTIONS = 8 };
static const int direction[DIRECTIONS][2] = {
    {0, 1},   /* 0 down the file */
    {0, -1},  /* 1 up the file */
    {1, 0},   /* 2 to higher files */
    {-1, 0},  /* 3 */
    {1, 1},   /* 4 */
    {-1, -1}, /* 5 */
    {1, -1},  /* 6 */
    {-1, 1},  /* 7 */
};

/* The sum over the squares of 2^(inner diagonal squares). */
enum { BISHOP_TABLE_SIZE = 20224 };
bitboard bb_bishop_table[BISHOP_TABLE_SIZE];

static bool on_board(int file, int rank) {
    return file >= 0 && file < FILES && rank >= 0 && rank < RANKS;
}

/* Squares from sq in one direction up to and including the first occupied one. */
static bitboard ray_until(int sq, int dir, bitboard occupied) {
    bitboard ray = bb_none();
    int file = square_file(sq) + direction[dir][0], rank = square_rank(sq) + direction[dir][1];
    while (on_board(file, rank)) {
        bitboard here = bb_square(square_make(file, rank));
        ray |= here;
        if (bb_any(here & occupied))
            break;
        file += direction[dir][0];
        rank += direction[dir][1];
    }
    return ray;
}

static void fill_squares(void) {
    for (int sq = 0; sq < SQUARES; sq++)
        bb_square_table[sq] = sq < 63 ? bb_make(UINT64_C(1) << sq, 0) : bb_make(0, UINT64_C(1) << (sq - 63));
}

static void fill_rays(void) {
    for (int dir = 0; dir < DIRECTIONS; dir++)
        for (int sq = 0; sq < SQUARES; sq++)
            bb_ray_table[dir][sq] = ray_until(sq, dir, bb_none());
}

static void fill_lines(void) {
    for (int a = 0; a < SQUARES; a++)
        for (int dir = 0; dir < DIRECTIONS; dir++)
            for (int b = 0; b < SQUARES; b++) {
                if (!bb_has(bb_ray_table[dir][a], b))
                    continue;
                bb_between_table[a][b] = bb_ray_table[dir][a] & bb_ray_table[dir ^ 1][b];
                bb_line_table[a][b] = bb_ray_table[dir][a] | bb_ray_table[dir ^ 1][a] | bb_square(a);
            }
}

/* Black's steps as (file, rank); White's are mirrored. */
static const struct {
    int kind, count;
    int step[8][2];
} steps[] = {
    {PAWN, 1, {{0, -1}}},
    {KNIGHT, 2, {{1, -2}, {-1, -2}}},
    {SILVER, 5, {{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}},
    {GOLD, 6, {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}}},
    {KING, 8, {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}}},
};

static void fill_steps(void) {
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (int sq = 0; sq < SQUARES; sq++)
            for (int j = 0; j < steps[i].count; j++)
                for (int c = BLACK; c <= WHITE; c++) {
                    int sign = c == BLACK ? 1 : -1;
                    int file = square_file(sq) + sign * steps[i].step[j][0];
                    int rank = square_rank(sq) + sign * steps[i].step[j][1];
                    if (on_board(file, rank))
                        bb_step_table[c][steps[i].kind][sq] |= bb_square(square_make(file, rank));
                }
    for (int c = BLACK; c <= WHITE; c++)
        for (int sq = 0; sq < SQUARES; sq++)
            for (int kind = PRO_PAWN; kind <= PRO_SILVER; kind++)
                bb_step_table[c][kind][sq] = bb_step_table[c][GOLD][sq];
}

static void fill_reach(void) {
    for (int sq = 0; sq < SQUARES; sq++) {
        bitboard rook = bb_none(), bishop = bb_none();
        for (int dir = 0; dir < DIRECTIONS; dir++)
            *(dir < 4 ? &rook : &bishop) |= bb_ray_table[dir][sq];
        for (int c = BLACK; c <= WHITE; c++) {
            for (int kind = PAWN; kind < KINDS; kind++)
                bb_reach_table[c][kind][sq] = bb_step_table[c][kind][sq];
            bb_reach_table[c][LANCE][sq] = bb_ray_table[c == BLACK ? 1 : 0][sq];
            bb_reach_table[c][BISHOP][sq] = bishop;
            bb_reach_table[c][ROOK][sq] = rook;
            bb_reach_table[c][HORSE][sq] = bishop | bb_step_table[c][KING][sq];
            bb_reach_table[c][DRAGON][sq] = rook | bb_step_table[c][KING][sq];
        }
    }
}

static void fill_files_and_ranks(void) {
    for (unsigned occ = 0; occ < 128; occ++) {
        bitboard file = bb_make((uint64_t)occ << 1, 0), rank = bb_none();
        for (int i = 0; i < 7; i++)
            if (occ >> i & 1)
                rank |= bb_square(square_make(i + 1, 0));
        for (int r = 0; r < RANKS; r++)
            bb_file_table[r][occ] = (uint16_t)(ray_until(r, 0, file) | ray_until(r, 1, file))[0];
        for (int f = 0; f < FILES; f++) {
            int sq = square_make(f, 0);
            bb_rank_table[f][occ] = ray_until(sq, 2, rank) | ray_until(sq, 3, rank);
        }
    }
}

static bitboard bishop_rays(int sq, bitboard occupied) {
    return ray_until(sq, 4, occupied) | ray_until(sq, 5, occupied) | ray_until(sq, 6, occupied) |
           ray_until(sq, 7, occupied);
}

static void fill_bishops(void) {
    bitboard edge = bb_rank(0) | bb_rank(8) | bb_file(0) | bb_file(8);
    uint32_t offset = 0;
    for (int sq = 0; sq < SQUARES; sq++) {
        struct bishop_magic *m = &bb_bishop_magic[sq];
        m->mask = bb_reach_table[BLACK][BISHOP][sq] & ~edge;
        m->offset = offset;
        m->low_bits = (uint32_t)__builtin_popcountll(m->mask[0]);
        /* all subsets of the mask, in the order in which PEXT numbers them */
        uint64_t high = 0;
        do {
            uint64_t low = 0;
            do {
                bb_bishop_table[offset++] = bishop_rays(sq, bb_make(low, high));
                low = (low - m->mask[0]) & m->mask[0];
            } while (low);
            high = (high - m->mask[1]) & m->mask[1];
        } while (high);
    }
}

/* A piece attacks a square from where one of the other colour would attack back. */
static void fill_near(void) {
    int beside;
    for (int c = BLACK; c <= WHITE; c++)
        for (int sq = 0; sq < SQUARES; sq++)
            for (int kind = PAWN; kind < KINDS; kind++)
                for (struct bb_iter it = bb_iter(attacks_king(sq)); bb_next(&it, &beside);)
                    bb_near_table[c][sq][kind] |= bb_reach_table[1 - c][kind][beside];
}

__attribute__((constructor(150))) static void fill_tables(void) {
    fill_squares();
    fill_rays();
    fill_lines();
    fill_steps();
    fill_reach();
    fill_near();
    fill_files_and_ranks();
    fill_bishops();
}

#if !defined(__BMI2__)
static int bb_last(bitboard b) {
    return b[1] ? 126 - __builtin_clzll(b[1]) : 63 - __builtin_clzll(b[0]);
}

/* A ray cut off behind its first blocker. */
static bitboard cut_ray(int sq, int dir, bitboard occupied) {
    bitboard ray = bb_ray_table[dir][sq], blockers = ray & occupied;
    if (!bb_any(blockers))
        return ray;
    bool upwards = dir == 0 || dir == 2 || dir == 4 || dir == 6;
    int first = upwards ? bb_first(blockers) : bb_last(blockers);
    return ray ^ (bb_ray_table[dir][first] & ray);
}

bitboard attacks_bishop(int sq, bitboard occupied) {
    return cut_ray(sq, 4, occupied) | cut_ray(sq, 5, occupied) | cut_ray(sq, 6, occupied) | cut_ray(sq, 7, occupied);
}

bitboard attacks_rank(int sq, bitboard occupied) {
    return cut_ray(sq, 2, occupied) | cut_ray(sq, 3, occupied);
}
#endif
