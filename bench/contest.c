#include "bench/contest.h"

#include "bench/numbers.h"
#include "bench/replay.h"
#include "rules/language.h"
#include "solver/program.h"
#include "solver/program_progress.h"
#include "solver/program_watch.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* An engine that fails so often in a row is not started again. */
enum { MOST_FAILURES = 3 };

/* A contest while it runs. The lock guards what the watch looks at: solvers, the bar and `signal`. */
struct running {
    struct contest *contest;
    struct tsume_solver *judge; /* for the ends of engines' lines; made when needed */
    pthread_mutex_t lock;
    struct progress bar;
    unsigned long long done, all; /* runs of one problem by one contestant */
};

const char *contest_verdict_name(enum contest_verdict verdict) {
    static const char *const NAME[] = {[CONTEST_MATE] = "mate",
                                       [CONTEST_NO_MATE] = "nomate",
                                       [CONTEST_UNKNOWN] = "unknown",
                                       [CONTEST_FAILED] = "failed",
                                       [CONTEST_WRONG] = "wrong"};
    return NAME[verdict];
}

bool contest_solved(const struct contest_result *result) {
    return result->verdict == CONTEST_MATE || result->verdict == CONTEST_NO_MATE;
}

struct contest_times contest_times(const double *seconds, size_t count) {
    double sorted[BENCH_MAX_REPEAT];
    memcpy(sorted, seconds, count * sizeof *sorted);
    double median = numbers_median(sorted, count);
    return (struct contest_times){.least = sorted[0], .median = median, .most = sorted[count - 1]};
}

/* ---- Results ------------------------------------------------------------------------------------------------------- */

/* What one run came to. The fault, if any, is to be copied. */
struct attempt {
    enum contest_verdict verdict;
    int plies;
    bool exact;
    uint64_t nodes;
    double seconds;
    const char *fault;
};

static void record(struct contest_result *result, const struct attempt *attempt) {
    bool first = result->runs == 0;
    result->seconds[result->runs++] = attempt->seconds;
    if (first)
        result->nodes = attempt->nodes;
    if (!first && attempt->verdict <= result->verdict)
        return;
    result->verdict = attempt->verdict;
    result->plies = attempt->plies;
    result->exact = attempt->exact;
    free(result->fault);
    result->fault = attempt->fault ? program_must(strdup(attempt->fault)) : NULL;
}

/* ---- tsume --------------------------------------------------------------------------------------------------------- */

/* Solves the problem with so many threads together. */
static struct tsume_answer *solve_together(struct tsume_solver *solver, const struct suite_item *item, int threads) {
    static const struct timespec A_MOMENT = {.tv_nsec = 20 * 1000};
    struct tsume_answer *answer = NULL;
    atomic_bool answered;
    atomic_init(&answered, false);
#pragma omp parallel num_threads(threads) default(none) shared(solver, item, answer, answered, A_MOMENT)
    {
        if (omp_get_thread_num() == 0) {
            answer = tsume_solve(solver, item->problem, &item->limits);
            atomic_store(&answered, true);
        }
        while (!atomic_load(&answered)) {
            tsume_assist(solver);
            nanosleep(&A_MOMENT, NULL); /* the search has not begun, or is just over */
        }
    }
    return program_must(answer);
}

static void run_tsume(struct running *running, struct contestant *who, const struct suite_item *item,
                      struct contest_result *result) {
    static const enum contest_verdict VERDICT[] = {[TSUME_MATE] = CONTEST_MATE,
                                                   [TSUME_NO_MATE] = CONTEST_NO_MATE,
                                                   [TSUME_UNKNOWN] = CONTEST_UNKNOWN,
                                                   [TSUME_INVALID] = CONTEST_FAILED};
    struct tsume_answer *answer = who->threads == 1
                                      ? program_must(tsume_solve(who->solver, item->problem, &item->limits))
                                      : solve_together(who->solver, item, who->threads);
    struct attempt attempt = {
        .verdict = VERDICT[tsume_answer_verdict(answer)],
        .plies = tsume_answer_verdict(answer) == TSUME_MATE ? tsume_answer_plies(answer) : 0,
        .exact = tsume_answer_exact(answer),
        .nodes = tsume_answer_nodes(answer),
        .seconds = tsume_answer_seconds(answer),
        .fault = tsume_answer_error(answer),
    };
    if (!running->contest->signal)
        record(result, &attempt);
    tsume_answer_free(answer);
}

