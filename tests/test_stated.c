/* test_stated.c: what the public header tells of a problem besides its solution: what stands where, and what the file states. */
#include "solver/tsume.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tsume_problem *first_of(const char *path) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", TSUME_SOURCE_DIR, path);
    const char *const paths[] = {name};
    struct tsume_reader *reader = tsume_reader_new(paths, 1, NULL);
    cr_assert_not_null(reader);
    struct tsume_problem *problem = tsume_reader_next(reader);
    cr_assert(problem && !tsume_problem_error(problem));
    tsume_reader_free(reader);
    return problem;
}

static struct tsume_problem *from_sfen(const char *sfen) {
    struct tsume_problem *problem = tsume_problem_from_sfen(sfen, NULL);
    cr_assert(problem && !tsume_problem_error(problem), "%s", sfen);
    return problem;
}

/* ---- The position ---- */

static void expect_piece(const struct tsume_problem *problem, int file, int rank, char letter, bool promoted,
                         const char *kanji) {
    struct tsume_piece piece = tsume_problem_piece(problem, file, rank);
    cr_expect_eq(piece.letter, letter, "%d%d: %c", file, rank, piece.letter);
    cr_expect_eq(piece.promoted, promoted);
    cr_expect_str_eq(piece.kanji, kanji);
}

Test(stated, pieces_stand_where_the_sfen_says) {
    struct tsume_problem *problem = from_sfen("8k/9/7+P1/9/9/9/9/8+l/+R8 b G 1");
    expect_piece(problem, 1, 1, 'k', false, "玉");
    expect_piece(problem, 2, 3, 'P', true, "と");
    expect_piece(problem, 1, 8, 'l', true, "杏");
    expect_piece(problem, 9, 9, 'R', true, "龍");
    expect_piece(problem, 9, 1, 0, false, "");
    tsume_problem_free(problem);
}

static void expect_hand(const struct tsume_problem *problem, char player, const char *expected, int expected_count) {
    int count;
    char *hand = tsume_problem_hand(problem, player, &count);
    cr_expect_str_eq(hand, expected);
    cr_expect_eq(count, expected_count);
    free(hand);
}

Test(stated, hands_are_written_as_in_diagrams) {
    struct tsume_problem *problem = from_sfen("8k/9/7+P1/9/9/9/9/9/9 b G2P 1");
    expect_hand(problem, 'b', "金　歩二", 3);
    expect_hand(problem, 'w', "飛二　角二　金三　銀四　桂四　香四　歩十五", 34);
    tsume_problem_free(problem);
    problem = from_sfen("8k/9/7+P1/9/9/9/9/9/9 b - 1");
    expect_hand(problem, 'b', "なし", 0);
    tsume_problem_free(problem);
}

/* ---- The file ---- */

static const char *header(const struct tsume_problem *problem, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; tsume_problem_header(problem, i, &key, &value); i++)
        if (strcmp(key, wanted) == 0)
            return value;
    return "";
}

Test(stated, headers_of_a_record) {
    struct tsume_problem *problem = first_of("tests/fixtures/record.kifu");
    cr_expect_str_eq(header(problem, "作者"), "無名氏");
    cr_expect_str_eq(header(problem, "nothing of the kind"), "");
    tsume_problem_free(problem);
}

/* Shogi Zuko 1: 69 plies, all of them in the list. */
Test(stated, the_solution_of_a_list) {
    char moves[69][TSUME_MOVE_SIZE];
    struct tsume_problem *problem = first_of("problems/zukou.tsv");
    cr_expect_eq(tsume_problem_stated(problem, NULL, 0), 69);
    cr_expect_eq(tsume_problem_stated(problem, moves, 69), 69);
    cr_expect_str_eq(moves[0], "S*5d");
    cr_expect_eq(tsume_problem_stated_plies(problem), 69);
    tsume_problem_free(problem);
}

/* They have to be said to end in mate. */
Test(stated, moves_alone_tell_no_length) {
    struct tsume_problem *problem = from_sfen("position sfen 8k/9/7+P1/9/9/9/9/9/9 b G 1");
    cr_expect_eq(tsume_problem_stated_plies(problem), 0);
    cr_expect(tsume_problem_state(problem, (const char *const[]){"G*2b"}, 1, 0, NULL, false));
    cr_expect_eq(tsume_problem_stated_plies(problem), 0);
    cr_expect(tsume_problem_state(problem, (const char *const[]){"G*2b"}, 1, 0, NULL, true));
    cr_expect_eq(tsume_problem_stated_plies(problem), 1);
    tsume_problem_free(problem);
}

Test(stated, a_position_on_the_way) {
    struct tsume_problem *problem = from_sfen("8k/9/7+P1/9/9/9/9/9/9 b GS 1");
    const char *const moves[] = {"S*2b", "1a2b"};
    struct tsume_problem *after = tsume_problem_after(problem, moves, 1);
    expect_piece(after, 2, 2, 'S', false, "銀");
    expect_hand(after, 'b', "金", 1);
    cr_expect(tsume_problem_defender_first(after));
    cr_expect_str_eq(tsume_problem_id(after), tsume_problem_id(problem));
    cr_expect(strstr(tsume_problem_sfen(after), " w G"), "%s", tsume_problem_sfen(after));
    tsume_problem_free(after);
    cr_expect_null(tsume_problem_after(problem, moves, 2), "the silver is defended");
    tsume_problem_free(problem);
}
