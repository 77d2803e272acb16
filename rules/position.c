/* position.c: keeping a position's redundant parts in step. */
#include "rules/position.h"

#include <string.h>

/* Zobrist keys (Zobrist 1970): [piece][square], and one for White to move. */
static uint64_t zobrist[32][SQUARES];
static uint64_t zobrist_side;

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

__attribute__((constructor)) static void fill_zobrist(void) {
    uint64_t state = UINT64_C(0x7473756d65); /* "tsume" */
    for (int p = 0; p < 32; p++)
        for (int sq = 0; sq < SQUARES; sq++)
            zobrist[p][sq] = p == NO_PIECE ? 0 : splitmix64(&state);
    zobrist_side = splitmix64(&state);
}

static void put(struct position *pos, int sq, piece p) {
    bitboard b = bb_square(sq);
    int kind = piece_kind(p);
    pos->board[sq] = p;
    pos->by_kind[0] ^= b;
    pos->by_kind[kind] ^= b;
    pos->by_color[piece_color(p)] ^= b;
    if (kind_moves_as_gold(kind))
        pos->golds ^= b;
}

static void take(struct position *pos, int sq, piece p) {
    put(pos, sq, p);
    pos->board[sq] = NO_PIECE;
}

void position_set(struct position *pos, const struct setup *setup) {
    memset(pos, 0, sizeof *pos);
    pos->king[BLACK] = pos->king[WHITE] = NO_SQUARE;
    pos->side = (uint8_t)setup->side;
    pos->key = setup->side == WHITE ? zobrist_side : 0;
    for (int sq = 0; sq < SQUARES; sq++) {
        piece p = setup->board[sq];
        if (p == NO_PIECE)
            continue;
        put(pos, sq, p);
        pos->key ^= zobrist[p][sq];
        if (piece_kind(p) == KING)
            pos->king[piece_color(p)] = (uint8_t)sq;
    }
    for (int c = BLACK; c <= WHITE; c++)
        for (int kind = PAWN; kind <= GOLD; kind++)
            pos->hand[c] += hand_unit(kind) * setup->hand[c][kind];
}

void position_get(const struct position *pos, struct setup *setup) {
    memset(setup, 0, sizeof *setup);
    memcpy(setup->board, pos->board, sizeof setup->board);
    for (int c = BLACK; c <= WHITE; c++)
        for (int kind = PAWN; kind <= GOLD; kind++)
            setup->hand[c][kind] = (uint8_t)hand_count(pos->hand[c], kind);
    setup->side = (enum color)pos->side;
    setup->move_number = 1;
}

void position_do(struct position *pos, move m) {
    enum color us = (enum color)pos->side;
    int to = move_to(m), kind = move_kind(m);
    pos->key = position_key_after(pos, m);
    if (move_is_drop(m)) {
        put(pos, to, piece_make(us, kind));
        pos->hand[us] = hand_remove(pos->hand[us], kind);
    } else {
        if (move_captured(m)) {
            take(pos, to, piece_make(color_other(us), move_captured(m)));
            pos->hand[us] = hand_add(pos->hand[us], kind_base(move_captured(m)));
        }
        take(pos, move_from(m), piece_make(us, kind));
        put(pos, to, piece_make(us, move_kind_after(m)));
        if (kind == KING)
            pos->king[us] = (uint8_t)to;
    }
    pos->side = (uint8_t)color_other(us);
}

void position_undo(struct position *pos, move m) {
    enum color us = color_other((enum color)pos->side);
    int to = move_to(m), kind = move_kind(m);
    pos->side = (uint8_t)us;
    take(pos, to, piece_make(us, move_kind_after(m)));
    if (move_is_drop(m)) {
        pos->hand[us] = hand_add(pos->hand[us], kind);
    } else {
        put(pos, move_from(m), piece_make(us, kind));
        if (kind == KING)
            pos->king[us] = (uint8_t)move_from(m);
        if (move_captured(m)) {
            put(pos, to, piece_make(color_other(us), move_captured(m)));
            pos->hand[us] = hand_remove(pos->hand[us], kind_base(move_captured(m)));
        }
    }
    pos->key = position_key_after(pos, m); /* the same differences lead back */
}