/* Makes the solvers anew, each with an empty table. */
static void renew_solvers(struct running *running) {
    struct contest *contest = running->contest;
    for (size_t c = 0; c < contest->contestant_count; c++) {
        struct contestant *who = &contest->contestants[c];
        if (who->threads == 0)
            continue;
        struct tsume_error error;
        pthread_mutex_lock(&running->lock);
        tsume_solver_free(who->solver);
        who->solver = tsume_solver_new(contest->options->search.hash_mib, &error);
        if (!who->solver)
            program_fail(0, error.message);
        if (contest->signal)
            tsume_stop(who->solver);
        pthread_mutex_unlock(&running->lock);
    }
}

/* ---- Other engines ------------------------------------------------------------------------------------------------- */

/* Are the interposing drops that the end of a line leaves all futile? They are if the position is mate in 0. */
static bool drops_are_futile(struct running *running, const struct suite_item *item, const char *sfen) {
    enum { JUDGE_MIB = 16, JUDGE_NODES = 1000000 };
    const struct tsume_limits limits = {.nodes = JUDGE_NODES};
    const struct tsume_reader_options reading = {.hands_as_given = true,
                                                 .attacker = tsume_problem_attacker(item->problem)};
    if (!running->judge)
        running->judge = program_must(tsume_solver_new(JUDGE_MIB, NULL));
    struct tsume_problem *end = program_must(tsume_problem_from_sfen(sfen, &reading));
    struct tsume_answer *answer = program_must(tsume_solve(running->judge, end, &limits));
    bool futile = tsume_answer_verdict(answer) == TSUME_MATE && tsume_answer_plies(answer) == 0;
    tsume_answer_free(answer);
    tsume_problem_free(end);
    return futile;
}

/* Judges the line that an engine gave. */
static void judge_line(struct running *running, const struct suite_item *item, const char *line,
                       struct replay *replay) {
    *replay = replay_line(item->problem, line);
    if (replay->outcome != REPLAY_DROPS_LEFT)
        return;
    if (drops_are_futile(running, item, replay->sfen)) {
        replay->outcome = REPLAY_MATE;
        return;
    }
    replay->outcome = REPLAY_WRONG;
    snprintf(replay->fault, sizeof replay->fault, _("no mate after ply %zu: an interposing drop answers it"),
             replay->plies);
}

static void complain(struct running *running, const char *who, const char *id, const char *what) {
    pthread_mutex_lock(&running->lock);
    progress_make_way(&running->bar);
    fprintf(stderr, "tsume: %s: %s%s%s\n", who, id, *id ? ": " : "", what);
    pthread_mutex_unlock(&running->lock);
}

static void count_failure(struct running *running, struct contestant *who) {
    if (++who->failures < MOST_FAILURES)
        return;
    who->given_up = true;
    complain(running, who->name, "", _("given up after failures in a row"));
}

static void run_engine(struct running *running, struct contestant *who, const struct suite_item *item,
                       struct contest_result *result) {
    static const enum contest_verdict VERDICT[] = {[USI_MATE] = CONTEST_MATE,
                                                   [USI_NO_MATE] = CONTEST_NO_MATE,
                                                   [USI_TIMEOUT] = CONTEST_UNKNOWN,
                                                   [USI_FAILED] = CONTEST_FAILED};
    struct usi_answer answer = usi_solve(who->engine, tsume_problem_sfen(item->problem), item->limits.seconds);
    struct attempt attempt = {.verdict = VERDICT[answer.verdict], .nodes = answer.nodes, .seconds = answer.seconds};
    struct replay replay;
    if (answer.verdict == USI_MATE) {
        judge_line(running, item, answer.line, &replay);
        bool mate = replay.outcome == REPLAY_MATE;
        attempt.verdict = mate ? CONTEST_MATE : CONTEST_WRONG;
        attempt.plies = mate ? (int)replay.plies : 0;
        attempt.fault = mate ? NULL : replay.fault;
    }
    if (answer.verdict == USI_FAILED)
        attempt.fault = usi_trouble(who->engine);
    if (running->contest->signal)
        return;
    record(result, &attempt);
    if (attempt.fault)
        complain(running, who->name, tsume_problem_id(item->problem), attempt.fault);
    if (answer.verdict == USI_FAILED)
        count_failure(running, who);
    else
        who->failures = 0;
}

