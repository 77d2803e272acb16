/* soundness.c: is a problem sound (tsume-rules §5)?
 *
 * First its value and its main line. Then every other check at the attacker's turns, and every other answer at the defender's, is a task of
 * its own; threads take tasks in parallel, and all of them share the table of the first search. A check that mates is judged again
 * in a second search, one for all, for which the positions of the main line are failures (forbidden.h): what still mates is a
 * cook, the rest only leads back. Tasks begin at the end of the line, where they are easy and teach the table most.
 *
 * All positions of the main line are forbidden, not only the later ones: an earlier one would be a repetition. So is the mate at
 * its end, or a change in the order of the last moves would be a cook. */
#include "solver/tsume.h"

#include "problems/problem.h"
#include "rules/language.h"
#include "solver/alternative.h"
#include "solver/certificate.h"
#include "solver/forbidden.h"
#include "solver/jobs.h"
#include "solver/main_line.h"
#include "solver/report.h"

#include <stdlib.h>
#include <string.h>

/* A move in place of the main line's. */
struct alternative {
    int turn; /* index of the main line's move */
    move move;
    bool defends;
    bool judged;                  /* false: not looked at, or it is nothing to report */
    bool cut_short;               /* stopped by its share of the problem's limits: more of them may help */
    bool repeats;                 /* mates, but only by repeating a position of the main line, which is no mate */
    enum tsume_finding_kind kind; /* if judged */
    struct variation variation;
};

struct examination {
    struct tsume_solver *solver;
    const struct tsume_check_options *options;
    double started, deadline; /* deadline 0: none */
    struct orientation orientation;
    struct position root;
    struct stated_line stated;
    struct search plain, strict; /* strict: the positions of the main line are failures */
    struct forbidden *forbidden;

    struct mate value;
    struct main_line main;
    struct played_line played;
    struct position *positions;
    code *values; /* of the positions, if the value is exact */

    struct alternative *alternatives;
    size_t count;
    size_t *queue; /* the alternatives in work */
    size_t queued;
    _Atomic size_t begun;
    _Atomic uint64_t nodes;
    _Atomic bool cooked;
    const char *_Atomic error;
    struct findings findings;
    struct certificate certificate;
    const char *certificate_error;
};

static void note_line_error(struct examination *x, enum line_outcome outcome) {
    if (outcome == LINE_BROKEN)
        x->error = _("internal error: a line could not be rebuilt");
    if (outcome == LINE_NO_MEMORY)
        x->error = _("out of memory");
}

static void count_nodes(struct examination *x, struct job *job) {
    worker_flush(job->worker);
    atomic_fetch_add(&x->nodes, atomic_load(&job->search.nodes));
}

/* ---- Limits ---- */

/* What an alternative may use of what is left: as much as each other one, but at least an eighth, since most need little. */
static double share_of(double left, size_t to_do) {
    double even = left / (double)(to_do > 0 ? to_do : 1), eighth = left / 8;
    return even > eighth ? even : eighth;
}

static size_t tasks_to_do(const struct examination *x) {
    size_t begun = x->begun;
    return begun < x->queued ? x->queued - begun : 0;
}

/* Sets the limits of an alternative's search; the same ones hold for all that it asks. */
static void limit_search(struct examination *x, struct search *search, struct alternative *a) {
    double now = clock_seconds(), per_move = x->options->seconds_per_move;
    if (x->deadline > 0) {
        search->deadline = now + share_of(x->deadline - now, tasks_to_do(x));
        a->cut_short = true;
    }
    if (per_move > 0 && (search->deadline <= 0 || now + per_move < search->deadline)) {
        search->deadline = now + per_move;
        a->cut_short = false;
    }
    uint64_t nodes = x->options->limits.nodes, spent = atomic_load(&x->nodes);
    if (nodes) {
        uint64_t left = nodes > spent ? nodes - spent : 0;
        search->node_limit = 1 + (uint64_t)share_of((double)left, tasks_to_do(x));
        a->cut_short = per_move <= 0;
    }
}

