/* tsume.h: the public header of libtsume, a solver of tsume shogi (mate problems).
 *
 *     struct tsume_reader *reader = tsume_reader_new(paths, count, NULL);
 *     struct tsume_solver *solver = tsume_solver_new(1024, NULL);
 *     for (struct tsume_problem *p; (p = tsume_reader_next(reader)); tsume_problem_free(p)) {
 *         struct tsume_answer *answer = tsume_solve(solver, p, NULL);
 *         printf("%s: %s\n", tsume_problem_id(p), tsume_verdict_name(tsume_answer_verdict(answer)));
 *         tsume_answer_free(answer);
 *     }
 *
 * Nothing here prints, exits or keeps global state; two solvers can live in one process. Text is UTF-8, plies count both sides,
 * sizes are MiB, times are seconds of the clock. Functions that return a pointer to text return text owned by the object asked.
 */
#ifndef TSUME_H
#define TSUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TSUME_API __attribute__((visibility("default")))
#else
#define TSUME_API
#endif

/* ---- Version ------------------------------------------------------------------------------------------------------- */

#define TSUME_VERSION "0.1.0"

/* The version of the library in use. */
TSUME_API const char *tsume_version(void);

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

struct tsume_problem; /* one problem of a file, legal or not */
struct tsume_reader;

/* What is wrong, and where: line and column count from 1, 0 where there is none. */
struct tsume_error {
    char message[256];
    long line, column;
};

struct tsume_reader_options {
    /* Take the defender's hand as written, instead of giving him all the pieces that are nowhere else (the rule for problems
     * with one king). */
    bool hands_as_given;
    /* 'b' or 'w' where the attacker is to be Black or White whatever the position says, 0 to find him: the side to move, or, when
     * the side to move is in check and has no other reading, the other side. */
    char attacker;
};

/* A reader of files, folders and "-" (standard input) in that order; options may be NULL. Paths are copied. NULL when memory is
 * short. A reader serves one thread at a time. */
TSUME_API struct tsume_reader *tsume_reader_new(const char *const *paths, size_t count,
                                                const struct tsume_reader_options *options);
/* The next problem, to be freed by the caller; NULL at the end. What cannot be read comes as a problem with an error. */
TSUME_API struct tsume_problem *tsume_reader_next(struct tsume_reader *reader);
/* Bytes read so far, and in all of the input (0: not known). */
TSUME_API void tsume_reader_progress(const struct tsume_reader *reader, unsigned long long *done,
                                     unsigned long long *total);
TSUME_API void tsume_reader_free(struct tsume_reader *reader);

/* A problem from one line of SFEN (as in a list), to be freed by the caller; NULL when memory is short. */
TSUME_API struct tsume_problem *tsume_problem_from_sfen(const char *sfen, const struct tsume_reader_options *options);
TSUME_API void tsume_problem_free(struct tsume_problem *problem);

/* Identifier, "FILE:LINE" where the problem begins, title ("" if none). */
TSUME_API const char *tsume_problem_id(const struct tsume_problem *problem);
TSUME_API const char *tsume_problem_source(const struct tsume_problem *problem);
TSUME_API const char *tsume_problem_title(const struct tsume_problem *problem);
/* The position that is solved, as SFEN with hands complete; "" if none could be read. */
TSUME_API const char *tsume_problem_sfen(const struct tsume_problem *problem);
/* Why this is no legal problem; NULL if it is one. */
TSUME_API const struct tsume_error *tsume_problem_error(const struct tsume_problem *problem);
/* The defender was given pieces that the input did not list. */
TSUME_API bool tsume_problem_hands_completed(const struct tsume_problem *problem);
/* 'b' or 'w'; and whether the defender moves first (受先). */
TSUME_API char tsume_problem_attacker(const struct tsume_problem *problem);
TSUME_API bool tsume_problem_defender_first(const struct tsume_problem *problem);
/* The board as text for people, several lines: pieces as kanji or (ascii) as letters, hands above and below. malloc'd. */
TSUME_API char *tsume_problem_board(const struct tsume_problem *problem, bool ascii);

/* ---- Solving ------------------------------------------------------------------------------------------------------- */

enum tsume_verdict {
    TSUME_MATE,    /* proved: mate */
    TSUME_NO_MATE, /* proved: the defender escapes */
    TSUME_UNKNOWN, /* a limit was reached first */
    TSUME_INVALID, /* no legal problem: see tsume_problem_error */
};
/* "mate", "nomate", "unknown", "invalid". */
TSUME_API const char *tsume_verdict_name(enum tsume_verdict verdict);

struct tsume_limits {
    double seconds;    /* of the clock, for one problem; 0: none */
    uint64_t nodes;    /* positions searched; 0: none */
    bool any;          /* stop at the first mate found instead of looking for a shorter one */
    bool count_futile; /* count the plies of futile interpositions (無駄合) too */
};

struct tsume_solver;
struct tsume_answer;

/* A solver with one table of hash_mib MiB (0: a default that suits the machine, a quarter of its memory, at least 256). NULL on
 * failure, with *error (which may be NULL) saying why. */
TSUME_API struct tsume_solver *tsume_solver_new(size_t hash_mib, struct tsume_error *error);
TSUME_API void tsume_solver_free(struct tsume_solver *solver);
TSUME_API size_t tsume_solver_hash_mib(const struct tsume_solver *solver);

/* Solves one problem; limits may be NULL (none). Any number of threads may call this at once on one solver: they share its table
 * and each solves its own problem. With one thread the answer, the line and the nodes are the same every time. The answer
 * is to be freed by the caller; NULL only when memory is short. */
TSUME_API struct tsume_answer *tsume_solve(struct tsume_solver *solver, const struct tsume_problem *problem,
                                           const struct tsume_limits *limits);
/* Lends the calling thread to the searches that other threads have running in tsume_solve on this solver, and returns when none
 * is left (at once if there is none). */
TSUME_API void tsume_assist(struct tsume_solver *solver);
/* Ends all running searches soon (within milliseconds); their answers are `unknown` unless already proved, and so are all later
 * ones. Safe to call from a signal handler and from any thread. */
TSUME_API void tsume_stop(struct tsume_solver *solver);

TSUME_API void tsume_answer_free(struct tsume_answer *answer);
TSUME_API enum tsume_verdict tsume_answer_verdict(const struct tsume_answer *answer);
/* Plies to mate and pieces left in the attacker's hand after the line; −1 without a mate. `exact`: proved that neither
 * the attacker mates sooner nor the defender holds out longer; otherwise plies is an upper bound. */
TSUME_API int tsume_answer_plies(const struct tsume_answer *answer);
TSUME_API int tsume_answer_leftover(const struct tsume_answer *answer);
TSUME_API bool tsume_answer_exact(const struct tsume_answer *answer);
/* The main line: its length, and move i in USI notation (i from 0). Empty without a mate. Every line has been replayed by the
 * rules: each attacker's move checks and the last position is mate. */
TSUME_API size_t tsume_answer_line_length(const struct tsume_answer *answer);
TSUME_API const char *tsume_answer_line_move(const struct tsume_answer *answer, size_t i);
/* Effort: positions searched, seconds of the clock. */
TSUME_API uint64_t tsume_answer_nodes(const struct tsume_answer *answer);
TSUME_API double tsume_answer_seconds(const struct tsume_answer *answer);
/* What went wrong inside the solver (a line that could not be rebuilt, memory), NULL if nothing did. */
TSUME_API const char *tsume_answer_error(const struct tsume_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
