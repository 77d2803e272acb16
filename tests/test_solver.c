/* test_solver.c: what the search says of positions, against the reference, against recorded mates, and against itself: limits, small
 * tables, mirrored boards, other problems solved before. Proofs and disproofs are walked through with the rules of the checker. */
#include "solver/exact.h"
#include "solver/line.h"

#include "tests/random_position.h"
#include "tests/reference.h"
#include "tests/searching.h"

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

static const struct way counting_all = {.futile = false, .node_limit = 1000};
static const struct way leaving_out_futile = {.futile = true, .node_limit = 1000};

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
    if (line.length)
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
    struct position pos = position_of(sfen);
    begin_work(&work, t, &pos, attacker, way->futile, way->node_limit);
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

/* How much is compared. */
struct sample {
    int problems;    /* how many */
    int max_plies;   /* longest mates that the reference is asked about */
    int least_mates; /* mates that must be among them */
    int seen[9];     /* how many of each length were */
};

enum { MUCH = 30000, LITTLE = 400 /* positions for the reference */, REFUTED_EVERY = 4 };

/* A mate found: its value is what the reference says, and its line is the best play of both. False if the reference gave up. */
static bool mate_is_right(const char *sfen, enum color attacker, const struct way *way, const struct result *result,
                          struct reference *reference) {
    struct vr_position position = checkers_position(sfen);
    struct reference_value value = reference_value(reference, &position, result->plies, MUCH);
    cr_expect(line_is_right(sfen, attacker, way->futile, result), "%s: the line is no mate in %d/%d", sfen,
              result->plies, result->leftover);
    if (value.verdict == REFERENCE_GAVE_UP)
        return false;
    cr_expect(value.verdict == REFERENCE_MATE && value.plies == result->plies && value.leftover == result->leftover,
              "%s: %d/%d, but the reference says %d/%d (0/0: no mate so soon)", sfen, result->plies, result->leftover,
              value.plies, value.leftover);
    cr_expect(line_is_best(sfen, reference, result), "%s: the line is not the best play of both", sfen);
    return true;
}

/* No mate found, or a longer one: the reference finds none within so many plies. */
static void expect_no_shorter(const char *sfen, const struct result *result, int max_plies,
                              struct reference *reference) {
    struct vr_position position = checkers_position(sfen);
    struct reference_value value = reference_value(reference, &position, max_plies, LITTLE);
    char text[64];
    cr_expect_neq(value.verdict, REFERENCE_MATE, "%s: %s, but it is a mate of %d/%d", sfen, text_of(result, text),
                  value.plies, value.leftover);
    if (value.verdict == REFERENCE_NO_MATE)
        cr_expect_eq(result->outcome, DISPROVED, "%s: %s, but it is no mate", sfen, text_of(result, text));
}

static void compare_one(const char *sfen, enum color attacker, const struct way *way, bool refuted_too,
                        struct sample *sample) {
    enum reference_reading reading = way->futile ? REFERENCE_EXACT : REFERENCE_COUNT_ALL;
    struct reference *reference = reference_new((enum vr_color)attacker, reading);
    cr_assert_not_null(reference);
    struct result result;
    solve(sfen, attacker, way, &result);
    bool known = result.outcome == DISPROVED || (result.outcome == PROVED && result.exact);
    if (known && result.outcome == PROVED && result.plies <= sample->max_plies)
        sample->seen[result.plies] += mate_is_right(sfen, attacker, way, &result, reference);
    else if (known && refuted_too)
        expect_no_shorter(sfen, &result, sample->max_plies, reference);
    reference_free(reference);
}

static int mates_in(const struct sample *sample) {
    int mates = 0;
    for (int plies = 0; plies <= sample->max_plies; plies++)
        mates += sample->seen[plies];
    return mates;
}

static void report_sample(const struct sample *sample) {
    if (!getenv("TSUME_SAMPLES"))
        return;
    printf("mates of 0 to 8 plies:");
    for (int plies = 0; plies <= 8; plies++)
        printf(" %d", sample->seen[plies]);
    printf("\n");
}

static void compare_sample(uint64_t seed, const struct random_problem_style *style, const struct way *way,
                           struct sample sample) {
    struct random_source random = {seed};
    for (int i = 0; i < sample.problems / SLOW; i++) {
        struct random_problem problem = random_problem(&random, style);
        compare_one(problem.sfen, (enum color)problem.attacker, way, i % REFUTED_EVERY == 0, &sample);
    }
    int least = SLOW > 1 ? sample.least_mates / SLOW * 2 / 3 : sample.least_mates; /* small samples stray more */
    report_sample(&sample);
    cr_expect_geq(mates_in(&sample), least, "only %d mates in the sample", mates_in(&sample));
}

