#include "program_run.h"

#include "program.h"
#include "program_certificates.h"
#include "program_language.h"
#include "program_progress.h"
#include "program_resume.h"
#include "program_watch.h"
#include "rules/language.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST_WINDOW = 64,
    WINDOW_PER_THREAD = 16,
    WAIT_NS = 10 * 1000 * 1000, /* idle threads look around again after this long */
};

/* A problem taken and not yet written, or not all before it. */
struct slot {
    bool finished;
    char *record; /* of a finished one, until it is printed */
    size_t length;
    unsigned long long bytes_done, bytes_total; /* how far the input was read when it was taken */
};

/* Everything below `mutex` belongs to its holder, but for the reader while `reading`: that belongs to the thread that set it. */
struct run {
    const struct options *options;
    run_work *work;
    const struct run_outcome *outcomes;
    int outcome_count;
    struct tsume_solver *solver;
    struct tsume_reader *reader;
    uint64_t read;         /* problems of the input, those that are not ours too; belongs to who reads */
    struct resume *resume; /* where records go; NULL: to standard output */

    pthread_mutex_t mutex;
    pthread_cond_t changed; /* any member below changed */
    uint64_t changes;       /* how many times */
    bool reading;           /* a thread is in the reader */
    bool exhausted;         /* the reader has no more */
    bool stopped;           /* a signal came: no new problems */
    bool over;              /* the summary is printed */

    /* Problems are numbered as taken. written ≤ finished ≤ taken ≤ written + window. Problem n lies in ring[n % window]. */
    uint64_t taken, finished, written;
    uint64_t window;
    struct slot *ring;

    struct progress bar;
    struct progress_state state;
    uint64_t count[RUN_OUTCOMES]; /* finished or kept, by outcome */
    uint64_t kept;                /* of them, those whose record an earlier run has written */
    uint64_t uncertified;         /* of them, without the certificate asked for */
    uint64_t nodes;
    double started;
};

/* ---- Waiting. All are called with the mutex held. ------------------------------------------------------------------ */

static void tell_change(struct run *run) {
    run->changes++;
    pthread_cond_broadcast(&run->changed);
}

/* Waits until something changes after `seen`, or a short time. Returns false if nothing did. */
static bool wait_for_change(struct run *run, uint64_t seen) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAIT_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int error = 0;
    while (run->changes == seen && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&run->changed, &run->mutex, &until);
    return run->changes != seen;
}

/* Lends the thread to the searches that run, if any; otherwise waits a little. */
static void lend(struct run *run) {
    uint64_t seen = run->changes;
    pthread_mutex_unlock(&run->mutex);
    tsume_assist(run->solver);
    pthread_mutex_lock(&run->mutex);
    wait_for_change(run, seen);
}

/* ---- Problems in --------------------------------------------------------------------------------------------------- */

/* Waits for the turn to read. False if there is nothing more to be read. */
static bool await_reader(struct run *run) {
    for (;;) {
        if (run->stopped || run->exhausted)
            return false;
        if (run->taken == run->written + run->window)
            lend(run);
        else if (!run->reading)
            return true;
        else if (!wait_for_change(run, run->changes))
            lend(run); /* the reader itself is held up, as by a slow pipe */
    }
}

/* A problem in work. */
struct work {
    struct run_task task; /* task.problem NULL: there is none left */
    uint64_t place;       /* its number in the ring */
};

static void free_task(struct run_task *task) {
    tsume_problem_free(task->problem);
    free(task->certificate);
    *task = (struct run_task){.problem = NULL};
}

/* Reads the next problem; for one thread at a time, so that the names of certificates come in the order of the input. */
static void read_problem(struct run *run, struct run_task *task) {
    const char *folder = run->options->certificates;
    language_english(run->options->format == FORMAT_JSONL);
    task->problem = tsume_reader_next(run->reader);
    language_english(false);
    if (!task->problem)
        return;
    task->number = ++run->read;
    task->certificate = folder ? certificates_path(folder, task->problem) : NULL;
}

/* Counts a problem whose record is there. */
static void keep(struct run *run, const struct run_task *task, const struct result *result) {
    bool legal = !tsume_problem_error(task->problem);
    int outcome = 0;
    while (outcome < run->outcome_count - 1 && strcmp(run->outcomes[outcome].verdict, result_verdict(result)) != 0)
        outcome++;
    pthread_mutex_lock(&run->mutex);
    run->count[outcome]++;
    run->kept++;
    run->uncertified += task->certificate && legal && access(task->certificate, F_OK) != 0;
    pthread_mutex_unlock(&run->mutex);
}

