/* test_answers.c: what the public header tells besides yes or no: mates on the way, other first moves, mates of so many plies, the effort,
 * stopping and going on, a move at a glance. */
#include "solver/tsume.h"

#include "rules/movegen.h"
#include "rules/sfen.h"
#include "tests/bundled.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATE_IN_THREE "7nl/9/5S1kp/6R1s/9/7p1/9/9/9 b Gr2b3g2s3n3l16p 1"
/* Either gold mates at once, rook drops in three plies. */
#define MANY_MATES "8k/9/7G1/9/9/9/9/9/9 b RG2br2g4s4n4l18p 1"

enum { SLOW = TSUME_SANITIZED ? 4 : 1, LONGEST_TEXT = 256, MOST_PLIES = 7 };

static struct tsume_solver *solver;

static void open_solver(void) {
    solver = tsume_solver_new(32, NULL);
    cr_assert_not_null(solver);
}

static void close_solver(void) {
    tsume_solver_free(solver);
}

TestSuite(answers, .init = open_solver, .fini = close_solver);

static struct tsume_problem *problem_of(const char *sfen, char attacker) {
    struct tsume_reader_options options = {.attacker = attacker};
    struct tsume_problem *problem = tsume_problem_from_sfen(sfen, &options);
    cr_assert(problem && !tsume_problem_error(problem), "%s", sfen);
    return problem;
}

static struct tsume_answer *solve(const char *sfen, const struct tsume_limits *limits) {
    struct tsume_problem *problem = problem_of(sfen, 0);
    struct tsume_answer *answer = tsume_solve(solver, problem, limits);
    cr_assert_not_null(answer);
    tsume_problem_free(problem);
    return answer;
}

static enum tsume_verdict verdict_of(const char *sfen, const struct tsume_limits *limits) {
    struct tsume_answer *answer = solve(sfen, limits);
    enum tsume_verdict verdict = tsume_answer_verdict(answer);
    tsume_answer_free(answer);
    return verdict;
}

/* ---- Mates of so many plies ---- */

Test(answers, longer_mates_than_asked_for_are_none) {
    cr_expect_eq(verdict_of(MATE_IN_THREE, &(struct tsume_limits){.plies = 1}), TSUME_NO_MATE);
    cr_expect_eq(verdict_of(MATE_IN_THREE, &(struct tsume_limits){.plies = 2}), TSUME_NO_MATE);
    cr_expect_eq(verdict_of(MATE_IN_THREE, &(struct tsume_limits){.plies = 3}), TSUME_MATE);
    cr_expect_eq(verdict_of(MATE_IN_THREE " moves G*2b", &(struct tsume_limits){.plies = 1}), TSUME_NO_MATE);
    cr_expect_eq(verdict_of(MATE_IN_THREE " moves G*2b", &(struct tsume_limits){.plies = 2}), TSUME_MATE);
    cr_expect_eq(verdict_of(MATE_IN_THREE, &(struct tsume_limits){.plies = 1, .any = true}), TSUME_NO_MATE);
}

/* ---- Mates on the way ---- */

struct told {
    int count, last_plies;
    bool shorter; /* each than the one before */
};

static void on_mate(void *context, const struct tsume_answer *answer) {
    struct told *told = context;
    cr_expect_eq(tsume_answer_verdict(answer), TSUME_MATE);
    cr_expect_gt(tsume_answer_line_length(answer), 0);
    told->shorter &= told->count == 0 || tsume_answer_plies(answer) <= told->last_plies;
    told->last_plies = tsume_answer_plies(answer);
    told->count++;
}

Test(answers, mates_are_told_on_the_way) {
    char line[BUNDLED_LINE];
    read_zuko(7, line);
    struct told told = {.shorter = true};
    struct tsume_limits limits = {.nodes = 100000, .on_mate = on_mate, .context = &told};
    struct tsume_answer *answer = solve(line, &limits);
    cr_expect_gt(told.count, 1);
    cr_expect(told.shorter);
    cr_expect_eq(tsume_answer_plies(answer), told.last_plies);
    cr_expect_geq(tsume_answer_deepest(answer), tsume_answer_plies(answer));
    tsume_answer_free(answer);
}

/* ---- Other first moves ---- */

static void expect_others_in_order(const struct tsume_answer *answer) {
    int plies = tsume_answer_plies(answer);
    const struct tsume_answer *other;
    for (size_t i = 0; (other = tsume_answer_other(answer, i)); i++) {
        cr_expect_geq(tsume_answer_plies(other), plies);
        cr_expect_eq(tsume_answer_line_length(other), (size_t)tsume_answer_plies(other));
        plies = tsume_answer_plies(other);
    }
}

/* The plies of the line that begins with the move, the main one or another; −1 if there is none. */
static int plies_by(const struct tsume_answer *answer, const char *first) {
    const struct tsume_answer *line = answer;
    for (size_t i = 0; line; line = tsume_answer_other(answer, i++))
        if (tsume_answer_line_length(line) > 0 && strcmp(tsume_answer_line_move(line, 0), first) == 0)
            return tsume_answer_plies(line);
    return -1;
}