/* In each reading these and the long ones below are 2000 mates and more. */
static const struct sample short_ones = {.problems = 5000, .max_plies = 5, .least_mates = 950};
static const struct sample longer_ones = {.problems = 1500, .max_plies = 7, .least_mates = 300};
static const struct sample with_two_kings = {.problems = 1500, .max_plies = 7, .least_mates = 270};
static const struct sample with_defender_first = {.problems = 1500, .max_plies = 7, .least_mates = 350};
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
    compare_sample(3, &two_kings, &counting_all, with_two_kings);
}
Test(solver, problems_that_begin_with_the_defender_have_their_value, .init = open_table, .fini = close_table) {
    compare_sample(4, &defender_first, &counting_all, with_defender_first);
}

Test(solver, short_problems_have_their_value_without_futile_interpositions, .init = open_table, .fini = close_table) {
    compare_sample(1, NULL, &leaving_out_futile, short_ones);
}
Test(solver, longer_problems_have_their_value_without_futile_interpositions, .init = open_table, .fini = close_table) {
    compare_sample(2, &one_king, &leaving_out_futile, longer_ones);
}
Test(solver, problems_with_two_kings_have_their_value_without_futile_interpositions, .init = open_table,
     .fini = close_table) {
    compare_sample(3, &two_kings, &leaving_out_futile, with_two_kings);
}
Test(solver, problems_that_begin_with_the_defender_have_their_value_without_futile_interpositions, .init = open_table,
     .fini = close_table) {
    compare_sample(4, &defender_first, &leaving_out_futile, with_defender_first);
}

/* ---- Rare ones, by altering ---------------------------------------------------------------------------------------- */

/* Some kinds of problems are hardly ever drawn. But what is much like one of them often is one too: from the first that is found the way goes
 * on in small steps, and begins anew after a while. */
struct wandering {
    struct random_problem (*draw)(struct random_source *random);
    /* Is the problem of the kind? If so, it has been compared with the reference. */
    bool (*belongs)(const struct random_problem *problem, struct sample *sample);
    int steps;
};

static void wander(uint64_t seed, const struct wandering *wandering, struct sample *sample) {
    enum { STEPS_TO_A_BEGINNING = 40 };
    struct random_source random = {seed};
    struct random_problem problem = {.attacker = VR_BLACK};
    for (int i = 0; i < wandering->steps / SLOW; i++) {
        struct random_problem next = problem;
        if (i % STEPS_TO_A_BEGINNING == 0) {
            do
                problem = wandering->draw(&random);
            while (!wandering->belongs(&problem, sample));
            continue;
        }
        next.position = random_alteration(&random, &problem.position, problem.attacker);
        vr_write_sfen(&next.position, next.sfen);
        if (wandering->belongs(&next, sample))
            problem = next;
    }
    report_sample(sample);
}

static struct random_problem draw_one_king(struct random_source *random) {
    return random_problem(random, &one_king);
}

static struct random_problem draw_two_kings(struct random_source *random) {
    static const struct random_problem_style style = {.two_kings_percent = 100};
    return random_problem(random, &style);
}

/* Seven plies, or five as long as there are not many more of those; and not too much for the reference. */
static bool is_long(const struct random_problem *problem, const struct way *way, struct sample *sample) {
    enum { MOST_NODES = 500, LEAD = 10 };
    struct result result;
    solve(problem->sfen, (enum color)problem->attacker, way, &result);
    bool wanted = result.plies == 7 || (result.plies == 5 && sample->seen[5] < sample->seen[7] + LEAD);
    if (result.outcome != PROVED || !result.exact || !wanted || result.nodes > MOST_NODES)
        return false;
    compare_one(problem->sfen, (enum color)problem->attacker, way, false, sample);
    return true;
}

static bool is_long_counting_all(const struct random_problem *problem, struct sample *sample) {
    return is_long(problem, &counting_all, sample);
}

static bool is_long_leaving_out_futile(const struct random_problem *problem, struct sample *sample) {
    return is_long(problem, &leaving_out_futile, sample);
}