/* Is there anything left of the problem's limits? */
static bool may_go_on(const struct examination *x) {
    if (atomic_load(&x->solver->stop))
        return false;
    if (x->deadline > 0 && clock_seconds() >= x->deadline)
        return false;
    return !x->options->limits.nodes || atomic_load(&x->nodes) < x->options->limits.nodes;
}

/* ---- An alternative ---- */

/* Opens a job after the alternative, or at its turn where it is an answer, with the limits that `limits` has. */
static bool open_job(struct examination *x, const struct alternative *a, const struct search *with,
                     const struct search *limits, struct job *job) {
    struct position pos = x->positions[a->turn];
    if (!a->defends)
        position_do(&pos, a->move);
    search_share(&job->search, with);
    job->search.deadline = limits->deadline;
    job->search.node_limit = limits->node_limit;
    if (!job_open(x->solver, job, &pos)) {
        x->error = _("out of memory");
        return false;
    }
    if (x->cooked) /* since this task began */
        atomic_store(&job->search.stop, STOP_ASKED);
    return true;
}

static void close_job(struct examination *x, struct job *job) {
    count_nodes(x, job);
    job_close(x->solver, job);
}

/* Values the alternative in a job that has shown that it mates. */
static void value_alternative(struct examination *x, struct alternative *a, struct job *job, code known) {
    struct mate mate = {known, false};
    enum line_outcome outcome;
    if (job_solve(x->solver, job, false, &mate) != PROVED)
        mate = (struct mate){known, false};
    search_grant_line(&job->search);
    a->variation = variation_build(job->worker, a->move, &mate, &outcome);
    note_line_error(x, outcome);
}

static void stop_at_cook(struct examination *x) {
    if (!x->options->first)
        return;
    x->cooked = true;
    jobs_stop(x->solver, x->plain.generation);
    jobs_stop(x->solver, x->strict.generation);
}

/* A check that mates, and is no mere choice of promotion or square: judges it with the main line forbidden. PROVED: it is a cook. */
static enum outcome judge_apart(struct examination *x, struct alternative *a, const struct search *limits) {
    struct job job;
    struct mate mate;
    if (!open_job(x, a, &x->strict, limits, &job))
        return STOPPED;
    int left = (int)x->main.line.length - a->turn;
    enum outcome outcome = job_solve(x->solver, &job, true, &mate);
    if (outcome == PROVED) {
        value_alternative(x, a, &job, mate.value);
        a->kind = left == 1                   ? TSUME_FINDING_FINAL_DUAL
                  : a->variation.plies < left ? TSUME_FINDING_EARLY_MATE
                                              : TSUME_FINDING_COOK;
    }
    close_job(x, &job);
    if (outcome == PROVED && left > 1)
        stop_at_cook(x);
    return outcome;
}

/* Is the check a choice of square only? The job is at the position after it. */
static bool is_square_choice(struct examination *x, const struct alternative *a, struct job *job) {
    struct position here = *worker_position(job->worker), end;
    if (!differs_in_distance(&x->played, (size_t)a->turn, a->move, &end))
        return false;
    *worker_position(job->worker) = end;
    enum outcome mated = worker_decide(job->worker, code_make(0, CODE_ANY_SPENT), NULL);
    *worker_position(job->worker) = here;
    return mated == PROVED;
}

/* Does the check mate at all? If it is a mere choice it is judged and valued here. */
static enum outcome judge_plainly(struct examination *x, struct alternative *a, const struct search *limits) {
    struct job job;
    struct mate mate;
    if (!open_job(x, a, &x->plain, limits, &job))
        return STOPPED;
    enum outcome outcome = job_solve(x->solver, &job, true, &mate);
    if (outcome == PROVED) {
        if (differs_in_promotion(x->main.line.moves[a->turn], a->move))
            a->kind = TSUME_FINDING_PROMOTION_CHOICE;
        else if (is_square_choice(x, a, &job))
            a->kind = TSUME_FINDING_SQUARE_CHOICE;
        if (a->kind != TSUME_FINDING_UNDECIDED)
            value_alternative(x, a, &job, mate.value);
    }
    close_job(x, &job);
    return outcome;
}

