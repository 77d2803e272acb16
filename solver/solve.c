/* solve.c: the solving half of the library: from a problem to an answer.
 *
 * A problem in work is a `job`. Its owner, the thread in tsume_solve, asks one question after the other (is there a mate? one two
 * plies shorter? …); threads in tsume_assist join the questions of all jobs. Whoever finds the answer first ends the question. */
#include "solver/tsume.h"

#include "problems/problem.h"
#include "solver/dfpn.h"
#include "solver/exact.h"
#include "solver/line.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    struct job *next;
    struct search search;
    struct position root;
    struct worker *worker; /* the owner's */

    /* the question in work; the solver's lock guards it */
    code bound;
    bool open, answered;
    unsigned helpers;
    enum outcome outcome;
    struct decision decision;
};

struct tsume_solver {
    struct table *table;
    _Atomic bool stop;
    pthread_mutex_t lock; /* guards the list of jobs and their questions */
    pthread_cond_t changed;
    struct job *jobs;
};

struct tsume_answer {
    enum tsume_verdict verdict;
    int plies, leftover;
    bool exact;
    size_t length;
    char (*line)[USI_MOVE_SIZE];
    uint64_t nodes;
    double seconds;
    const char *error;
};

/* ---- The solver ---- */

enum { LEAST_DEFAULT_MIB = 256, MIB = 1024 * 1024 };

static size_t default_mib(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    size_t mib = pages > 0 && size > 0 ? (size_t)pages / (MIB / (size_t)size) / 4 : 0;
    return mib > LEAST_DEFAULT_MIB ? mib : LEAST_DEFAULT_MIB;
}

struct tsume_solver *tsume_solver_new(size_t hash_mib, struct tsume_error *error) {
    size_t mib = hash_mib ? hash_mib : default_mib();
    struct tsume_solver *solver = calloc(1, sizeof *solver);
    if (solver)
        solver->table = table_new(mib);
    if (!solver || !solver->table) {
        free(solver);
        if (error) {
            *error = (struct tsume_error){.line = 0};
            snprintf(error->message, sizeof error->message, "cannot get %zu MiB of memory for the table", mib);
        }
        return NULL;
    }
    pthread_mutex_init(&solver->lock, NULL);
    pthread_cond_init(&solver->changed, NULL);
    return solver;
}

void tsume_solver_free(struct tsume_solver *solver) {
    if (!solver)
        return;
    table_free(solver->table);
    pthread_mutex_destroy(&solver->lock);
    pthread_cond_destroy(&solver->changed);
    free(solver);
}

size_t tsume_solver_hash_mib(const struct tsume_solver *solver) {
    return table_mib(solver->table);
}

void tsume_stop(struct tsume_solver *solver) {
    atomic_store_explicit(&solver->stop, true, memory_order_relaxed);
}

/* ---- Questions ---- */

/* Asks whether the root is a mate by the bound, with whoever helps. */
static enum outcome ask(struct tsume_solver *solver, struct job *job, code bound, struct decision *decision) {
    pthread_mutex_lock(&solver->lock);
    job->bound = bound;
    job->open = true;
    job->answered = false;
    atomic_store_explicit(&job->search.decided, false, memory_order_relaxed);
    pthread_cond_broadcast(&solver->changed);
    pthread_mutex_unlock(&solver->lock);

    enum outcome outcome = worker_decide(job->worker, bound, decision);

    worker_rest(job->worker);
    pthread_mutex_lock(&solver->lock);
    job->open = false;
    atomic_store_explicit(&job->search.decided, true, memory_order_relaxed);
    while (job->helpers)
        pthread_cond_wait(&solver->changed, &solver->lock);
    atomic_store_explicit(&job->search.decided, false, memory_order_relaxed);
    atomic_store_explicit(&job->search.shared, false, memory_order_relaxed);
    if (outcome == STOPPED && job->answered) {
        outcome = job->outcome;
        *decision = job->decision;
    }
    pthread_mutex_unlock(&solver->lock);
    worker_resume(job->worker);
    return outcome;
}

/* The open question with the fewest helpers; NULL if there is none. The lock is held. */
static struct job *job_to_help(const struct tsume_solver *solver) {
    struct job *best = NULL;
    for (struct job *job = solver->jobs; job; job = job->next)
        if (job->open && !job->answered && (!best || job->helpers < best->helpers))
            best = job;
    return best;
}

static void help(struct tsume_solver *solver, struct job *job) {
    code bound = job->bound;
    job->helpers++;
    atomic_store_explicit(&job->search.shared, true, memory_order_relaxed);
    pthread_mutex_unlock(&solver->lock);

    struct decision decision = {0};
    enum outcome outcome = STOPPED;
    struct worker *worker = worker_new(&job->search, &job->root);
    if (worker)
        outcome = worker_decide(worker, bound, &decision);
    worker_free(worker);

    pthread_mutex_lock(&solver->lock);
    if (outcome != STOPPED && !job->answered) {
        job->answered = true;
        job->outcome = outcome;
        job->decision = decision;
        atomic_store_explicit(&job->search.decided, true, memory_order_relaxed);
    }
    job->helpers--;
    pthread_cond_broadcast(&solver->changed);
}

void tsume_assist(struct tsume_solver *solver) {
    pthread_mutex_lock(&solver->lock);
    while (solver->jobs && !atomic_load_explicit(&solver->stop, memory_order_relaxed)) {
        struct job *job = job_to_help(solver);
        if (job)
            help(solver, job);
        else
            pthread_cond_wait(&solver->changed, &solver->lock);
    }
    pthread_mutex_unlock(&solver->lock);
}

