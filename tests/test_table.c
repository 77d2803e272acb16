/* test_table.c: the shared table: what it may conclude from what it was told, what it keeps when it is full, and that it never says what
 * nobody told it, whatever threads do to it at the same time. */
#include "solver/table.h"

#include "solver/value.h"
#include "tests/random_position.h"

#include <criterion/criterion.h>
#include <pthread.h>

enum { NOT_MET = 0xffff }; /* as a distance */

static struct table *table;
static unsigned generation;

static unsigned open_generation(void) {
    uint64_t serial;
    return table_open_generation(table, &serial);
}

static void open_table(void) {
    table = table_new(1);
    cr_assert_not_null(table);
    generation = open_generation();
    table_enter(table);
}

static void close_table(void) {
    table_leave(table);
    table_free(table);
}

/* A key such as boards have: no two numbers below 2⁶⁴ share one. */
static uint64_t key_of(uint64_t number) {
    struct random_source source = {number};
    return random_next(&source);
}

static hand hand_of(int pawns, int lances, int golds) {
    hand h = (hand)pawns * hand_unit(PAWN) + (hand)lances * hand_unit(LANCE) + (hand)golds * hand_unit(GOLD);
    return h;
}

static const uint64_t BOARD = UINT64_C(0x123456789abcdef0);

static void store(uint64_t key, hand own, code bound, struct entry entry) {
    table_store(table, generation, key, own, bound, &entry);
}

static void store_proof(uint64_t key, hand own, hand proof, code value, uint32_t flags) {
    store(key, own, value, (struct entry){.dn = PN_INFINITE, .hand = proof, .code = value, .work = 1, .flags = flags});
}

static void store_disproof(uint64_t key, hand own, hand disproof, code bound, uint32_t flags) {
    store(key, own, bound,
          (struct entry){.pn = PN_INFINITE, .hand = disproof, .code = bound, .work = 1, .flags = flags});
}

static void store_open(uint64_t key, hand h, code bound, uint32_t pn, uint32_t dn) {
    store(key, h, bound, (struct entry){.pn = pn, .dn = dn, .hand = h, .code = bound, .work = 1});
}

static bool is_proved(uint64_t key, hand h, code bound) {
    struct entry found;
    return table_probe(table, key, h, bound, &found) && found.pn == 0;
}

static bool is_disproved(uint64_t key, hand h, code bound) {
    struct entry found;
    return table_probe(table, key, h, bound, &found) && found.dn == 0;
}

static void expect_unknown(uint64_t key, hand h, code bound, uint32_t pn, uint32_t dn) {
    struct entry found;
    cr_expect_not(table_probe(table, key, h, bound, &found));
    cr_expect(found.pn == pn && found.dn == dn, "%u/%u where %u/%u was due", found.pn, found.dn, pn, dn);
}

static void expect_open(uint64_t key, hand h, code bound, uint32_t pn, uint32_t dn) {
    struct entry found;
    cr_expect(table_probe(table, key, h, bound, &found));
    cr_expect(found.pn == pn && found.dn == dn, "%u/%u where %u/%u was due", found.pn, found.dn, pn, dn);
}

/* ---- What one entry says ------------------------------------------------------------------------------------------- */

Test(table, knows_nothing_at_first, .init = open_table, .fini = close_table) {
    struct entry found;
    cr_expect_not(table_probe(table, BOARD, HAND_EMPTY, CODE_INFINITE, &found));
    cr_expect(found.pn == 1 && found.dn == 1 && found.distance == NOT_MET && found.flags == 0);
    cr_expect_eq(table_permille(table), 0);
    cr_expect_eq(table_mib(table), 1);
}

Test(table, a_proof_holds_for_every_hand_that_contains_its_own, .init = open_table, .fini = close_table) {
    store_proof(BOARD, hand_of(2, 1, 0), hand_of(1, 1, 0), CODE_INFINITE, 0);
    cr_expect(is_proved(BOARD, hand_of(1, 1, 0), CODE_INFINITE));
    cr_expect(is_proved(BOARD, hand_of(2, 1, 0), CODE_INFINITE));
    cr_expect(is_proved(BOARD, hand_of(18, 4, 4), CODE_INFINITE));
    expect_unknown(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 1, 1);
    expect_unknown(BOARD, hand_of(0, 1, 4), CODE_INFINITE, 1, 1);
    expect_unknown(BOARD, hand_of(18, 0, 4), CODE_INFINITE, 1, 1);
}

