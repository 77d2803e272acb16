/* verify_proofs.h: reading a mate, a closed set of positions without mate, and what stands in between: the parts of the payload that certificate.h
 * describes as MATE and NO MATE. */
#ifndef TSUME_SOLVER_VERIFY_PROOFS_H
#define TSUME_SOLVER_VERIFY_PROOFS_H

#include "solver/verify_payload.h"

/* Reads a mate from the position on; as far as the main line goes, if there is one, the attacker must follow it. *plies: in how many at most. */
bool read_mate(struct checker *c, const struct vr_position *first, uint32_t *plies);
/* Reads a mate that begins with the check of this word, and keeps away from the main line. */
bool read_cook(struct checker *c, const struct vr_position *position, unsigned word, uint32_t *plies);

/* Reads the defender's answer to a check, which must lead into the set of numbered positions, and to none from which play leads further back to
 * the main line than `back_to` allows. */
bool read_answer(struct checker *c, const struct vr_position *checked, uint32_t back_to);
/* Reads the answers to all checks at a numbered position. */
bool read_answers(struct checker *c, size_t number);
/* Reads a closed set that begins with the position: the attacker never mates from it. */
bool read_escapes(struct checker *c, const struct vr_position *first);

#endif
