/* solve.c: the solving half of the library: from a problem to an answer. */
#include "solver/tsume.h"

#include "problems/problem.h"
#include "rules/language.h"
#include "solver/certificate.h"
#include "solver/jobs.h"
#include "solver/line.h"

#include <stdlib.h>
#include <string.h>

struct tsume_answer {
    enum tsume_verdict verdict;
    int plies, leftover;
    bool exact;
    size_t length;
    char (*line)[USI_MOVE_SIZE];
    struct tsume_answer *others; /* the best first */
    size_t other_count;
    uint64_t nodes;
    double seconds;
    int deepest;
    const char *error;
    struct certificate certificate;
    const char *certificate_error;
};

/* A problem in work. */
struct solving {
    struct tsume_solver *solver;
    const struct tsume_limits *limits;
    double begun, deadline; /* on clock_seconds(); deadline 0: none */
    struct job job;
    struct tsume_answer *answer;
    code told; /* the least value whose line was told by on_mate */
};

/* ---- The answer ---- */

static const char *line_error(enum line_outcome outcome) {
    switch (outcome) {
    case LINE_BROKEN:
        return _("internal error: the main line could not be rebuilt");
    case LINE_NO_MEMORY:
        return _("out of memory while the main line was rebuilt");
    case LINE_STOPPED:
        return _("a limit was reached while the main line was rebuilt");
    default:
        return NULL;
    }
}

/* Notes a mate and its line, which is freed, behind the move that led to it (NO_MOVE: none); what was noted before goes. */
static void note_mate(struct tsume_answer *answer, move first, const struct mate *mate, struct line *line) {
    size_t before = first != NO_MOVE;
    answer->verdict = TSUME_MATE;
    answer->plies = code_plies(mate->value) + (int)before;
    answer->exact = mate->exact;
    answer->leftover = line->leftover;
    free(answer->line);
    answer->line = malloc((before + line->length + 1) * sizeof *answer->line);
    if (answer->line && before)
        move_to_usi(first, answer->line[0]);
    for (size_t i = 0; answer->line && i < line->length; i++)
        move_to_usi(line->moves[i], answer->line[before + i]);
    answer->length = answer->line ? before + line->length : 0;
    free(line->moves);
}

static void note_effort(struct solving *s) {
    s->answer->nodes = atomic_load(&s->job.search.nodes);
    s->answer->deepest = atomic_load(&s->job.search.deepest);
    s->answer->seconds = clock_seconds() - s->begun;
}

/* Calls on_mate with the answer as it is. */
static void tell(struct solving *s) {
    note_effort(s);
    if (s->limits->on_mate)
        s->limits->on_mate(s->limits->context, s->answer);
}

/* Rebuilds the line of a mate found on the way and tells it. */
static void tell_mate(struct solving *s, code value) {
    struct mate mate = {value, false};
    struct line line;
    s->told = value;
    if (line_build(s->job.worker, value, false, &line) != LINE_BUILT)
        return;
    note_mate(s->answer, NO_MOVE, &mate, &line);
    tell(s);
}

static void report_mate(struct solving *s, const struct mate *mate) {
    struct job *job = &s->job;
    struct line line;
    /* the mate is proved; its line may take as long again, since most of it lies in the table */
    static const double LEAST_SECONDS = 5;
    double seconds = s->limits->seconds > LEAST_SECONDS ? s->limits->seconds : LEAST_SECONDS;
    search_limit(&job->search, job->search.deadline > 0 ? clock_seconds() + seconds : 0, 0);
    enum line_outcome outcome = line_build(job->worker, mate->value, mate->exact, &line);
    bool same_length = s->answer->line && s->answer->plies == code_plies(mate->value);
    if (outcome == LINE_BUILT) {
        note_mate(s->answer, NO_MOVE, mate, &line);
    } else if (same_length) { /* the line that was told will do */
        s->answer->exact = false;
    } else {
        s->answer->verdict = TSUME_MATE;
        s->answer->exact = mate->exact;
        s->answer->plies = code_plies(mate->value);
        s->answer->leftover = hand_total(job->root.hand[job->search.attacker]) - code_spent(mate->value);
        s->answer->length = 0;
        s->answer->error = line_error(outcome);
    }
}

/* ---- Its certificate ---- */

/* Builds the certificate with as much time as the search had, and four times the nodes that it took or more. The search's own limits come
 * out of it as if nothing had been done. */
static void certify(struct solving *s, enum outcome verdict, code bound) {
    static const struct orientation as_it_is;
    struct search *search = &s->job.search;
    uint64_t node_limit = search->node_limit;
    double deadline = search->deadline, begun = clock_seconds(), seconds = s->limits->seconds;
    worker_flush(s->job.worker);
    uint64_t nodes = atomic_load(&search->nodes);
    search_limit(search, seconds > 0 ? begun + seconds : 0, nodes + certificate_nodes(nodes));
    s->answer->certificate_error =
        certificate_outcome_text(certificate_build(s->job.worker, as_it_is, verdict, bound, &s->answer->certificate));
    worker_flush(s->job.worker);
    search_limit(search, deadline > 0 ? deadline + clock_seconds() - begun : 0,
                 node_limit ? node_limit + atomic_load(&search->nodes) - nodes : 0);
}