/* Does the check still mate where going back to a position before it counts as the repetition it is? */
static enum outcome mates_without_repeating(struct examination *x, const struct alternative *a,
                                            const struct search *limits) {
    enum outcome outcome = STOPPED;
    struct search search;
    struct job job;
    struct mate mate;
    enum color attacker = x->plain.attacker;
    struct forbidden *earlier = forbidden_new((size_t)a->turn + 1);
    if (!earlier || !search_open(&search, x->solver->table, attacker)) {
        forbidden_free(earlier);
        x->error = _("out of memory");
        return STOPPED;
    }
    for (int i = 0; i <= a->turn; i++)
        if (x->positions[i].side == attacker)
            forbidden_add(earlier, x->positions[i].key, x->positions[i].hand[attacker]);
    search.futile = x->plain.futile;
    search.asked_to_stop = x->plain.asked_to_stop;
    search.forbidden = earlier;
    if (open_job(x, a, &search, limits, &job)) {
        outcome = job_solve(x->solver, &job, true, &mate);
        close_job(x, &job);
    }
    search_close(&search);
    forbidden_free(earlier);
    return outcome;
}

/* A check that mates only by going back to the main line: to a later position of it, or by mere repetition, which is no mate. */
static void judge_return(struct examination *x, struct alternative *a, const struct search *limits) {
    struct job job;
    struct mate mate;
    enum outcome outcome = mates_without_repeating(x, a, limits);
    a->judged = outcome != DISPROVED;
    a->repeats = outcome == DISPROVED;
    if (outcome != PROVED || !open_job(x, a, &x->plain, limits, &job))
        return;
    if (job_solve(x->solver, &job, true, &mate) == PROVED) {
        a->kind = reorders(&x->played, (size_t)a->turn, a->move) ? TSUME_FINDING_TRANSPOSITION : TSUME_FINDING_DETOUR;
        value_alternative(x, a, &job, mate.value);
    }
    close_job(x, &job);
}

static void judge_check(struct examination *x, struct alternative *a, const struct search *limits) {
    enum outcome mates = judge_plainly(x, a, limits);
    a->judged = mates != DISPROVED;
    if (mates == PROVED && a->kind == TSUME_FINDING_UNDECIDED && judge_apart(x, a, limits) == DISPROVED)
        judge_return(x, a, limits);
}

/* Another answer of the defender: does it hold out as long? */
static void judge_answer(struct examination *x, struct alternative *a, const struct search *limits) {
    struct job job;
    if (!open_job(x, a, &x->plain, limits, &job))
        return;
    code value = x->values[a->turn];
    enum outcome worse = line_judges_answer(job.worker, value, a->move);
    a->judged = worse != PROVED;
    if (worse == DISPROVED) {
        struct mate mate = {value - (code)code_of_defence(), true};
        enum line_outcome outcome;
        a->kind = TSUME_FINDING_EQUAL_VARIATION;
        search_grant_line(&job.search);
        position_do(worker_position(job.worker), a->move);
        a->variation = variation_build(job.worker, a->move, &mate, &outcome);
        note_line_error(x, outcome);
    }
    close_job(x, &job);
}

static void judge(void *context, size_t task) {
    struct examination *x = context;
    struct alternative *a = &x->alternatives[x->queue[task]];
    struct search limits = {.deadline = 0};
    if (x->cooked)
        return;
    a->judged = true;
    a->repeats = false;
    a->kind = TSUME_FINDING_UNDECIDED;
    limit_search(x, &limits, a);
    x->begun++;
    (a->defends ? judge_answer : judge_check)(x, a, &limits);
    if (x->cooked && a->kind == TSUME_FINDING_UNDECIDED)
        a->judged = false; /* it was stopped because another one is a cook */
}

/* ---- All alternatives ---- */

/* Does another answer at this turn count if it holds out as long? */
static bool answers_matter(const struct examination *x, size_t turn) {
    bool last_two = x->main.line.length - turn <= 2;
    return x->value.exact && x->main.line.leftover == 0 && (!last_two || x->options->all_lines);
}