/* How long the mate is after a check, the check included, decided apart; −1 if there is none of at most MOST_PLIES. */
static int plies_after(const char *sfen, const char *first, char attacker) {
    char text[LONGEST_TEXT + 20];
    snprintf(text, sizeof text, "%s moves %s", sfen, first);
    struct tsume_problem *problem = problem_of(text, attacker);
    static const struct tsume_limits limits = {.plies = MOST_PLIES - 1};
    struct tsume_answer *answer = tsume_solve(solver, problem, &limits);
    int plies = tsume_answer_verdict(answer) == TSUME_MATE ? 1 + tsume_answer_plies(answer) : -1;
    tsume_answer_free(answer);
    tsume_problem_free(problem);
    return plies;
}

/* The others are those that mate by themselves, each in as many plies. Returns how many there are. */
static int compare_others(const char *sfen) {
    static const struct tsume_limits limits = {.others = true, .plies = MOST_PLIES};
    struct tsume_answer *answer = solve(sfen, &limits);
    struct setup setup;
    struct sfen_error error;
    struct position pos;
    move checks[MAX_MOVES];
    cr_assert(sfen_parse(sfen, &setup, &error));
    position_set(&pos, &setup);
    int count = generate_checks(&pos, checks), mates = 0;
    for (int i = 0; i < count; i++) {
        char first[USI_MOVE_SIZE];
        move_to_usi(checks[i], first);
        int plies = plies_after(sfen, first, setup.side == BLACK ? 'b' : 'w');
        cr_expect_eq(plies_by(answer, first), plies, "%s %s", sfen, first);
        mates += plies > 0;
    }
    expect_others_in_order(answer);
    tsume_answer_free(answer);
    return mates - 1;
}

Test(answers, others_are_all_first_moves_that_mate) {
    cr_expect_gt(compare_others(MANY_MATES), 8);
    cr_expect_eq(compare_others(MATE_IN_THREE), 0);
}

Test(answers, others_of_mates_from_games) {
    enum { GAMES = 40 / SLOW };
    char line[BUNDLED_LINE], sfen[LONGEST_TEXT];
    FILE *list = open_bundled("games.tsv");
    int games = 0, others = 0, plies;
    while (games < GAMES && fgets(line, sizeof line, list))
        if (line[0] != '#' && sscanf(line, "%255[^\t]\t%*[^\t]\t%d", sfen, &plies) == 2 && plies > 0 &&
            plies <= MOST_PLIES) {
            others += compare_others(sfen);
            games++;
        }
    fclose(list);
    cr_expect_eq(games, GAMES);
    cr_expect_gt(others, GAMES / 4);
}

Test(answers, others_obey_the_limits) {
    static const struct tsume_limits one_ply = {.others = true, .plies = 1};
    struct tsume_answer *answer = solve(MANY_MATES, &one_ply);
    cr_expect_not_null(tsume_answer_other(answer, 0));
    cr_expect_null(tsume_answer_other(answer, 1), "the rook needs three plies");
    tsume_answer_free(answer);
}

/* ---- Stopping and going on ---- */

Test(answers, searches_run_again_after_a_stop) {
    tsume_stop(solver);
    cr_expect_eq(verdict_of(MATE_IN_THREE, NULL), TSUME_UNKNOWN);
    tsume_resume(solver);
    cr_expect_eq(verdict_of(MATE_IN_THREE, NULL), TSUME_MATE);
    struct tsume_effort effort = tsume_solver_effort(solver);
    cr_expect(effort.nodes == 0 && effort.depth == 0 && effort.deepest == 0, "nothing is running");
}

static void see_effort(void *context, const struct tsume_answer *answer) {
    struct tsume_effort *effort = context;
    (void)answer;
    *effort = tsume_solver_effort(solver);
}

Test(answers, effort_is_told_during_a_search) {
    char line[BUNDLED_LINE];
    read_zuko(2, line);
    struct tsume_effort effort = {0};
    struct tsume_limits limits = {.on_mate = see_effort, .context = &effort};
    tsume_answer_free(solve(line, &limits));
    cr_expect_gt(effort.nodes, 0);
    cr_expect_geq(effort.deepest, 21);
    cr_expect_leq(effort.hash_permille, 1000);
}

/* ---- A move at a glance ---- */

static const char *glance_at(const char *sfen) {
    static char text[TSUME_MOVE_SIZE];
    struct tsume_problem *problem = tsume_problem_from_sfen(sfen, NULL);
    cr_assert_not_null(problem);
    bool found = tsume_problem_glance(problem, text);
    tsume_problem_free(problem);
    return found ? text : "";
}

Test(answers, a_glance_finds_sensible_moves) {
    cr_expect_str_eq(glance_at("4k4/9/9/9/4r4/9/9/4R4/4K4 b - 1"), "5h5e", "a rook for nothing");
    cr_expect_str_eq(glance_at("4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1"), "", "checkmated");
    cr_expect_str_eq(glance_at("x"), "");
}

/* White threatens to drop his gold at the head of the king; the rook could be taken meanwhile. */
Test(answers, a_glance_sees_mates_in_one) {
    static const char THREAT[] = "4r4/9/k8/9/4R4/9/8p/9/8K b g 1";
    static const struct tsume_limits one_ply = {.plies = 1};
    char after[LONGEST_TEXT];
    snprintf(after, sizeof after, "%s moves 5e5a+", THREAT);
    cr_expect_eq(verdict_of(after, &one_ply), TSUME_MATE);
    snprintf(after, sizeof after, "%s moves %s", THREAT, glance_at(THREAT));
    cr_expect_eq(verdict_of(after, &one_ply), TSUME_NO_MATE);
}
