/* position.h: a shogi position: board, hands, side to move.
 *
 * A position is made from a `setup`, the plain description that readers of files fill in. `setup_fault` says why a setup is
 * no legal position; position_set accepts any setup without a fault. */
#ifndef TSUME_RULES_POSITION_H
#define TSUME_RULES_POSITION_H

#include "rules/bitboard.h"
#include "rules/hand.h"
#include "rules/move.h"

/* The plain description: what stands where, what is in the hands, who moves. Move numbers go no further than here. */
enum { MOVE_NUMBER_MAX = 999999 };
struct setup {
    piece board[SQUARES];
    uint8_t hand[2][HAND_KINDS]; /* [colour][base kind] */
    enum color side;
    int move_number; /* as an SFEN states it; 1 if it does not */
};

/* What can be wrong with a setup. */
enum fault {
    FAULT_NONE = 0,
    FAULT_TOO_MANY_PIECES, /* more of a kind than a set has */
    FAULT_KINGS,           /* one side has two kings, or there is no king at all */
    FAULT_NIFU,            /* two unpromoted pawns of one side on a file */
    FAULT_DEAD_PIECE,      /* a piece that could never move */
    FAULT_IN_CHECK,        /* the side not to move is in check */
};

/* The first fault of the setup, FAULT_NONE if it is a legal position. Where a square is to blame it is stored in *square
 * (NO_SQUARE otherwise); where a kind is, in *kind (NO_KIND otherwise). Both may be NULL. Thread safe. */
enum fault setup_fault(const struct setup *setup, int *square, int *kind);

/* by_kind[0] is the occupied squares. golds: all pieces of both sides that move as a gold. king: NO_SQUARE where a side has
 * none. key: board and side to move, not the hands (Zobrist 1970), kept up to date by do and undo. */
struct position {
    bitboard by_kind[KINDS];
    bitboard by_color[2];
    bitboard golds;
    piece board[SQUARES];
    uint8_t side;
    uint8_t king[2];
    hand hand[2];
    uint64_t key;
};

/* Sets the position from a setup without a fault. */
void position_set(struct position *pos, const struct setup *setup);
/* The setup of a position (move number 1). */
void position_get(const struct position *pos, struct setup *setup);

/* Makes a legal move, and takes it back. The move must be one that a generator gave for this position. */
void position_do(struct position *pos, move m);
void position_undo(struct position *pos, move m);

/* Moves the piece on `from` (of either side) to the empty square `to`, promoting it if asked, and leaves the same side to move: not a
 * move of the game, but what an interposition that is taken back leaves. */
void position_shift(struct position *pos, int from, int to, bool promotes);

/* The key after the move, and the hand of the mover after it, without making it. */
uint64_t position_key_after(const struct position *pos, move m);
hand position_hand_after(const struct position *pos, move m);

static inline bitboard position_occupied(const struct position *pos) {
    return pos->by_kind[0];
}
static inline bitboard position_pieces(const struct position *pos, enum color c, int kind) {
    return pos->by_color[c] & pos->by_kind[kind];
}

/* The pieces of colour `by` that attack sq when `occupied` is the set of occupied squares. */
bitboard position_attackers(const struct position *pos, int sq, enum color by, bitboard occupied);
/* Whether any does; faster. */
bool position_attacked(const struct position *pos, int sq, enum color by, bitboard occupied);
/* The squares next to sq that pieces of colour `by` attack. */
bitboard position_attacked_near(const struct position *pos, int sq, enum color by, bitboard occupied);
/* The pieces that give check to the king of colour c (none if he has no king). */
bitboard position_checkers(const struct position *pos, enum color c);
/* Is the side to move in check? */
bool position_in_check(const struct position *pos);
/* The pieces of any colour that alone stand between the king of colour c and a slider of the other colour: for pieces of
 * colour c these are pins, for the other's pieces they can give discovered check. */
bitboard position_blockers(const struct position *pos, enum color c);

/* Same board, hands and side. Keys are compared too. */
bool position_equal(const struct position *a, const struct position *b);

#endif