static bool add_alternatives(struct examination *x, size_t turn, size_t *room) {
    struct position pos = x->positions[turn];
    bool defends = pos.side != x->played.attacker;
    move moves[MAX_MOVES];
    if (defends && !answers_matter(x, turn))
        return true;
    int count = defends ? generate_evasions(&pos, moves) : generate_checks(&pos, moves);
    if (x->count + (size_t)count > *room) {
        *room = *room * 2 + (size_t)count;
        struct alternative *more = realloc(x->alternatives, *room * sizeof *more);
        if (!more)
            return false;
        x->alternatives = more;
    }
    for (int i = 0; i < count; i++)
        if (moves[i] != x->main.line.moves[turn])
            x->alternatives[x->count++] = (struct alternative){.turn = (int)turn, .move = moves[i], .defends = defends};
    return true;
}

static bool list_alternatives(struct examination *x) {
    size_t room = 0;
    for (size_t turn = x->main.line.length; turn-- > 0;)
        if (!add_alternatives(x, turn, &room))
            return false;
    x->queue = calloc(x->count + 1, sizeof *x->queue);
    return x->queue != NULL;
}

static bool is_open(const struct alternative *a) {
    return a->judged && a->kind == TSUME_FINDING_UNDECIDED && a->cut_short;
}

/* Judges them all; then again those that had too little, as long as there is something left. */
static void judge_alternatives(struct examination *x) {
    enum { MOST_ROUNDS = 4 };
    x->queued = x->count;
    for (size_t i = 0; i < x->count; i++)
        x->queue[i] = i;
    for (int round = 0; round < MOST_ROUNDS && x->queued > 0; round++) {
        struct tasks tasks = {.run = judge, .context = x, .count = x->queued};
        x->begun = 0;
        tasks_run(x->solver, &tasks);
        x->queued = 0;
        if (!may_go_on(x) || x->cooked)
            break;
        for (size_t i = 0; i < x->count; i++)
            if (is_open(&x->alternatives[i]))
                x->queue[x->queued++] = i;
    }
}

/* Findings come in the order of the plies, and the alternatives from the last ply back. */
static void report_alternatives(struct examination *x) {
    for (size_t end = x->count; end > 0;) {
        size_t begin = end;
        while (begin > 0 && x->alternatives[begin - 1].turn == x->alternatives[end - 1].turn)
            begin--;
        for (size_t i = begin; i < end; i++) {
            struct alternative *a = &x->alternatives[i];
            if (!a->judged)
                continue;
            if (a->kind == TSUME_FINDING_UNDECIDED)
                a->variation = no_variation;
            findings_add(&x->findings, a->kind, a->turn + 1, a->move, a->variation);
        }
        end = begin;
    }
}

/* ---- The verdict ---- */

/* Whether findings of this kind end all doubt, or leave some. */
static enum tsume_soundness weight_of(enum tsume_finding_kind kind) {
    switch (kind) {
    case TSUME_FINDING_NO_MATE:
    case TSUME_FINDING_COOK:
    case TSUME_FINDING_EARLY_MATE:
    case TSUME_FINDING_LEFTOVER:
    case TSUME_FINDING_LONGER_VARIATION:
    case TSUME_FINDING_STATED_NOT_OPTIMAL:
        return TSUME_UNSOUND;
    case TSUME_FINDING_UNDECIDED:
        return TSUME_UNDECIDED;
    default:
        return TSUME_BLEMISHED;
    }
}

/* What one finding makes of the problem. Where the main line is neither stated nor proved to be optimal, a cook later than at the
 * first ply proves nothing. */
static enum tsume_soundness weigh(const struct examination *x, const struct finding *finding) {
    bool trusted = x->value.exact || x->main.stated || finding->ply <= 1;
    enum tsume_soundness weight = weight_of(finding->kind);
    if (weight == TSUME_UNSOUND && !trusted)
        return TSUME_UNDECIDED;
    bool last_two = finding->ply + 1 >= (int)x->main.line.length;
    return finding->kind == TSUME_FINDING_EQUAL_VARIATION && last_two ? TSUME_SOUND : weight;
}