void position_shift(struct position *pos, int from, int to, bool promotes) {
    piece before = pos->board[from], after = (piece)(before + (promotes ? PROMOTED : 0));
    take(pos, from, before);
    put(pos, to, after);
    pos->key ^= zobrist[before][from] ^ zobrist[after][to];
    if (piece_kind(before) == KING)
        pos->king[piece_color(before)] = (uint8_t)to;
}

uint64_t position_key_after(const struct position *pos, move m) {
    enum color us = (enum color)pos->side;
    int to = move_to(m);
    uint64_t key = pos->key ^ zobrist_side ^ zobrist[piece_make(us, move_kind_after(m))][to];
    if (!move_is_drop(m))
        key ^= zobrist[piece_make(us, move_kind(m))][move_from(m)];
    if (move_captured(m))
        key ^= zobrist[piece_make(color_other(us), move_captured(m))][to];
    return key;
}

hand position_hand_after(const struct position *pos, move m) {
    hand h = pos->hand[pos->side];
    if (move_is_drop(m))
        return hand_remove(h, move_kind(m));
    return move_captured(m) ? hand_add(h, kind_base(move_captured(m))) : h;
}

bitboard position_attackers(const struct position *pos, int sq, enum color by, bitboard occupied) {
    enum color we = color_other(by); /* a piece of ours on sq would attack those that attack it */
    const bitboard *of = pos->by_kind;
    bitboard a = (attacks_step(we, PAWN, sq) & of[PAWN]) | (attacks_step(we, KNIGHT, sq) & of[KNIGHT]) |
                 (attacks_step(we, SILVER, sq) & of[SILVER]) | (attacks_gold(we, sq) & pos->golds) |
                 (attacks_king(sq) & (of[KING] | of[HORSE] | of[DRAGON]));
    bitboard lances = of[LANCE] & attacks_reach(we, LANCE, sq), bishops = of[BISHOP] | of[HORSE],
             rooks = of[ROOK] | of[DRAGON];
    bitboard mine = pos->by_color[by];
    if (bb_any(lances & mine))
        a |= attacks_lance(we, sq, occupied) & lances;
    if (bb_any(bishops & mine & attacks_reach(we, BISHOP, sq)))
        a |= attacks_bishop(sq, occupied) & bishops;
    if (bb_any(rooks & mine & attacks_reach(we, ROOK, sq)))
        a |= attacks_rook(sq, occupied) & rooks;
    return a & mine;
}

bool position_attacked(const struct position *pos, int sq, enum color by, bitboard occupied) {
    enum color we = color_other(by);
    const bitboard *of = pos->by_kind;
    bitboard mine = pos->by_color[by];
    bitboard a = (attacks_step(we, PAWN, sq) & of[PAWN]) | (attacks_step(we, KNIGHT, sq) & of[KNIGHT]) |
                 (attacks_step(we, SILVER, sq) & of[SILVER]) | (attacks_gold(we, sq) & pos->golds) |
                 (attacks_king(sq) & (of[KING] | of[HORSE] | of[DRAGON]));
    if (bb_any(a & mine))
        return true;
    bitboard lances = of[LANCE] & mine & attacks_reach(we, LANCE, sq);
    if (bb_any(lances) && bb_any(attacks_lance(we, sq, occupied) & lances))
        return true;
    bitboard bishops = (of[BISHOP] | of[HORSE]) & mine & attacks_reach(we, BISHOP, sq);
    if (bb_any(bishops) && bb_any(attacks_bishop(sq, occupied) & bishops))
        return true;
    bitboard rooks = (of[ROOK] | of[DRAGON]) & mine & attacks_reach(we, ROOK, sq);
    return bb_any(rooks) && bb_any(attacks_rook(sq, occupied) & rooks);
}

bitboard position_attacked_near(const struct position *pos, int sq, enum color by, bitboard occupied) {
    const bitboard *near = attacks_near(by, sq);
    bitboard pieces = bb_none(), attacked = bb_none();
    int from;
    for (int kind = PAWN; kind < KINDS; kind++)
        pieces |= pos->by_kind[kind] & near[kind];
    for (struct bb_iter it = bb_iter(pieces & pos->by_color[by]); bb_next(&it, &from);)
        attacked |= attacks_of(by, piece_kind(pos->board[from]), from, occupied);
    return attacked & attacks_king(sq);
}

