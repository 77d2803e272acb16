/* helping.h: a second thread that helps a solver, for tests. */
#ifndef TSUME_TESTS_HELPING_H
#define TSUME_TESTS_HELPING_H

#include "solver/tsume.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>

/* A thread that joins in with whatever the solver has in work, from begin_helping to end_helping. */
struct helper {
    struct tsume_solver *solver;
    atomic_bool over;
    pthread_t thread;
};

static inline void *assist(void *argument) {
    struct helper *helper = argument;
    while (!atomic_load(&helper->over))
        tsume_assist(helper->solver);
    return NULL;
}

static inline void begin_helping(struct helper *helper, struct tsume_solver *solver) {
    helper->solver = solver;
    atomic_init(&helper->over, false);
    cr_assert_eq(pthread_create(&helper->thread, NULL, assist, helper), 0);
}

static inline void end_helping(struct helper *helper) {
    atomic_store(&helper->over, true);
    pthread_join(helper->thread, NULL);
}

#endif