Test(table, a_disproof_holds_for_every_hand_contained_in_its_own, .init = open_table, .fini = close_table) {
    store_disproof(BOARD, hand_of(1, 1, 0), hand_of(2, 1, 0), CODE_INFINITE, 0);
    cr_expect(is_disproved(BOARD, hand_of(2, 1, 0), CODE_INFINITE));
    cr_expect(is_disproved(BOARD, hand_of(0, 1, 0), CODE_INFINITE));
    cr_expect(is_disproved(BOARD, HAND_EMPTY, CODE_INFINITE));
    expect_unknown(BOARD, hand_of(3, 1, 0), CODE_INFINITE, 1, 1);
    expect_unknown(BOARD, hand_of(0, 0, 1), CODE_INFINITE, 1, 1);
}

Test(table, every_field_of_a_hand_counts_by_itself, .init = open_table, .fini = close_table) {
    for (int kind = PAWN; kind <= GOLD; kind++) {
        hand full = 0;
        for (int other = PAWN; other <= GOLD; other++)
            full += hand_unit(other) * (hand)kind_set_size(other);
        hand all_but_one = hand_remove(full, kind);
        store_proof(key_of((uint64_t)kind), full, hand_unit(kind), CODE_INFINITE, 0);
        store_disproof(key_of((uint64_t)kind + 100), full, all_but_one, CODE_INFINITE, 0);
        cr_expect(is_proved(key_of((uint64_t)kind), full, CODE_INFINITE));
        cr_expect_not(is_proved(key_of((uint64_t)kind), full & ~hand_field(kind), CODE_INFINITE));
        cr_expect(is_disproved(key_of((uint64_t)kind + 100), all_but_one, CODE_INFINITE));
        cr_expect_not(is_disproved(key_of((uint64_t)kind + 100), full, CODE_INFINITE));
    }
}

Test(table, a_mate_by_a_bound_is_a_mate_by_any_wider_one, .init = open_table, .fini = close_table) {
    code seven = code_make(7, 0);
    store_proof(BOARD, HAND_EMPTY, HAND_EMPTY, seven, 0);
    cr_expect(is_proved(BOARD, HAND_EMPTY, seven));
    cr_expect(is_proved(BOARD, HAND_EMPTY, code_make(9, -3)));
    cr_expect(is_proved(BOARD, HAND_EMPTY, CODE_INFINITE));
    cr_expect_not(is_proved(BOARD, HAND_EMPTY, seven - 1));
    cr_expect_not(is_proved(BOARD, HAND_EMPTY, code_make(5, CODE_ANY_SPENT)));
}

Test(table, no_mate_by_a_bound_is_no_mate_by_any_narrower_one, .init = open_table, .fini = close_table) {
    code seven = code_make(7, 0);
    store_disproof(BOARD, HAND_EMPTY, HAND_EMPTY, seven, 0);
    cr_expect(is_disproved(BOARD, HAND_EMPTY, seven));
    cr_expect(is_disproved(BOARD, HAND_EMPTY, code_make(1, 0)));
    cr_expect(is_disproved(BOARD, HAND_EMPTY, 0));
    cr_expect_not(is_disproved(BOARD, HAND_EMPTY, seven + 1));
    cr_expect_not(is_disproved(BOARD, HAND_EMPTY, CODE_INFINITE));
}

Test(table, a_proof_that_compares_lengths_holds_for_its_very_hand_only, .init = open_table, .fini = close_table) {
    code bound = code_make(5, 0);
    store_proof(key_of(1), hand_of(1, 0, 0), hand_of(1, 0, 0), bound, FLAG_EXACT_HAND);
    cr_expect(is_proved(key_of(1), hand_of(1, 0, 0), bound));
    cr_expect(is_proved(key_of(1), hand_of(1, 0, 0), bound + 10));
    cr_expect_not(is_proved(key_of(1), hand_of(2, 0, 0), bound));
    store_disproof(key_of(2), hand_of(1, 0, 0), hand_of(1, 0, 0), bound, FLAG_EXACT_HAND);
    cr_expect(is_disproved(key_of(2), hand_of(1, 0, 0), bound));
    cr_expect(is_disproved(key_of(2), hand_of(1, 0, 0), bound - 10));
    cr_expect_not(is_disproved(key_of(2), HAND_EMPTY, bound));
}

