#include "program_usi_thinker.h"

#include "program.h"
#include "program_progress.h"
#include "program_usi_text.h"
#include "rules/language.h"
#include "tsume.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Nodes for each reading in the first round; they grow fourfold each round, so that neither holds up the other. */
enum { FIRST_ROUND = 1 << 20, NEXT_ROUND = 4 };
static const double TICK = 0.1; /* seconds between lines of information where mates are told as they come */

/* A way to see the position: the side to move attacks, or is being mated. */
struct reading {
    struct tsume_problem *problem;
    enum tsume_verdict verdict;
};

/* One `go`. The thinker's lock guards what is below. */
struct quest {
    struct usi_go go;
    struct usi_options options;
    struct reading readings[2]; /* what to decide: the first is what the answer is about */
    int reading_count;          /* 0: the position is none of a mate problem */
    char glance[TSUME_MOVE_SIZE];
    bool can_move; /* glance is set */
    double begun;

    bool answered, done; /* done: the search has ended */
    bool pondering;
    bool mated; /* the side to move is checkmated */
    double deadline, next_info, ended;
    struct usi_mates mates;
    struct tsume_effort effort; /* as last seen */
    uint64_t nodes_before;      /* of searches that have ended */
};

struct thinker {
    pthread_t thread;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct tsume_solver *solver; /* NULL while another is being made */
    int hash_mib, wanted_mib;
    bool leaving, gone;    /* the thread is to end; has ended */
    struct quest *current; /* the last `go`; owned by it until another one comes, or the search ends after that */
    struct quest *pending; /* `current` until its search begins */
    struct quest *working; /* the one that is searched */
};

/* ---- Quests -------------------------------------------------------------------------------------------------------- */

/* Adds a reading of the position with this attacker (0: found out), if it makes a problem and one that is wanted. */
static void add_reading(struct quest *quest, const char *position, char attacker, bool defends) {
    struct tsume_reader_options options = {.attacker = attacker};
    struct tsume_problem *problem = program_must(tsume_problem_from_sfen(position, &options));
    if (tsume_problem_error(problem) || tsume_problem_defender_first(problem) != defends)
        tsume_problem_free(problem);
    else
        quest->readings[quest->reading_count++] = (struct reading){problem, TSUME_UNKNOWN};
}

static void note_glance(struct quest *quest, const char *position) {
    struct tsume_problem *problem = program_must(tsume_problem_from_sfen(position, NULL));
    quest->can_move = tsume_problem_glance(problem, quest->glance);
    tsume_problem_free(problem);
}

static struct quest *quest_new(const struct usi_go *go, const struct usi_options *options, const char *position,
                               char side) {
    struct quest *quest = program_must(calloc(1, sizeof *quest));
    quest->go = *go;
    quest->options = *options;
    quest->begun = progress_clock();
    quest->next_info = quest->begun + TICK;
    quest->pondering = go->ponder;
    quest->deadline = go->seconds > 0 && !go->ponder && !go->infinite ? quest->begun + go->seconds : INFINITY;
    if (position)
        add_reading(quest, position, side, false);
    if (position && (quest->reading_count == 0 || !go->mate))
        add_reading(quest, position, 0, true);
    if (position && !go->mate)
        note_glance(quest, position);
    return quest;
}

static void quest_free(struct quest *quest) {
    if (!quest)
        return;
    for (int i = 0; i < quest->reading_count; i++)
        tsume_problem_free(quest->readings[i].problem);
    usi_mates_free(&quest->mates);
    free(quest);
}

/* Must the answer wait, whatever is known? */
static bool is_held(const struct quest *quest) {
    return quest->pondering || (quest->go.infinite && !quest->go.mate);
}

/* ---- Output. All are called with the lock held. -------------------------------------------------------------------- */

/* Brings the quest's effort up to date. */
static void see_effort(struct thinker *t, struct quest *quest) {
    if (t->working != quest || !t->solver)
        return;
    struct tsume_effort now = tsume_solver_effort(t->solver);
    now.nodes += quest->nodes_before;
    if (now.nodes < quest->effort.nodes)
        now.nodes = quest->effort.nodes;
    if (now.deepest < quest->effort.deepest)
        now.deepest = quest->effort.deepest;
    quest->effort = now;
}

