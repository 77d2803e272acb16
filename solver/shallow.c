/* shallow.c: up to three plies, by plain recursion. */
#include "solver/shallow.h"

#include "solver/dominance.h"

#include <string.h>

/* ---- Shared with the search ---- */

static bool is_mirrored_board(const struct position *pos) {
    for (int file = 0; file < 4; file++)
        if (memcmp(&pos->board[file * RANKS], &pos->board[(FILES - 1 - file) * RANKS], RANKS) != 0)
            return false;
    return true;
}

static int mirror(int sq) {
    return (FILES - 1 - square_file(sq)) * RANKS + square_rank(sq);
}

int drop_mirrored(const struct position *pos, move *moves, int count) {
    if (count < 2 || !is_mirrored_board(pos))
        return count;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        move m = moves[i];
        int to = move_to(m), from = move_from(m);
        bool second = mirror(to) < to;
        if (mirror(to) == to && !move_is_drop(m))
            second = mirror(from) < from;
        if (!second)
            moves[kept++] = m;
    }
    return kept;
}

bool may_have_futile(const struct position *pos, bool futile, code bound) {
    return futile && bound != CODE_INFINITE && bb_any(interposition_squares(pos));
}

/* ---- Verdicts ---- */

static const struct verdict undecided = {.outcome = STOPPED};

static struct verdict proved(code value, hand basis, move m) {
    return (struct verdict){PROVED, value, basis, m};
}

/* A question that is refuted is refuted at least as far as it went. */
static struct verdict refuted(code bound, code refuted, hand basis, move m) {
    return (struct verdict){DISPROVED, refuted > bound ? refuted : bound, basis, m};
}

/* ---- One ply ---- */

/* Does a mate in one keep the bound? */
static bool mate_keeps(move mate, code bound) {
    return mate != NO_MOVE && mate_in_one_code(mate) <= bound;
}

/* No mate in one keeps the bound: is there no ply left for a longer one? A check that only futile drops answer would be a mate too. */
static bool has_no_ply_left(code bound, bool futile, const struct mate_scan *scan) {
    return bound < 3 * CODE_PLY && !(futile && scan->but_for_drops);
}

struct verdict shallow_judge(struct position *pos, bool futile, code bound, move mate, const struct mate_scan *scan) {
    enum color attacker = (enum color)pos->side;
    if (mate_keeps(mate, bound)) {
        position_do(pos, mate);
        hand needs = proof_needs(pos, attacker);
        position_undo(pos, mate);
        return proved(mate_in_one_code(mate), proof_before_attack(needs, mate), mate);
    }
    if (scan->checks == 0)
        return refuted(bound, CODE_INFINITE, disproof_limit(pos, attacker), NO_MOVE);
    if (!has_no_ply_left(bound, futile, scan))
        return undecided;
    code least = mate != NO_MOVE ? mate_in_one_code(mate) - 1 : code_make(1, CODE_ANY_SPENT);
    return refuted(bound, least, pos->hand[attacker], NO_MOVE);
}

static struct verdict answer_one(struct position *pos, bool futile, code bound, uint64_t *nodes) {
    struct mate_scan scan;
    ++*nodes;
    move mate = mate_in_one(pos, &scan);
    return shallow_judge(pos, futile, bound, mate, &scan);
}

/* ---- Two plies ---- */

static struct verdict answer_defence(struct position *pos, bool futile, code bound, move m, uint64_t *nodes) {
    enum color attacker = color_other((enum color)pos->side);
    code left;
    if (!child_bound(bound, code_of_defence(), pos->hand[attacker], true, &left))
        return refuted(CODE_MATE_IN_ONE_LEAST - 1, 0, HAND_ALL, NO_MOVE);
    position_do(pos, m);
    struct verdict v = answer_one(pos, futile, left, nodes);
    position_undo(pos, m);
    return v;
}

/* The defender's position with two plies left, or none. */
static struct verdict answer_two(struct position *pos, bool futile, code bound, uint64_t *nodes) {
    enum color attacker = color_other((enum color)pos->side);
    bool judges_drops = may_have_futile(pos, futile, bound), open = false;
    code longest = 0;
    hand basis = proof_needs(pos, attacker);
    move moves[MAX_MOVES], best = NO_MOVE;
    ++*nodes;
    int count = generate_evasions(pos, moves);
    for (int i = 0; i < count; i++) {
        move m = moves[i];
        if (judges_drops && move_is_drop(m)) /* drops come last */
            return undecided;
        struct verdict v = answer_defence(pos, futile, bound, m, nodes);
        if (v.outcome == DISPROVED)
            return refuted(bound, refuted_before(v.code, code_of_defence()),
                           disproof_before_defence(pos, attacker, v.basis, m), m);
        open |= v.outcome == STOPPED;
        if (open)
            continue;
        basis = hand_max(basis, v.basis);
        if (best == NO_MOVE || v.code > longest) {
            longest = v.code;
            best = m;
        }
    }
    if (open)
        return undecided;
    return proved(best == NO_MOVE ? CODE_MATED : longest + (code)code_of_defence(), basis, best);
}

/* ---- Three plies ---- */

static struct verdict answer_attack(struct position *pos, bool futile, code bound, move m, uint64_t *nodes) {
    code left;
    if (!child_bound(bound, code_of_attack(m), position_hand_after(pos, m), false, &left))
        return refuted(CODE_MATED - 1, 0, HAND_ALL, NO_MOVE);
    position_do(pos, m);
    struct verdict v = answer_two(pos, futile, left, nodes);
    position_undo(pos, m);
    return v;
}

struct verdict shallow_three(struct position *pos, bool futile, code bound, uint64_t *nodes) {
    move moves[MAX_MOVES];
    int count = drop_mirrored(pos, moves, generate_checks(pos, moves));
    hand basis = disproof_limit(pos, (enum color)pos->side);
    code least = CODE_INFINITE;
    bool open = false;
    for (int i = 0; i < count; i++) {
        move m = moves[i];
        struct verdict v = answer_attack(pos, futile, bound, m, nodes);
        if (v.outcome == PROVED)
            return proved(v.code + (code)code_of_attack(m), proof_before_attack(v.basis, m), m);
        open |= v.outcome == STOPPED;
        if (open)
            continue;
        code by_this = refuted_before(v.code, code_of_attack(m));
        least = by_this < least ? by_this : least;
        basis = hand_min(basis, disproof_before_attack(v.basis, m));
    }
    return open ? undecided : refuted(bound, least, basis, NO_MOVE);
}