Test(table, a_proof_for_one_hand_leaves_the_proof_for_all_hands, .init = open_table, .fini = close_table) {
    code five = code_make(5, 0), three = code_make(3, 0);
    store_proof(BOARD, HAND_EMPTY, HAND_EMPTY, five, 0);
    store_proof(BOARD, HAND_EMPTY, HAND_EMPTY, three, FLAG_EXACT_HAND);
    struct entry found;
    cr_expect(table_probe(table, BOARD, HAND_EMPTY, five, &found) && found.code == three);
    cr_expect(is_proved(BOARD, hand_of(1, 0, 0), five), "the proof that holds for all hands was lost");
}

Test(table, the_shortest_mate_known_is_the_one_told, .init = open_table, .fini = close_table) {
    code nine = code_make(9, 0), five = code_make(5, 0), seven = code_make(7, 0);
    store_proof(BOARD, HAND_EMPTY, HAND_EMPTY, nine, 0);
    store_proof(BOARD, hand_of(0, 0, 2), hand_of(0, 0, 2), five, 0);
    store_proof(BOARD, hand_of(0, 0, 1), hand_of(0, 0, 1), seven, 0);
    struct entry found;
    cr_expect(table_probe(table, BOARD, hand_of(0, 0, 3), CODE_INFINITE, &found) && found.code == five);
    cr_expect(table_probe(table, BOARD, hand_of(0, 0, 1), CODE_INFINITE, &found) && found.code == seven);
    cr_expect(table_probe(table, BOARD, HAND_EMPTY, CODE_INFINITE, &found) && found.code == nine);
}

Test(table, boards_are_kept_apart, .init = open_table, .fini = close_table) {
    store_proof(BOARD, HAND_EMPTY, HAND_EMPTY, CODE_MATE_IN_ONE_LEAST, 0);
    for (int bit = 0; bit < 64; bit++)
        cr_expect_not(is_proved(BOARD ^ UINT64_C(1) << bit, HAND_EMPTY, CODE_INFINITE), "bit %d", bit);
}

/* ---- Open entries -------------------------------------------------------------------------------------------------- */

Test(table, numbers_are_those_of_the_very_hand_and_bound, .init = open_table, .fini = close_table) {
    store_open(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 7, 9);
    expect_open(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 7, 9);
    store_open(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 3, 20);
    expect_open(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 3, 20);
}

Test(table, more_in_hand_is_no_easier_to_refute_and_less_no_easier_to_prove, .init = open_table, .fini = close_table) {
    store_open(BOARD, hand_of(1, 1, 0), CODE_INFINITE, 7, 9);
    expect_unknown(BOARD, hand_of(2, 1, 0), CODE_INFINITE, 1, 9);
    expect_unknown(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 7, 1);
    expect_unknown(BOARD, hand_of(0, 0, 1), CODE_INFINITE, 1, 1);
    store_open(BOARD, hand_of(2, 1, 0), CODE_INFINITE, 2, 2);
    expect_open(BOARD, hand_of(2, 1, 0), CODE_INFINITE, 2, 9);
    store_open(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 2, 2);
    expect_open(BOARD, hand_of(1, 0, 0), CODE_INFINITE, 7, 2);
}

Test(table, a_wider_bound_is_no_harder_to_prove_and_a_narrower_one_no_harder_to_refute, .init = open_table,
     .fini = close_table) {
    code five = code_make(5, CODE_ANY_SPENT), seven = code_make(7, CODE_ANY_SPENT), nine = code_make(9, CODE_ANY_SPENT);
    store_open(BOARD, HAND_EMPTY, seven, 6, 8);
    expect_unknown(BOARD, HAND_EMPTY, five, 6, 1);
    expect_unknown(BOARD, HAND_EMPTY, nine, 1, 8);
}

