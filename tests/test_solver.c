/* test_solver.c: what the search says of positions, against the reference, against recorded mates, and against itself: limits, small
 * tables, mirrored boards, other problems solved before. Proofs and disproofs are walked through with the rules of the checker. */
#include "solver/exact.h"
#include "solver/line.h"

#include "rules/sfen.h"
#include "tests/random_position.h"
#include "tests/reference.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How much smaller samples are where everything is slow. */
enum { SLOW = TSUME_SANITIZED ? 8 : 1 };

enum { TABLE_MIB = 16 };

static struct table *table;

static void open_table(void) {
    table = table_new(TABLE_MIB);
    cr_assert_not_null(table);
}

static void close_table(void) {
    table_free(table);
}

/* ---- Solving ------------------------------------------------------------------------------------------------------- */

/* How to solve. */
struct way {
    bool futile; /* leave out futile interpositions */
    bool any;    /* be content with any mate */
    uint64_t node_limit;
};

static const struct way counting_all = {.futile = false, .node_limit = 1000000};
static const struct way leaving_out_futile = {.futile = true, .node_limit = 1000000};

enum { LONGEST_LINE = 2048 };

/* What came of it; plies and leftover of a mate, else 0. */
struct result {
    enum outcome outcome;
    bool exact;
    int plies, leftover;
    uint64_t nodes;
    enum line_outcome line_outcome; /* of a mate */
    size_t line_length;
    move line[LONGEST_LINE];
};

static struct position position_of(const char *sfen) {
    struct setup setup;
    struct sfen_error error;
    struct position pos;
    cr_assert(sfen_parse(sfen, &setup, &error) != 0, "%s: %s", sfen, error.message);
    cr_assert_eq(setup_fault(&setup, NULL, NULL), FAULT_NONE, "%s", sfen);
    position_set(&pos, &setup);
    return pos;
}

/* One problem in work. */
struct work {
    struct search search;
    struct worker *worker;
};

static void begin_work(struct work *work, struct table *t, const char *sfen, enum color attacker,
                       const struct way *way) {
    struct position pos = position_of(sfen);
    cr_assert(search_open(&work->search, t, attacker));
    work->search.futile = way->futile;
    work->search.node_limit = way->node_limit;
    work->worker = worker_new(&work->search, &pos);
    cr_assert_not_null(work->worker);
}

static void end_work(struct work *work) {
    worker_free(work->worker);
    search_close(&work->search);
}

static uint64_t nodes_of(struct work *work) {
    worker_flush(work->worker);
    return atomic_load(&work->search.nodes);
}

/* No limit from here on. */
static void lift_limits(struct work *work) {
    work->search.node_limit = 0;
    atomic_store(&work->search.stop, STOP_NONE);
}

static void note_mate(struct work *work, const struct mate *mate, struct result *result) {
    const struct position *root = worker_position(work->worker);
    struct line line;
    result->exact = mate->exact;
    result->plies = code_plies(mate->value);
    result->leftover = hand_total(root->hand[work->search.attacker]) - code_spent(mate->value);
    lift_limits(work);
    result->line_outcome = line_build(work->worker, mate->value, mate->exact, &line);
    if (result->line_outcome != LINE_BUILT)
        return;
    cr_assert(line.length <= LONGEST_LINE);
    result->line_length = line.length;
    memcpy(result->line, line.moves, line.length * sizeof *line.moves);
    if (!mate->exact) /* any line's leftover */
        result->leftover = line.leftover;
    cr_expect_eq(line.leftover, result->leftover);
    free(line.moves);
}

static void solve_with(struct table *t, const char *sfen, enum color attacker, const struct way *way,
                       struct result *result) {
    struct work work;
    struct mate mate;
    *result = (struct result){.outcome = STOPPED};
    begin_work(&work, t, sfen, attacker, way);
    result->outcome = exact_solve(work.worker, way->any, &mate);
    result->nodes = nodes_of(&work);
    if (result->outcome == PROVED)
        note_mate(&work, &mate, result);
    end_work(&work);
}

static void solve(const char *sfen, enum color attacker, const struct way *way, struct result *result) {
    solve_with(table, sfen, attacker, way, result);
}