/* Decides whether there is a mate at all and certifies that. Bounded questions that leave out futile interpositions must come later:
 * certificates count all. */
static void certify_first(struct solving *s) {
    struct decision d;
    if (job_ask(s->solver, &s->job, CODE_INFINITE, 0, &d) == PROVED)
        certify(s, PROVED, d.value);
}

/* ---- Questions ---- */

/* The bound that limits->plies sets for the job's position, `played` plies after the problem's. */
static code longest_allowed(const struct solving *s, int played) {
    int plies = s->limits->plies - played;
    bool attacks = s->job.root.side == s->job.search.attacker;
    return s->limits->plies ? code_make((plies & 1) == attacks ? plies : plies - 1, CODE_ANY_SPENT) : CODE_INFINITE;
}

/* Asks what exact.h asks. What no mate of the allowed plies answers is as good as refuted for good. */
static enum outcome ask_allowed(struct solving *s, int played, code bound, uint64_t nodes, struct decision *d) {
    code most = longest_allowed(s, played);
    enum outcome outcome = job_ask(s->solver, &s->job, bound < most ? bound : most, nodes, d);
    if (outcome == DISPROVED && bound >= most)
        d->value = CODE_INFINITE;
    return outcome;
}

static enum outcome ask_first(void *context, code bound, uint64_t nodes, struct decision *d) {
    struct solving *s = context;
    enum outcome outcome = ask_allowed(s, 0, bound, nodes, d);
    if (outcome == PROVED && s->limits->on_mate && !s->limits->any && d->value < s->told)
        tell_mate(s, d->value);
    return outcome;
}

static enum outcome ask_other(void *context, code bound, uint64_t nodes, struct decision *d) {
    return ask_allowed(context, 1, bound, nodes, d);
}

/* Decides the job's position. */
static enum outcome decide(struct solving *s, decide_function *ask, struct mate *mate) {
    bool attacks = s->job.root.side == s->job.search.attacker;
    return exact_solve_with(ask, s, attacks, s->limits->any, mate);
}

static void solve_first(struct solving *s) {
    const struct tsume_limits *limits = s->limits;
    struct mate mate;
    bool first = limits->certificate && !limits->any && s->job.search.futile;
    if (first)
        certify_first(s);
    enum outcome outcome = decide(s, ask_first, &mate);
    bool refuted = outcome == DISPROVED && !limits->plies;
    s->answer->verdict = outcome == DISPROVED ? TSUME_NO_MATE : TSUME_UNKNOWN;
    if (limits->certificate && (refuted || (outcome == PROVED && !first)))
        certify(s, outcome, outcome == PROVED ? mate.value : CODE_INFINITE);
    if (outcome == PROVED)
        report_mate(s, &mate);
    else if (atomic_load(&s->job.search.stop) == STOP_DEPTH)
        s->answer->error = _("a line grew longer than the search can hold (65536 plies)");
}

/* ---- Other first moves ---- */

/* Nodes for each of them in the first round; it doubles every round, so that none holds up the others. */
enum { OTHERS_FIRST = 1 << 18 };

/* The checks that are not decided yet. */
struct open_checks {
    move moves[MAX_MOVES];
    int count;
};

static bool out_of_limits(const struct solving *s) {
    const struct tsume_limits *limits = s->limits;
    return atomic_load(&s->solver->stop) || (s->deadline > 0 && clock_seconds() >= s->deadline) ||
           (limits->nodes && atomic_load(&s->job.search.nodes) >= limits->nodes);
}

/* Allows the job so many nodes more, within the limits of the problem. */
static void allow(struct solving *s, uint64_t nodes) {
    uint64_t most = atomic_load(&s->job.search.nodes) + nodes;
    search_limit(&s->job.search, s->deadline, s->limits->nodes && s->limits->nodes < most ? s->limits->nodes : most);
}

static bool is_better(const struct tsume_answer *a, const struct tsume_answer *b) {
    return a->plies != b->plies ? a->plies < b->plies : a->leftover > b->leftover;
}