static void compare_long_ones(bool (*belongs)(const struct random_problem *, struct sample *)) {
    enum { LEAST_OF_EACH = TSUME_SANITIZED ? 8 : 100, STEPS = 220 };
    struct sample sample = {.max_plies = 7};
    wander(7, &(struct wandering){draw_one_king, belongs, STEPS}, &sample);
    wander(8, &(struct wandering){draw_two_kings, belongs, 3 * STEPS}, &sample);
    cr_expect(sample.seen[5] >= LEAST_OF_EACH && sample.seen[7] >= LEAST_OF_EACH, "only %d and %d", sample.seen[5],
              sample.seen[7]);
}

Test(solver, problems_of_five_and_seven_plies_have_their_value, .init = open_table, .fini = close_table) {
    compare_long_ones(is_long_counting_all);
}
Test(solver, problems_of_five_and_seven_plies_have_their_value_without_futile_interpositions, .init = open_table,
     .fini = close_table) {
    compare_long_ones(is_long_leaving_out_futile);
}

/* A mate by other values where futile interpositions are left out. Both are compared; the sample counts the problem, by the plies of one
 * value, if the reference confirms both. */
static bool readings_differ(const struct random_problem *problem, struct sample *sample) {
    enum { MOST_NODES = 100 };
    enum color attacker = (enum color)problem->attacker;
    static struct result all, exact;
    struct sample of_all = {.max_plies = sample->max_plies}, of_exact = of_all;
    solve(problem->sfen, attacker, &counting_all, &all);
    if (all.outcome != PROVED || !all.exact || all.plies > sample->max_plies || all.nodes > MOST_NODES)
        return false;
    solve(problem->sfen, attacker, &leaving_out_futile, &exact);
    if (!exact.exact || (all.plies == exact.plies && all.leftover == exact.leftover))
        return false;
    cr_expect_leq(exact.plies, all.plies, "%s", problem->sfen);
    compare_one(problem->sfen, attacker, &counting_all, false, &of_all);
    compare_one(problem->sfen, attacker, &leaving_out_futile, false, &of_exact);
    sample->seen[exact.plies] += of_all.seen[all.plies] && of_exact.seen[exact.plies];
    return true;
}

Test(solver, problems_with_futile_interpositions_have_both_their_values, .init = open_table, .fini = close_table) {
    enum { LEAST_DIFFERENT = 300 };
    struct sample sample = {.max_plies = 7};
    wander(9, &(struct wandering){random_interposition_problem, readings_differ, 800}, &sample);
    cr_expect_geq(mates_in(&sample), LEAST_DIFFERENT / SLOW, "only %d", mates_in(&sample));
}

/* ---- Positions that come back -------------------------------------------------------------------------------------- */

/* What checks and answers can reach from a position, as far as there is room: an oracle for repetitions, where a search goes wrong that
 * trusts what was true of one path only. What mates within the graph, and by which code, follows from the mates upwards, however long
 * it takes and whatever comes back. Positions at its border are counted as escapes, which gives the code by which a
 * position mates at the latest, and as mates, which gives the code by which it mates at the soonest. */
enum {
    MOST_REACHED = 4000,
    MOST_MOVES = 60000,
    GRAPH_SLOTS = 1 << 13,
    BORDER = -1,            /* as a number of moves */
    ESCAPES = CODE_INFINITE /* as a code: no mate */
};

struct reached {
    struct position pos;
    int first, count; /* its moves */
    code soonest, latest;
};

struct graph {
    struct reached nodes[MOST_REACHED];
    int count;
    struct edge {
        int to, cost;
    } edges[MOST_MOVES];
    int edge_count;
    int slots[GRAPH_SLOTS]; /* 1 + number, 0 if empty */
};

/* The number of the position; −1 when there is no room. */
static int reach(struct graph *graph, const struct position *pos) {
    struct random_source hands = {pos->key ^ ((uint64_t)pos->hand[0] << 32 | pos->hand[1])};
    unsigned i = (unsigned)(random_next(&hands) % GRAPH_SLOTS);
    for (; graph->slots[i]; i = (i + 1) % GRAPH_SLOTS)
        if (position_equal(&graph->nodes[graph->slots[i] - 1].pos, pos))
            return graph->slots[i] - 1;
    if (graph->count == MOST_REACHED)
        return -1;
    graph->nodes[graph->count] = (struct reached){.pos = *pos, .count = BORDER};
    graph->slots[i] = ++graph->count;
    return graph->count - 1;
}