static enum tsume_soundness verdict_of(const struct examination *x) {
    bool seen[TSUME_UNDECIDED + 1] = {false};
    for (size_t i = 0; i < x->findings.count; i++)
        seen[weigh(x, &x->findings.items[i])] = true;
    if (seen[TSUME_UNSOUND])
        return TSUME_UNSOUND;
    if (seen[TSUME_UNDECIDED] || x->error)
        return TSUME_UNDECIDED;
    return seen[TSUME_BLEMISHED] ? TSUME_BLEMISHED : TSUME_SOUND;
}

/* ---- The certificate ---- */

static void keep_outcome(struct examination *x, enum certificate_outcome outcome) {
    x->certificate_error = certificate_outcome_text(outcome);
    x->nodes += x->certificate.nodes;
}

static double certificate_deadline(const struct examination *x) {
    double seconds = x->options->limits.seconds;
    return seconds > 0 ? clock_seconds() + seconds : 0;
}

static void certify_no_mate(struct examination *x, struct job *job) {
    worker_flush(job->worker);
    uint64_t nodes = atomic_load(&job->search.nodes);
    search_limit(&job->search, certificate_deadline(x), nodes + certificate_nodes(nodes));
    keep_outcome(x, certificate_build(job->worker, x->orientation, DISPROVED, CODE_INFINITE, &x->certificate));
}

static enum fate fate_of(const struct alternative *a) {
    if (!a->judged)
        return a->repeats ? FATE_REPEATS : FATE_FAILS;
    switch (a->kind) {
    case TSUME_FINDING_FINAL_DUAL:
        return FATE_FINAL_DUAL;
    case TSUME_FINDING_PROMOTION_CHOICE:
        return FATE_PROMOTION_CHOICE;
    case TSUME_FINDING_SQUARE_CHOICE:
        return FATE_SQUARE_CHOICE;
    case TSUME_FINDING_EQUAL_VARIATION:
        return FATE_EQUAL;
    case TSUME_FINDING_UNDECIDED:
        return FATE_UNDECIDED;
    default:
        return FATE_RETURNS;
    }
}

/* What a finding of this alternative would make of the problem. */
static enum tsume_soundness weigh_alternative(const struct examination *x, const struct alternative *a) {
    return a->judged ? weigh(x, &(struct finding){.kind = a->kind, .ply = a->turn + 1}) : TSUME_SOUND;
}

/* The alternatives as a certificate tells of them; their number in *count. */
static struct judged_move *judged_moves(const struct examination *x, size_t *count) {
    struct judged_move *judged = malloc((x->count + 1) * sizeof *judged);
    *count = 0;
    for (size_t i = x->count; judged && i-- > 0;) {
        const struct alternative *a = &x->alternatives[i];
        if (!a->defends || weigh_alternative(x, a) == TSUME_BLEMISHED)
            judged[(*count)++] = (struct judged_move){(size_t)a->turn, a->move, fate_of(a)};
    }
    return judged;
}

/* The cook nearest to the end of the line; NULL if there is none. */
static const struct alternative *last_cook(const struct examination *x) {
    for (size_t i = 0; i < x->count; i++)
        if (weigh_alternative(x, &x->alternatives[i]) == TSUME_UNSOUND)
            return &x->alternatives[i];
    return NULL;
}

static bool has_finding(const struct examination *x, enum tsume_finding_kind kind) {
    for (size_t i = 0; i < x->findings.count; i++)
        if (x->findings.items[i].kind == kind)
            return true;
    return false;
}

static void certify_line(struct examination *x, const struct alternative *cook) {
    struct certified_line line = {.played = &x->played,
                                  .orientation = x->orientation,
                                  .plain = &x->plain,
                                  .strict = &x->strict,
                                  .deadline = certificate_deadline(x),
                                  .node_limit = certificate_nodes(x->nodes)};
    struct judged_move *judged = judged_moves(x, &line.judged_count);
    line.judged = judged;
    keep_outcome(x, !judged ? CERTIFICATE_NO_MEMORY
                    : cook  ? certificate_build_cook(&line, (size_t)cook->turn, cook->move, &x->certificate)
                            : certificate_build_sound(&line, &x->certificate));
    free(judged);
}