/* The answer among the others that begins with the move, or a new one at the end; NULL when memory is short. */
static struct tsume_answer *other_with(struct tsume_answer *answer, move m) {
    char text[USI_MOVE_SIZE];
    move_to_usi(m, text);
    for (size_t i = 0; i < answer->other_count; i++)
        if (answer->others[i].length > 0 && strcmp(answer->others[i].line[0], text) == 0)
            return &answer->others[i];
    struct tsume_answer *grown = realloc(answer->others, (answer->other_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    answer->others = grown;
    grown[answer->other_count] = (struct tsume_answer){.verdict = TSUME_MATE};
    return &grown[answer->other_count++];
}

/* Brings the others in order after one of them became better. */
static void sort_others(struct tsume_answer *answer) {
    for (size_t i = 1; i < answer->other_count; i++)
        for (size_t j = i; j > 0 && is_better(&answer->others[j], &answer->others[j - 1]); j--) {
            struct tsume_answer better = answer->others[j];
            answer->others[j] = answer->others[j - 1];
            answer->others[j - 1] = better;
        }
}

static void report_other(struct solving *s, move m, const struct mate *mate) {
    struct line line;
    allow(s, OTHERS_FIRST);
    if (line_build(s->job.worker, mate->value, mate->exact, &line) != LINE_BUILT)
        return;
    struct tsume_answer *other = other_with(s->answer, m);
    if (!other) {
        free(line.moves);
        return;
    }
    note_mate(other, m, mate, &line);
    sort_others(s->answer);
    tell(s);
}

/* Spends nodes on the position after a check. True if it is decided. */
static bool decide_other(struct solving *s, const struct position *root, move m, uint64_t nodes) {
    struct position after = *root;
    struct mate mate;
    position_do(&after, m);
    if (!job_open(s->solver, &s->job, &after))
        return true;
    allow(s, nodes);
    enum outcome outcome = decide(s, ask_other, &mate);
    if (outcome == PROVED)
        report_other(s, m, &mate);
    job_close(s->solver, &s->job);
    return outcome == DISPROVED || (outcome == PROVED && (mate.exact || s->limits->any));
}

/* Finds out which checks besides the first of the answer's line mate. No job is open. */
static void solve_others(struct solving *s, const struct position *root) {
    struct position pos = *root;
    struct open_checks open;
    open.count = 0;
    move checks[MAX_MOVES], best = move_from_usi(&pos, s->answer->line[0]);
    int count = generate_checks(&pos, checks);
    for (int i = 0; i < count; i++)
        if (checks[i] != best)
            open.moves[open.count++] = checks[i];
    for (uint64_t nodes = OTHERS_FIRST; open.count > 0 && !out_of_limits(s); nodes *= 2) {
        int left = 0;
        for (int i = 0; i < open.count && !out_of_limits(s); i++)
            if (!decide_other(s, root, open.moves[i], nodes))
                open.moves[left++] = open.moves[i];
        open.count = left;
    }
}

/* ---- Solving ---- */

static bool start_job(struct solving *s, const struct tsume_problem *problem) {
    struct search *search = &s->job.search;
    const struct tsume_limits *limits = s->limits;
    if (!search_open(search, s->solver->table, problem->attacker))
        return false;
    search->futile = !limits->count_futile && !limits->any; /* whether there is a mate at all does not depend on it */
    search->node_limit = limits->nodes;
    search->deadline = s->deadline;
    search->asked_to_stop = &s->solver->stop;
    if (job_open(s->solver, &s->job, &problem->position))
        return true;
    search_close(search);
    return false;
}

static void solve(struct solving *s, const struct tsume_problem *problem) {
    if (!start_job(s, problem)) {
        s->answer->error = _("out of memory");
        return;
    }
    solve_first(s);
    job_close(s->solver, &s->job);
    if (s->limits->others && !problem->defender_to_move && s->answer->length > 0)
        solve_others(s, &problem->position);
    note_effort(s);
    search_close(&s->job.search);
}

struct tsume_answer *tsume_solve(struct tsume_solver *solver, const struct tsume_problem *problem,
                                 const struct tsume_limits *limits) {
    static const struct tsume_limits none;
    struct solving s = {.solver = solver, .limits = limits ? limits : &none, .begun = clock_seconds()};
    s.deadline = s.limits->seconds > 0 ? s.begun + s.limits->seconds : 0;
    s.told = CODE_INFINITE;
    s.answer = calloc(1, sizeof *s.answer);
    if (!s.answer)
        return NULL;
    s.answer->verdict = problem->invalid ? TSUME_INVALID : TSUME_UNKNOWN;
    s.answer->plies = s.answer->leftover = -1;
    if (!problem->invalid)
        solve(&s, problem);
    s.answer->seconds = clock_seconds() - s.begun;
    return s.answer;
}

/* ---- Answers ---- */

void tsume_answer_free(struct tsume_answer *answer) {
    if (!answer)
        return;
    for (size_t i = 0; i < answer->other_count; i++)
        free(answer->others[i].line);
    free(answer->others);
    free(answer->line);
    free(answer->certificate.bytes);
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
const struct tsume_answer *tsume_answer_other(const struct tsume_answer *answer, size_t i) {
    return i < answer->other_count ? &answer->others[i] : NULL;
}
uint64_t tsume_answer_nodes(const struct tsume_answer *answer) {
    return answer->nodes;
}
int tsume_answer_deepest(const struct tsume_answer *answer) {
    return answer->deepest;
}
double tsume_answer_seconds(const struct tsume_answer *answer) {
    return answer->seconds;
}
const char *tsume_answer_error(const struct tsume_answer *answer) {
    return answer->error;
}
const void *tsume_answer_certificate(const struct tsume_answer *answer, size_t *size) {
    *size = answer->certificate.size;
    return answer->certificate.bytes;
}
const char *tsume_answer_certificate_error(const struct tsume_answer *answer) {
    return answer->certificate_error;
}
