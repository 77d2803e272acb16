/* jobs.c: jobs, tasks, and the threads that help. */
#include "solver/jobs.h"

#include "rules/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
            snprintf(error->message, sizeof error->message, _("cannot get %zu MiB of memory for the table"), mib);
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

void tsume_resume(struct tsume_solver *solver) {
    atomic_store_explicit(&solver->stop, false, memory_order_relaxed);
}

static void add_effort(const struct search *search, struct tsume_effort *effort) {
    int depth = atomic_load_explicit(&search->depth, memory_order_relaxed);
    int deepest = atomic_load_explicit(&search->deepest, memory_order_relaxed);
    effort->nodes += atomic_load_explicit(&search->nodes, memory_order_relaxed);
    effort->depth = depth > effort->depth ? depth : effort->depth;
    effort->deepest = deepest > effort->deepest ? deepest : effort->deepest;
}

struct tsume_effort tsume_solver_effort(struct tsume_solver *solver) {
    struct tsume_effort effort = {.hash_permille = table_permille(solver->table)};
    pthread_mutex_lock(&solver->lock);
    for (const struct job *job = solver->jobs; job; job = job->next)
        add_effort(&job->search, &effort);
    pthread_mutex_unlock(&solver->lock);
    return effort;
}

/* ---- Questions ---- */

enum outcome job_ask(struct tsume_solver *solver, struct job *job, code bound, uint64_t nodes,
                     struct decision *decision) {
    worker_flush(job->worker);
    pthread_mutex_lock(&solver->lock);
    job->bound = bound;
    job->open = true;
    job->answered = false;
    search_pose(&job->search, nodes);
    pthread_cond_broadcast(&solver->changed);
    pthread_mutex_unlock(&solver->lock);

    enum outcome outcome = worker_decide(job->worker, bound, decision);

    worker_rest(job->worker);
    pthread_mutex_lock(&solver->lock);
    job->open = false;
    bool given_up = atomic_exchange(&job->search.question, QUESTION_ANSWERED) == QUESTION_GIVEN_UP;
    while (job->helpers)
        pthread_cond_wait(&solver->changed, &solver->lock);
    search_pose(&job->search, 0);
    atomic_store_explicit(&job->search.shared, false, memory_order_relaxed);
    if (outcome == STOPPED && job->answered) {
        outcome = job->outcome;
        *decision = job->decision;
    } else if (outcome == STOPPED && given_up) {
        outcome = GIVEN_UP;
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
        atomic_store_explicit(&job->search.question, QUESTION_ANSWERED, memory_order_relaxed);
    }
    job->helpers--;
    pthread_cond_broadcast(&solver->changed);
}

/* A question as exact.h asks it. */
struct asking {
    struct tsume_solver *solver;
    struct job *job;
};

static enum outcome ask_together(void *context, code bound, uint64_t nodes, struct decision *decision) {
    struct asking *asking = context;
    return job_ask(asking->solver, asking->job, bound, nodes, decision);
}

enum outcome job_solve(struct tsume_solver *solver, struct job *job, bool any, struct mate *mate) {
    struct asking asking = {solver, job};
    bool attacks = job->root.side == job->search.attacker;
    return exact_solve_with(ask_together, &asking, attacks, any, mate);
}

/* ---- Jobs ---- */

bool job_open(struct tsume_solver *solver, struct job *job, const struct position *root) {
    job->root = *root;
    job->open = job->answered = false;
    job->helpers = 0;
    job->worker = worker_new(&job->search, &job->root);
    if (!job->worker)
        return false;
    pthread_mutex_lock(&solver->lock);
    job->next = solver->jobs;
    solver->jobs = job;
    pthread_mutex_unlock(&solver->lock);
    return true;
}

void job_close(struct tsume_solver *solver, struct job *job) {
    pthread_mutex_lock(&solver->lock);
    struct job **link = &solver->jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    pthread_cond_broadcast(&solver->changed);
    pthread_mutex_unlock(&solver->lock);
    worker_free(job->worker);
}

void jobs_stop(struct tsume_solver *solver, unsigned generation) {
    pthread_mutex_lock(&solver->lock);
    for (struct job *job = solver->jobs; job; job = job->next)
        if (job->search.generation == generation)
            atomic_store(&job->search.stop, STOP_ASKED);
    pthread_mutex_unlock(&solver->lock);
}

/* ---- Tasks ---- */

/* Does one task of the list. The lock is held, and released meanwhile. */
static void do_task(struct tsume_solver *solver, struct tasks *tasks) {
    size_t task = tasks->taken++;
    pthread_mutex_unlock(&solver->lock);
    tasks->run(tasks->context, task);
    pthread_mutex_lock(&solver->lock);
    tasks->finished++;
    pthread_cond_broadcast(&solver->changed);
}

/* The first list with a task not yet taken. The lock is held. */
static struct tasks *tasks_to_do(const struct tsume_solver *solver) {
    struct tasks *tasks = solver->tasks;
    while (tasks && tasks->taken == tasks->count)
        tasks = tasks->next;
    return tasks;
}

/* Joins an open question or waits for a change. The lock is held. */
static void help_or_wait(struct tsume_solver *solver) {
    struct job *job = job_to_help(solver);
    if (job)
        help(solver, job);
    else
        pthread_cond_wait(&solver->changed, &solver->lock);
}

void tasks_run(struct tsume_solver *solver, struct tasks *tasks) {
    pthread_mutex_lock(&solver->lock);
    tasks->taken = tasks->finished = 0;
    tasks->next = solver->tasks;
    solver->tasks = tasks;
    pthread_cond_broadcast(&solver->changed);
    while (tasks->finished < tasks->count) {
        if (tasks->taken < tasks->count)
            do_task(solver, tasks);
        else
            help_or_wait(solver);
    }
    struct tasks **link = &solver->tasks;
    while (*link != tasks)
        link = &(*link)->next;
    *link = tasks->next;
    pthread_cond_broadcast(&solver->changed);
    pthread_mutex_unlock(&solver->lock);
}

void tsume_assist(struct tsume_solver *solver) {
    pthread_mutex_lock(&solver->lock);
    while ((solver->jobs || solver->tasks) && !atomic_load_explicit(&solver->stop, memory_order_relaxed)) {
        struct tasks *tasks = tasks_to_do(solver);
        if (tasks)
            do_task(solver, tasks);
        else
            help_or_wait(solver);
    }
    pthread_mutex_unlock(&solver->lock);
}