static void write_info(struct thinker *t, struct quest *quest) {
    see_effort(t, quest);
    double now = quest->done ? quest->ended : progress_clock();
    usi_write_info(&quest->effort, now - quest->begun, &quest->mates, quest->options.multipv > 1);
    quest->next_info = now + (quest->options.pv_interval > 0 ? quest->options.pv_interval / 1000.0 : TICK);
}

static void say_info(struct thinker *t, struct quest *quest) {
    usi_begin_output();
    write_info(t, quest);
    usi_end_output();
}

static void write_checkmate(const struct quest *quest) {
    const char *answer = quest->reading_count == 0                     ? "notimplemented"
                         : quest->mates.count > 0                      ? quest->mates.of[0].moves
                         : quest->mated                                ? "nomate"
                         : quest->readings[0].verdict == TSUME_NO_MATE ? "nomate"
                                                                       : "timeout";
    if (quest->mated)
        usi_write_string(_("the side to move is checkmated"), NULL);
    printf("checkmate %s\n", answer);
}

static void write_move(const struct quest *quest) {
    if (quest->mates.count > 0)
        usi_write_bestmove(&quest->mates, quest->options.ponder);
    else
        printf("bestmove %s\n", quest->can_move ? quest->glance : "resign");
}

/* Gives the answer; the search behind it is to end if it has not. */
static void answer(struct thinker *t, struct quest *quest) {
    usi_begin_output();
    write_info(t, quest);
    (quest->go.mate ? write_checkmate : write_move)(quest);
    usi_end_output();
    quest->answered = true;
    if (!quest->done && t->solver)
        tsume_stop(t->solver);
}

/* ---- Searching ----------------------------------------------------------------------------------------------------- */

/* A search of one reading. */
struct errand {
    struct thinker *thinker;
    struct quest *quest;
    bool defends;
};

/* The lock is held. */
static void take_mates(const struct errand *errand, const struct tsume_answer *found) {
    struct quest *quest = errand->quest;
    if (tsume_answer_line_length(found) > 0 && !quest->answered)
        usi_mates_take(&quest->mates, found, errand->defends, (size_t)quest->options.multipv);
}

static void on_mate(void *context, const struct tsume_answer *found) {
    const struct errand *errand = context;
    struct quest *quest = errand->quest;
    pthread_mutex_lock(&errand->thinker->lock);
    take_mates(errand, found);
    if (!quest->answered && (quest->options.pv_interval == 0 || progress_clock() >= quest->next_info))
        say_info(errand->thinker, quest);
    pthread_mutex_unlock(&errand->thinker->lock);
}

/* Lends a thread to the search until it is over. */
static void assist(struct tsume_solver *solver, const atomic_bool *over) {
    static const struct timespec A_MOMENT = {.tv_nsec = 1000 * 1000};
    while (!atomic_load(over)) {
        tsume_assist(solver);
        nanosleep(&A_MOMENT, NULL); /* it has not begun, or is between two questions */
    }
}

static struct tsume_answer *solve_together(struct tsume_solver *solver, int threads,
                                           const struct tsume_problem *problem, const struct tsume_limits *limits) {
    struct tsume_answer *found = NULL;
    atomic_bool over = false, *is_over = &over;
#pragma omp parallel num_threads(threads) default(none) shared(solver, problem, limits, found, is_over)
    if (omp_get_thread_num() == 0) {
        found = tsume_solve(solver, problem, limits);
        atomic_store(is_over, true);
    } else {
        assist(solver, is_over);
    }
    return program_must(found);
}

/* Searches a reading with so many nodes (0: any number) and notes what came of it. */
static void solve(struct thinker *t, struct quest *quest, struct reading *reading, uint64_t nodes) {
    const struct usi_options *options = &quest->options;
    struct errand errand = {t, quest, tsume_problem_defender_first(reading->problem)};
    const struct tsume_limits limits = {.nodes = nodes,
                                        .any = options->any,
                                        .count_futile = options->count_futile,
                                        .plies = quest->go.plies,
                                        .others = options->multipv > 1,
                                        .on_mate = on_mate,
                                        .context = &errand};
    struct tsume_answer *found = solve_together(t->solver, options->threads, reading->problem, &limits);
    pthread_mutex_lock(&t->lock);
    reading->verdict = tsume_answer_verdict(found);
    take_mates(&errand, found);
    quest->mated |= errand.defends && reading->verdict == TSUME_MATE && tsume_answer_plies(found) == 0;
    quest->nodes_before += tsume_answer_nodes(found);
    quest->effort.nodes = quest->nodes_before;
    if (tsume_answer_deepest(found) > quest->effort.deepest)
        quest->effort.deepest = tsume_answer_deepest(found);
    quest->effort.hash_permille = tsume_solver_effort(t->solver).hash_permille;
    if (tsume_answer_error(found) && !quest->answered) {
        usi_begin_output();
        usi_write_string(tsume_answer_error(found), NULL);
        usi_end_output();
    }
    pthread_mutex_unlock(&t->lock);
    tsume_answer_free(found);
}