Test(table, a_place_that_was_met_keeps_its_distance, .init = open_table, .fini = close_table) {
    struct entry found;
    store(BOARD, hand_of(1, 0, 0), CODE_INFINITE,
          (struct entry){.pn = 1, .dn = 1, .hand = hand_of(1, 0, 0), .code = CODE_INFINITE, .distance = 40});
    store(BOARD, hand_of(0, 1, 0), CODE_INFINITE,
          (struct entry){.pn = 1, .dn = 1, .hand = hand_of(0, 1, 0), .code = CODE_INFINITE, .distance = 30});
    cr_expect_not(table_probe(table, BOARD, hand_of(0, 0, 1), CODE_INFINITE, &found));
    cr_expect_eq(found.distance, 30, "the least of all hands of the board");
    cr_expect(table_probe(table, BOARD, hand_of(1, 0, 0), CODE_INFINITE, &found));
    cr_expect_eq(found.distance, 40);
}

/* ---- What takes the place of what ---------------------------------------------------------------------------------- */

/* Stores far more entries of one board than a run of slots holds, if none took another's place. */
enum { MANY_STORES = 100000 };

Test(table, new_numbers_take_the_place_of_old_ones, .init = open_table, .fini = close_table) {
    for (uint32_t i = 1; i <= MANY_STORES; i++)
        store_open(BOARD, HAND_EMPTY, CODE_INFINITE, i, i);
    expect_open(BOARD, HAND_EMPTY, CODE_INFINITE, MANY_STORES, MANY_STORES);
    cr_expect_eq(table_permille(table), 0);
}

Test(table, an_answer_takes_the_place_of_the_nodes_own_numbers, .init = open_table, .fini = close_table) {
    for (int i = 0; i < MANY_STORES; i++) {
        store_open(BOARD, hand_of(5, 0, 0), CODE_INFINITE, 4, 4);
        store_proof(BOARD, hand_of(5, 0, 0), hand_of(1, 0, 0), code_make(5, 0), 0);
    }
    cr_expect_eq(table_permille(table), 0);
    struct entry found;
    cr_expect(table_probe(table, BOARD, hand_of(5, 0, 0), CODE_INFINITE, &found) && found.pn == 0);
    cr_expect(table_probe(table, BOARD, hand_of(1, 0, 0), CODE_INFINITE, &found) && found.pn == 0);
}

Test(table, a_better_proof_takes_the_place_of_all_it_makes_superfluous, .init = open_table, .fini = close_table) {
    for (int pawns = 18; pawns >= 1; pawns--)
        store_proof(BOARD, hand_of(pawns, 0, 0), hand_of(pawns, 0, 0), code_make(2 * pawns + 1, 0), 0);
    for (int pawns = 18; pawns >= 0; pawns--) {
        struct entry found;
        cr_expect(table_probe(table, BOARD, hand_of(pawns, 0, 0), CODE_INFINITE, &found) == (pawns >= 1));
        if (pawns >= 1)
            cr_expect(found.pn == 0 && found.code == code_make(3, 0), "%d pawns", pawns);
    }
}

Test(table, a_longer_mate_with_less_in_hand_and_a_shorter_one_with_more_are_both_kept, .init = open_table,
     .fini = close_table) {
    store_proof(BOARD, hand_of(3, 0, 0), hand_of(3, 0, 0), code_make(3, 0), 0);
    store_proof(BOARD, hand_of(1, 0, 0), hand_of(1, 0, 0), code_make(9, 0), 0);
    cr_expect(is_proved(BOARD, hand_of(3, 0, 0), code_make(3, 0)));
    cr_expect(is_proved(BOARD, hand_of(1, 0, 0), code_make(9, 0)));
    cr_expect_not(is_proved(BOARD, hand_of(1, 0, 0), code_make(7, 0)));
}

Test(table, proofs_and_disproofs_of_one_board_live_side_by_side, .init = open_table, .fini = close_table) {
    for (int lances = 0; lances <= 4; lances++) {
        store_proof(BOARD, hand_of(5 - lances, lances, 0), hand_of(5 - lances, lances, 0), code_make(7, 0), 0);
        store_disproof(BOARD, hand_of(4 - lances, lances, 0), hand_of(4 - lances, lances, 0), CODE_INFINITE, 0);
    }
    for (int lances = 0; lances <= 4; lances++)
        for (int pawns = 0; pawns <= 18; pawns++) {
            hand h = hand_of(pawns, lances, 0);
            cr_expect_eq(is_proved(BOARD, h, CODE_INFINITE), lances + pawns >= 5, "%d+%d", pawns, lances);
            cr_expect_eq(is_disproved(BOARD, h, CODE_INFINITE), lances + pawns < 5, "%d+%d", pawns, lances);
        }
}