/* ---- The contestants ----------------------------------------------------------------------------------------------- */

/* Gives it the name, with a number if another one has it. */
static void name_contestant(struct contest *contest, struct contestant *who, const char *name) {
    snprintf(who->name, sizeof who->name, "%.64s", name);
    for (int number = 2;; number++) {
        bool taken = false;
        for (struct contestant *other = contest->contestants; other < who; other++)
            taken |= strcmp(other->name, who->name) == 0;
        if (!taken)
            return;
        snprintf(who->name, sizeof who->name, "%.64s #%d", name, number);
    }
}

static void enter_tsume(struct contest *contest, struct contestant *who, int threads) {
    char name[64] = "tsume";
    if (contest->options->thread_counts > 1)
        snprintf(name, sizeof name, Q_("tsume, %d thread", "tsume, %d threads", threads), threads);
    who->threads = threads;
    name_contestant(contest, who, name);
}

/* Starts the engine, to learn its name, and whether it starts at all. */
static void enter_engine(struct running *running, struct contestant *who, const struct usi_spec *spec) {
    struct usi_engine *engine = program_must(usi_new(spec));
    pthread_mutex_lock(&running->lock);
    who->engine = engine;
    if (running->contest->signal)
        usi_interrupt(engine);
    pthread_mutex_unlock(&running->lock);
    who->given_up = !usi_start(engine);
    name_contestant(running->contest, who, usi_name(engine));
    if (who->given_up && !running->contest->signal)
        complain(running, who->name, "", usi_trouble(engine));
}

static struct contest_result *new_results(const struct contest *contest) {
    size_t count = contest->suite->count;
    struct contest_result *results = program_must(calloc(count + 1, sizeof *results));
    for (size_t p = 0; p < count; p++)
        results[p].seconds = program_must(calloc(contest->options->repeat, sizeof *results[p].seconds));
    return results;
}

static void enter_all(struct running *running) {
    struct contest *contest = running->contest;
    const struct bench_options *options = contest->options;
    struct contestant *who = contest->contestants;
    for (size_t c = 0; c < contest->contestant_count; c++)
        who[c].results = new_results(contest);
    for (size_t i = 0; i < options->thread_counts; i++)
        enter_tsume(contest, who++, options->threads[i]);
    for (size_t i = 0; i < options->engine_count; i++)
        enter_engine(running, who++, &options->engines[i]);
}

/* ---- The watch ----------------------------------------------------------------------------------------------------- */

static void on_tick(void *context) {
    struct running *running = context;
    pthread_mutex_lock(&running->lock);
    progress_draw(&running->bar, &(struct progress_state){running->done, running->done, running->all});
    pthread_mutex_unlock(&running->lock);
}

static void on_signal(void *context, int signal) {
    struct running *running = context;
    struct contest *contest = running->contest;
    pthread_mutex_lock(&running->lock);
    contest->signal = signal;
    for (size_t c = 0; c < contest->contestant_count; c++) {
        if (contest->contestants[c].engine)
            usi_interrupt(contest->contestants[c].engine);
        if (contest->contestants[c].solver)
            tsume_stop(contest->contestants[c].solver);
    }
    pthread_mutex_unlock(&running->lock);
}

/* ---- Everything ---------------------------------------------------------------------------------------------------- */

/* `go mate` takes the side to move for the attacker. */
static void pass(struct contest_result *result) {
    result->verdict = CONTEST_UNKNOWN;
    if (!result->fault)
        result->fault = program_must(strdup(_("not asked: the defender moves first, which USI cannot say")));
}

