/* test_search.c: what the search says of whole problems: bundled ones and checks from a distance; that its proofs have no holes; and that
 * limits, small tables, mirrors and other problems change nothing in it. */
#include "solver/exact.h"
#include "solver/line.h"

#include "tests/bundled.h"
#include "tests/random_position.h"
#include "tests/reference.h"
#include "tests/searching.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much smaller samples are where everything is slow. */
enum { SLOW = TSUME_SANITIZED ? 8 : 1 };

enum { TABLE_MIB = 16, NO_LIMIT = 0 };

static struct table *table;

static void open_table(void) {
    table = table_new(TABLE_MIB);
    cr_assert_not_null(table);
}

static void close_table(void) {
    table_free(table);
}

TestSuite(search, .init = open_table, .fini = close_table);

/* ---- Problems in work ---------------------------------------------------------------------------------------------- */

/* What a search said; plies and leftover of a mate, else 0. */
struct answer {
    enum outcome outcome;
    bool exact;
    int plies, leftover;
    uint64_t nodes;
};

static struct answer solve_in(struct table *t, const struct position *pos, enum color attacker, bool futile,
                              uint64_t node_limit) {
    struct work work;
    struct mate mate = {0};
    struct answer answer = {.outcome = STOPPED};
    begin_work(&work, t, pos, attacker, futile, node_limit);
    answer.outcome = exact_solve(work.worker, false, &mate);
    answer.nodes = nodes_of(&work);
    if (answer.outcome == PROVED) {
        answer.exact = mate.exact;
        answer.plies = code_plies(mate.value);
        answer.leftover = hand_total(pos->hand[attacker]) - code_spent(mate.value);
    }
    end_work(&work);
    return answer;
}

static struct answer solve(const struct position *pos, enum color attacker, bool futile, uint64_t node_limit) {
    return solve_in(table, pos, attacker, futile, node_limit);
}

static bool is_known(const struct answer *answer) {
    return answer->outcome == DISPROVED || (answer->outcome == PROVED && answer->exact);
}

static bool same_answer(const struct answer *a, const struct answer *b) {
    return a->outcome == b->outcome && a->exact == b->exact && a->plies == b->plies && a->leftover == b->leftover;
}

/* ---- The bundled problems ------------------------------------------------------------------------------------------ */

/* A row of a file of problems. */
struct row {
    char sfen[SFEN_SIZE], id[32];
    int plies;                       /* −1: not stated */
    int exact_plies, exact_leftover; /* −1: not stated */
};

static bool read_row(FILE *file, struct row *row) {
    char line[1024], plies[512], exact[64];
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        exact[0] = '\0';
        if (sscanf(line, "%255[^\t]\t%31[^\t]\t%511[^\t\n]\t%63[^\t\n]", row->sfen, row->id, plies, exact) < 3)
            continue;
        row->plies = plies[0] >= '0' && plies[0] <= '9' ? atoi(plies) : -1;
        if (sscanf(exact, "%d/%d", &row->exact_plies, &row->exact_leftover) != 2)
            row->exact_plies = row->exact_leftover = -1;
        return true;
    }
    return false;
}

Test(search, short_mates_of_games_have_their_length_both_ways_of_counting) {
    enum { SHORT = 5, LIMIT = 300000 };
    FILE *file = open_bundled("games.tsv");
    struct row row;
    int compared = 0, number = 0;
    while (read_row(file, &row)) {
        if (row.plies < 0 || row.plies > SHORT || number++ % SLOW != 0)
            continue;
        struct position pos = position_of(row.sfen);
        struct answer all = solve(&pos, (enum color)pos.side, false, LIMIT);
        cr_expect(all.outcome == PROVED, "%s is a mate", row.id);
        if (is_known(&all))
            cr_expect_eq(all.plies, row.plies, "%s: %d where %d is right", row.id, all.plies, row.plies);
        if (row.exact_plies < 0)
            continue;
        struct answer exact = solve(&pos, (enum color)pos.side, true, LIMIT);
        if (!is_known(&exact))
            continue;
        compared++;
        cr_expect(exact.plies == row.exact_plies && exact.leftover == row.exact_leftover,
                  "%s: %d/%d where %d/%d is right", row.id, exact.plies, exact.leftover, row.exact_plies,
                  row.exact_leftover);
    }
    fclose(file);
    cr_expect(compared > 500 / SLOW, "only %d could be compared", compared);
}

