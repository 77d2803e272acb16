/* glance.c: one look at each move. */
#include "solver/glance.h"

#include "rules/movegen.h"

#include <stddef.h>

enum { ALLOWS_MATE = 100000, DROP_COST = 40, KING_COST = 60 };

/* What a piece is worth, in hundredths of a pawn. */
static int worth(int kind) {
    static const int16_t by_kind[KINDS] = {
        [PAWN] = 100,       [LANCE] = 300,  [KNIGHT] = 350,   [SILVER] = 550,    [BISHOP] = 850,
        [ROOK] = 1000,      [GOLD] = 600,   [PRO_PAWN] = 600, [PRO_LANCE] = 600, [PRO_KNIGHT] = 600,
        [PRO_SILVER] = 600, [HORSE] = 1100, [DRAGON] = 1300};
    return by_kind[kind];
}

/* What a move wins before the other side answers. */
static int gain(move m) {
    return worth(kind_base(move_captured(m))) + worth(move_kind_after(m)) - worth(move_kind(m));
}

/* The most that the side to move can win by a capture: all if the piece is not guarded, else what is left after the capturer is taken. */
static int best_capture(struct position *pos) {
    move moves[MAX_MOVES];
    int count = generate_legal(pos, moves), best = 0;
    enum color other = color_other((enum color)pos->side);
    for (int i = 0; i < count; i++) {
        move m = moves[i];
        if (!move_captured(m))
            continue;
        bitboard occupied = position_occupied(pos) & ~bb_square(move_from(m));
        int won = worth(move_captured(m));
        if (position_attacked(pos, move_to(m), other, occupied))
            won -= worth(move_kind(m));
        best = won > best ? won : best;
    }
    return best;
}

static bool allows_mate_in_one(struct position *pos) {
    return pos->king[color_other((enum color)pos->side)] != NO_SQUARE && mate_in_one(pos, NULL) != NO_MOVE;
}

/* Steps forward, and towards the middle. */
static int tidiness(const struct position *pos, move m) {
    int file = square_file(move_to(m)), from_edge = file < FILES - 1 - file ? file : FILES - 1 - file;
    int forward = move_is_drop(m) ? 0
                                  : rank_seen_by((enum color)pos->side, square_rank(move_from(m))) -
                                        rank_seen_by((enum color)pos->side, square_rank(move_to(m)));
    int cost = move_is_drop(m) ? DROP_COST : move_kind(m) == KING ? KING_COST : 0;
    return from_edge + 4 * forward - cost;
}

static int judge(struct position *pos, move m) {
    int score = gain(m) + tidiness(pos, m);
    position_do(pos, m);
    score -= best_capture(pos);
    if (allows_mate_in_one(pos))
        score -= ALLOWS_MATE;
    position_undo(pos, m);
    return score;
}

move glance(struct position *pos) {
    move moves[MAX_MOVES], best = NO_MOVE;
    int count = generate_legal(pos, moves), best_score = 0;
    for (int i = 0; i < count; i++) {
        int score = judge(pos, moves[i]);
        if (best == NO_MOVE || score > best_score) {
            best_score = score;
            best = moves[i];
        }
    }
    return best;
}
