/* test_notation.c: moves in Japanese, in the Western way, in CSA's.
 *
 * Which words tell pieces apart is tested with the examples that the Japan Shogi Association publishes (棋譜の表記方法,
 * https://www.shogi.or.jp/faq/kihuhyouki.html). */
#include "rules/movegen.h"
#include "rules/notation.h"
#include "rules/sfen.h"
#include "tests/random_position.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct position position_of(const char *sfen) {
    struct setup setup;
    struct sfen_error error;
    struct position pos;
    cr_assert(sfen_parse(sfen, &setup, &error) > 0, "%s: %s", sfen, error.message);
    cr_assert_eq(setup_fault(&setup, NULL, NULL), FAULT_NONE, "%s", sfen);
    position_set(&pos, &setup);
    return pos;
}

/* ---- The Association's examples ---- */

enum { MOST_PIECES = 5 };

/* Black's pieces of a kind on squares (82: file 8, rank 2), all of which can go to a target, and what each move is
 * called. */
struct example {
    int kind, from[MOST_PIECES], to;
    const char *words[MOST_PIECES];
};

static const struct example examples[] = {
    /* 上, 寄, 引 */
    {GOLD, {93, 72}, 82, {"上", "寄"}},
    {GOLD, {43, 31}, 32, {"上", "引"}},
    {GOLD, {56, 45}, 55, {"上", "寄"}},
    {SILVER, {89, 77}, 88, {"上", "引"}},
    {SILVER, {49, 27}, 38, {"上", "引"}},
    /* 左, 右, 直 */
    {GOLD, {92, 72}, 81, {"左", "右"}},
    {GOLD, {32, 12}, 22, {"左", "右"}},
    {SILVER, {65, 45}, 56, {"左", "右"}},
    {GOLD, {89, 79}, 78, {"左", "直"}},
    {SILVER, {39, 29}, 38, {"直", "右"}},
    /* three and more */
    {GOLD, {63, 53, 43}, 52, {"左", "直", "右"}},
    {PRO_PAWN, {79, 89, 99, 98, 87}, 88, {"右", "直", "左上", "寄", "引"}},
    {SILVER, {29, 17, 39, 37}, 28, {"直", "右", "左上", "左引"}},
    /* dragons and horses are never 直: they are left and right of each other */
    {DRAGON, {91, 84}, 82, {"引", "上"}},
    {DRAGON, {23, 52}, 43, {"寄", "引"}},
    {DRAGON, {55, 15}, 35, {"左", "右"}},
    {DRAGON, {99, 89}, 88, {"左", "右"}},
    {DRAGON, {28, 19}, 17, {"左", "右"}},
    {HORSE, {91, 81}, 82, {"左", "右"}},
    {HORSE, {95, 63}, 85, {"寄", "引"}},
    {HORSE, {11, 34}, 12, {"引", "上"}},
    {HORSE, {99, 59}, 77, {"左", "右"}},
    {HORSE, {47, 18}, 29, {"左", "右"}},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

/* A square of two digits, turned by half a turn for White. */
static int square_of(int digits, enum color side) {
    int sq = square_make(digits / 10 - 1, digits % 10 - 1);
    return side == BLACK ? sq : SQUARES - 1 - sq;
}

/* The pieces of the example as this side's, and nothing else but the other side's king, where he is not in check. */
static struct position position_of_example(const struct example *example, enum color side) {
    struct setup setup = {.side = side, .move_number = 1};
    for (int i = 0; i < MOST_PIECES && example->from[i]; i++)
        setup.board[square_of(example->from[i], side)] = piece_make(side, example->kind);
    for (int sq = 0; sq < SQUARES; sq++) {
        struct setup with_king = setup;
        if (setup.board[sq] != NO_PIECE || sq == square_of(example->to, side))
            continue;
        with_king.board[sq] = piece_make(color_other(side), KING);
        struct position pos;
        position_set(&pos, &with_king);
        int reached = square_of(example->to, side);
        if (setup_fault(&with_king, NULL, NULL) != FAULT_NONE || bb_has(attacks_king(reached), sq))
            continue;
        bool all = true; /* the king must not stand in the way */
        for (int i = 0; i < MOST_PIECES && example->from[i]; i++)
            all = all && move_complete(&pos, square_of(example->from[i], side), reached, NO_KIND, false) != NO_MOVE;
        if (all)
            return pos;
    }
    cr_assert_fail("no place for a king");
    return (struct position){0};
}

static void expect_example(const struct example *example, enum color side) {
    struct position pos = position_of_example(example, side);
    int to = square_of(example->to, side);
    char target[NOTATION_SQUARE_SIZE], text[NOTATION_SIZE], expected[64];
    notation_kanji_square(to, target);
    for (int i = 0; i < MOST_PIECES && example->from[i]; i++) {
        move m = move_complete(&pos, square_of(example->from[i], side), to, NO_KIND, false);
        notation_write(&pos, m, NO_SQUARE, NOTATION_JAPANESE, text);
        snprintf(expected, sizeof expected, "%s%s%s%s%s", side == BLACK ? "▲" : "△", target,
                 notation_kanji(example->kind), example->words[i], notation_declines(&pos, m) ? "不成" : "");
        cr_expect_str_eq(text, expected, "%d to %d: %s, expected %s", example->from[i], example->to, text, expected);
    }
}

Test(notation, the_published_examples) {
    for (int i = 0; i < EXAMPLES; i++) {
        expect_example(&examples[i], BLACK);
        expect_example(&examples[i], WHITE);
    }
}

/* ---- Single moves ---- */

static void expect_move(const char *sfen, const char *usi, int previous_to, const char *japanese, const char *western,
                        const char *csa) {
    static const enum notation notations[] = {NOTATION_USI, NOTATION_JAPANESE, NOTATION_WESTERN, NOTATION_CSA};
    const char *const expected[] = {usi, japanese, western, csa};
    struct position pos = position_of(sfen);
    move m = move_from_usi(&pos, usi);
    cr_assert_neq(m, NO_MOVE, "%s: %s", sfen, usi);
    for (int i = 0; i < 4; i++) {
        char text[NOTATION_SIZE];
        notation_write(&pos, m, previous_to, notations[i], text);
        cr_expect_str_eq(text, expected[i], "%s %s: %s, expected %s", sfen, usi, text, expected[i]);
    }
}

Test(notation, moves_from_the_opening) {
    expect_move(SFEN_OPENING, "7g7f", NO_SQUARE, "▲７六歩", "P-7f", "+7776FU");
    expect_move(SFEN_OPENING, "6i5h", NO_SQUARE, "▲５八金左", "G6i-5h", "+6958KI");
    expect_move(SFEN_OPENING, "4i5h", NO_SQUARE, "▲５八金右", "G4i-5h", "+4958KI");
}

Test(notation, promotion_taken_declined_forced_and_impossible) {
    static const char sfen[] = "4k4/1P5s1/6S2/6G1L/2N6/9/9/9/4K4 b - 1";
    expect_move(sfen, "3c2b+", NO_SQUARE, "▲２二銀成", "Sx2b+", "+3322NG");
    expect_move(sfen, "3c2b", NO_SQUARE, "▲２二銀不成", "Sx2b=", "+3322GI");
    expect_move(sfen, "3c2b", square_make(1, 1), "▲同銀不成", "Sx2b=", "+3322GI");
    expect_move(sfen, "1d1c", NO_SQUARE, "▲１三香不成", "L-1c=", "+1413KY");
    expect_move(sfen, "1d1a+", NO_SQUARE, "▲１一香成", "L-1a+", "+1411NY");
    expect_move(sfen, "3d2c", NO_SQUARE, "▲２三金", "G-2c", "+3423KI");
    expect_move(sfen, "7e6c+", NO_SQUARE, "▲６三桂成", "N-6c+", "+7563NK");
    expect_move(sfen, "8b8a+", NO_SQUARE, "▲８一歩成", "P-8a+", "+8281TO");
}

/* 打 stands only where a piece on the board could go there too. */
Test(notation, drops) {
    static const char sfen[] = "4k4/9/9/9/9/9/9/4G4/4K4 b GS 1";
    expect_move(sfen, "G*5g", NO_SQUARE, "▲５七金打", "G*5g", "+0057KI");
    expect_move(sfen, "G*5e", NO_SQUARE, "▲５五金", "G*5e", "+0055KI");
    expect_move(sfen, "S*5g", NO_SQUARE, "▲５七銀", "S*5g", "+0057GI");
}

Test(notation, promoted_pieces) {
    static const char sfen[] = "4k4/9/9/1+R1+B1+S1+N1/4p4/4+L4/9/9/4K4 b - 1";
    expect_move(sfen, "8d8a", NO_SQUARE, "▲８一龍", "+R-8a", "+8481RY");
    expect_move(sfen, "6d5e", NO_SQUARE, "▲５五馬", "+Bx5e", "+6455UM");
    expect_move(sfen, "4d4c", NO_SQUARE, "▲４三成銀", "+S-4c", "+4443NG");
    expect_move(sfen, "2d2c", NO_SQUARE, "▲２三成桂", "+N-2c", "+2423NK");
    expect_move(sfen, "5f5e", NO_SQUARE, "▲５五成香", "+Lx5e", "+5655NY");
}

/* Pinned or not, a piece that moves there makes the origin needed: the gold on 5h is pinned. */
Test(notation, pinned_pieces_count) {
    static const char sfen[] = "4r1k2/9/9/9/9/9/9/4G1G2/4K4 b - 1";
    expect_move(sfen, "3h4g", NO_SQUARE, "▲４七金右", "G3h-4g", "+3847KI");
}

/* ---- All positions ---- */

static bool notations_differ(const struct position *pos, move a, move b, enum notation notation) {
    char first[NOTATION_SIZE], second[NOTATION_SIZE];
    notation_write(pos, a, NO_SQUARE, notation, first);
    notation_write(pos, b, NO_SQUARE, notation, second);
    return strcmp(first, second) != 0;
}

/* No two legal moves of a position are written alike, and what is written of a move is true of it. */
Test(notation, moves_are_told_apart) {
    enum { POSITIONS = 400 };
    struct random_source random = {7};
    for (int i = 0; i < POSITIONS; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct position pos = position_of(problem.sfen);
        move moves[MAX_MOVES];
        int count = generate_legal(&pos, moves);
        for (int a = 0; a < count; a++) {
            cr_expect(move_is_drop(moves[a]) || notation_fits(&pos, moves[a], notation_relation(&pos, moves[a])));
            for (int b = 0; b < a; b++)
                for (int notation = NOTATION_USI; notation <= NOTATION_CSA; notation++)
                    if (move_to(moves[a]) == move_to(moves[b]))
                        cr_expect(notations_differ(&pos, moves[a], moves[b], (enum notation)notation), "%s",
                                  problem.sfen);
        }
    }
}
