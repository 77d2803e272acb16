/* program_usi_text.h: what a USI engine says, on standard output. */
#ifndef TSUME_PROGRAM_USI_TEXT_H
#define TSUME_PROGRAM_USI_TEXT_H

#include "tsume.h"

/* Mates that were found, the best first, copied out of an answer. 0 in all members: none yet. */
struct usi_mates {
    bool defends; /* the side to move is the one being mated */
    size_t count;
    struct usi_mate {
        int plies;
        char *moves; /* malloc'd, parted by spaces */
    } * of;          /* malloc'd */
};

/* Copies the answer's line, which must not be empty, and up to `most` − 1 of its others. Ends the process when memory is short. */
void usi_mates_take(struct usi_mates *mates, const struct tsume_answer *answer, bool defends, size_t most);
void usi_mates_free(struct usi_mates *mates);

/* What one thread says between these two is not mixed with what others say, and reaches the GUI at the end. The second ends the process
 * with STATUS_FAILED if the output cannot be written. */
void usi_begin_output(void);
void usi_end_output(void);

/* Writes an `info` line for each mate, or one without; `several`: they are numbered (MultiPV). */
void usi_write_info(const struct tsume_effort *effort, double seconds, const struct usi_mates *mates, bool several);
/* Writes `bestmove` with the first move of the best mate and, if asked for, the one to ponder on. */
void usi_write_bestmove(const struct usi_mates *mates, bool ponder);
/* Writes `info string` with a text and, quoted and cut short where that is needed, what it is about (NULL: nothing). */
void usi_write_string(const char *text, const char *about);

#endif