/* Reads up to the next problem that is to be solved. */
static void read_ours(struct run *run, struct run_task *task) {
    for (read_problem(run, task); task->problem; read_problem(run, task)) {
        if (options_shard_has(run->options, task->number)) {
            const struct result *result = run->resume ? resume_find(run->resume, task->number, task->problem) : NULL;
            if (!result)
                return;
            keep(run, task, result);
        }
        free_task(task);
    }
}

/* Takes the next problem; false if there is none. */
static bool take(struct run *run, struct work *work) {
    *work = (struct work){.place = 0};
    pthread_mutex_lock(&run->mutex);
    if (await_reader(run)) {
        run->reading = true;
        pthread_mutex_unlock(&run->mutex);
        read_ours(run, &work->task);
        struct slot slot = {0};
        tsume_reader_progress(run->reader, &slot.bytes_done, &slot.bytes_total);
        pthread_mutex_lock(&run->mutex);
        run->reading = false;
        if (!work->task.problem) {
            run->exhausted = true;
        } else if (run->stopped) {
            free_task(&work->task);
        } else {
            work->place = run->taken++;
            run->ring[work->place % run->window] = slot;
        }
        tell_change(run);
    }
    pthread_mutex_unlock(&run->mutex);
    return work->task.problem != NULL;
}

/* ---- Records out --------------------------------------------------------------------------------------------------- */

/* Prints the records that are due. */
static void write_due(struct run *run) {
    uint64_t before = run->written;
    for (; run->written < run->taken; run->written++) {
        struct slot *slot = &run->ring[run->written % run->window];
        if (!slot->finished)
            break;
        if (run->written == before)
            progress_make_way(&run->bar);
        if (slot->record)
            fwrite(slot->record, 1, slot->length, stdout);
        free(slot->record);
        slot->record = NULL;
        run->state = (struct progress_state){run->kept + run->written + 1, slot->bytes_done, slot->bytes_total};
    }
    if (run->written != before && (fflush(stdout) != 0 || ferror(stdout))) {
        int error = errno;
        progress_end(&run->bar);
        program_fail(error, _("cannot write the output"));
    }
}

/* Takes the record over. */
static void put_record(struct run *run, const struct work *work, const struct run_result *result) {
    struct slot *slot = &run->ring[work->place % run->window];
    slot->finished = true;
    if (run->resume) {
        resume_append(run->resume, work->task.number, result->record, result->length);
        free(result->record);
        return;
    }
    slot->record = result->record;
    slot->length = result->length;
}

static void put(struct run *run, const struct work *work, const struct run_result *result) {
    pthread_mutex_lock(&run->mutex);
    if (!result->record) {
        progress_end(&run->bar);
        program_fail(0, _("out of memory"));
    }
    run->finished++;
    run->nodes += result->nodes;
    if (run->resume && run->stopped) {
        free(result->record); /* given up half-way, perhaps: the next run is to solve it */
    } else {
        put_record(run, work, result);
        run->count[result->outcome]++;
        run->uncertified += result->uncertified;
    }
    write_due(run);
    progress_draw(&run->bar, &run->state);
    tell_change(run);
    pthread_mutex_unlock(&run->mutex);
}

/* One thread's part. */
static void work_on(struct run *run) {
    for (struct work work; take(run, &work);) {
        language_english(run->options->format == FORMAT_JSONL);
        struct run_result result = run->work(run->solver, run->options, &work.task);
        language_english(false);
        put(run, &work, &result);
        free_task(&work.task);
    }
    pthread_mutex_lock(&run->mutex);
    while (run->finished < run->taken)
        lend(run);
    pthread_mutex_unlock(&run->mutex);
}

/* ---- The end ------------------------------------------------------------------------------------------------------- */

static void print_count(uint64_t count, const char *name, const char **separator) {
    if (count == 0)
        return;
    fputs(*separator, stderr);
    /* translators: a part of "7 problems: 5 mate, 2 no mate"; the order may change: "%2$s: %1$llu" */
    fprintf(stderr, _("%llu %s"), (unsigned long long)count, _(name));
    *separator = _(", ");
}

