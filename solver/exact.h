/* exact.h: from "is there a mate" to its value. */
#ifndef TSUME_SOLVER_EXACT_H
#define TSUME_SOLVER_EXACT_H

#include "solver/dfpn.h"

/* A mate: a code by which the attacker mates, and whether that is proved the best. */
struct mate {
    code value;
    bool exact;
};

/* Who answers a question about the position in work: worker_decide_within, or something that lets other threads join. */
typedef enum outcome decide_function(void *context, code bound, uint64_t nodes, struct decision *decision);

/* Decides whether the position in work is a mate and, unless `any` is set, shortens the mate as far as the limits of its search allow:
 * plies first, then, when no shorter mate exists, pieces spent. attacks: the attacker is to move. PROVED: *mate is set. */
enum outcome exact_solve_with(decide_function *decide, void *context, bool attacks, bool any, struct mate *mate);

/* The same by one worker at its position. */
enum outcome exact_solve(struct worker *worker, bool any, struct mate *mate);

#endif