/* ---- The answer ---- */

static const char *line_error(enum line_outcome outcome) {
    switch (outcome) {
    case LINE_BROKEN:
        return "internal error: the main line could not be rebuilt";
    case LINE_NO_MEMORY:
        return "out of memory while the main line was rebuilt";
    default:
        return NULL;
    }
}

static void report_mate(struct job *job, const struct mate *mate, struct tsume_answer *answer) {
    struct line line;
    /* the line may take what it needs of nodes and time: the mate is proved */
    job->search.deadline = 0;
    job->search.node_limit = 0;
    atomic_store(&job->search.stop, STOP_NONE);
    enum line_outcome outcome = line_build(job->worker, mate->value, mate->exact, &line);
    answer->verdict = TSUME_MATE;
    answer->exact = mate->exact;
    answer->plies = code_plies(mate->value);
    answer->leftover = hand_total(job->root.hand[job->search.attacker]) - code_spent(mate->value);
    answer->error = line_error(outcome);
    if (outcome != LINE_BUILT)
        return;
    answer->leftover = line.leftover;
    answer->line = malloc((line.length + 1) * sizeof *answer->line);
    for (size_t i = 0; answer->line && i < line.length; i++)
        move_to_usi(line.moves[i], answer->line[i]);
    answer->length = answer->line ? line.length : 0;
    free(line.moves);
}

/* A question as exact.h asks it. */
struct asking {
    struct tsume_solver *solver;
    struct job *job;
};

static enum outcome ask_together(void *context, code bound, struct decision *decision) {
    struct asking *asking = context;
    return ask(asking->solver, asking->job, bound, decision);
}

static void solve_job(struct tsume_solver *solver, struct job *job, const struct tsume_limits *limits,
                      struct tsume_answer *answer) {
    struct asking asking = {solver, job};
    struct mate mate;
    bool attacks = job->root.side == job->search.attacker;
    enum outcome outcome = exact_solve_with(ask_together, &asking, attacks, limits->any, &mate);
    answer->verdict = outcome == DISPROVED ? TSUME_NO_MATE : TSUME_UNKNOWN;
    if (outcome == PROVED)
        report_mate(job, &mate, answer);
    else if (atomic_load(&job->search.stop) == STOP_DEPTH)
        answer->error = "a line grew longer than the search can hold (65536 plies)";
}

static bool start_job(struct tsume_solver *solver, struct job *job, const struct tsume_problem *problem,
                      const struct tsume_limits *limits, double now) {
    job->root = problem->position;
    if (!search_open(&job->search, solver->table, problem->attacker))
        return false;
    job->search.futile = !limits->count_futile;
    job->search.node_limit = limits->nodes;
    job->search.deadline = limits->seconds > 0 ? now + limits->seconds : 0;
    job->search.asked_to_stop = &solver->stop;
    job->worker = worker_new(&job->search, &job->root);
    if (!job->worker) {
        search_close(&job->search);
        return false;
    }
    pthread_mutex_lock(&solver->lock);
    job->next = solver->jobs;
    solver->jobs = job;
    pthread_mutex_unlock(&solver->lock);
    return true;
}

static void end_job(struct tsume_solver *solver, struct job *job) {
    pthread_mutex_lock(&solver->lock);
    struct job **link = &solver->jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    pthread_cond_broadcast(&solver->changed);
    pthread_mutex_unlock(&solver->lock);
    worker_free(job->worker);
    search_close(&job->search);
}

struct tsume_answer *tsume_solve(struct tsume_solver *solver, const struct tsume_problem *problem,
                                 const struct tsume_limits *limits) {
    static const struct tsume_limits none;
    double now = clock_seconds();
    struct tsume_answer *answer = calloc(1, sizeof *answer);
    if (!answer)
        return NULL;
    answer->verdict = TSUME_UNKNOWN;
    answer->plies = answer->leftover = -1;
    if (problem->invalid) {
        answer->verdict = TSUME_INVALID;
        return answer;
    }
    struct job job = {.next = NULL};
    if (!start_job(solver, &job, problem, limits ? limits : &none, now)) {
        answer->error = "out of memory";
        return answer;
    }
    solve_job(solver, &job, limits ? limits : &none, answer);
    worker_flush(job.worker);
    answer->nodes = atomic_load(&job.search.nodes);
    end_job(solver, &job);
    answer->seconds = clock_seconds() - now;
    return answer;
}

/* ---- Answers ---- */

void tsume_answer_free(struct tsume_answer *answer) {
    if (!answer)
        return;
    free(answer->line);
    free(answer);
}

enum tsume_verdict tsume_answer_verdict(const struct tsume_answer *answer) {
    return answer->verdict;
}
int tsume_answer_plies(const struct tsume_answer *answer) {
    return answer->plies;
}
int tsume_answer_leftover(const struct tsume_answer *answer) {
    return answer->leftover;
}
bool tsume_answer_exact(const struct tsume_answer *answer) {
    return answer->exact;
}
size_t tsume_answer_line_length(const struct tsume_answer *answer) {
    return answer->length;
}
const char *tsume_answer_line_move(const struct tsume_answer *answer, size_t i) {
    return i < answer->length ? answer->line[i] : NULL;
}
uint64_t tsume_answer_nodes(const struct tsume_answer *answer) {
    return answer->nodes;
}
double tsume_answer_seconds(const struct tsume_answer *answer) {
    return answer->seconds;
}
const char *tsume_answer_error(const struct tsume_answer *answer) {
    return answer->error;
}