/* Number 60 of Zuko has long series of checks that lead nowhere: refuted anew for each bound, they would take more than 30 million nodes. */
Test(search, checks_that_do_not_mate_are_refuted_once_for_all_bounds) {
    enum { LIMIT = 3000000 };
    FILE *file = open_bundled("zukou.tsv");
    struct row row = {.id = ""};
    while (strcmp(row.id, "zukou-060") != 0)
        cr_assert(read_row(file, &row));
    fclose(file);
    struct position pos = position_of(row.sfen);
    struct answer answer = solve(&pos, BLACK, true, LIMIT);
    cr_expect(is_known(&answer), "not proved");
    cr_expect_eq(answer.plies, row.plies, "%d where %d is right", answer.plies, row.plies);
}

Test(search, longer_mates_of_games_are_mates) {
    enum { LIMIT = 20000, EVERY = 4 };
    FILE *file = open_bundled("games.tsv");
    struct row row;
    int mates = 0, number = 0;
    while (read_row(file, &row)) {
        if (row.plies <= 5 || number++ % (EVERY * SLOW) != 0)
            continue;
        struct position pos = position_of(row.sfen);
        struct work work;
        begin_work(&work, table, &pos, (enum color)pos.side, false, LIMIT);
        enum outcome outcome = worker_decide(work.worker, CODE_INFINITE, NULL);
        cr_expect(outcome != DISPROVED, "%s is a mate", row.id);
        mates += outcome == PROVED;
        end_work(&work);
    }
    fclose(file);
    cr_expect(mates > number / (EVERY * SLOW) / 2, "only %d of %d were found", mates, number / (EVERY * SLOW));
}

static struct position case_position(const char *id) {
    FILE *file = open_bundled("cases.tsv");
    struct row row;
    bool found = false;
    while (!found && read_row(file, &row))
        found = strcmp(row.id, id) == 0;
    fclose(file);
    cr_assert(found, "%s", id);
    return position_of(row.sfen);
}

static void expect_mate_in(const char *id, bool futile, int plies) {
    struct position pos = case_position(id);
    struct answer answer = solve(&pos, (enum color)pos.side, futile, NO_LIMIT);
    cr_expect(answer.outcome == PROVED && answer.exact && answer.plies == plies, "%s: mate in %d, not %d", id, plies,
              answer.plies);
}

static void expect_no_mate_within(const char *id, int plies) {
    struct position pos = case_position(id);
    for (int futile = 0; futile <= 1; futile++) {
        struct work work;
        begin_work(&work, table, &pos, (enum color)pos.side, futile != 0, NO_LIMIT);
        for (int least = 1; least <= plies; least += 2)
            cr_expect_eq(worker_decide(work.worker, code_make(least, CODE_ANY_SPENT), NULL), DISPROVED,
                         "%s: no mate within %d", id, least);
        end_work(&work);
    }
}

static enum outcome existence(const char *id) {
    struct position pos = case_position(id);
    struct work work;
    begin_work(&work, table, &pos, (enum color)pos.side, true, 300000);
    enum outcome outcome = worker_decide(work.worker, CODE_INFINITE, NULL);
    end_work(&work);
    return outcome;
}

Test(search, an_interposition_that_gains_something_counts) {
    expect_no_mate_within("case-sh14a", 7);
    expect_no_mate_within("case-sh14b", 5);
}

Test(search, an_interposition_before_a_pinned_guard_is_futile) {
    expect_mate_in("case-sh15a1", true, 1);
    expect_mate_in("case-sh16b", true, 1);
}

Test(search, futile_interpositions_make_five_plies_of_three) {
    expect_mate_in("case-yo162a", true, 3);
    expect_mate_in("case-yo162a", false, 5);
}

