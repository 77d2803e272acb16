/* shallow.h: questions of so few plies that they are answered on the spot, without stack and table.
 *
 * In a search for the shortest mate half of all positions have three plies left or fewer. All functions leave the position as it was; thread safe for
 * different positions. */
#ifndef TSUME_SOLVER_SHALLOW_H
#define TSUME_SOLVER_SHALLOW_H

#include "rules/movegen.h"
#include "solver/value.h"

/* What is found out about a position. */
struct verdict {
    enum outcome outcome; /* STOPPED: nothing, and the rest is not set */
    code code;            /* PROVED: he mates by this. DISPROVED: he does not mate by this */
    hand basis; /* the least hand of his that the proof needs, or the greatest that the disproof bears (dominance.h) */
    move move;  /* the one that proves, or refutes the attacker; NO_MOVE if it takes more than one */
};

/* What the mate in one of the side to move, as mate_in_one found it (NO_MOVE: none), and its scan say of the bound: a proof, a
 * disproof, or that more plies must be looked at. futile: interpositions may be futile (tsume-rules §4). */
struct verdict shallow_judge(struct position *pos, bool futile, code bound, move mate, const struct mate_scan *scan);

/* The attacker is to move, with a bound of three plies that no mate in one keeps. STOPPED where futile interpositions would have to be
 * judged. Adds the positions looked at to *nodes. */
struct verdict shallow_three(struct position *pos, bool futile, code bound, uint64_t *nodes);

/* Does a single slider check from a distance, so that drops may be futile under this bound? */
bool may_have_futile(const struct position *pos, bool futile, code bound);

/* On a board that is its own mirror image one move of each mirrored pair is enough: keeps those, returns how many. */
int drop_mirrored(const struct position *pos, move *moves, int count);

#endif