static void run_one(struct running *running, struct contestant *who, size_t p) {
    const struct suite_item *item = &running->contest->suite->items[p];
    struct contest_result *result = &who->results[p];
    if (who->threads > 0)
        run_tsume(running, who, item, result);
    else if (tsume_problem_defender_first(item->problem))
        pass(result);
    else if (!who->given_up)
        run_engine(running, who, item, result);
    else if (result->runs == 0)
        result->verdict = CONTEST_FAILED;
    pthread_mutex_lock(&running->lock);
    running->done++;
    pthread_mutex_unlock(&running->lock);
}

/* All problems once. Who begins changes from problem to problem. */
static void run_round(struct running *running) {
    struct contest *contest = running->contest;
    renew_solvers(running);
    for (size_t p = 0; p < contest->suite->count; p++)
        for (size_t turn = 0; turn < contest->contestant_count && !contest->signal; turn++)
            run_one(running, &contest->contestants[(p + turn) % contest->contestant_count], p);
}

/* The first one that mates, with a line that was replayed; NULL if nobody does. */
static const struct contestant *who_mates(const struct contest *contest, size_t p) {
    for (size_t c = 0; c < contest->contestant_count; c++)
        if (contest->contestants[c].results[p].verdict == CONTEST_MATE)
            return &contest->contestants[c];
    return NULL;
}

/* Whoever denies a mate that another one shows is wrong. */
static void refute_denials(struct contest *contest) {
    for (size_t p = 0; p < contest->suite->count; p++) {
        const struct contestant *mates = who_mates(contest, p);
        for (size_t c = 0; mates && c < contest->contestant_count; c++) {
            struct contest_result *result = &contest->contestants[c].results[p];
            if (result->verdict != CONTEST_NO_MATE)
                continue;
            result->verdict = CONTEST_WRONG;
            free(result->fault);
            result->fault = NULL;
            if (asprintf(&result->fault, _("it says no mate, but %s mates in %d"), mates->name,
                         mates->results[p].plies) < 0)
                program_fail(0, _("out of memory"));
        }
    }
}

/* Sends the engines home, and asks how much memory everybody had. */
static void conclude(struct contest *contest) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    for (size_t c = 0; c < contest->contestant_count; c++) {
        struct contestant *who = &contest->contestants[c];
        if (who->engine)
            usi_quit(who->engine);
        who->peak_kib = who->engine ? usi_peak_kib(who->engine) : usage.ru_maxrss;
    }
    refute_denials(contest);
}

void contest_run(struct contest *contest, const struct bench_options *options, const struct suite *suite) {
    size_t count = options->thread_counts + options->engine_count;
    *contest = (struct contest){.options = options,
                                .suite = suite,
                                .contestants = program_must(calloc(count, sizeof *contest->contestants)),
                                .contestant_count = count};
    struct running running = {.contest = contest, .all = options->repeat * suite->count * count};
    struct watch watch = {.on_tick = on_tick, .on_signal = on_signal, .context = &running};
    pthread_mutex_init(&running.lock, NULL);
    watch_hold_signals();
    progress_begin(&running.bar, options->search.quiet);
    running.bar.shares = true; /* with messages about engines */
    int error = watch_begin(&watch);
    if (error)
        program_fail(error, _("no thread could be started"));
    enter_all(&running);
    for (size_t i = 0; i < options->repeat; i++)
        run_round(&running);
    conclude(contest);
    watch_end(&watch);
    progress_end(&running.bar);
    tsume_solver_free(running.judge);
    pthread_mutex_destroy(&running.lock);
}

void contest_free(struct contest *contest) {
    for (size_t c = 0; c < contest->contestant_count; c++) {
        struct contestant *who = &contest->contestants[c];
        for (size_t p = 0; p < contest->suite->count; p++) {
            free(who->results[p].seconds);
            free(who->results[p].fault);
        }
        free(who->results);
        tsume_solver_free(who->solver);
        usi_free(who->engine);
    }
    free(contest->contestants);
}

bool contest_has_trouble(const struct contest *contest) {
    for (size_t c = 0; c < contest->contestant_count; c++)
        for (size_t p = 0; p < contest->suite->count; p++)
            if (contest->contestants[c].results[p].verdict >= CONTEST_FAILED)
                return true;
    return false;
}
