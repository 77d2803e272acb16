/* dfpn.h: depth-first proof-number search: does the attacker mate, at all or by a bound?
 *
 * A `search` is one problem in work: the table it uses, its limits, its effort. A `worker` is one thread's part in it: a position that it
 * moves about in and an explicit stack, so that lines of tens of thousands of plies need no recursion. */
#ifndef TSUME_SOLVER_DFPN_H
#define TSUME_SOLVER_DFPN_H

#include "rules/movegen.h"
#include "solver/table.h"
#include "solver/value.h"

struct forbidden;

/* Why a search stopped before it was decided. */
enum stop_reason {
    STOP_NONE = 0,
    STOP_ASKED, /* by the caller or a signal */
    STOP_TIME,
    STOP_NODES,
    STOP_DEPTH, /* a line longer than the stack holds */
};

/* The state of the question that a search's workers are busy with. */
enum question_state { QUESTION_OPEN = 0, QUESTION_ANSWERED, QUESTION_GIVEN_UP };

struct search {
    struct table *table;
    unsigned generation;
    uint64_t seed; /* mixed into all keys: board keys of other problems and other piece sets never meet */
    enum color attacker;
    bool futile;                       /* bounded searches leave out futile interpositions (tsume-rules §4) */
    _Atomic bool shared;               /* several threads are at work */
    const struct forbidden *forbidden; /* positions that fail the attacker (forbidden.h); NULL: none */
    uint64_t node_limit;               /* 0: none */
    double deadline;                   /* seconds on clock_seconds(); 0: none */
    const _Atomic bool *asked_to_stop; /* by the owner; may be NULL */
    _Atomic int stop;                  /* enum stop_reason */
    _Atomic uint64_t nodes;
    _Atomic int depth, deepest;  /* of the stack of a worker when it last counted its nodes; of any worker so far */
    _Atomic int question;        /* enum question_state: unless it is open, all its workers may go home */
    _Atomic uint64_t give_up_at; /* the question in work is given up at so many nodes; 0: never */
    _Atomic uint8_t *busy;       /* BUSY_SLOTS counters: how many workers are below a position (virtual numbers) */
};
enum { BUSY_SLOTS = 1 << 16 };

/* A new search of one problem with this attacker; takes a generation of the table. False when memory
 * is short. */
bool search_open(struct search *search, struct table *table, enum color attacker);
void search_close(struct search *search);
/* Sets new limits, as in the fields of the same names, for a search that no worker is busy with, and forgets why it stopped. */
void search_limit(struct search *search, double deadline, uint64_t node_limit);
/* A search that shares what another one knows, under the same rules, without limits. It is not to be closed, and done with before the
 * other one is closed. */
void search_share(struct search *search, const struct search *with);

/* A monotonic clock, in seconds. */
double clock_seconds(void);

struct worker;

/* A worker of the search, at this position. NULL when memory is short. It counts as a user of the table until freed. */
struct worker *worker_new(struct search *search, const struct position *pos);
void worker_free(struct worker *worker);
/* The position the worker is at; it may be moved by position_do and undo between searches. */
struct position *worker_position(struct worker *worker);
const struct search *worker_search(const struct worker *worker);

/* What a decision says besides yes or no. */
struct decision {
    code
        value; /* PROVED: he mates by this code, which is ≤ the bound. DISPROVED: he does not mate by this code, which is ≥ the bound */
    move move; /* PROVED with the attacker to move: how he begins */
};

/* Decides whether the attacker mates from the worker's position by the bound (CODE_INFINITE: at all, every interposition counted).
 * Path-dependent reasoning starts at this position. decision may be NULL. STOPPED: a limit of the search was reached, or
 * the question is open no more (search->question). */
enum outcome worker_decide(struct worker *worker, code bound, struct decision *decision);

/* Opens a question that is given up after so many nodes of all workers together (0: never). No worker is busy yet. */
void search_pose(struct search *search, uint64_t nodes);
/* The same as worker_decide for a question on which `nodes` nodes may be spent (0: any number), by this worker alone. */
enum outcome worker_decide_within(struct worker *worker, code bound, uint64_t nodes, struct decision *decision);

/* At a defender's position where every answer but drops loses by the code `value`: is this interposing drop futile (tsume-rules §4)? PROVED:
 * yes, DISPROVED: no. */
enum outcome worker_judges_futile(struct worker *worker, move drop, code value);

/* While a worker waits for other threads it must not hold up the table's collection: between these two it may not search. */
void worker_rest(struct worker *worker);
void worker_resume(struct worker *worker);

/* What the table knows of the worker's position by this bound, without searching. True for a proof or a disproof. */
bool worker_known(struct worker *worker, code bound, struct entry *found);

/* Adds the worker's uncounted nodes to the search's, and tells how deep it is. */
void worker_flush(struct worker *worker);

#endif
