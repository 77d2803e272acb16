/* contest.h: all problems through all contestants: tsume with so many threads, once or several times, and other engines.
 *
 * They take turns problem by problem, and each begins as often as the others, so that whatever else the machine does meets all
 * alike. Every contestant of tsume has a solver of its own, made anew for each repetition: with one thread and no limit of time the
 * nodes are the same in every repetition and every run. Every line of an engine is replayed by the rules before it counts. */
#ifndef TSUME_BENCH_CONTEST_H
#define TSUME_BENCH_CONTEST_H

#include "bench/suite.h"

#include <stdatomic.h>

/* From good to bad: of several repetitions the worst counts. */
enum contest_verdict {
    CONTEST_NOT_RUN, /* interrupted before */
    CONTEST_MATE,
    CONTEST_NO_MATE,
    CONTEST_UNKNOWN, /* a limit came first */
    CONTEST_FAILED,  /* an engine could not answer */
    CONTEST_WRONG,   /* its line is no mate, or it denies a mate that another one's line shows */
};
/* "mate", "nomate", "unknown", "failed", "wrong"; NULL if it was not run. */
const char *contest_verdict_name(enum contest_verdict verdict);

/* What became of one problem with one contestant. */
struct contest_result {
    enum contest_verdict verdict;
    int plies;       /* of the line; 0 without a mate */
    bool exact;      /* tsume proved the length */
    uint64_t nodes;  /* of the first run */
    size_t runs;     /* repetitions done */
    double *seconds; /* of each of them */
    char *fault;     /* what is wrong, or went wrong; NULL: nothing */
};

struct contestant {
    char name[80];                  /* no two are the same */
    int threads;                    /* of tsume; 0: another engine */
    long peak_kib;                  /* most memory in use: of the whole process for tsume; 0: not known */
    struct contest_result *results; /* one a problem */

    /* private: */
    struct tsume_solver *solver; /* of tsume */
    struct usi_engine *engine;   /* of others */
    unsigned failures;           /* in a row */
    bool given_up;
};

struct contest {
    const struct bench_options *options;
    const struct suite *suite;
    struct contestant *contestants; /* the first is tsume, which the others are compared with */
    size_t contestant_count;
    atomic_int signal; /* that interrupted it; 0: none */
};

/* Runs it all, with a progress bar, messages about engines in trouble on stderr, and everything that belongs to signals: SIGINT and SIGTERM
 * end it soon, with no engine left running, and what was finished can be reported. Ends the process when memory is short. */
void contest_run(struct contest *contest, const struct bench_options *options, const struct suite *suite);
void contest_free(struct contest *contest);

/* Did it decide the problem? */
bool contest_solved(const struct contest_result *result);
/* Least, median and most of the runs' seconds. At least one was made. */
struct contest_times {
    double least, median, most;
};
struct contest_times contest_times(const double *seconds, size_t count);
/* Could any engine not be run, or was it wrong anywhere? */
bool contest_has_trouble(const struct contest *contest);

#endif