Test(search, small_cases_have_their_length) {
    expect_mate_in("case-sh17a", true, 7);
    expect_mate_in("case-sh17b", true, 5);
    expect_mate_in("case-cs54b", true, 7);
    expect_mate_in("case-cs54c", true, 7);
    expect_mate_in("case-su7", true, 7);
    expect_mate_in("case-su10", true, 3);
    expect_mate_in("case-su5", true, 5);
    expect_mate_in("case-yo107", true, 3);
}

Test(search, a_horse_saw_is_a_mate_though_positions_come_back) {
    cr_expect_eq(existence("case-yo116a"), PROVED);
}

Test(search, mates_and_no_mates_that_others_missed) {
    cr_expect_neq(existence("case-dl46a"), PROVED);
    cr_expect_neq(existence("case-cs54a"), PROVED);
    cr_expect_eq(existence("case-cs54d"), PROVED);
}

/* ---- Checks from a distance ---------------------------------------------------------------------------------------- */

static int any_of(struct random_source *random, const int *kinds, int count) {
    return kinds[random_below(random, count)];
}

static void put(struct vr_position *p, int row, int column, int piece) {
    if (row >= 0 && row < 9 && column >= 0 && column < 9 && p->board[row][column] == VR_NONE)
        p->board[row][column] = (int8_t)piece;
}

/* A slider of Black's that aims at the king from at least two squares away, with a guard of White's between them or not. */
static void put_distant_slider(struct random_source *random, struct vr_position *p, int row, int column, bool guarded) {
    static const int step[8][2] = {{1, 0}, {0, 1}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const int straight[] = {VR_ROOK, VR_DRAGON}, oblique[] = {VR_BISHOP, VR_HORSE};
    static const int guards[] = {VR_PAWN, VR_LANCE, VR_KNIGHT, VR_SILVER, VR_GOLD};
    int way = random_below(random, 8), distance = 2 + random_below(random, 5);
    int kind = any_of(random, way < 4 ? straight : oblique, 2);
    if (way == 0 && random_percent(random, 50))
        kind = VR_LANCE;
    if (guarded)
        put(p, row + step[way][0], column + step[way][1], -any_of(random, guards, 5));
    put(p, row + step[way][0] * distance, column + step[way][1] * distance, kind);
}

static void put_around(struct random_source *random, struct vr_position *p, int row, int column) {
    static const int attackers[] = {VR_GOLD, VR_SILVER, VR_TOKIN, VR_KNIGHT, VR_PAWN, VR_LANCE, VR_PROMOTED_SILVER};
    static const int guards[] = {VR_PAWN, VR_GOLD, VR_SILVER, VR_LANCE, VR_KNIGHT, VR_TOKIN};
    for (int i = 1 + random_below(random, 4); i > 0; i--)
        put(p, row + random_below(random, 5) - 2, column + random_below(random, 5) - 2, any_of(random, attackers, 7));
    for (int i = random_below(random, 5); i > 0; i--)
        put(p, row + random_below(random, 3) - 1, column + random_below(random, 3) - 1, -any_of(random, guards, 6));
}

/* Few pieces or many in the defender's hand: which, decides what is futile. */
static void fill_hands(struct random_source *random, struct vr_position *p) {
    static const int8_t most[VR_HAND_KINDS] = {0, 9, 2, 2, 2, 1, 1, 2};
    int white = random_below(random, 3), black = random_below(random, 2);
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++) {
        if (white == 2 || (white == 1 && random_percent(random, 25)))
            p->hand[VR_WHITE][kind] = most[kind];
        if (black == 1 && random_percent(random, 25))
            p->hand[VR_BLACK][kind] = (int8_t)(1 + random_below(random, 2) * (kind == VR_PAWN));
    }
}

/* A king of White's with sliders aiming at him from far; often he is in check already and to move. */
static bool distant_problem(struct random_source *random, struct vr_position *p) {
    memset(p, 0, sizeof *p);
    int row = random_below(random, 3), column = random_percent(random, 60) ? 0 : random_below(random, 9);
    p->board[row][column] = -VR_KING;
    put_distant_slider(random, p, row, column, false);
    if (random_percent(random, 60))
        put_distant_slider(random, p, row, column, true);
    put_around(random, p, row, column);
    if (random_percent(random, 15))
        put(p, 3 + random_below(random, 6), random_below(random, 9), VR_KING);
    fill_hands(random, p);
    p->side = VR_WHITE;
    bool checked = vr_in_check(p);
    p->side = checked ? VR_WHITE : VR_BLACK;
    return vr_position_fault(p) == NULL;
}

