/* reference.h: the value of a tsume position by the letter of its definition, for checking the real search.
 *
 * A plain full-width search of bounded depth on the rules of solver/verify_rules.h. No dominance, no proof numbers, no
 * move ordering that matters; the memory compares whole positions and is never trusted by hash alone. Good for 5 plies
 * from any position, 7 or 9 where there are few checks.
 *
 * How the definition is read:
 *
 *  - OR nodes: the attacker is to move. V(p) = (1, 0) + the least plies, then most leftover, over all legal checks.
 *    A check is a legal move after which the defender's king is attacked, be it by another piece than the moved
 *    one.
 *  - AND nodes: the defender is to move and in check. Every legal answer counts, also one that checks the
 *    attacker's king. With no answer V(q) = (0, pieces in the attacker's hand). Otherwise (1, 0) + the most plies,
 *    then least leftover.
 *  - A repeated position needs no rule of its own: V is defined from the mates upwards, so a line that comes back
 *    to where it was is never part of a shortest mate.
 *  - REFERENCE_COUNT_ALL takes every answer. REFERENCE_EXACT leaves out futile interpositions (無駄合), as follows.
 *  - An interposing drop is any legal drop of the defender in check: nothing else makes a drop an answer. The
 *    dropped piece then stands on s between the king and the one piece that gives check, a slider a on t.
 *  - The bound of q is the plies of V(q) over the answers that are no drops, 0 if there are none. Only q itself is
 *    stripped of its drops: below it V is the usual V of the same reading. If some answer that is no drop escapes,
 *    so does q, and no drop need be judged.
 *  - The drop is futile if in one of the two ways, promoting or not, a may legally take on s after the drop (the
 *    attacker's king is not left in check, no promotion outside the zone) and q' is mate in no more plies than the
 *    bound of q. q' is q with a on s, promoted in that way, t empty, both hands and the side to move as in q.
 *    Leftover plays no part in it. A q' in which the defender is not in check (a lance promoted two squares from
 *    the king) is no mate.
 *  - q' does not depend on the kind that is dropped, nor does the legality of the capture (the dropped piece is
 *    gone after it). So all drops on one square are futile or none is.
 *  - The same reading is applied in q' again. It ends, since the bound never grows and a comes nearer to the king.
 *  - A drop that is not futile is an answer like any other: its plies count, and V(q) may then exceed the bound.
 *
 * Hands are taken as given. */
#ifndef TSUME_TESTS_REFERENCE_H
#define TSUME_TESTS_REFERENCE_H

#include "solver/verify_rules.h"

enum reference_reading { REFERENCE_COUNT_ALL, REFERENCE_EXACT };

enum reference_verdict {
    REFERENCE_MATE,       /* value known */
    REFERENCE_NO_MATE,    /* the defender lets him run out of checks: no mate at any depth. Not always noticed */
    REFERENCE_NOT_WITHIN, /* no mate within the plies asked for */
    REFERENCE_GAVE_UP,    /* more nodes than allowed */
};

struct reference_value {
    enum reference_verdict verdict;
    int plies, leftover; /* of a mate, else 0 */
};

/* Remembers what it found: for one attacker and one reading, any number of positions. Not thread safe. */
struct reference;

/* NULL when memory is short. */
struct reference *reference_new(enum vr_color attacker, enum reference_reading reading);
void reference_free(struct reference *reference);

/* From here on the attacker fails in these positions, whoever is to move there (tsume-rules §5: how another check than the main line's is
 * judged), and what was remembered is forgotten. The positions stay the caller's and must not change; a count of 0 forbids nothing. */
void reference_forbid(struct reference *reference, const struct vr_position *positions, int count);

/* The value of a position without a fault, if it is a mate of at most max_plies. The attacker is to move, or the
 * defender, who must then be in check to be mated. Gives up after max_nodes positions (0: never). */
struct reference_value reference_value(struct reference *reference, const struct vr_position *position, int max_plies,
                                       uint64_t max_nodes);

/* Is the legal drop of the defender, who is in check, futile? Looks no deeper than max_plies for the bound: false if
 * the answers that are no drops last longer. */
bool reference_is_futile(struct reference *reference, const struct vr_position *position, const struct vr_move *drop,
                         int max_plies);

/* Positions searched so far. */
uint64_t reference_nodes(const struct reference *reference);

/* All at once, from SFEN: the value within max_plies. A text that is no SFEN, or a position with a fault, gives
 * GAVE_UP. */
struct reference_value reference_solve(const char *sfen, enum vr_color attacker, enum reference_reading reading,
                                       int max_plies);

#endif