/* ---- Packing ------------------------------------------------------------------------------------------------------- */

static void expect_kept(uint64_t key, struct entry e) {
    struct entry found;
    store(key, e.hand, e.code, e);
    cr_assert(table_probe(table, key, e.hand, e.code, &found));
    cr_expect_eq(found.pn, e.pn);
    cr_expect_eq(found.dn, e.dn);
    cr_expect_eq(found.hand, e.hand);
    cr_expect_eq(found.code, e.code);
    cr_expect_eq(found.move, e.move);
    cr_expect_eq(found.flags, e.flags);
    cr_expect_eq(found.distance, e.distance);
    cr_expect(found.work <= e.work && e.work - found.work <= e.work / 8, "work %u came back as %u", e.work, found.work);
}

Test(table, every_field_keeps_its_extremes, .init = open_table, .fini = close_table) {
    enum { FIELDS = 8 };
    static const struct entry least = {.pn = 1, .dn = 1};
    static const struct entry most = {.pn = PN_INFINITE - 1,
                                      .dn = PN_INFINITE - 1,
                                      .hand = 31u | 7u << 6 | 7u << 10 | 7u << 14 | 3u << 18 | 3u << 21 | 7u << 24,
                                      .code = CODE_INFINITE,
                                      .move = 0xffffff,
                                      .work = UINT32_MAX,
                                      .distance = 0xffff,
                                      .flags = 0xffff};
    for (unsigned which = 0; which < 1u << FIELDS; which++) {
        struct entry e = {.pn = (which & 1 ? &most : &least)->pn,
                          .dn = (which & 2 ? &most : &least)->dn,
                          .hand = (which & 4 ? &most : &least)->hand,
                          .code = (which & 8 ? &most : &least)->code,
                          .move = (which & 16 ? &most : &least)->move,
                          .work = (which & 32 ? &most : &least)->work,
                          .distance = (which & 64 ? &most : &least)->distance,
                          .flags = (which & 128 ? &most : &least)->flags};
        expect_kept(key_of(which), e);
    }
    expect_kept(0, most);
    expect_kept(~UINT64_C(0), least);
    expect_kept(1, (struct entry){.dn = PN_INFINITE, .hand = most.hand, .code = CODE_INFINITE, .move = most.move});
    expect_kept(2, (struct entry){.pn = PN_INFINITE, .hand = most.hand, .code = CODE_INFINITE, .move = most.move});
}

Test(table, work_is_kept_to_an_eighth_from_one_node_to_all_that_can_be_counted, .init = open_table,
     .fini = close_table) {
    uint32_t last = 0;
    for (uint64_t work = 0; work <= UINT32_MAX; work += work / 50 + 1) {
        struct entry found;
        store(BOARD, HAND_EMPTY, 1, (struct entry){.pn = 1, .dn = 1, .code = 1, .work = (uint32_t)work});
        cr_assert(table_probe(table, BOARD, HAND_EMPTY, 1, &found));
        cr_assert(found.work <= work && work - found.work <= work / 8, "%lu came back as %u", (unsigned long)work,
                  found.work);
        cr_assert(found.work >= last, "more work never looks like less");
        last = found.work;
    }
}

Test(table, a_distance_too_great_to_be_kept_is_the_greatest, .init = open_table, .fini = close_table) {
    struct entry found;
    store(BOARD, HAND_EMPTY, 1, (struct entry){.pn = 1, .dn = 1, .code = 1, .distance = 1000000});
    cr_expect(table_probe(table, BOARD, HAND_EMPTY, 1, &found) && found.distance == NOT_MET);
}

Test(table, a_slot_set_free_says_nothing_of_any_board, .init = open_table, .fini = close_table) {
    /* the second of two entries that a proof makes superfluous leaves a free slot behind, in the run of key 0 */
    store_open(0, hand_of(1, 0, 0), CODE_INFINITE, 2, 2);
    store_open(0, hand_of(2, 0, 0), CODE_INFINITE, 2, 2);
    store_proof(0, hand_of(2, 0, 0), hand_of(1, 0, 0), code_make(9, 0), 0);
    cr_expect_not(is_proved(0, HAND_EMPTY, CODE_INFINITE), "a mate out of nothing");
    cr_expect_not(is_proved(0, hand_of(1, 0, 0), code_make(7, 0)), "a shorter mate than was proved");
    cr_expect(is_proved(0, hand_of(1, 0, 0), code_make(9, 0)));
}