static void expect_reference(const struct vr_position *p, bool futile, const struct reference_value *value, int plies) {
    char sfen[VR_SFEN_SIZE];
    vr_write_sfen(p, sfen);
    struct position pos = position_of(sfen);
    bool mate = value->verdict == REFERENCE_MATE;
    struct answer answer = solve(&pos, BLACK, futile, mate ? 200000 : 2000);
    if (!is_known(&answer))
        return;
    if (mate)
        cr_expect(answer.outcome == PROVED && answer.plies == value->plies && answer.leftover == value->leftover,
                  "%s futile %s: %d/%d where %d/%d is right", sfen, futile ? "left out" : "counted", answer.plies,
                  answer.leftover, value->plies, value->leftover);
    else
        cr_expect(answer.outcome == DISPROVED || answer.plies > plies, "%s futile %s: %d/%d, but no mate within %d",
                  sfen, futile ? "left out" : "counted", answer.plies, answer.leftover, plies);
}

Test(search, checks_from_a_distance_have_their_value) {
    enum { WANTED = 1000 / SLOW, PLIES = 5, GIVE_UP = 500 };
    struct random_source random = {101};
    int mates = 0, differing = 0;
    for (int i = 0; i < WANTED;) {
        struct vr_position p;
        if (!distant_problem(&random, &p))
            continue;
        i++;
        struct reference_value values[2];
        for (int futile = 0; futile <= 1; futile++) {
            struct reference *reference = reference_new(VR_BLACK, futile ? REFERENCE_EXACT : REFERENCE_COUNT_ALL);
            cr_assert_not_null(reference);
            values[futile] = reference_value(reference, &p, PLIES + (p.side == VR_WHITE), GIVE_UP);
            reference_free(reference);
            if (values[futile].verdict != REFERENCE_GAVE_UP)
                expect_reference(&p, futile != 0, &values[futile], PLIES);
        }
        mates += values[1].verdict == REFERENCE_MATE;
        differing += values[1].verdict == REFERENCE_MATE && values[0].verdict != REFERENCE_GAVE_UP &&
                     (values[0].verdict != REFERENCE_MATE || values[0].plies != values[1].plies);
    }
    cr_expect(mates > WANTED / 20, "only %d mates", mates);
    cr_expect(differing >= WANTED / 500, "futile interpositions mattered in %d only", differing);
}

/* ---- Proofs, walked through ---------------------------------------------------------------------------------------- */

struct walk {
    struct worker *worker;
    enum color attacker;
    int steps; /* left */
};

static bool proof_holds(struct walk *walk, code bound);

static bool check_is_proved(struct walk *walk, code bound) {
    struct position *pos = worker_position(walk->worker);
    struct decision d;
    if (worker_decide(walk->worker, bound, &d) != PROVED || d.value > bound || !move_is_legal(pos, d.move) ||
        !move_gives_check(pos, d.move))
        return false;
    position_do(pos, d.move);
    bool holds = proof_holds(walk, d.value - (code)code_of_attack(d.move));
    position_undo(pos, d.move);
    return holds;
}

static bool answers_are_proved(struct walk *walk, code bound) {
    struct position *pos = worker_position(walk->worker);
    move moves[MAX_MOVES];
    int count = generate_evasions(pos, moves);
    bool holds = position_in_check(pos) && (count == 0 ? bound >= CODE_MATED : code_plies(bound) >= 2);
    for (int i = 0; i < count && holds; i++) {
        position_do(pos, moves[i]);
        holds = proof_holds(walk, bound - (code)code_of_defence());
        position_undo(pos, moves[i]);
    }
    return holds;
}

/* Does the attacker mate from here by the bound, as far as there are steps to see? */
static bool proof_holds(struct walk *walk, code bound) {
    if (walk->steps-- <= 0)
        return true;
    return worker_position(walk->worker)->side == walk->attacker ? check_is_proved(walk, bound)
                                                                 : answers_are_proved(walk, bound);
}

