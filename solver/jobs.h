/* jobs.h: the solver, and how threads share its work.
 *
 * A position in work is a `job`. Its owner asks one question after the other (is there a mate? one two plies shorter? …); threads in
 * tsume_assist join the questions of all jobs, and whoever finds the answer first ends the question. Work that falls into independent
 * parts is a list of `tasks`: threads in tsume_assist take whole tasks first and join questions when there are none left. */
#ifndef TSUME_SOLVER_JOBS_H
#define TSUME_SOLVER_JOBS_H

#include "solver/tsume.h"

#include "solver/dfpn.h"
#include "solver/exact.h"

#include <pthread.h>

struct job {
    struct search search;
    struct position root;
    struct worker *worker; /* the owner's */

    /* private: the question in work; the solver's lock guards it */
    struct job *next;
    code bound;
    bool open, answered;
    unsigned helpers;
    enum outcome outcome;
    struct decision decision;
};

struct tasks {
    void (*run)(void *context, size_t task); /* called for each task once, by any thread */
    void *context;
    size_t count;

    /* private: the solver's lock guards it */
    struct tasks *next;
    size_t taken, finished;
};

struct tsume_solver {
    struct table *table;
    _Atomic bool stop;
    pthread_mutex_t lock; /* guards the two lists and what hangs from them */
    pthread_cond_t changed;
    struct job *jobs;
    struct tasks *tasks;
};

/* Puts a job at this position in work; job->search has been opened by the caller, who closes it after the job. False when memory is
 * short. A thread has one open job at a time: the table's collection waits for each worker. */
bool job_open(struct tsume_solver *solver, struct job *job, const struct position *root);
void job_close(struct tsume_solver *solver, struct job *job);

/* Ends the questions of all jobs of this generation of the table. */
void jobs_stop(struct tsume_solver *solver, unsigned generation);

/* Asks whether the job's position is a mate by the bound, with whoever helps; gives up after `nodes` nodes (0: never). */
enum outcome job_ask(struct tsume_solver *solver, struct job *job, code bound, uint64_t nodes,
                     struct decision *decision);
/* exact_solve_with whoever helps. */
enum outcome job_solve(struct tsume_solver *solver, struct job *job, bool any, struct mate *mate);

/* Runs all tasks of the list, with whoever helps; returns when all are done. The first three members are set by the caller,
 * who has no open job. With one thread the tasks run in order. */
void tasks_run(struct tsume_solver *solver, struct tasks *tasks);

#endif