static bool is_answered(struct thinker *t, const struct quest *quest) {
    pthread_mutex_lock(&t->lock);
    bool answered = quest->answered;
    pthread_mutex_unlock(&t->lock);
    return answered;
}

/* The nodes for a round that `go nodes` leaves; 0 for all there are. */
static uint64_t nodes_left(const struct quest *quest, uint64_t round) {
    uint64_t left = quest->go.nodes > quest->nodes_before ? quest->go.nodes - quest->nodes_before : 1;
    return quest->go.nodes && (round == 0 || left < round) ? left : round;
}

/* Decides the readings, in turns while both are open. */
static void think(struct thinker *t, struct quest *quest) {
    struct reading *first = &quest->readings[0], *second = &quest->readings[1];
    uint64_t round = quest->reading_count == 2 ? FIRST_ROUND : 0;
    for (struct reading *next = first; quest->reading_count > 0; next = next == first ? second : first) {
        if (next == first && round)
            round *= NEXT_ROUND;
        solve(t, quest, next, nodes_left(quest, round));
        bool spent = quest->go.nodes && quest->nodes_before >= quest->go.nodes;
        if (next->verdict == TSUME_MATE || round == 0 || spent || is_answered(t, quest))
            return;
        if (next->verdict == TSUME_NO_MATE)
            round = 0; /* the other one has all that is left, if it is still open */
        if ((next == first ? second : first)->verdict != TSUME_UNKNOWN)
            return;
    }
}

/* ---- The thinker's thread ------------------------------------------------------------------------------------------ */

/* Makes a solver with a table of the size, or of the library's default where that cannot be had. */
static struct tsume_solver *make_solver(int hash_mib) {
    struct tsume_error error;
    struct tsume_solver *solver = tsume_solver_new((size_t)hash_mib, &error);
    if (solver)
        return solver;
    usi_begin_output();
    usi_write_string(error.message, NULL);
    usi_end_output();
    solver = tsume_solver_new(0, &error);
    if (!solver)
        program_fail(0, error.message);
    return solver;
}

/* Sees to it that the table has the size wanted. The lock is held, and released meanwhile; no search is running. */
static void fit_table(struct thinker *t) {
    if (t->hash_mib == t->wanted_mib)
        return;
    int mib = t->hash_mib = t->wanted_mib;
    struct tsume_solver *old = t->solver;
    t->solver = NULL;
    pthread_mutex_unlock(&t->lock);
    tsume_solver_free(old);
    struct tsume_solver *new = make_solver(mib);
    pthread_mutex_lock(&t->lock);
    t->solver = new;
}

/* Searches the pending quest. The lock is held, and released meanwhile. */
static void work(struct thinker *t) {
    struct quest *quest = t->working = t->pending;
    t->pending = NULL;
    fit_table(t);
    if (!quest->answered) {
        tsume_resume(t->solver);
        pthread_mutex_unlock(&t->lock);
        think(t, quest);
        pthread_mutex_lock(&t->lock);
    }
    t->working = NULL;
    quest->done = true;
    quest->ended = progress_clock();
    if (!quest->answered && is_held(quest))
        say_info(t, quest);
    else if (!quest->answered)
        answer(t, quest);
    if (t->current != quest)
        quest_free(quest);
    pthread_cond_broadcast(&t->changed);
}

static void *thread_main(void *thinker) {
    struct thinker *t = thinker;
    pthread_mutex_lock(&t->lock);
    while (!t->leaving) {
        if (t->pending)
            work(t);
        else
            pthread_cond_wait(&t->changed, &t->lock);
    }
    t->gone = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* ---- For the thread that reads commands ---------------------------------------------------------------------------- */

static void init_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct thinker *thinker_new(void) {
    struct thinker *t = program_must(calloc(1, sizeof *t));
    pthread_mutex_init(&t->lock, NULL);
    init_condition(&t->changed);
    t->solver = make_solver(0);
    t->hash_mib = t->wanted_mib = (int)tsume_solver_hash_mib(t->solver);
    int error = pthread_create(&t->thread, NULL, thread_main, t);
    if (error)
        program_fail(error, _("no thread could be started"));
    return t;
}

static struct timespec time_of(double seconds) {
    return (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - floor(seconds)) * 1e9)};
}