static void shake(const struct random_problem *problem) {
    enum { LIMIT = 3000, STEPS = 1500, REFERENCE_PLIES = 5, REFERENCE_NODES = 400 };
    struct position pos = position_of(problem->sfen);
    struct work work;
    struct decision d = {0};
    begin_work(&work, table, &pos, (enum color)problem->attacker, false, LIMIT);
    enum outcome outcome = worker_decide(work.worker, CODE_INFINITE, &d);
    lift_limits(&work);
    if (outcome == PROVED) {
        struct walk walk = {work.worker, (enum color)problem->attacker, STEPS};
        cr_expect(proof_holds(&walk, d.value), "%s: the proof has a hole", problem->sfen);
        cr_expect(position_equal(worker_position(work.worker), &pos));
    } else if (outcome == DISPROVED) {
        struct reference *reference = reference_new(problem->attacker, REFERENCE_COUNT_ALL);
        cr_assert_not_null(reference);
        struct reference_value value = reference_value(reference, &problem->position, REFERENCE_PLIES, REFERENCE_NODES);
        cr_expect_neq(value.verdict, REFERENCE_MATE, "%s is a mate in %d", problem->sfen, value.plies);
        reference_free(reference);
    }
    end_work(&work);
}

Test(search, proofs_hold_against_all_defences_and_disproofs_against_the_reference) {
    enum { PROBLEMS = 1200 / SLOW };
    struct random_source random = {303};
    for (int i = 0; i < PROBLEMS; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        shake(&problem);
    }
}

/* ---- What must change nothing -------------------------------------------------------------------------------------- */

static struct vr_position mirrored(const struct vr_position *p) {
    struct vr_position m = *p;
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            m.board[row][column] = p->board[row][8 - column];
    return m;
}

static struct vr_position reversed(const struct vr_position *p) {
    struct vr_position r = {.side = (int8_t)!p->side};
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            r.board[row][column] = (int8_t)-p->board[8 - row][8 - column];
    memcpy(r.hand[0], p->hand[1], sizeof r.hand[0]);
    memcpy(r.hand[1], p->hand[0], sizeof r.hand[1]);
    return r;
}

static struct answer solve_checkers(const struct vr_position *p, enum vr_color attacker, bool futile) {
    char sfen[VR_SFEN_SIZE];
    vr_write_sfen(p, sfen);
    struct position pos = position_of(sfen);
    return solve(&pos, (enum color)attacker, futile, 2000);
}

static void expect_same(const char *sfen, const char *what, const struct answer *a, const struct answer *b) {
    if (is_known(a) && is_known(b))
        cr_expect(same_answer(a, b), "%s: %d/%d, but %s %d/%d", sfen, a->plies, a->leftover, what, b->plies,
                  b->leftover);
}

Test(search, mirrors_and_colours_change_nothing) {
    enum { PROBLEMS = 160 / SLOW };
    struct random_source random = {404};
    for (int i = 0; i < PROBLEMS; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct vr_position mirror = mirrored(&problem.position), turned = reversed(&problem.position);
        for (int futile = 0; futile <= 1; futile++) {
            struct answer here = solve_checkers(&problem.position, problem.attacker, futile != 0);
            struct answer there = solve_checkers(&mirror, problem.attacker, futile != 0);
            struct answer other = solve_checkers(&turned, vr_other(problem.attacker), futile != 0);
            expect_same(problem.sfen, "mirrored", &here, &there);
            expect_same(problem.sfen, "with colours exchanged", &here, &other);
        }
    }
}

Test(search, a_small_table_makes_nothing_wrong) {
    enum { LIMIT = 100000, EVERY = 24 };
    struct table *small = table_new(1);
    cr_assert_not_null(small);
    FILE *file = open_bundled("games.tsv");
    struct row row;
    int number = 0, known = 0;
    while (read_row(file, &row)) {
        if (row.plies < 9 || number++ % EVERY != 0 || number > 300)
            continue;
        struct position pos = position_of(row.sfen);
        struct answer tight = solve_in(small, &pos, (enum color)pos.side, false, LIMIT);
        cr_expect_neq(tight.outcome, DISPROVED, "%s is a mate", row.id);
        if (!is_known(&tight))
            continue;
        known++;
        cr_expect_eq(tight.plies, row.plies, "%s: %d where %d is right", row.id, tight.plies, row.plies);
    }
    fclose(file);
    table_free(small);
    cr_expect(known > 0);
}

