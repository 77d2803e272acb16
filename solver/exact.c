/* exact.c: shortening mates. */
#include "solver/exact.h"

/* Shortens by two plies until that fails, then by one piece spent until that fails. True if *value is proved the best. */
static bool shorten(decide_function *decide, void *context, int least_plies, code *value) {
    struct decision d;
    enum outcome outcome = PROVED;
    while (outcome == PROVED && code_plies(*value) > least_plies) {
        outcome = decide(context, code_make(code_plies(*value) - 2, CODE_ANY_SPENT), &d);
        if (outcome == PROVED)
            *value = d.value;
    }
    if (outcome == STOPPED)
        return false;
    if (code_plies(*value) == 0) /* mated where he stands */
        return true;
    while ((outcome = decide(context, *value - 1, &d)) == PROVED)
        *value = d.value;
    return outcome == DISPROVED;
}

enum outcome exact_solve_with(decide_function *decide, void *context, bool attacks, bool any, struct mate *mate) {
    struct decision d;
    enum outcome outcome = decide(context, CODE_INFINITE, &d);
    if (outcome != PROVED)
        return outcome;
    mate->value = d.value;
    mate->exact = !any && shorten(decide, context, attacks ? 1 : 0, &mate->value);
    return PROVED;
}

static enum outcome decide_alone(void *worker, code bound, struct decision *decision) {
    return worker_decide(worker, bound, decision);
}

enum outcome exact_solve(struct worker *worker, bool any, struct mate *mate) {
    bool attacks = worker_position(worker)->side == worker_search(worker)->attacker;
    return exact_solve_with(decide_alone, worker, attacks, any, mate);
}
