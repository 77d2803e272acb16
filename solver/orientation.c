/* orientation.c: turning and mirroring. */
#include "solver/orientation.h"

#include <string.h>

static int orient_square(struct orientation o, int sq) {
    if (o.turned)
        sq = SQUARES - 1 - sq;
    if (o.mirrored)
        sq = square_make(FILES - 1 - square_file(sq), square_rank(sq));
    return sq;
}

static piece orient_piece(struct orientation o, piece p) {
    return p != NO_PIECE && o.turned ? piece_make(color_other(piece_color(p)), piece_kind(p)) : p;
}

struct setup orientation_setup(struct orientation o, const struct setup *setup) {
    struct setup result = *setup;
    for (int sq = 0; sq < SQUARES; sq++)
        result.board[orient_square(o, sq)] = orient_piece(o, setup->board[sq]);
    if (o.turned) {
        memcpy(result.hand[BLACK], setup->hand[WHITE], sizeof result.hand[BLACK]);
        memcpy(result.hand[WHITE], setup->hand[BLACK], sizeof result.hand[WHITE]);
        result.side = color_other(setup->side);
    }
    return result;
}

move orientation_move(struct orientation o, move m) {
    if (m == NO_MOVE)
        return m;
    int to = orient_square(o, move_to(m));
    if (move_is_drop(m))
        return move_drop(move_kind(m), to);
    return move_make(orient_square(o, move_from(m)), to, move_kind(m), move_captured(m), move_promotes(m));
}

struct orientation orientation_of(const struct setup *setup, enum color attacker, const move *moves, size_t count) {
    struct orientation plain = {.turned = attacker == WHITE}, mirrored = plain;
    mirrored.mirrored = true;
    struct setup a = orientation_setup(plain, setup), b = orientation_setup(mirrored, setup);
    int order = memcmp(a.board, b.board, sizeof a.board);
    for (size_t i = 0; i < count && order == 0; i++) {
        move m = orientation_move(plain, moves[i]), n = orientation_move(mirrored, moves[i]);
        order = (m > n) - (m < n);
    }
    return order <= 0 ? plain : mirrored;
}