/* Enters what the position's moves lead to, all or nothing. */
static void expand(struct graph *graph, struct reached *node, enum color attacker) {
    bool attacks = node->pos.side == attacker;
    move moves[MAX_MOVES];
    int count = attacks ? generate_checks(&node->pos, moves) : generate_evasions(&node->pos, moves);
    node->first = graph->edge_count;
    for (int i = 0; i < count; i++) {
        struct position after = node->pos;
        position_do(&after, moves[i]);
        int to = reach(graph, &after);
        if (to < 0 || graph->edge_count == MOST_MOVES)
            return;
        graph->edges[graph->edge_count++] = (struct edge){to, attacks ? code_of_attack(moves[i]) : code_of_defence()};
    }
    node->count = count;
}

static void explore(struct graph *graph, const struct position *root, enum color attacker) {
    graph->count = graph->edge_count = 0;
    memset(graph->slots, 0, sizeof graph->slots);
    reach(graph, root);
    for (int i = 0; i < graph->count; i++)
        expand(graph, &graph->nodes[i], attacker);
}

/* At the latest, or at the soonest. */
static code *value_of(struct reached *node, bool latest) {
    return latest ? &node->latest : &node->soonest;
}

static code value_from_moves(struct graph *graph, const struct reached *node, bool attacks, bool latest) {
    if (node->count == BORDER)
        return latest ? ESCAPES : 0;
    if (node->count == 0)
        return attacks ? ESCAPES : CODE_MATED;
    code best = attacks ? ESCAPES : 0;
    for (int i = node->first; i < node->first + node->count; i++) {
        code after = *value_of(&graph->nodes[graph->edges[i].to], latest);
        code value = after == ESCAPES ? ESCAPES : after + (code)graph->edges[i].cost;
        if (attacks ? value < best : value > best)
            best = value;
    }
    return best;
}

static void settle(struct graph *graph, enum color attacker, bool latest) {
    for (int i = 0; i < graph->count; i++)
        *value_of(&graph->nodes[i], latest) = ESCAPES;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = graph->count - 1; i >= 0; i--) {
            struct reached *node = &graph->nodes[i];
            code value = value_from_moves(graph, node, node->pos.side == attacker, latest);
            changed |= value != *value_of(node, latest);
            *value_of(node, latest) = value;
        }
    }
}

static void put(struct random_source *random, struct vr_position *p, int reach, const int *kinds, int count, int sign) {
    int row = random_below(random, reach), column = random_below(random, reach), kind = random_below(random, count);
    if (p->board[row][column] == VR_NONE)
        p->board[row][column] = (int8_t)(sign * kinds[kind]);
}

/* A king near a corner, chased by a piece that comes from far, among a few that stand about. */
static struct vr_position draw_chase(struct random_source *random) {
    static const int hunters[] = {VR_DRAGON, VR_DRAGON, VR_HORSE, VR_HORSE, VR_HORSE, VR_ROOK, VR_BISHOP};
    static const int helpers[] = {VR_TOKIN, VR_GOLD, VR_SILVER, VR_PAWN, VR_HORSE, VR_PROMOTED_KNIGHT};
    static const int guards[] = {VR_PAWN, VR_PAWN, VR_LANCE, VR_SILVER, VR_KNIGHT};
    struct vr_position p;
    do {
        memset(&p, 0, sizeof p);
        p.board[random_below(random, 4)][random_below(random, 4)] = -VR_KING;
        put(random, &p, 9, hunters, 7, 1);
        for (int i = random_below(random, 4); i > 0; i--)
            put(random, &p, 6, helpers, 6, 1);
        for (int i = random_below(random, 7); i > 0; i--)
            put(random, &p, 5, guards, 5, -1);
        if (random_percent(random, 20))
            p.hand[VR_BLACK][VR_PAWN] = 1;
        p.side = VR_BLACK;
    } while (vr_position_fault(&p) != NULL);
    return p;
}

/* A king in a corner behind a pawn, a horse that checks him from always other squares of two diagonals and a bishop behind it: few ways to mate
 * him, and many back to where the horse has been. Here a search that holds one path's repetitions against another goes wrong. */
static struct vr_position draw_saw(struct random_source *random) {
    static const int horse[] = {VR_HORSE}, bishop[] = {VR_BISHOP}, helpers[] = {VR_PAWN, VR_NONE};
    static const int guards[] = {VR_PAWN, VR_KNIGHT, VR_LANCE};
    struct vr_position p;
    do {
        memset(&p, 0, sizeof p);
        p.board[0][random_below(random, 2)] = -VR_KING;
        p.board[1][0] = -VR_PAWN;
        put(random, &p, 5, horse, 1, 1);
        put(random, &p, 7, bishop, 1, 1);
        put(random, &p, 4, helpers, 2, 1);
        for (int i = random_below(random, 4); i > 0; i--)
            put(random, &p, 9, guards, 3, -1);
        p.hand[VR_BLACK][VR_PAWN] = (int8_t)random_below(random, 3);
        p.side = VR_BLACK;
    } while (vr_position_fault(&p) != NULL);
    return p;
}

