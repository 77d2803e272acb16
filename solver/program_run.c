#include "program_run.h"

#include "program.h"
#include "program_certificates.h"
#include "program_language.h"
#include "program_progress.h"
#include "program_watch.h"
#include "rules/language.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST_WINDOW = 64,
    WINDOW_PER_THREAD = 16,
    WAIT_NS = 10 * 1000 * 1000, /* idle threads look around again after this long */
};

/* A problem taken and not yet printed. */
struct slot {
    char *record; /* NULL until it is finished */
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

    pthread_mutex_t mutex;
    pthread_cond_t changed; /* any member below changed */
    uint64_t changes;       /* how many times */
    bool reading;           /* a thread is in the reader */
    bool exhausted;         /* the reader has no more */
    bool stopped;           /* a signal came: no new problems */
    bool over;              /* the summary is printed */

    /* Problems are numbered as read. written ≤ finished ≤ taken ≤ written + window. Problem n lies in ring[n % window]. */
    uint64_t taken, finished, written;
    uint64_t window;
    struct slot *ring;

    struct progress bar;
    struct progress_state state;
    uint64_t count[RUN_OUTCOMES]; /* written, by outcome */
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

/* A problem taken. */
struct task {
    struct tsume_problem *problem; /* NULL: there is none left */
    uint64_t number;
    char *certificate; /* the file for it, NULL for none */
};

/* Reads the next problem; for one thread at a time, so that the names of certificates come in the order of the input. */
static void read_problem(struct run *run, struct task *task) {
    const char *folder = run->options->certificates;
    language_english(run->options->format == FORMAT_JSONL);
    task->problem = tsume_reader_next(run->reader);
    language_english(false);
    task->certificate = task->problem && folder ? certificates_path(folder, task->problem) : NULL;
}

static void free_task(struct task *task) {
    tsume_problem_free(task->problem);
    free(task->certificate);
    *task = (struct task){.problem = NULL};
}

/* Takes the next problem; false if there is none. */
static bool take(struct run *run, struct task *task) {
    *task = (struct task){.problem = NULL};
    pthread_mutex_lock(&run->mutex);
    if (await_reader(run)) {
        run->reading = true;
        pthread_mutex_unlock(&run->mutex);
        read_problem(run, task);
        struct slot slot = {0};
        tsume_reader_progress(run->reader, &slot.bytes_done, &slot.bytes_total);
        pthread_mutex_lock(&run->mutex);
        run->reading = false;
        if (!task->problem) {
            run->exhausted = true;
        } else if (run->stopped) {
            free_task(task);
        } else {
            task->number = run->taken++;
            run->ring[task->number % run->window] = slot;
        }
        tell_change(run);
    }
    pthread_mutex_unlock(&run->mutex);
    return task->problem != NULL;
}

/* ---- Records out --------------------------------------------------------------------------------------------------- */

/* Prints the records that are due. */
static void write_due(struct run *run) {
    uint64_t before = run->written;
    for (; run->written < run->taken; run->written++) {
        struct slot *slot = &run->ring[run->written % run->window];
        if (!slot->record)
            break;
        if (run->written == before)
            progress_make_way(&run->bar);
        fwrite(slot->record, 1, slot->length, stdout);
        free(slot->record);
        slot->record = NULL;
        run->state = (struct progress_state){run->written + 1, slot->bytes_done, slot->bytes_total};
    }
    if (run->written != before && (fflush(stdout) != 0 || ferror(stdout))) {
        int error = errno;
        progress_end(&run->bar);
        program_fail(error, _("cannot write the output"));
    }
}

static void put(struct run *run, uint64_t number, const struct run_result *result) {
    pthread_mutex_lock(&run->mutex);
    if (!result->record) {
        progress_end(&run->bar);
        program_fail(0, _("out of memory"));
    }
    struct slot *slot = &run->ring[number % run->window];
    slot->record = result->record;
    slot->length = result->length;
    run->count[result->outcome]++;
    run->uncertified += result->uncertified;
    run->nodes += result->nodes;
    run->finished++;
    write_due(run);
    progress_draw(&run->bar, &run->state);
    tell_change(run);
    pthread_mutex_unlock(&run->mutex);
}

/* One thread's part. */
static void work_on(struct run *run) {
    for (struct task task; take(run, &task);) {
        language_english(run->options->format == FORMAT_JSONL);
        struct run_result result = run->work(run->solver, run->options, task.problem, task.certificate);
        language_english(false);
        put(run, task.number, &result);
        free_task(&task);
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
    const char *separator = _(": ");
    fprintf(stderr,
            run->stopped ? Q_("interrupted after %llu problem", "interrupted after %llu problems", run->finished)
                         : Q_("%llu problem", "%llu problems", run->finished),
            (unsigned long long)run->finished);
    for (int i = 0; i < run->outcome_count; i++)
        print_count(run->count[i], run->outcomes[i].name, &separator);
    print_count(run->uncertified, N_("without certificate"), &separator);
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
    if (!run.stopped) /* otherwise the watch concludes and ends the process */
        conclude(&run);
    pthread_mutex_unlock(&run.mutex);
    watch_end(&watch);
    int status = exit_status(&run);
    run_free(&run);
    return status;
}
