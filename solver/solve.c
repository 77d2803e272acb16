/* solve.c: the solving half of the library: from a problem to an answer. */
#include "solver/tsume.h"

#include "problems/problem.h"
#include "solver/certificate.h"
#include "solver/jobs.h"
#include "solver/line.h"

#include <stdlib.h>

struct tsume_answer {
    enum tsume_verdict verdict;
    int plies, leftover;
    bool exact;
    size_t length;
    char (*line)[USI_MOVE_SIZE];
    uint64_t nodes;
    double seconds;
    const char *error;
    struct certificate certificate;
    const char *certificate_error;
};

/* ---- The answer ---- */

static const char *line_error(enum line_outcome outcome) {
    switch (outcome) {
    case LINE_BROKEN:
        return "internal error: the main line could not be rebuilt";
    case LINE_NO_MEMORY:
        return "out of memory while the main line was rebuilt";
    case LINE_STOPPED:
        return "a limit was reached while the main line was rebuilt";
    default:
        return NULL;
    }
}

static void report_mate(struct job *job, const struct mate *mate, const struct tsume_limits *limits,
                        struct tsume_answer *answer) {
    struct line line;
    /* the mate is proved; its line may take as long again, since most of it lies in the table */
    static const double LEAST_SECONDS = 5;
    double seconds = limits->seconds > LEAST_SECONDS ? limits->seconds : LEAST_SECONDS;
    search_limit(&job->search, job->search.deadline > 0 ? clock_seconds() + seconds : 0, 0);
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

/* ---- Its certificate ---- */

/* Builds the certificate with as much time as the search had, and four times the nodes that it took or more. The search's own limits come
 * out of it as if nothing had been done. */
static void certify(struct job *job, enum outcome verdict, code bound, const struct tsume_limits *limits,
                    struct tsume_answer *answer) {
    static const struct orientation as_it_is;
    struct search *search = &job->search;
    uint64_t node_limit = search->node_limit;
    double deadline = search->deadline, begun = clock_seconds();
    worker_flush(job->worker);
    uint64_t nodes = atomic_load(&search->nodes);
    search_limit(search, limits->seconds > 0 ? begun + limits->seconds : 0, nodes + certificate_nodes(nodes));
    answer->certificate_error =
        certificate_outcome_text(certificate_build(job->worker, as_it_is, verdict, bound, &answer->certificate));
    worker_flush(job->worker);
    search_limit(search, deadline > 0 ? deadline + clock_seconds() - begun : 0,
                 node_limit ? node_limit + atomic_load(&search->nodes) - nodes : 0);
}

/* Decides whether there is a mate at all and certifies that. Bounded questions that leave out futile interpositions must come later:
 * certificates count all. */
static void certify_first(struct tsume_solver *solver, struct job *job, const struct tsume_limits *limits,
                          struct tsume_answer *answer) {
    struct decision d;
    if (job_ask(solver, job, CODE_INFINITE, 0, &d) == PROVED)
        certify(job, PROVED, d.value, limits, answer);
}

static void solve_job(struct tsume_solver *solver, struct job *job, const struct tsume_limits *limits,
                      struct tsume_answer *answer) {
    struct mate mate;
    bool first = limits->certificate && !limits->any && job->search.futile;
    if (first)
        certify_first(solver, job, limits, answer);
    enum outcome outcome = job_solve(solver, job, limits->any, &mate);
    answer->verdict = outcome == DISPROVED ? TSUME_NO_MATE : TSUME_UNKNOWN;
    if (limits->certificate && (outcome == DISPROVED || (outcome == PROVED && !first)))
        certify(job, outcome, outcome == PROVED ? mate.value : CODE_INFINITE, limits, answer);
    if (outcome == PROVED)
        report_mate(job, &mate, limits, answer);
    else if (atomic_load(&job->search.stop) == STOP_DEPTH)
        answer->error = "a line grew longer than the search can hold (65536 plies)";
}

static bool start_job(struct tsume_solver *solver, struct job *job, const struct tsume_problem *problem,
                      const struct tsume_limits *limits, double now) {
    if (!search_open(&job->search, solver->table, problem->attacker))
        return false;
    job->search.futile =
        !limits->count_futile && !limits->any; /* whether there is a mate at all does not depend on it */
    job->search.node_limit = limits->nodes;
    job->search.deadline = limits->seconds > 0 ? now + limits->seconds : 0;
    job->search.asked_to_stop = &solver->stop;
    if (job_open(solver, job, &problem->position))
        return true;
    search_close(&job->search);
    return false;
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
    struct job job;
    if (!start_job(solver, &job, problem, limits ? limits : &none, now)) {
        answer->error = "out of memory";
        return answer;
    }
    solve_job(solver, &job, limits ? limits : &none, answer);
    worker_flush(job.worker);
    answer->nodes = atomic_load(&job.search.nodes);
    job_close(solver, &job);
    search_close(&job.search);
    answer->seconds = clock_seconds() - now;
    return answer;
}

/* ---- Answers ---- */

void tsume_answer_free(struct tsume_answer *answer) {
    if (!answer)
        return;
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
uint64_t tsume_answer_nodes(const struct tsume_answer *answer) {
    return answer->nodes;
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
