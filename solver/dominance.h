/* dominance.h: hands for which more than one answer holds (Seo 1999; Nagai 2002).
 *
 * A proof is given with the least hand of the attacker that it needs: it holds for every hand that contains it. A disproof is given with the
 * greatest hand that it bears, a field all of whose bits are set being no limit: it holds for every hand that it contains. These
 * functions carry both from the position after a move to the one before it. All are pure and thread safe. */
#ifndef TSUME_SOLVER_DOMINANCE_H
#define TSUME_SOLVER_DOMINANCE_H

#include "rules/movegen.h"

/* A limit that any hand keeps. */
enum { HAND_ALL = 31 | 7 << 6 | 7 << 10 | 7 << 14 | 3 << 18 | 3 << 21 | 7 << 24 };

/* One piece more than the limit `h` allows; a full field is no limit. */
static inline hand limit_add(hand h, int kind) {
    return (h & hand_field(kind)) == hand_field(kind) ? h : hand_add(h, kind);
}
static inline hand limit_remove(hand h, int kind) {
    return (h & hand_field(kind)) == hand_field(kind) ? h : hand_remove(h, kind);
}

/* The attacker's hand after a proof of the position after his move, before the move. */
static inline hand proof_before_attack(hand h, move m) {
    if (move_is_drop(m))
        return hand_add(h, move_kind(m));
    return move_captured(m) ? hand_minus(h, hand_unit(kind_base(move_captured(m)))) : h;
}
static inline hand disproof_before_attack(hand h, move m) {
    if (move_is_drop(m))
        return limit_add(h, move_kind(m));
    return move_captured(m) ? limit_remove(h, kind_base(move_captured(m))) : h;
}
/* A defender's drop needs the piece in his hand: the attacker must leave him one. */
static inline hand disproof_before_defence(const struct position *pos, enum color attacker, hand h, move m) {
    if (!move_is_drop(m))
        return h;
    int kind = move_kind(m);
    int most = hand_count(pos->hand[attacker], kind) + hand_count(pos->hand[color_other(attacker)], kind) - 1;
    hand cap = (HAND_ALL & ~hand_field(kind)) | hand_unit(kind) * (hand)most;
    return hand_min(h, cap);
}

/* The fields of a hand that hold nothing. */
static inline hand empty_fields(hand h) {
    hand fields = HAND_EMPTY;
    for (int kind = PAWN; kind <= GOLD; kind++)
        if (!hand_has(h, kind))
            fields |= hand_field(kind);
    return fields;
}

/* At a defender's node: a proof needs the attacker to hold all pieces of the kinds that the defender could interpose if he had one. */
static inline hand proof_needs(const struct position *pos, enum color attacker) {
    hand defenders = pos->hand[color_other(attacker)];
    hand missing = empty_fields(defenders) & ~empty_fields(pos->hand[attacker]);
    return missing ? pos->hand[attacker] & missing & kinds_that_interpose(pos) : HAND_EMPTY;
}

/* At an attacker's node: a disproof needs him not to have kinds, now missing, that he could drop with check. */
static inline hand disproof_limit(const struct position *pos, enum color attacker) {
    hand missing = empty_fields(pos->hand[attacker]);
    return HAND_ALL & ~(missing & kinds_that_check_by_drop(pos));
}

#endif