static void print_summary(const struct run *run) {
    double elapsed = progress_clock() - run->started;
    uint64_t problems = 0;
    for (int i = 0; i < run->outcome_count; i++)
        problems += run->count[i];
    const char *separator = _(": ");
    fprintf(stderr,
            run->stopped ? Q_("interrupted after %llu problem", "interrupted after %llu problems", problems)
                         : Q_("%llu problem", "%llu problems", problems),
            (unsigned long long)problems);
    for (int i = 0; i < run->outcome_count; i++)
        print_count(run->count[i], run->outcomes[i].name, &separator);
    print_count(run->uncertified, N_("without certificate"), &separator);
    print_count(run->kept, N_("of them from earlier runs"), &separator);
    fprintf(stderr, _("; %.3f s, %llu nodes, %.0f nodes/s\n"), elapsed, (unsigned long long)run->nodes,
            elapsed > 0 ? (double)run->nodes / elapsed : 0.0);
}

/* The last words, with the mutex held; once. */
static void conclude(struct run *run) {
    run->over = true;
    progress_end(&run->bar);
    if (fclose(stdout) != 0)
        program_fail(errno, _("cannot write the output"));
    if (!run->options->quiet)
        print_summary(run);
}

static int exit_status(const struct run *run) {
    enum exit_status worst = run->uncertified > 0 ? STATUS_UNKNOWN : STATUS_DECIDED;
    for (int i = 0; i < run->outcome_count; i++)
        if (run->count[i] > 0 && run->outcomes[i].status > worst)
            worst = run->outcomes[i].status;
    return worst;
}

/* ---- The watch ----------------------------------------------------------------------------------------------------- */

static void on_tick(void *context) {
    struct run *run = context;
    pthread_mutex_lock(&run->mutex);
    if (!run->over)
        progress_draw(&run->bar, &run->state);
    pthread_mutex_unlock(&run->mutex);
}

/* Stops the searches, waits for their records and ends the process. A thread that waits for input is left waiting. */
static void on_signal(void *context, int signal) {
    struct run *run = context;
    pthread_mutex_lock(&run->mutex);
    if (run->over) {
        pthread_mutex_unlock(&run->mutex);
        return;
    }
    run->stopped = true;
    tell_change(run);
    tsume_stop(run->solver);
    while (run->finished < run->taken)
        pthread_cond_wait(&run->changed, &run->mutex);
    conclude(run);
    _exit(128 + signal);
}

/* ---- Everything ---------------------------------------------------------------------------------------------------- */

static void run_init(struct run *run, const struct options *options, run_work *work, const struct run_outcome *outcomes,
                     int outcome_count) {
    uint64_t window = (uint64_t)options->threads * WINDOW_PER_THREAD;
    *run = (struct run){
        .options = options,
        .work = work,
        .outcomes = outcomes,
        .outcome_count = outcome_count,
        .window = window > LEAST_WINDOW ? window : LEAST_WINDOW,
        .started = progress_clock(),
    };
    if (options->resume) {
        run->resume = program_must(malloc(sizeof *run->resume));
        resume_begin(run->resume, options);
    }
    run->ring = calloc(run->window, sizeof *run->ring);
    run->reader = tsume_reader_new(options->files, options->file_count, &options->reader);
    if (!run->ring || !run->reader)
        program_fail(0, _("out of memory"));
    struct tsume_error error;
    run->solver = tsume_solver_new(options->hash_mib, &error);
    if (!run->solver)
        program_fail(0, error.message);

    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&run->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&run->mutex, NULL);
    progress_begin(&run->bar, options->quiet);
}

static void run_free(struct run *run) {
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->mutex);
    tsume_solver_free(run->solver);
    tsume_reader_free(run->reader);
    free(run->ring);
    if (run->resume)
        resume_end(run->resume);
    free(run->resume);
}

int run_problems(const struct options *options, run_work *work, const struct run_outcome *outcomes, int outcome_count) {
    struct run run;
    if (options->certificates)
        certificates_begin(options->certificates);
    watch_hold_signals();
    run_init(&run, options, work, outcomes, outcome_count);
    struct watch watch = {.on_tick = on_tick, .on_signal = on_signal, .context = &run};
    int error = watch_begin(&watch);
    if (error)
        program_fail(error, _("no thread could be started"));

    struct run *shared = &run;
#pragma omp parallel num_threads(options->threads) default(none) shared(shared)
    work_on(shared);

    pthread_mutex_lock(&run.mutex);
    if (!run.stopped) { /* otherwise the watch concludes and ends the process */
        if (run.resume)
            resume_complete(run.resume, run.read);
        conclude(&run);
    }
    pthread_mutex_unlock(&run.mutex);
    watch_end(&watch);
    int status = exit_status(&run);
    run_free(&run);
    return status;
}
