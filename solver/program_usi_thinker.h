/* program_usi_thinker.h: the searching half of the USI engine.
 *
 * One thread reads commands and calls these functions; another one, the thinker's, searches. Every `go` gets one answer. It comes from what is
 * known by then, whatever the search is busy with: `stop` is answered at once, and the search winds down behind it (a collection of a
 * large table takes seconds). The next search waits for that. */
#ifndef TSUME_PROGRAM_USI_THINKER_H
#define TSUME_PROGRAM_USI_THINKER_H

#include "program_usi_go.h"
#include "program_usi_options.h"

struct thinker;

/* All of these end the process with STATUS_FAILED where memory is short or the output cannot be written. All but thinker_new are for one
 * thread. */

/* A thinker with a table of the library's default size. */
struct thinker *thinker_new(void);
/* Ends the search, without an answer. Where that takes longer than a second (a table in the middle of its collection) it ends the
 * process with STATUS_DECIDED instead. */
void thinker_free(struct thinker *thinker);

/* The size of its table, MiB. */
int thinker_hash_mib(const struct thinker *thinker);
/* Gets a table of this size, unless a search is running: then the next search does. */
void thinker_prepare(struct thinker *thinker, int hash_mib);

/* Begins a search of a position, in the words of `position` (NULL: none was given that can be read), with this side to move, 'b' or 'w'. A search that
 * is not yet answered is answered first. */
void thinker_go(struct thinker *thinker, const struct usi_go *go, const struct usi_options *options,
                const char *position, char side);
/* Answers the search, if there is one that was not answered. */
void thinker_stop(struct thinker *thinker);
/* The move pondered on was played: the clock runs, for so many seconds (0: as `go` said). */
void thinker_ponderhit(struct thinker *thinker, double seconds);

/* When thinker_tick wants to be called, in seconds of progress_clock; INFINITY: not at all. */
double thinker_wake_time(struct thinker *thinker);
/* Answers a search whose time is up; tells how it is getting on. */
void thinker_tick(struct thinker *thinker);
/* There are no more commands: returns when the search is answered; one that waits for `stop` is answered at once. */
void thinker_linger(struct thinker *thinker);

#endif
