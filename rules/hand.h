/* hand.h: the pieces in a player's hand, packed in one word.
 *
 *   bit  0– 4 pawn    5 guard     bit 14–16 silver 17 guard
 *   bit  6– 8 lance   9 guard     bit 18–19 bishop 20 guard
 *   bit 10–12 knight 13 guard     bit 21–22 rook   23 guard
 *                                 bit 24–26 gold   27 guard
 *
 * Guards are 0 in a stored hand. Setting them all before a subtraction makes each field borrow from its own guard only, so
 * "contains at least" is one subtraction and one mask, and fieldwise minimum and maximum follow from the same guards.
 * All functions are pure and thread safe. */
#ifndef TSUME_RULES_HAND_H
#define TSUME_RULES_HAND_H

#include "rules/piece.h"

typedef uint32_t hand;

enum {
    HAND_GUARDS = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 20 | 1 << 23 | 1 << 27,
    HAND_EMPTY = 0,
};

/* First bit of a kind's field; index by base kind. */
static inline int hand_shift(int kind) {
    static const int8_t shift[HAND_KINDS] = {0, 0, 6, 10, 14, 18, 21, 24};
    return shift[kind];
}
/* One piece of the kind as a hand; 0 for NO_KIND. */
static inline hand hand_unit(int kind) {
    static const hand unit[HAND_KINDS] = {0, 1u, 1u << 6, 1u << 10, 1u << 14, 1u << 18, 1u << 21, 1u << 24};
    return unit[kind];
}
/* The bits of a kind's field. */
static inline hand hand_field(int kind) {
    static const hand field[HAND_KINDS] = {0, 31u, 7u << 6, 7u << 10, 7u << 14, 3u << 18, 3u << 21, 7u << 24};
    return field[kind];
}

static inline int hand_count(hand h, int kind) {
    return (int)((h & hand_field(kind)) >> hand_shift(kind));
}
static inline bool hand_has(hand h, int kind) {
    return (h & hand_field(kind)) != 0;
}

/* One piece more or less; the caller knows that it fits. */
static inline hand hand_add(hand h, int kind) {
    return h + hand_unit(kind);
}
static inline hand hand_remove(hand h, int kind) {
    return h - hand_unit(kind);
}

/* a ⊇ b: at least as many of every kind. */
static inline bool hand_contains(hand a, hand b) {
    return (((a | HAND_GUARDS) - b) & HAND_GUARDS) == HAND_GUARDS;
}

/* All bits of the fields in which a ≥ b. */
static inline hand hand_fields_ge(hand a, hand b) {
    hand ge = ((a | HAND_GUARDS) - b) & HAND_GUARDS;     /* a guard stays set where its field did not borrow */
    hand low = ge & ~(hand)(1 << 20 | 1 << 23 | 1 << 5); /* the three-bit fields */
    hand two = ge & (1 << 20 | 1 << 23);
    hand five = ge & (1 << 5);
    return (low - (low >> 3)) | (two - (two >> 2)) | (five - (five >> 5));
}
/* Fieldwise greatest and least. */
static inline hand hand_max(hand a, hand b) {
    hand ge = hand_fields_ge(a, b);
    return (a & ge) | (b & ~ge);
}
static inline hand hand_min(hand a, hand b) {
    hand ge = hand_fields_ge(a, b);
    return (b & ge) | (a & ~ge);
}
/* Fieldwise a − b, not below 0. */
static inline hand hand_minus(hand a, hand b) {
    return a - hand_min(a, b);
}

/* How many pieces in all. */
static inline int hand_total(hand h) {
    int total = 0;
    for (int kind = PAWN; kind <= GOLD; kind++)
        total += hand_count(h, kind);
    return total;
}

#endif