static const char *text_of(const struct result *result, char text[64]) {
    static const char *const names[] = {"mate", "no mate", "stopped"};
    snprintf(text, 64, "%s %d/%d%s", names[result->outcome], result->plies, result->leftover,
             result->outcome == PROVED && !result->exact ? " (not exact)" : "");
    return text;
}

/* ---- Lines, by the rules of the checker ---------------------------------------------------------------------------- */

static struct vr_position checkers_position(const char *sfen) {
    struct vr_position position;
    cr_assert(vr_read_sfen(sfen, &position) > 0);
    return position;
}

static struct vr_move checkers_move(move m, const struct vr_position *position) {
    char usi[USI_MOVE_SIZE];
    struct vr_move move;
    move_to_usi(m, usi);
    cr_assert(vr_read_move(usi, position, &move) > 0, "%s", usi);
    return move;
}

static int pieces_in_hand(const struct vr_position *position, int color) {
    int count = 0;
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++)
        count += position->hand[color][kind];
    return count;
}

/* At the end of a line: no answer, or (where they do not count) futile drops only. */
static bool is_end(const struct vr_position *position, enum vr_color attacker, bool futile) {
    struct vr_move answers[VR_MAX_MOVES];
    int count = vr_legal_moves(position, answers);
    if (!vr_in_check(position) || (!futile && count > 0))
        return false;
    struct reference *reference = reference_new(attacker, REFERENCE_EXACT);
    bool all_futile = true;
    for (int i = 0; i < count; i++)
        all_futile &= answers[i].drop && reference_is_futile(reference, position, &answers[i], 3);
    reference_free(reference);
    return all_futile;
}

/* The line is legal, checks with every move, mates, and is as long and leaves as much as the result says. */
static bool line_is_right(const char *sfen, enum color attacker, bool futile, const struct result *result) {
    struct vr_position position = checkers_position(sfen);
    if (result->line_outcome != LINE_BUILT || (int)result->line_length != result->plies)
        return false;
    for (size_t i = 0; i < result->line_length; i++) {
        struct vr_move m = checkers_move(result->line[i], &position);
        if (!vr_is_legal(&position, &m) || (position.side == (int8_t)attacker && !vr_gives_check(&position, &m)))
            return false;
        position = vr_after(&position, &m);
    }
    return position.side != (int8_t)attacker && pieces_in_hand(&position, (int)attacker) == result->leftover &&
           is_end(&position, (enum vr_color)attacker, futile);
}

/* Both sides play their best: the value falls by one ply with every move, and the leftover stays. */
static bool line_is_best(const char *sfen, struct reference *reference, const struct result *result) {
    struct vr_position position = checkers_position(sfen);
    for (size_t i = 0; i < result->line_length; i++) {
        struct vr_move m = checkers_move(result->line[i], &position);
        position = vr_after(&position, &m);
        int left = result->plies - 1 - (int)i;
        struct reference_value value = reference_value(reference, &position, left, 5000);
        if (value.verdict != REFERENCE_GAVE_UP &&
            (value.verdict != REFERENCE_MATE || value.plies != left || value.leftover != result->leftover))
            return false;
    }
    return true;
}

/* ---- Values against the reference ---------------------------------------------------------------------------------- */

/* Does what the search found agree with what the reference found within so many plies? */
static bool agrees(const struct result *result, const struct reference_value *value, int max_plies) {
    if (value->verdict == REFERENCE_MATE)
        return result->outcome == PROVED && result->exact && result->plies == value->plies &&
               result->leftover == value->leftover;
    if (value->verdict == REFERENCE_NO_MATE)
        return result->outcome == DISPROVED;
    return result->outcome == DISPROVED || result->plies > max_plies;
}

enum { FEW_NODES = 1000 };

struct sample {
    int problems;             /* how many */
    int max_plies;            /* how far the reference looks */
    uint64_t max_nodes;       /* when it gives up */
    int least_mates, seen[9]; /* mates that must be among them; how many of each length were */
};

