/* test_threads.c: many threads at one solver, through its public header: what they find is what one thread finds. */
#include "solver/tsume.h"

#include "tests/bundled.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOW = TSUME_SANITIZED ? 4 : 1, THREADS = 4, SMALLEST_TABLE_MIB = 1, TABLE_MIB = 16 };

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

/* A mate of the bundled games: its length with every interposition counted. */
struct game {
    char sfen[256], id[32];
    int plies;
    struct tsume_problem *problem;
};

enum { MOST_GAMES = 64 };

struct games {
    struct game of[MOST_GAMES];
    int count;
};

static bool is_game(const char *line, struct game *game) {
    char plies[16];
    if (line[0] == '#' || sscanf(line, "%255[^\t]\t%31[^\t]\t%15[^\t\n]", game->sfen, game->id, plies) != 3)
        return false;
    game->plies = atoi(plies);
    return game->plies > 0;
}

/* Every so manieth game with a mate of that length. */
static void read_games(struct games *games, int least_plies, int most_plies, int every) {
    char line[1024];
    FILE *file = open_bundled("games.tsv");
    games->count = 0;
    for (int number = 0; games->count < MOST_GAMES && fgets(line, sizeof line, file);) {
        struct game *game = &games->of[games->count];
        if (!is_game(line, game) || game->plies < least_plies || game->plies > most_plies || number++ % every != 0)
            continue;
        game->problem = tsume_problem_from_sfen(game->sfen, NULL);
        cr_assert_not_null(game->problem);
        cr_assert_null(tsume_problem_error(game->problem), "%s", game->id);
        games->count++;
    }
    fclose(file);
    cr_assert(games->count > 0);
}

static void free_games(struct games *games) {
    for (int i = 0; i < games->count; i++)
        tsume_problem_free(games->of[i].problem);
}

static struct tsume_solver *new_solver(size_t mib) {
    struct tsume_solver *solver = tsume_solver_new(mib, NULL);
    cr_assert_not_null(solver);
    return solver;
}

/* ---- Threads ------------------------------------------------------------------------------------------------------- */

static pthread_t start(void *(*run)(void *), void *argument) {
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, run, argument), 0);
    return thread;
}

/* Helps with whatever is in work until told to end. */
struct helper {
    struct tsume_solver *solver;
    _Atomic bool end;
};

static void pause_shortly(void) {
    struct timespec pause = {.tv_nsec = 200000};
    nanosleep(&pause, NULL);
}

static void *help(void *argument) {
    struct helper *helper = argument;
    while (!helper->end) {
        tsume_assist(helper->solver);
        pause_shortly();
    }
    return NULL;
}

/* Is the answer right, as far as it goes? */
static void expect_right(const struct game *game, const struct tsume_answer *answer, bool must_be_known) {
    cr_assert_not_null(answer);
    enum tsume_verdict verdict = tsume_answer_verdict(answer);
    cr_expect(verdict == TSUME_MATE || (!must_be_known && verdict == TSUME_UNKNOWN), "%s: %s", game->id,
              tsume_verdict_name(verdict));
    if (verdict != TSUME_MATE)
        return;
    cr_expect_null(tsume_answer_error(answer), "%s: %s", game->id, tsume_answer_error(answer));
    cr_expect(tsume_answer_exact(answer) || !must_be_known, "%s", game->id);
    if (tsume_answer_exact(answer)) {
        cr_expect_eq(tsume_answer_plies(answer), game->plies, "%s: %d where %d is right", game->id,
                     tsume_answer_plies(answer), game->plies);
        cr_expect_eq(tsume_answer_line_length(answer), (size_t)game->plies, "%s", game->id);
    } else {
        cr_expect(tsume_answer_plies(answer) >= game->plies, "%s", game->id);
    }
}

static const struct tsume_limits counting_all = {.count_futile = true};

Test(threads, together_they_find_what_one_alone_finds) {
    struct games games;
    read_games(&games, 5, 11, 12 * SLOW);
    struct tsume_solver *alone = new_solver(TABLE_MIB), *shared = new_solver(TABLE_MIB);
    struct helper helper = {.solver = shared};
    pthread_t helpers[THREADS - 1];
    for (int i = 0; i < THREADS - 1; i++)
        helpers[i] = start(help, &helper);
    for (int i = 0; i < games.count; i++) {
        const struct tsume_limits leaving_out = {.nodes = 200000};
        struct tsume_answer *one = tsume_solve(alone, games.of[i].problem, &leaving_out);
        struct tsume_answer *many = tsume_solve(shared, games.of[i].problem, &leaving_out);
        if (tsume_answer_exact(one) && tsume_answer_exact(many)) {
            cr_expect_eq(tsume_answer_plies(one), tsume_answer_plies(many), "%s", games.of[i].id);
            cr_expect_eq(tsume_answer_leftover(one), tsume_answer_leftover(many), "%s", games.of[i].id);
        }
        cr_expect_eq(tsume_answer_verdict(one), TSUME_MATE, "%s", games.of[i].id);
        cr_expect_null(tsume_answer_error(many), "%s: %s", games.of[i].id, tsume_answer_error(many));
        tsume_answer_free(one);
        tsume_answer_free(many);
    }
    helper.end = true;
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(helpers[i], NULL);
    tsume_solver_free(alone);
    tsume_solver_free(shared);
    free_games(&games);
}

