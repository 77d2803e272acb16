/* exact.c: from "is there a mate" to its value.
 *
 * Questions take turns, each with an allowance of nodes that doubles every round, so that none can hold up the answer that another one would
 * find: first "is there a mate at all" and "is there one of 1, 3, 5, … plies"; then, with a mate known, "is there one two plies shorter" and
 * again those from below, until the two meet at the length. At last pieces spent are saved one by one. */
#include "solver/exact.h"

/* Nodes for each question of the first round. While no mate is known, those from below get less: they are rarely the ones that decide. */
enum { FIND_FIRST = 1 << 20, FIND_BELOW_SHARE = 8, SHORTEN_FIRST = 1 << 16 };

struct hunt {
    decide_function *decide;
    void *context;
    int least_plies; /* of any mate: 1 or 0, by the side to move */
    code best;       /* the least known by which he mates; CODE_INFINITE: none yet */
    code refuted;    /* the greatest known by which he does not; 0: none yet */
};

/* Asks, and notes what the answer tells. */
static enum outcome ask(struct hunt *h, code bound, uint64_t nodes) {
    struct decision d;
    enum outcome outcome = h->decide(h->context, bound, nodes, &d);
    if (outcome == PROVED && d.value < h->best)
        h->best = d.value;
    if (outcome == DISPROVED && d.value > h->refuted)
        h->refuted = d.value;
    return outcome;
}

/* Does nothing shorter than the best known mate? */
static bool is_shortest(const struct hunt *h) {
    int shorter = code_plies(h->best) - 2;
    return shorter < h->least_plies || h->refuted >= code_make(shorter, CODE_ANY_SPENT);
}

/* The least number of plies that is not refuted. */
static int plies_left(const struct hunt *h) {
    if (h->refuted == 0)
        return h->least_plies;
    return code_plies(h->refuted) + (code_spent(h->refuted) == CODE_ANY_SPENT ? 2 : 0);
}

/* Looks for the shortest mate from below, two plies longer each time. PROVED: found. DISPROVED: there is no mate at all. */
static enum outcome rise(struct hunt *h, uint64_t nodes) {
    enum outcome outcome = DISPROVED;
    while (outcome == DISPROVED && h->refuted != CODE_INFINITE) {
        if (h->best != CODE_INFINITE && is_shortest(h))
            return PROVED;
        outcome = ask(h, code_make(plies_left(h), CODE_ANY_SPENT), nodes);
    }
    return outcome;
}

/* Is there a mate at all? */
static enum outcome find(struct hunt *h) {
    enum outcome outcome = GIVEN_UP;
    for (uint64_t nodes = FIND_FIRST; outcome == GIVEN_UP; nodes *= 2) {
        outcome = ask(h, CODE_INFINITE, nodes);
        if (outcome == GIVEN_UP)
            outcome = rise(h, nodes / FIND_BELOW_SHARE);
    }
    return outcome;
}

/* Shortens the best mate by two plies as often as `nodes` a time suffice. PROVED: it is the shortest. */
static enum outcome descend(struct hunt *h, uint64_t nodes) {
    while (!is_shortest(h)) {
        enum outcome outcome = ask(h, code_make(code_plies(h->best) - 2, CODE_ANY_SPENT), nodes);
        if (outcome != PROVED && outcome != DISPROVED)
            return outcome;
    }
    return PROVED;
}

/* Finds the length. True if it is proved. */
static bool shorten(struct hunt *h) {
    enum outcome outcome = GIVEN_UP;
    for (uint64_t nodes = SHORTEN_FIRST; outcome == GIVEN_UP; nodes *= 2) {
        outcome = descend(h, nodes);
        if (outcome == GIVEN_UP)
            outcome = rise(h, nodes);
    }
    return outcome == PROVED;
}

/* Saves pieces until that fails. True if the value is proved the best. */
static bool save_pieces(struct hunt *h) {
    enum outcome outcome = PROVED;
    while (outcome == PROVED && code_plies(h->best) > 0 && h->refuted < h->best - 1)
        outcome = ask(h, h->best - 1, 0);
    return outcome == PROVED || outcome == DISPROVED;
}

enum outcome exact_solve_with(decide_function *decide, void *context, bool attacks, bool any, struct mate *mate) {
    struct hunt h = {
        .decide = decide, .context = context, .least_plies = attacks ? 1 : 0, .best = CODE_INFINITE, .refuted = 0};
    enum outcome outcome = find(&h);
    if (outcome != PROVED)
        return outcome;
    mate->exact = !any && shorten(&h) && save_pieces(&h);
    mate->value = h.best;
    return PROVED;
}

static enum outcome decide_alone(void *worker, code bound, uint64_t nodes, struct decision *decision) {
    return worker_decide_within(worker, bound, nodes, decision);
}

enum outcome exact_solve(struct worker *worker, bool any, struct mate *mate) {
    bool attacks = worker_position(worker)->side == worker_search(worker)->attacker;
    return exact_solve_with(decide_alone, worker, attacks, any, mate);
}