/* ---- Full tables --------------------------------------------------------------------------------------------------- */

/* Facts that follow from the key alone, so that whatever the table says can be checked: the board's attacker mates with at least so
 * many pawns in hand, within at least so many plies. */
struct fact {
    int pawns;
    code least;
    uint32_t pn, dn, work, distance;
};

static struct fact fact_of(uint64_t key) {
    struct random_source source = {key ^ UINT64_C(0x5eed)};
    struct fact fact = {.pawns = random_below(&source, 10), .least = code_make(1 + 2 * random_below(&source, 20), 0)};
    fact.pn = 1 + (uint32_t)random_below(&source, 1 << 20);
    fact.dn = 1 + (uint32_t)random_below(&source, 1 << 20);
    fact.work = 1 + (uint32_t)random_below(&source, 4);
    fact.distance = (uint32_t)random_below(&source, 1000);
    return fact;
}

static move move_told(uint64_t key, hand h, code c) {
    struct random_source source = {key ^ (uint64_t)h << 20 ^ c};
    return (move)(random_next(&source) & 0xffffff);
}

static bool is_mate(const struct fact *fact, hand h, code bound) {
    return hand_count(h, PAWN) >= fact->pawns && bound >= fact->least;
}

static hand some_hand(struct random_source *source) {
    return hand_of(random_below(source, 19), random_below(source, 5), random_below(source, 5));
}

static code some_bound(struct random_source *source) {
    return random_percent(source, 30) ? CODE_INFINITE : code_make(1 + 2 * random_below(source, 20), 0);
}

/* Tells the table something true of the board. */
static void tell(struct table *t, unsigned owner, uint64_t key, struct random_source *source) {
    struct fact fact = fact_of(key);
    hand own = some_hand(source);
    code bound = some_bound(source);
    struct entry e = {.pn = fact.pn, .dn = fact.dn, .hand = own, .code = bound};
    if (random_percent(source, 60)) {
        if (is_mate(&fact, own, bound)) {
            e.pn = 0;
            e.dn = PN_INFINITE;
            e.hand = random_percent(source, 50) ? own : hand_of(fact.pawns, 0, 0);
            e.code = random_percent(source, 50) ? bound : fact.least;
        } else {
            e.pn = PN_INFINITE;
            e.dn = 0;
            if (hand_count(own, PAWN) < fact.pawns && random_percent(source, 50))
                e.hand = hand_of(fact.pawns - 1, 4, 4);
        }
        e.flags = e.hand == own && random_percent(source, 20) ? FLAG_EXACT_HAND : 0;
    }
    e.move = move_told(key, e.hand, e.code);
    e.work = fact.work;
    e.distance = fact.distance;
    table_store(t, owner, key, own, bound, &e);
}

/* Asks the table about a board; false if what it says is not true. */
static bool tells_the_truth(const struct table *t, uint64_t key, struct random_source *source) {
    struct fact fact = fact_of(key);
    hand h = some_hand(source);
    code bound = some_bound(source);
    struct entry e;
    if (!table_probe(t, key, h, bound, &e))
        return (e.pn == 1 || e.pn == fact.pn) && (e.dn == 1 || e.dn == fact.dn) &&
               (e.distance == NOT_MET || e.distance == fact.distance);
    bool whole = e.move == move_told(key, e.hand, e.code) && e.work == fact.work && e.distance == fact.distance;
    if (e.pn == 0)
        return whole && e.dn == PN_INFINITE && hand_contains(h, e.hand) && e.code <= bound &&
               is_mate(&fact, e.hand, e.code);
    if (e.dn == 0)
        return whole && e.pn == PN_INFINITE && hand_contains(e.hand, h) && e.code >= bound &&
               !is_mate(&fact, e.hand, e.code);
    return whole && e.pn == fact.pn && e.dn == fact.dn && e.hand == h && e.code == bound;
}

