/* table.h: the shared table of searched positions.
 *
 * An entry says what is known of one board (with its side to move) under one hand of the attacker:
 *
 *   word 0  check: key ^ mix(words 1–3). A reader that sees words of two writers finds another key and takes the entry for none of
 *           its own, so nothing is locked (after Hyatt & Mann 2002).
 *   word 1  pn 32 | dn 32
 *   word 2  hand 28 | work 8 | generation 12 | distance 16
 *   word 3  code 24 | move 24 | flags 16
 *
 * pn = 0 is a proof: it holds for every hand that contains `hand` and every bound ≥ code. dn = 0 is a disproof: it holds for every hand
 * contained in `hand` and every bound ≤ code. (FLAG_EXACT_HAND takes either back to the very hand.) Anything else is open: the numbers of exactly this hand and this bound.
 *
 * The index comes from the board alone, so that all hands of a board lie in one run of slots (linear probing). The table is cut into
 * segments of 1 MiB; a run wraps round inside its segment, so segments can be collected apart and in parallel. Two entries share a cache
 * line.
 *
 * Entries of a finished search are not cleared: each search has a generation and a seed of its own that is mixed into its keys; slots of
 * generations no longer in use are taken over by later stores. When the table is three quarters full it is collected: all threads
 * using it meet, and entries with the least work behind them go (Nagai 1999, SmallTreeGC). */
#ifndef TSUME_SOLVER_TABLE_H
#define TSUME_SOLVER_TABLE_H

#include "rules/hand.h"
#include "rules/move.h"

#include <stdatomic.h>
#include <stddef.h>

/* Proof and disproof numbers. */
enum { PN_INFINITE = 1u << 30 };

/* Bounds and values of a position in one number, least best for the attacker: see value.h. */
typedef uint32_t code;
enum { CODE_INFINITE = (1u << 24) - 1 };

enum entry_flag {
    FLAG_PATH_DISPROOF =
        1, /* was refuted by a repetition on some path: look for an entry of that path. Kept while the position is
                               open */
    FLAG_EXACT_HAND = 2, /* the proof or disproof holds for this very hand only */
};

/* One entry, unpacked. */
struct entry {
    uint32_t pn, dn;
    hand hand;
    code code;
    move move;         /* the move that led to pn or dn last; NO_MOVE if not known */
    uint32_t work;     /* nodes spent below, roughly */
    uint32_t distance; /* least depth from the root at which it was met */
    uint32_t flags;
};

struct table;

/* A table of about mib MiB (at least 1), which the system hands out as it is touched; NULL if memory cannot be had. */
struct table *table_new(size_t mib);
void table_free(struct table *table);
size_t table_mib(const struct table *table);

/* A new generation for one search, to be given back when the search is over; at most 4000 at a time. Generations come round again, while entries
 * of an old one may still lie about: *serial is a number that no other search of this table has or will have, for mixing into keys. */
unsigned table_open_generation(struct table *table, uint64_t *serial);
void table_close_generation(struct table *table, unsigned generation);

/* Every thread that probes or stores says so first, and when it has done, and calls table_pause_point often in between: a collection
 * waits until all are there. */
void table_enter(struct table *table);
void table_leave(struct table *table);
bool table_wants_collection(const struct table *table);
void table_collect(struct table *table);
static inline void table_pause_point(struct table *table) {
    if (__builtin_expect(table_wants_collection(table), 0))
        table_collect(table);
}

/* Brings the slot's cache line near. */
void table_prefetch(const struct table *table, uint64_t key);

/* What the table knows of (key, hand) under the bound. True if a proof, a disproof or numbers of this very hand and bound were found.
 * Otherwise false, and found->pn, dn hold the best lower bounds that other hands give (at least 1 each), distance is 0xffff if nothing
 * at all is known. A proof with the least code is preferred. Safe with any number of threads. */
bool table_probe(const struct table *table, uint64_t key, hand hand, code bound, struct entry *found);

/* Stores what is known; replaces the entry of the same hand and bound, and entries that this one makes superfluous. `own` is the hand of the
 * node itself: its open entry is replaced by a proof or disproof with another hand. */
void table_store(struct table *table, unsigned generation, uint64_t key, hand own, code bound,
                 const struct entry *entry);

/* Share of the slots in use, in thousandths. */
unsigned table_permille(const struct table *table);

#endif
