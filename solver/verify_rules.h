/* verify_rules.h: the rules of shogi a second time, for checking.
 *
 * Written from the rules alone, small and slow, and sharing nothing with rules/: a plain array for the board, counts
 * for the hands, a move is made on a copy, and a move is legal when the copy does not leave the mover's king attacked.
 * What this and rules/ agree on is unlikely to be wrong. The certificate checker stands on it, and the tests compare
 * rules/ with it.
 *
 * A position may have two kings, one (the defender's) or none; a missing king is never in check. Everything is a value,
 * there is no global state; all functions are thread safe. */
#ifndef TSUME_SOLVER_VERIFY_RULES_H
#define TSUME_SOLVER_VERIFY_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Black (先手) moves up, towards row 0. */
enum vr_color { VR_BLACK, VR_WHITE };

enum vr_kind {
    VR_NONE,
    VR_PAWN,
    VR_LANCE,
    VR_KNIGHT,
    VR_SILVER,
    VR_BISHOP,
    VR_ROOK,
    VR_GOLD,
    VR_KING,
    VR_TOKIN,
    VR_PROMOTED_LANCE,
    VR_PROMOTED_KNIGHT,
    VR_PROMOTED_SILVER,
    VR_HORSE,
    VR_DRAGON,
    VR_KINDS,
    VR_PROMOTION = VR_TOKIN - VR_PAWN, /* what promoting adds to a kind */
    VR_HAND_KINDS = VR_GOLD + 1,       /* a hand holds the kinds 1 to VR_GOLD */
};

/* board[row][column] as SFEN writes it: row 0 is rank a, column 0 is file 9. A piece is its kind, negative for White, 0
 * for an empty square. All bytes count: two positions are the same when their bytes are. */
struct vr_position {
    int8_t board[9][9];
    int8_t hand[2][VR_HAND_KINDS]; /* [colour][kind] */
    int8_t side;                   /* to move */
};

struct vr_square {
    int row, column;
};

/* kind is what stands on `from` before the move, or is dropped; `from` means nothing (and is 0, 0) for a drop. */
struct vr_move {
    struct vr_square from, to;
    int kind;
    bool drop, promote;
};

enum {
    VR_MAX_MOVES = 1024, /* more than any position with at most one set of pieces has */
    VR_SFEN_SIZE = 256,
    VR_MOVE_SIZE = 6,
};

static inline enum vr_color vr_other(enum vr_color color) {
    return color == VR_BLACK ? VR_WHITE : VR_BLACK;
}

/* Reads board, side, hands (in any order, kinds may repeat) and a move number, if there is one, from text. Returns the
 * number of bytes read (white space after the last field included), 0 if the text is no SFEN. Does not ask for a legal
 * position. */
size_t vr_read_sfen(const char *text, struct vr_position *position);
/* Writes the position as SFEN with move number 1. */
void vr_write_sfen(const struct vr_position *position, char text[VR_SFEN_SIZE]);

/* What makes this no legal position, as words; NULL if nothing does: more pieces than a set has, two kings of one side,
 * no king, two unpromoted pawns of a side on a file (nifu), a piece that could never move, the side not to move in
 * check. */
const char *vr_position_fault(const struct vr_position *position);

/* Same board, hands and side to move. */
bool vr_equal(const struct vr_position *a, const struct vr_position *b);

/* All functions below want a position without a fault. */

/* Is the square attacked by a piece of that colour? */
bool vr_attacked(const struct vr_position *position, struct vr_square square, enum vr_color by);
/* Where the king of that colour stands; false if there is none. */
bool vr_find_king(const struct vr_position *position, enum vr_color color, struct vr_square *square);
/* Is the king of the side to move attacked? */
bool vr_in_check(const struct vr_position *position);
/* In check, and no legal move. */
bool vr_is_mate(const struct vr_position *position);

/* All legal moves, each once. Returns how many. */
int vr_legal_moves(const struct vr_position *position, struct vr_move moves[VR_MAX_MOVES]);
/* All legal moves that give check. */
int vr_checking_moves(const struct vr_position *position, struct vr_move moves[VR_MAX_MOVES]);
/* Is there a legal move at all? */
bool vr_has_legal_move(const struct vr_position *position);
/* Any move may be asked about. */
bool vr_is_legal(const struct vr_position *position, const struct vr_move *move);
/* Does the legal move attack the other side's king? */
bool vr_gives_check(const struct vr_position *position, const struct vr_move *move);

/* The position after a legal move. */
struct vr_position vr_after(const struct vr_position *position, const struct vr_move *move);

/* Same squares, kind, drop and promotion. */
bool vr_move_equal(const struct vr_move *a, const struct vr_move *b);
/* Reads a USI move ("7g7f", "8h2b+", "P*5e"); the kind of a move on the board is taken from the position. Returns the
 * number of bytes read, 0 if the text is no move or `from` is empty. Says nothing of legality. */
size_t vr_read_move(const char *text, const struct vr_position *position, struct vr_move *move);
/* Writes the move in USI notation. */
void vr_write_move(const struct vr_move *move, char text[VR_MOVE_SIZE]);

#endif
