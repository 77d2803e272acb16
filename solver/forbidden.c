/* forbidden.c: a hash table with open addressing; a board may stand in it with several hands. */
#include "solver/forbidden.h"

#include <stdlib.h>

struct place {
    uint64_t board;
    hand attackers;
    bool taken;
};

struct forbidden {
    size_t mask;
    struct place places[];
};

struct forbidden *forbidden_new(size_t positions) {
    size_t size = 16;
    while (size < positions * 4)
        size *= 2;
    struct forbidden *set = calloc(1, sizeof *set + size * sizeof set->places[0]);
    if (set)
        set->mask = size - 1;
    return set;
}

void forbidden_free(struct forbidden *set) {
    free(set);
}

void forbidden_add(struct forbidden *set, uint64_t board, hand attackers) {
    size_t i = board & set->mask;
    while (set->places[i].taken)
        i = (i + 1) & set->mask;
    set->places[i] = (struct place){board, attackers, true};
}

bool forbidden_has(const struct forbidden *set, uint64_t board, hand attackers) {
    for (size_t i = board & set->mask; set->places[i].taken; i = (i + 1) & set->mask)
        if (set->places[i].board == board && set->places[i].attackers == attackers)
            return true;
    return false;
}

bool forbidden_knows(const struct forbidden *set, uint64_t board) {
    for (size_t i = board & set->mask; set->places[i].taken; i = (i + 1) & set->mask)
        if (set->places[i].board == board)
            return true;
    return false;
}