bitboard position_checkers(const struct position *pos, enum color c) {
    return pos->king[c] == NO_SQUARE ? bb_none()
                                     : position_attackers(pos, pos->king[c], color_other(c), position_occupied(pos));
}

bool position_in_check(const struct position *pos) {
    enum color us = (enum color)pos->side;
    return pos->king[us] != NO_SQUARE && position_attacked(pos, pos->king[us], color_other(us), position_occupied(pos));
}

bitboard position_blockers(const struct position *pos, enum color c) {
    int king = pos->king[c];
    if (king == NO_SQUARE)
        return bb_none();
    const bitboard *of = pos->by_kind;
    bitboard snipers = (of[LANCE] & attacks_reach(c, LANCE, king)) |
                       ((of[BISHOP] | of[HORSE]) & attacks_reach(c, BISHOP, king)) |
                       ((of[ROOK] | of[DRAGON]) & attacks_reach(c, ROOK, king));
    bitboard blockers = bb_none();
    int sq;
    for (struct bb_iter it = bb_iter(snipers & pos->by_color[color_other(c)]); bb_next(&it, &sq);) {
        bitboard between = bb_between(king, sq) & position_occupied(pos);
        if (bb_any(between) && !bb_many(between))
            blockers |= between;
    }
    return blockers;
}

bool position_equal(const struct position *a, const struct position *b) {
    return a->key == b->key && a->side == b->side && a->hand[0] == b->hand[0] && a->hand[1] == b->hand[1] &&
           memcmp(a->board, b->board, sizeof a->board) == 0;
}

/* ---- Faults of a setup ---- */

static enum fault count_fault(const struct setup *setup, int *kind_out) {
    int count[KINDS] = {0}, kings[2] = {0};
    for (int sq = 0; sq < SQUARES; sq++) {
        piece p = setup->board[sq];
        count[kind_base(piece_kind(p))] += p != NO_PIECE;
        if (p != NO_PIECE && piece_kind(p) == KING)
            kings[piece_color(p)]++;
    }
    for (int kind = PAWN; kind <= GOLD; kind++)
        count[kind] += setup->hand[BLACK][kind] + setup->hand[WHITE][kind];
    if (kings[BLACK] > 1 || kings[WHITE] > 1 || kings[BLACK] + kings[WHITE] == 0) {
        *kind_out = KING;
        return FAULT_KINGS;
    }
    for (int kind = PAWN; kind <= GOLD; kind++)
        if (count[kind] > kind_set_size(kind)) {
            *kind_out = kind;
            return FAULT_TOO_MANY_PIECES;
        }
    return FAULT_NONE;
}

static enum fault square_fault(const struct setup *setup, int *square_out) {
    bool pawn_on[2][FILES] = {{false}};
    for (int sq = 0; sq < SQUARES; sq++) {
        piece p = setup->board[sq];
        if (p == NO_PIECE)
            continue;
        *square_out = sq;
        enum color c = piece_color(p);
        if (kind_is_dead_on(piece_kind(p), c, sq))
            return FAULT_DEAD_PIECE;
        if (piece_kind(p) != PAWN)
            continue;
        if (pawn_on[c][square_file(sq)])
            return FAULT_NIFU;
        pawn_on[c][square_file(sq)] = true;
    }
    *square_out = NO_SQUARE;
    return FAULT_NONE;
}

enum fault setup_fault(const struct setup *setup, int *square, int *kind) {
    int at = NO_SQUARE, what = NO_KIND;
    enum fault fault = count_fault(setup, &what);
    if (fault == FAULT_NONE)
        fault = square_fault(setup, &at);
    if (fault == FAULT_NONE) {
        struct position pos;
        position_set(&pos, setup);
        enum color waiting = color_other(setup->side);
        if (bb_any(position_checkers(&pos, waiting))) {
            fault = FAULT_IN_CHECK;
            at = pos.king[waiting];
        }
    }
    if (square)
        *square = at;
    if (kind)
        *kind = what;
    return fault;
}