/* How much was asked, and what came. */
struct chases {
    int mates, escapes, undecided, longest;
};

/* What a search without a bound and with one says of a place in the graph. */
static void ask_about(struct work *work, const struct reached *place, struct chases *chases) {
    char sfen[SFEN_SIZE];
    position_to_sfen(&place->pos, sfen);
    *worker_position(work->worker) = place->pos;
    work->search.node_limit = nodes_of(work) + 20000;
    atomic_store(&work->search.stop, STOP_NONE);
    enum outcome outcome = worker_decide(work->worker, CODE_INFINITE, NULL);
    if (place->latest != ESCAPES) {
        cr_expect_neq(outcome, DISPROVED, "%s is a mate in %d", sfen, code_plies(place->latest));
        cr_expect_neq(worker_decide(work->worker, place->latest, NULL), DISPROVED, "%s is a mate in %d", sfen,
                      code_plies(place->latest));
        if (code_plies(place->latest) > chases->longest)
            chases->longest = code_plies(place->latest);
    }
    if (place->soonest == ESCAPES)
        cr_expect_neq(outcome, PROVED, "%s is no mate", sfen);
    else if (place->soonest > CODE_MATED)
        cr_expect_neq(worker_decide(work->worker, place->soonest - 1, NULL), PROVED, "%s is no mate by less than %u",
                      sfen, place->soonest);
    chases->mates += outcome == PROVED && place->latest != ESCAPES;
    chases->escapes += outcome == DISPROVED && place->soonest == ESCAPES;
    chases->undecided += outcome == STOPPED;
}

/* One search answers for many places of a chase, one after the other, from the root on: what it refuted on the way to one must not be
 * held against another. Few places mate; those are asked about first of all. */
static void judge_chase(struct graph *graph, struct random_source *random, struct chases *chases) {
    enum { MOST_MATES = 100, ESCAPES_EVERY = 100 };
    struct work work;
    int mates = 0;
    begin_work(&work, table, &graph->nodes[0].pos, BLACK, false, 0);
    for (int i = 0; i < graph->count; i++) {
        const struct reached *place = &graph->nodes[i];
        bool mate = place->latest != ESCAPES, escape = place->soonest == ESCAPES;
        if (place->count > 0 &&
            ((mate && mates++ < MOST_MATES) || (escape && random_below(random, ESCAPES_EVERY) == 0)))
            ask_about(&work, place, chases);
    }
    end_work(&work);
}

/* Judges so many chases, each drawn by chance. */
static struct chases judge_chases(uint64_t seed, int count, struct vr_position (*draw)(struct random_source *)) {
    struct graph *graph = malloc(sizeof *graph);
    cr_assert_not_null(graph);
    struct random_source random = {seed};
    struct chases chases = {0};
    for (int i = 0; i < count; i++) {
        char sfen[VR_SFEN_SIZE];
        struct vr_position p = draw(&random);
        vr_write_sfen(&p, sfen);
        struct position pos = position_of(sfen);
        explore(graph, &pos, BLACK);
        settle(graph, BLACK, true);
        settle(graph, BLACK, false);
        judge_chase(graph, &random, &chases);
    }
    free(graph);
    if (getenv("TSUME_SAMPLES"))
        printf("%d mates, %d escapes, %d undecided, the longest mate %d plies\n", chases.mates, chases.escapes,
               chases.undecided, chases.longest);
    return chases;
}

Test(solver, chases_in_which_positions_come_back_are_judged_rightly, .init = open_table, .fini = close_table) {
    enum { CHASES = 2000 / SLOW };
    struct chases chases = judge_chases(5, CHASES, draw_chase);
    cr_expect(chases.mates > CHASES / 2 && chases.escapes > CHASES && chases.longest >= 9);
    cr_expect_eq(chases.undecided, 0);
}

Test(solver, saws_in_which_positions_come_back_are_judged_rightly, .init = open_table, .fini = close_table) {
    enum { SAWS = 2000 / SLOW };
    struct chases chases = judge_chases(6, SAWS, draw_saw);
    cr_expect(chases.mates > SAWS / 2 && chases.escapes > SAWS && chases.longest >= 9);
    cr_expect_eq(chases.undecided, 0);
}