static void compare_one(const char *sfen, enum color attacker, const struct way *way, struct sample *sample) {
    enum reference_reading reading = way->futile ? REFERENCE_EXACT : REFERENCE_COUNT_ALL;
    struct reference *reference = reference_new((enum vr_color)attacker, reading);
    struct vr_position position = checkers_position(sfen);
    struct reference_value value = reference_value(reference, &position, sample->max_plies, sample->max_nodes);
    if (value.verdict != REFERENCE_GAVE_UP) {
        struct result result;
        char text[64];
        struct way how = *way;
        bool found = value.verdict == REFERENCE_MATE;
        if (!found) /* much may be left to search for */
            how.node_limit = FEW_NODES;
        solve(sfen, attacker, &how, &result);
        bool unknown = result.outcome == STOPPED || (result.outcome == PROVED && !result.exact);
        if (found || !unknown)
            cr_expect(agrees(&result, &value, sample->max_plies), "%s: %s where %d/%d is right (%s)", sfen,
                      text_of(&result, text), found ? value.plies : -1, value.leftover,
                      value.verdict == REFERENCE_NO_MATE ? "no mate"
                      : found                            ? "mate"
                                                         : "not within");
        if (result.outcome == PROVED && result.exact)
            cr_expect(line_is_right(sfen, attacker, way->futile, &result), "%s: the line is no mate in %d/%d", sfen,
                      result.plies, result.leftover);
        if (found && result.outcome == PROVED)
            cr_expect(line_is_best(sfen, reference, &result), "%s: the line is not the best play of both", sfen);
        if (found)
            sample->seen[value.plies]++;
    }
    reference_free(reference);
}

static void compare_sample(uint64_t seed, const struct random_problem_style *style, const struct way *way,
                           struct sample sample) {
    struct random_source random = {seed};
    for (int i = 0; i < sample.problems / SLOW; i++) {
        struct random_problem problem = random_problem(&random, style);
        compare_one(problem.sfen, (enum color)problem.attacker, way, &sample);
    }
    int mates = 0;
    for (int plies = 0; plies <= sample.max_plies; plies++)
        mates += sample.seen[plies];
    if (getenv("TSUME_SAMPLES"))
        printf("mates of 0 to 8 plies: %d %d %d %d %d %d %d %d %d\n", sample.seen[0], sample.seen[1], sample.seen[2],
               sample.seen[3], sample.seen[4], sample.seen[5], sample.seen[6], sample.seen[7], sample.seen[8]);
    cr_expect(mates >= sample.least_mates / SLOW, "only %d mates in the sample", mates);
}

static const struct sample short_ones = {.problems = 600, .max_plies = 5, .max_nodes = 500, .least_mates = 100};
static const struct sample longer_ones = {.problems = 300, .max_plies = 7, .max_nodes = 800, .least_mates = 15};
/* Interpositions are all that matters here. */
static const struct random_problem_style one_king = {.white_attacks_percent = 20};
static const struct random_problem_style two_kings = {.two_kings_percent = 100, .defender_first_percent = 30};
static const struct random_problem_style defender_first = {.two_kings_percent = 30, .defender_first_percent = 100};

Test(solver, short_problems_have_their_value, .init = open_table, .fini = close_table) {
    compare_sample(1, NULL, &counting_all, short_ones);
}
Test(solver, longer_problems_have_their_value, .init = open_table, .fini = close_table) {
    compare_sample(2, &one_king, &counting_all, longer_ones);
}
Test(solver, problems_with_two_kings_have_their_value, .init = open_table, .fini = close_table) {
    compare_sample(3, &two_kings, &counting_all, longer_ones);
}
Test(solver, problems_that_begin_with_the_defender_have_their_value, .init = open_table, .fini = close_table) {
    compare_sample(4, &defender_first, &counting_all, longer_ones);
}

Test(solver, short_problems_have_their_value_without_futile_interpositions, .init = open_table, .fini = close_table) {
    compare_sample(1, NULL, &leaving_out_futile, short_ones);
}
Test(solver, longer_problems_have_their_value_without_futile_interpositions, .init = open_table, .fini = close_table) {
    compare_sample(2, &one_king, &leaving_out_futile, longer_ones);
}
Test(solver, problems_with_two_kings_have_their_value_without_futile_interpositions, .init = open_table,
     .fini = close_table) {
    compare_sample(3, &two_kings, &leaving_out_futile, longer_ones);
}
Test(solver, problems_that_begin_with_the_defender_have_their_value_without_futile_interpositions, .init = open_table,
     .fini = close_table) {
    compare_sample(4, &defender_first, &leaving_out_futile, longer_ones);
}