Test(threads, a_crowded_table_is_collected_while_they_search) {
    struct games games;
    read_games(&games, 9, 13, 50);
    struct tsume_solver *solver = new_solver(SMALLEST_TABLE_MIB);
    struct helper helper = {.solver = solver};
    pthread_t helpers[THREADS - 1];
    for (int i = 0; i < THREADS - 1; i++)
        helpers[i] = start(help, &helper);
    for (int i = 0; i < games.count && i < 8 / SLOW; i++) {
        const struct tsume_limits limits = {.nodes = 300000 / SLOW, .count_futile = true};
        struct tsume_answer *answer = tsume_solve(solver, games.of[i].problem, &limits);
        expect_right(&games.of[i], answer, false);
        tsume_answer_free(answer);
    }
    helper.end = true;
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(helpers[i], NULL);
    tsume_solver_free(solver);
    free_games(&games);
}

/* Solves every so manieth problem of a list, then helps the others. */
struct share {
    struct tsume_solver *solver;
    const struct games *games;
    int first;
    struct tsume_answer *answers[MOST_GAMES];
};

static void *solve_share(void *argument) {
    struct share *share = argument;
    for (int i = share->first; i < share->games->count; i += THREADS)
        share->answers[i] = tsume_solve(share->solver, share->games->of[i].problem, &counting_all);
    tsume_assist(share->solver);
    return NULL;
}

static void solve_at_once(size_t mib, int least_plies, int most_plies, int every) {
    struct games games;
    read_games(&games, least_plies, most_plies, every);
    static struct share shares[THREADS];
    struct tsume_solver *solver = new_solver(mib);
    pthread_t threads[THREADS];
    memset(shares, 0, sizeof shares);
    for (int t = 0; t < THREADS; t++) {
        shares[t].solver = solver;
        shares[t].games = &games;
        shares[t].first = t;
        threads[t] = start(solve_share, &shares[t]);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int i = 0; i < games.count; i++) {
        expect_right(&games.of[i], shares[i % THREADS].answers[i], true);
        tsume_answer_free(shares[i % THREADS].answers[i]);
    }
    tsume_solver_free(solver);
    free_games(&games);
}

Test(threads, each_solves_its_own_problem_on_one_table) {
    solve_at_once(TABLE_MIB, 1, 9, 20 * SLOW);
}

Test(threads, each_solves_its_own_problem_on_a_crowded_table) {
    solve_at_once(SMALLEST_TABLE_MIB, 5, 9, 25 * SLOW);
}

/* ---- Stopping ------------------------------------------------------------------------------------------------------ */

/* A problem that takes far longer than a test may (Microcosmos, Hashimoto 1986, 1525 plies). */
static const char ENDLESS[] =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

static void *solve_endless(void *solver) {
    struct tsume_problem *problem = tsume_problem_from_sfen(ENDLESS, NULL);
    struct tsume_answer *answer = tsume_solve(solver, problem, NULL);
    tsume_problem_free(problem);
    return answer;
}

static void *assist(void *solver) {
    tsume_assist(solver);
    return NULL;
}

Test(threads, all_end_when_stopped) {
    struct tsume_solver *solver = new_solver(SMALLEST_TABLE_MIB);
    pthread_t owners[2], helpers[2];
    for (int i = 0; i < 2; i++) {
        owners[i] = start(solve_endless, solver);
        pause_shortly();
        helpers[i] = start(assist, solver);
    }
    for (int i = 0; i < 100; i++)
        pause_shortly();
    tsume_stop(solver);
    for (int i = 0; i < 2; i++) {
        void *answer;
        pthread_join(owners[i], &answer);
        pthread_join(helpers[i], NULL);
        cr_assert_not_null(answer);
        cr_expect_eq(tsume_answer_verdict(answer), TSUME_UNKNOWN);
        cr_expect_null(tsume_answer_error(answer));
        tsume_answer_free(answer);
    }
    struct tsume_answer *later = solve_endless(solver);
    cr_expect_eq(tsume_answer_verdict(later), TSUME_UNKNOWN, "and so are all later ones");
    tsume_answer_free(later);
    tsume_solver_free(solver);
}

Test(threads, a_helper_with_nothing_to_help_goes_at_once) {
    struct tsume_solver *solver = new_solver(SMALLEST_TABLE_MIB);
    tsume_assist(solver);
    tsume_solver_free(solver);
}

Test(threads, time_ends_what_many_have_in_work) {
    struct tsume_solver *solver = new_solver(TABLE_MIB);
    struct tsume_problem *problem = tsume_problem_from_sfen(ENDLESS, NULL);
    struct helper helper = {.solver = solver};
    pthread_t thread = start(help, &helper);
    const struct tsume_limits limits = {.seconds = 0.1};
    struct tsume_answer *answer = tsume_solve(solver, problem, &limits);
    cr_expect_eq(tsume_answer_verdict(answer), TSUME_UNKNOWN);
    cr_expect(tsume_answer_seconds(answer) < 10);
    helper.end = true;
    pthread_join(thread, NULL);
    tsume_answer_free(answer);
    tsume_problem_free(problem);
    tsume_solver_free(solver);
}