/* Certifies what was found along the main line. Pieces left over are a fault whatever else is left open or misstated. */
static void certify(struct examination *x) {
    const struct alternative *cook = last_cook(x);
    bool leftover = has_finding(x, TSUME_FINDING_LEFTOVER);
    bool misstated = has_finding(x, TSUME_FINDING_STATED_NOT_OPTIMAL) || has_finding(x, TSUME_FINDING_LONGER_VARIATION);
    if (cook)
        certify_line(x, cook);
    else if (x->error || (has_finding(x, TSUME_FINDING_UNDECIDED) && !leftover))
        x->certificate_error = _("not all was decided within the limits");
    else if (misstated && !leftover)
        x->certificate_error = _("only the stated solution is at fault, which no certificate shows");
    else
        certify_line(x, NULL);
}

/* ---- The main line ---- */

/* The positions along the main line, their values, and the set of them that is forbidden in the strict search. */
static bool play_main_line(struct examination *x) {
    const struct line *line = &x->main.line;
    enum color attacker = x->plain.attacker;
    x->positions = malloc((line->length + 1) * sizeof *x->positions);
    x->values = malloc((line->length + 1) * sizeof *x->values);
    x->forbidden = forbidden_new(line->length + 1);
    if (!x->positions || !x->values || !x->forbidden)
        return false;
    struct position pos = x->root;
    code value = x->value.value;
    for (size_t i = 0; i <= line->length; i++) {
        x->positions[i] = pos;
        x->values[i] = value;
        if (pos.side == attacker || i == line->length)
            forbidden_add(x->forbidden, pos.key, pos.hand[attacker]);
        if (i == line->length)
            break;
        value -= (code)(pos.side == attacker ? code_of_attack(line->moves[i]) : code_of_defence());
        position_do(&pos, line->moves[i]);
    }
    x->played = (struct played_line){line->moves, line->length, x->positions, attacker};
    return true;
}

static bool open_strict_search(struct examination *x) {
    if (!search_open(&x->strict, x->solver->table, x->plain.attacker))
        return false;
    x->strict.futile = x->plain.futile;
    x->strict.asked_to_stop = x->plain.asked_to_stop;
    x->strict.forbidden = x->forbidden;
    return true;
}

static void examine_main_line(struct examination *x) {
    if (!play_main_line(x) || !list_alternatives(x) || !open_strict_search(x)) {
        x->error = _("out of memory");
        return;
    }
    judge_alternatives(x);
    report_alternatives(x);
    int leftover = x->main.line.leftover;
    if (leftover > 0 && (x->value.exact || x->main.stated)) {
        struct variation rest = {.plies = (int)x->main.line.length, .leftover = leftover, .exact = x->value.exact};
        findings_add(&x->findings, TSUME_FINDING_LEFTOVER, rest.plies, NO_MOVE, rest);
    }
    if (x->options->limits.certificate)
        certify(x);
    search_close(&x->strict);
}

/* Finds value and main line; true if there is a line to examine. */
static bool find_main_line(struct examination *x, struct job *job) {
    const struct tsume_limits *limits = &x->options->limits;
    enum outcome outcome = job_solve(x->solver, job, false, &x->value);
    if (outcome != PROVED) {
        if (atomic_load(&job->search.stop) == STOP_DEPTH)
            x->error = _("a line grew longer than the search can hold (65536 plies)");
        findings_add(&x->findings, outcome == DISPROVED ? TSUME_FINDING_NO_MATE : TSUME_FINDING_UNDECIDED, 0, NO_MOVE,
                     no_variation);
        if (outcome == DISPROVED && limits->certificate)
            certify_no_mate(x, job);
        return false;
    }
    search_limit(&job->search, x->deadline, limits->nodes);
    enum line_outcome built = main_line_find(job->worker, &job->search, &x->value, &x->stated, &x->main, &x->findings);
    note_line_error(x, built);
    if (!x->value.exact || built == LINE_STOPPED)
        findings_add(&x->findings, TSUME_FINDING_UNDECIDED, 0, NO_MOVE, no_variation);
    return built == LINE_BUILT;
}

/* ---- The report ---- */

static int by_ply(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    return (x->ply > y->ply) - (x->ply < y->ply);
}