Test(table, says_only_what_it_was_told_though_told_more_than_it_holds, .init = open_table, .fini = close_table) {
    enum { BOARDS = 20000, TOLD = TSUME_SANITIZED ? 300000 : 1500000 };
    struct random_source source = {1};
    long known = 0;
    for (long i = 0; i < TOLD; i++) {
        tell(table, generation, key_of((uint64_t)random_below(&source, BOARDS)), &source);
        table_pause_point(table);
        cr_assert(tells_the_truth(table, key_of((uint64_t)random_below(&source, BOARDS)), &source), "after %ld", i);
        struct entry found;
        known += table_probe(table, key_of((uint64_t)random_below(&source, BOARDS)), hand_of(18, 4, 4), CODE_INFINITE,
                             &found);
        cr_assert(table_permille(table) <= 750);
    }
    cr_expect(known > TOLD / 50, "it keeps enough to be of use: %ld of %d", known, TOLD);
}

/* The board of that number, told once as open with so much work behind it. */
static void tell_work(uint64_t number, uint32_t work) {
    store(key_of(number), HAND_EMPTY, CODE_INFINITE,
          (struct entry){.pn = 2, .dn = 3, .code = CODE_INFINITE, .move = (move)number & 0xffffff, .work = work});
    table_pause_point(table);
}

static bool remembers(uint64_t number) {
    struct entry found;
    return table_probe(table, key_of(number), HAND_EMPTY, CODE_INFINITE, &found) &&
           found.move == ((move)number & 0xffffff);
}

enum { SLOTS_OF_ONE_MIB = 1 << 15 };

Test(table, holds_all_it_is_told_up_to_half_its_slots, .init = open_table, .fini = close_table) {
    for (uint64_t i = 0; i < SLOTS_OF_ONE_MIB / 2; i++)
        tell_work(i, 1);
    for (uint64_t i = 0; i < SLOTS_OF_ONE_MIB / 2; i++)
        cr_assert(remembers(i), "%lu", (unsigned long)i);
    cr_expect_eq(table_permille(table), 500);
}

Test(table, what_was_dear_outlives_any_number_of_cheap_entries, .init = open_table, .fini = close_table) {
    enum { DEAR = 5000, CHEAP = 500000 };
    struct random_source source = {2};
    for (uint64_t i = 0; i < DEAR + CHEAP; i++) {
        bool dear = i % (1 + CHEAP / DEAR) == 0;
        tell_work(i, dear ? 100000 : 1 + (uint32_t)random_below(&source, 30));
    }
    for (uint64_t i = 0; i < DEAR + CHEAP; i += 1 + CHEAP / DEAR)
        cr_assert(remembers(i), "%lu", (unsigned long)i);
}

Test(table, takes_new_entries_though_all_it_has_are_equally_dear, .init = open_table, .fini = close_table) {
    for (uint64_t i = 0; i < 10 * SLOTS_OF_ONE_MIB; i++) {
        store(key_of(i), HAND_EMPTY, CODE_INFINITE,
              (struct entry){.pn = 2, .dn = 3, .code = CODE_INFINITE, .move = (move)i & 0xffffff, .work = 1000000});
        cr_assert(remembers(i), "%lu", (unsigned long)i);
        table_pause_point(table);
    }
}

Test(table, takes_new_entries_though_all_have_one_place, .init = open_table, .fini = close_table) {
    for (uint64_t i = 0; i < 3 * SLOTS_OF_ONE_MIB; i++) { /* keys of one slot, all different */
        store(i << 16, HAND_EMPTY, 1, (struct entry){.pn = 1, .dn = 1, .code = 1, .work = 1});
        table_pause_point(table);
        struct entry found;
        cr_assert(table_probe(table, i << 16, HAND_EMPTY, 1, &found), "%lu", (unsigned long)i);
    }
}

Test(table, large_tables_are_collected_segment_by_segment, .init = open_table, .fini = close_table) {
    struct table *small = table;
    table = table_new(5); /* no power of two */
    cr_assert_not_null(table);
    unsigned old = generation;
    generation = open_generation();
    table_enter(table);
    enum { DEAR = 20000 };
    for (uint64_t i = 0; i < 20 * DEAR; i++)
        tell_work(i, i < DEAR ? 5000 : 1);
    for (uint64_t i = 0; i < DEAR; i++)
        cr_assert(remembers(i), "%lu", (unsigned long)i);
    table_leave(table);
    table_free(table);
    table = small;
    generation = old;
}

