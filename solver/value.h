/* value.h: the value of a position as one number.
 *
 * A mated position's value is (plies, leftover): the attacker wants few plies, then many pieces left. Both orders are one when
 *
 *     code = plies × 128 + 64 + spent,   spent = pieces in the attacker's hand now − pieces left over at mate
 *
 * The attacker minimises the code, the defender maximises it. Spent does not change when the hand grows by pieces that are not
 * used, so a code stays true from a proof hand up to any hand that contains it. |spent| < 64: 38 pieces exist besides the kings.
 * A bound is a code too: "mate by at most this". */
#ifndef TSUME_SOLVER_VALUE_H
#define TSUME_SOLVER_VALUE_H

#include "rules/hand.h"
#include "rules/move.h"
#include "solver/table.h"

enum {
    CODE_PLY = 128,
    CODE_MATED = 64,                                   /* no plies, nothing spent */
    CODE_ANY_SPENT = 63,                               /* as `spent` of a bound: only the plies count */
    CODE_MATE_IN_ONE_LEAST = CODE_PLY + CODE_MATED - 1 /* by a capture */
};

/* What a move adds to the code: a ply, and for the attacker a piece spent or won. */
static inline int code_of_attack(move m) {
    return CODE_PLY + (move_is_drop(m) ? 1 : move_captured(m) ? -1 : 0);
}
static inline int code_of_defence(void) {
    return CODE_PLY;
}

/* The value of a position where this check mates at once. */
static inline code mate_in_one_code(move m) {
    return (code)(code_of_attack(m) + CODE_MATED);
}

static inline int code_plies(code c) {
    return (int)(c / CODE_PLY);
}
static inline int code_spent(code c) {
    return (int)(c % CODE_PLY) - CODE_MATED;
}
static inline code code_make(int plies, int spent) {
    return (code)(plies * CODE_PLY + CODE_MATED + spent);
}

/* How a question ends. */
enum outcome {
    PROVED,
    DISPROVED,
    STOPPED,  /* a limit of the search was reached */
    GIVEN_UP, /* the nodes allowed for this question did not suffice */
};

/* The bound for the position after a move: what is left, brought to the one form that all equal bounds share. `h` is the attacker's hand there,
 * `attacks` whether he is to move there. False if no mate can keep it. */
static inline bool child_bound(code bound, int cost, hand h, bool attacks, code *left) {
    if (bound == CODE_INFINITE) {
        *left = bound;
        return true;
    }
    int plies = code_plies(bound) - 1, spent = code_spent(bound);
    if (spent != CODE_ANY_SPENT)
        spent -= cost - CODE_PLY;
    if ((plies & 1) != attacks) {
        plies--;
        spent = CODE_ANY_SPENT;
    }
    if (spent != CODE_ANY_SPENT) {
        if (spent >= hand_total(h)) {
            spent = CODE_ANY_SPENT;
        } else if (spent < -((plies + 1) / 2)) {
            plies -= 2;
            spent = CODE_ANY_SPENT;
        }
    }
    if (plies < 0)
        return false;
    *left = code_make(plies, spent);
    return true;
}

/* What is refuted of a position when `refuted` is of the one after a move. */
static inline code refuted_before(code refuted, int cost) {
    if (refuted == CODE_INFINITE)
        return refuted;
    if (code_spent(refuted) == CODE_ANY_SPENT)
        return code_make(code_plies(refuted) + 1, CODE_ANY_SPENT);
    return refuted + (code)cost;
}

#endif