/* Puts the findings in order; those of one ply stay as they were found. */
static void sort_findings(struct findings *findings) {
    struct finding *items = findings->items;
    for (size_t i = 1; i < findings->count; i++)
        for (size_t j = i; j > 0 && by_ply(&items[j - 1], &items[j]) > 0; j--) {
            struct finding swapped = items[j];
            items[j] = items[j - 1];
            items[j - 1] = swapped;
        }
}

static void fill_report(struct examination *x, struct tsume_report *report) {
    sort_findings(&x->findings);
    report->verdict = verdict_of(x);
    bool mate = x->main.line.moves || x->value.value;
    if (mate) {
        report->plies = x->main.stated ? (int)x->main.line.length : code_plies(x->value.value);
        report->leftover = x->main.line.leftover;
        report->exact = x->value.exact;
    }
    if (!report_set_line(report, x->orientation, &x->main.line) ||
        !report_set_findings(report, x->orientation, &x->findings)) {
        report->verdict = report->verdict == TSUME_UNSOUND ? TSUME_UNSOUND : TSUME_UNDECIDED;
        x->error = _("out of memory");
    }
    report->nodes = x->nodes;
    report->error = x->error;
    report->certificate = x->certificate;
    report->certificate_error = x->certificate_error;
}

/* ---- Everything ---- */

/* The stated solution, as written. */
static bool read_stated(const struct tsume_problem *problem, struct stated_line *stated) {
    size_t count = 0;
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        count++;
    stated->moves = malloc((count + 1) * sizeof *stated->moves);
    if (!stated->moves)
        return false;
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        stated->moves[stated->count++] = m->move;
    stated->complete = stated_line_mates(problem) || problem->stated_note;
    return true;
}

static bool begin(struct examination *x, const struct tsume_problem *problem) {
    const struct tsume_limits *limits = &x->options->limits;
    if (!read_stated(problem, &x->stated))
        return false;
    x->orientation = orientation_of(&problem->setup, problem->attacker, x->stated.moves, x->stated.count);
    struct setup setup = orientation_setup(x->orientation, &problem->setup);
    position_set(&x->root, &setup);
    for (size_t i = 0; i < x->stated.count; i++)
        x->stated.moves[i] = orientation_move(x->orientation, x->stated.moves[i]);
    enum color attacker = x->orientation.turned ? color_other(problem->attacker) : problem->attacker;
    if (!search_open(&x->plain, x->solver->table, attacker))
        return false;
    x->plain.futile = !limits->count_futile;
    x->plain.asked_to_stop = &x->solver->stop;
    x->deadline = limits->seconds > 0 ? x->started + limits->seconds : 0;
    return true;
}

/* The main line gets half of the limits at most: without the alternatives it is worth little. */
static void examine(struct examination *x) {
    const struct tsume_limits *limits = &x->options->limits;
    struct job job;
    search_share(&job.search, &x->plain);
    job.search.deadline = limits->seconds > 0 ? x->started + limits->seconds / 2 : 0;
    job.search.node_limit = limits->nodes / 2 + limits->nodes % 2;
    if (!job_open(x->solver, &job, &x->root)) {
        x->error = _("out of memory");
        return;
    }
    bool found = find_main_line(x, &job);
    close_job(x, &job);
    if (found)
        examine_main_line(x);
}

static void finish(struct examination *x) {
    findings_free(&x->findings);
    free(x->main.line.moves);
    free(x->positions);
    free(x->values);
    free(x->alternatives);
    free(x->queue);
    free(x->stated.moves);
    forbidden_free(x->forbidden);
}

struct tsume_report *tsume_check(struct tsume_solver *solver, const struct tsume_problem *problem,
                                 const struct tsume_check_options *options) {
    static const struct tsume_check_options none;
    struct examination x = {.solver = solver, .options = options ? options : &none, .started = clock_seconds()};
    struct tsume_report *report = report_new(problem->invalid ? TSUME_NOT_LEGAL : TSUME_UNDECIDED);
    if (!report || problem->invalid)
        return report;
    if (begin(&x, problem)) {
        examine(&x);
        search_close(&x.plain);
        fill_report(&x, report);
    } else {
        report->error = _("out of memory");
    }
    finish(&x);
    report->seconds = clock_seconds() - x.started;
    return report;
}