Test(table, refuses_more_memory_than_there_can_be, .init = open_table, .fini = close_table) {
    cr_expect_null(table_new(SIZE_MAX / 2));
    cr_expect_null(table_new(SIZE_MAX >> 20));
}

/* ---- Generations --------------------------------------------------------------------------------------------------- */

Test(table, searches_at_the_same_time_have_generations_of_their_own, .init = open_table, .fini = close_table) {
    enum { AT_ONCE = 4000 };
    static bool taken[1 << 12];
    taken[generation] = true;
    unsigned generations[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        generations[i] = open_generation();
        cr_assert(generations[i] > 0 && generations[i] < 1 << 12);
        cr_assert_not(taken[generations[i]]);
        taken[generations[i]] = true;
    }
    for (int i = 0; i < AT_ONCE; i++)
        table_close_generation(table, generations[i]);
    for (int i = 0; i < 3 * AT_ONCE; i++) {
        unsigned again = open_generation();
        cr_assert_neq(again, generation);
        table_close_generation(table, again);
    }
}

Test(table, entries_of_ended_searches_make_way_first, .init = open_table, .fini = close_table) {
    enum { EACH = SLOTS_OF_ONE_MIB * 6 / 10 };
    unsigned ended = generation;
    for (uint64_t i = 0; i < EACH; i++)
        tell_work(i, 1000000);
    table_close_generation(table, ended);
    generation = open_generation();
    for (uint64_t i = EACH; i < 2 * EACH; i++)
        tell_work(i, 1);
    for (uint64_t i = EACH; i < 2 * EACH; i++)
        cr_assert(remembers(i), "%lu: cheap, but of a living search", (unsigned long)i);
}

/* ---- Threads ------------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, SHARED_BOARDS = 5000, TOLD_BY_EACH = TSUME_SANITIZED ? 60000 : 400000 };

struct teller {
    pthread_t thread;
    uint64_t seed;
    long lies;
};

/* Tells and asks, as searches do; now and then its search ends and another begins. */
static void *tell_and_ask(void *argument) {
    struct teller *teller = argument;
    struct random_source source = {teller->seed};
    unsigned mine = open_generation();
    table_enter(table);
    for (long i = 0; i < TOLD_BY_EACH; i++) {
        tell(table, mine, key_of((uint64_t)random_below(&source, SHARED_BOARDS)), &source);
        teller->lies += !tells_the_truth(table, key_of((uint64_t)random_below(&source, SHARED_BOARDS)), &source);
        table_pause_point(table);
        if (random_below(&source, 1000) == 0) {
            table_leave(table);
            table_enter(table);
        }
        if (random_below(&source, 20000) == 0) {
            table_close_generation(table, mine);
            mine = open_generation();
        }
    }
    table_leave(table);
    table_close_generation(table, mine);
    return NULL;
}

Test(table, threads_that_tell_and_ask_at_once_hear_no_lies, .init = open_table, .fini = close_table) {
    table_leave(table); /* or the collections would wait for this thread */
    struct teller tellers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tellers[i] = (struct teller){.seed = (uint64_t)i};
        cr_assert_eq(pthread_create(&tellers[i].thread, NULL, tell_and_ask, &tellers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(tellers[i].thread, NULL);
        cr_expect_eq(tellers[i].lies, 0, "thread %d heard %ld", i, tellers[i].lies);
    }
    cr_expect(table_permille(table) <= 760);
    table_enter(table);
}

/* Comes and goes without telling anything: no collection may wait for a thread that has gone. */
static void *come_and_go(void *argument) {
    _Atomic bool *end = argument;
    while (!atomic_load(end)) {
        table_enter(table);
        table_pause_point(table);
        table_leave(table);
    }
    return NULL;
}

Test(table, collections_wait_for_nobody_who_has_left, .init = open_table, .fini = close_table) {
    pthread_t guests[2];
    static _Atomic bool end;
    atomic_store(&end, false);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&guests[i], NULL, come_and_go, &end), 0);
    for (uint64_t i = 0; i < 10 * SLOTS_OF_ONE_MIB; i++)
        tell_work(i, 1 + (i & 7));
    atomic_store(&end, true);
    table_leave(table);
    for (int i = 0; i < 2; i++)
        pthread_join(guests[i], NULL);
    table_enter(table);
}
