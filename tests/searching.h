/* searching.h: what tests that look inside the search have in common: a position from its SFEN, and a search with one worker on it. */
#ifndef TSUME_TESTS_SEARCHING_H
#define TSUME_TESTS_SEARCHING_H

#include "rules/sfen.h"
#include "solver/dfpn.h"

#include <criterion/criterion.h>

/* The position, which must be legal. */
static inline struct position position_of(const char *sfen) {
    struct setup setup;
    struct sfen_error error;
    struct position pos;
    cr_assert(sfen_parse(sfen, &setup, &error) != 0, "%s: %s", sfen, error.message);
    cr_assert_eq(setup_fault(&setup, NULL, NULL), FAULT_NONE, "%s", sfen);
    position_set(&pos, &setup);
    return pos;
}

/* One problem in work. */
struct work {
    struct search search;
    struct worker *worker;
};

/* futile: bounded questions leave out futile interpositions. node_limit 0: none. */
static inline void begin_work(struct work *work, struct table *table, const struct position *pos, enum color attacker,
                              bool futile, uint64_t node_limit) {
    cr_assert(search_open(&work->search, table, attacker));
    work->search.futile = futile;
    work->search.node_limit = node_limit;
    work->worker = worker_new(&work->search, pos);
    cr_assert_not_null(work->worker);
}

static inline void end_work(struct work *work) {
    worker_free(work->worker);
    search_close(&work->search);
}

static inline uint64_t nodes_of(struct work *work) {
    worker_flush(work->worker);
    return atomic_load(&work->search.nodes);
}

/* No limit from here on. */
static inline void lift_limits(struct work *work) {
    search_limit(&work->search, 0, 0);
}

#endif