/* Waits a second for the thread to end; false if it goes on longer. The lock is held. */
static bool await_end(struct thinker *t) {
    struct timespec until = time_of(progress_clock() + 1);
    while (!t->gone)
        if (pthread_cond_timedwait(&t->changed, &t->lock, &until) == ETIMEDOUT)
            return t->gone;
    return true;
}

void thinker_free(struct thinker *t) {
    pthread_mutex_lock(&t->lock);
    t->leaving = true;
    if (t->current)
        t->current->answered = true;
    if (t->solver)
        tsume_stop(t->solver);
    pthread_cond_broadcast(&t->changed);
    if (!await_end(t))
        _exit(STATUS_DECIDED);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    quest_free(t->current);
    tsume_solver_free(t->solver);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

int thinker_hash_mib(const struct thinker *t) {
    return t->wanted_mib;
}

void thinker_prepare(struct thinker *t, int hash_mib) {
    pthread_mutex_lock(&t->lock);
    t->wanted_mib = hash_mib;
    if (!t->working && !t->pending)
        fit_table(t);
    pthread_mutex_unlock(&t->lock);
}

/* Puts the last quest away for another one. */
static void dismiss_current(struct thinker *t) {
    struct quest *last = t->current;
    if (!last)
        return;
    if (!last->answered)
        answer(t, last);
    if (t->working != last) /* else the thread frees it */
        quest_free(last);
}

void thinker_go(struct thinker *t, const struct usi_go *go, const struct usi_options *options, const char *position,
                char side) {
    struct quest *quest = quest_new(go, options, position, side);
    pthread_mutex_lock(&t->lock);
    dismiss_current(t);
    t->wanted_mib = options->hash_mib;
    t->current = t->pending = quest;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

/* The quest that waits for its answer, NULL if there is none. The lock is held. */
static struct quest *open_quest(const struct thinker *t) {
    return t->current && !t->current->answered ? t->current : NULL;
}

void thinker_stop(struct thinker *t) {
    pthread_mutex_lock(&t->lock);
    struct quest *quest = open_quest(t);
    if (quest)
        answer(t, quest);
    pthread_mutex_unlock(&t->lock);
}

void thinker_ponderhit(struct thinker *t, double seconds) {
    pthread_mutex_lock(&t->lock);
    struct quest *quest = open_quest(t);
    if (quest && quest->pondering) {
        quest->pondering = false;
        seconds = seconds > 0 ? seconds : quest->go.seconds;
        quest->deadline = seconds > 0 ? progress_clock() + seconds : INFINITY;
        if (quest->done && !is_held(quest))
            answer(t, quest);
    }
    pthread_mutex_unlock(&t->lock);
}

/* The lock is held. */
static double wake_time(const struct thinker *t) {
    const struct quest *quest = open_quest(t);
    if (!quest || quest->done)
        return INFINITY;
    return fmin(quest->deadline, quest->next_info);
}

double thinker_wake_time(struct thinker *t) {
    pthread_mutex_lock(&t->lock);
    double time = wake_time(t);
    pthread_mutex_unlock(&t->lock);
    return time;
}

void thinker_tick(struct thinker *t) {
    pthread_mutex_lock(&t->lock);
    struct quest *quest = open_quest(t);
    double now = progress_clock();
    if (quest && now >= quest->deadline)
        answer(t, quest);
    else if (quest && !quest->done && now >= quest->next_info)
        say_info(t, quest);
    pthread_mutex_unlock(&t->lock);
}

/* Waits until the open quest is answered or the thinker wants to be woken. False if there is none open. */
static bool await_tick(struct thinker *t) {
    pthread_mutex_lock(&t->lock);
    struct quest *quest = open_quest(t);
    if (quest && is_held(quest)) {
        answer(t, quest);
        quest = NULL;
    }
    struct timespec until = time_of(wake_time(t) < INFINITY ? wake_time(t) : progress_clock());
    if (quest)
        pthread_cond_timedwait(&t->changed, &t->lock, &until);
    pthread_mutex_unlock(&t->lock);
    return quest != NULL;
}

void thinker_linger(struct thinker *t) {
    while (await_tick(t))
        thinker_tick(t);
}