Test(search, a_node_limit_ends_the_search_without_a_false_word) {
    enum { PROBLEMS = 80 / SLOW, ENOUGH = 20000 };
    struct random_source random = {505};
    for (int i = 0; i < PROBLEMS; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct position pos = position_of(problem.sfen);
        struct answer full = solve(&pos, (enum color)problem.attacker, true, ENOUGH);
        for (uint64_t limit = 1; limit < 2000; limit *= 5) {
            struct answer cut = solve(&pos, (enum color)problem.attacker, true, limit);
            expect_same(problem.sfen, "with a limit", &full, &cut);
            if (full.outcome != STOPPED)
                cr_expect(cut.outcome == STOPPED || cut.outcome == full.outcome, "%s", problem.sfen);
            cr_expect(cut.nodes <= limit + 100, "%s: %lu nodes of %lu", problem.sfen, (unsigned long)cut.nodes,
                      (unsigned long)limit);
        }
    }
}

/* A problem that takes far longer than a test may. */
static const char ENDLESS[] =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

static void *stop_soon(void *flag) {
    struct timespec pause = {.tv_nsec = 50000000};
    nanosleep(&pause, NULL);
    atomic_store((_Atomic bool *)flag, true);
    return NULL;
}

Test(search, ends_when_asked) {
    static _Atomic bool asked;
    struct position pos = position_of(ENDLESS);
    struct work work;
    pthread_t thread;
    atomic_store(&asked, true);
    begin_work(&work, table, &pos, BLACK, true, NO_LIMIT);
    work.search.asked_to_stop = &asked;
    cr_expect_eq(worker_decide(work.worker, CODE_INFINITE, NULL), STOPPED, "asked before it began");
    cr_expect_eq(atomic_load(&work.search.stop), STOP_ASKED);
    lift_limits(&work);
    atomic_store(&asked, false);
    cr_assert_eq(pthread_create(&thread, NULL, stop_soon, &asked), 0);
    cr_expect_eq(worker_decide(work.worker, CODE_INFINITE, NULL), STOPPED, "asked while at work");
    pthread_join(thread, NULL);
    cr_expect(position_equal(worker_position(work.worker), &pos), "back where it began");
    end_work(&work);
}

Test(search, ends_at_its_deadline) {
    struct position pos = position_of(ENDLESS);
    struct work work;
    begin_work(&work, table, &pos, BLACK, true, NO_LIMIT);
    double start = clock_seconds();
    work.search.deadline = start + 0.05;
    cr_expect_eq(worker_decide(work.worker, CODE_INFINITE, NULL), STOPPED);
    cr_expect_eq(atomic_load(&work.search.stop), STOP_TIME);
    cr_expect(clock_seconds() < start + 5);
    end_work(&work);
}

Test(search, searches_the_same_nodes_every_time_whatever_was_solved_before) {
    enum { PROBLEMS = 60 / SLOW, LIMIT = 2000 };
    struct random_source random = {606};
    for (int i = 0; i < PROBLEMS; i++) {
        struct random_problem problem = random_problem(&random, NULL), other = random_problem(&random, NULL);
        struct position pos = position_of(problem.sfen), before = position_of(other.sfen);
        struct answer answers[3];
        answers[0] = solve(&pos, (enum color)problem.attacker, true, LIMIT);
        answers[1] = solve(&pos, (enum color)problem.attacker, true, LIMIT);
        (void)solve(&before, (enum color)other.attacker, true, LIMIT);
        answers[2] = solve(&pos, (enum color)problem.attacker, true, LIMIT);
        for (int again = 1; again < 3; again++)
            cr_expect(same_answer(&answers[0], &answers[again]) && answers[0].nodes == answers[again].nodes,
                      "%s: %lu nodes, then %lu", problem.sfen, (unsigned long)answers[0].nodes,
                      (unsigned long)answers[again].nodes);
    }
}
