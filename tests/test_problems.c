/* test_problems.c: reading problem files.
 *
 * The fixtures state three known problems over and over, in all the ways that programs write them. */
#define _POSIX_C_SOURCE 200809L
#include "problems/reader.h"
#include "problems/text.h"
#include "rules/movegen.h"
#include "rules/sfen.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TSUME_SOURCE_DIR
#define TSUME_SOURCE_DIR "."
#endif
#ifndef TSUME_SANITIZED
#define TSUME_SANITIZED 0
#endif

/* ---- The known problems ---- */

/* Shogi Zuko 2: one king; horse, dragon, tokins, drops and promotions in its solution. */
static const char ZUKO[] = "9/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p 1";
static const char ZUKO_LINE[] =
    "2h2g 2f1e 2g1f 2e1f N*2g 1f2g P*1f 1e1f 4g2e 1f2e 6c3f+ 2e1e P*1f 1e1f 2i2g 1f1e 3f2e 3d2e "
    "P*1f 2e1f 2g2d";
/* Microcosmos: every kind of promoted piece, nothing in the attacker's hand. */
static const char MICROCOSMOS[] =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
/* A game: two kings, White to move and to attack, pieces missing from the set. */
static const char GAME[] = "8+R/1ks2g3/1p1b1gp2/pbnppp1p1/4n4/P4PP2/1s+p1Sg1P1/L8/3LKG1+R1 w SN2Ln6p 1";

static void go_to_source(void) {
    cr_assert_eq(chdir(TSUME_SOURCE_DIR), 0);
}

TestSuite(problems, .init = go_to_source, .timeout = 300);

/* ---- Helpers ---- */

static struct reader *read_paths(const char *path) {
    struct reader *reader = reader_new(&path, 1, NULL);
    cr_assert_not_null(reader);
    return reader;
}

static struct reader *read_text(const char *name, const char *text) {
    struct reader *reader = reader_new_memory(name, text, strlen(text), NULL);
    cr_assert_not_null(reader);
    return reader;
}

static void expect_end(struct reader *reader) {
    struct tsume_problem *problem = reader_next(reader);
    cr_expect_null(problem, "unexpected problem %s: %s", problem ? problem->id : "",
                   problem ? problem->error.message : "");
    cr_expect(!reader_out_of_memory(reader));
    tsume_problem_free(problem);
    reader_free(reader);
}

/* The setup as SFEN without its move number. */
static const char *body_of(const struct tsume_problem *problem) {
    static char sfen[SFEN_SIZE];
    sfen_write(&problem->setup, sfen);
    *strrchr(sfen, ' ') = '\0';
    return sfen;
}

static void expect_position(const struct tsume_problem *problem, const char *sfen, const char *where) {
    cr_assert_not_null(problem, "%s: no problem, expected %s", where, sfen);
    cr_expect(!problem->invalid, "%s: %s: %s", where, problem->id, problem->error.message);
    cr_expect(problem->position_is_set);
    size_t length = (size_t)(strrchr(sfen, ' ') - sfen);
    const char *body = body_of(problem);
    cr_expect(strlen(body) == length && strncmp(body, sfen, length) == 0, "%s: %s: read %s, expected %s", where,
              problem->id, body, sfen);
}

static void append(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + length, size - length, format, args);
    va_end(args);
}

/* The stated moves: variations in brackets after the move that they replace. */
static void write_moves(const struct stated_move *m, char *text, size_t size) {
    for (; m; m = m->next) {
        char usi[USI_MOVE_SIZE];
        move_to_usi(m->move, usi);
        append(text, size, "%s%s", *text && text[strlen(text) - 1] != '(' ? " " : "", usi);
        for (const struct stated_move *v = m->variation; v; v = v->variation) {
            struct stated_move alone = *v;
            alone.variation = NULL;
            append(text, size, " (");
            write_moves(&alone, text, size);
            append(text, size, ")");
        }
    }
}

static void expect_moves(const struct tsume_problem *problem, const char *line, const char *where) {
    char text[4096] = "";
    write_moves(problem->stated, text, sizeof text);
    cr_expect_str_eq(text, line, "%s: %s: read %s, expected %s", where, problem->id, text, line);
    cr_expect_null(problem->stated_note, "%s: %s", where, problem->stated_note ? problem->stated_note : "");
}

/* The next problem must be invalid for this reason at this place. */
static void expect_error(struct reader *reader, long line, long column, const char *reason) {
    struct tsume_problem *problem = reader_next(reader);
    cr_assert_not_null(problem, "no problem, expected an error at %ld:%ld: %s", line, column, reason);
    cr_expect(problem->invalid);
    cr_expect(problem->error.line == line && problem->error.column == column, "at %ld:%ld, expected %ld:%ld: %s",
              problem->error.line, problem->error.column, line, column, problem->error.message);
    cr_expect(strstr(problem->error.message, reason), "'%s', expected '%s'", problem->error.message, reason);
    cr_expect_str_eq(problem->error.file, problem->file);
    tsume_problem_free(problem);
}

static void expect_good(struct reader *reader, const char *sfen) {
    struct tsume_problem *problem = reader_next(reader);
    expect_position(problem, sfen, "text");
    tsume_problem_free(problem);
}

/* ---- Every way to write the same problems ---- */

static void expect_known(const char *name, bool with_moves) {
    char path[256];
    snprintf(path, sizeof path, "tests/fixtures/%s", name);
    static const char *const known[] = {ZUKO, MICROCOSMOS, GAME};
    struct reader *reader = read_paths(path);
    for (int i = 0; i < 3; i++) {
        struct tsume_problem *problem = reader_next(reader);
        expect_position(problem, known[i], path);
        cr_expect_str_eq(problem->file, path);
        cr_expect_eq(problem->attacker, i < 2 ? BLACK : WHITE);
        cr_expect(!problem->defender_to_move);
        if (i == 0 && with_moves)
            expect_moves(problem, ZUKO_LINE, path);
        if (i == 0 && with_moves)
            cr_expect(stated_line_mates(problem), "%s", path);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

Test(problems, lists_of_sfen) {
    static const char *const names[] = {"plain.sfen",
                                        "prefixed.sfen",
                                        "numberless.sfen",
                                        "hands-any-order.sfen",
                                        "hands-incomplete.sfen",
                                        "columns.tsv",
                                        "crlf.tsv",
                                        "cr.tsv",
                                        "bom.sfen",
                                        "utf16le.tsv",
                                        "sjis.tsv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_known(names[i], strcmp(names[i], "columns.tsv") == 0);
}

Test(problems, records) {
    static const char *const names[] = {
        /* encodings */
        "utf8.kifu", "utf8-bom.kif", "utf8-declared.kif", "utf8-claims-sjis.kif", "sjis.kif", "sjis-declared.kif",
        "sjis-undeclared-short.kif", "sjis-claims-utf8.kif", "eucjp-declared.kif", "utf16le.kif", "utf16be.kif",
        "utf32le.kif",
        /* names of pieces and players */
        "names-ou-ryuu.kif", "names-two-characters.kif", "players-uwate.kif", "players-tsumekata.kif",
        /* hands */
        "hands-ascii-spaces.kif", "hands-no-spaces.kif", "hands-wide-digits.kif", "hands-ascii-digits.kif",
        "hands-empty.kif", "hands-rest.kif", "hands-defender-unlisted.kif",
        /* the board */
        "rotated-display.kif", "rotated-reversed.kif", "rotated-labels.kif", "table-before-board.kif",
        /* other lines */
        "comments.kif"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_known(names[i], true);
}

Test(problems, diagrams_and_mixtures) {
    expect_known("diagrams.bod", false);
    expect_known("diagrams.txt", false);
    expect_known("mixed.txt", false);
}

/* 手数＝45 in a diagram: the next move is the 46th. */
Test(problems, a_diagram_tells_its_move_number) {
    struct reader *reader = read_paths("tests/fixtures/diagrams.bod");
    static const int numbers[] = {21, 1, 46};
    for (int i = 0; i < 3; i++) {
        struct tsume_problem *problem = reader_next(reader);
        cr_expect_eq(problem->setup.move_number, numbers[i]);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

Test(problems, ids_titles_and_lengths_of_a_list) {
    static const char *const ids[] = {"first", "second", "tests/fixtures/columns.tsv:7"};
    static const long plies[] = {21, 1525, 0}, lines[] = {5, 6, 7};
    struct reader *reader = read_paths("tests/fixtures/columns.tsv");
    for (int i = 0; i < 3; i++) {
        struct tsume_problem *problem = reader_next(reader);
        cr_expect_str_eq(problem->id, ids[i]);
        cr_expect_eq(problem->stated_plies, plies[i]);
        cr_expect_eq(problem->line, lines[i]);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

Test(problems, ids_titles_and_lengths_of_records) {
    static const char *const ids[] = {"1", "2", "3"}, *const titles[] = {"最初の作", "長い作", "双玉"};
    static const long plies[] = {21, 0, 0}, lines[] = {2, 43, 62};
    struct reader *reader = read_paths("tests/fixtures/sjis.kif");
    for (int i = 0; i < 3; i++) {
        struct tsume_problem *problem = reader_next(reader);
        cr_expect_str_eq(problem->id, ids[i]);
        cr_expect_str_eq(problem->title, titles[i]);
        cr_expect_eq(problem->stated_plies, plies[i]);
        cr_expect_eq(problem->line, lines[i]);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

Test(problems, ids_in_shift_jis) {
    static const char *const ids[] = {"一番", "二番", "三番"};
    struct reader *reader = read_paths("tests/fixtures/sjis.tsv");
    for (int i = 0; i < 3; i++) {
        struct tsume_problem *problem = reader_next(reader);
        cr_expect_str_eq(problem->id, ids[i]);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

Test(problems, moves_lead_to_the_problem) {
    static const char *const after[] = {"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3",
                                        SFEN_OPENING, "9/9/3B3G1/6+p1n/7+pk/9/5BLGp/9/7+R+r b N2P2g4s2n3l13p 3",
                                        "9/9/3B3G1/6+p1n/7+p1/7k1/5BLGp/9/7+R+r w N2P2g4s2n3l13p 2"};
    struct reader *reader = read_paths("tests/fixtures/moves.sfen");
    for (int i = 0; i < 4; i++) {
        struct tsume_problem *problem = reader_next(reader);
        expect_position(problem, after[i], "moves.sfen");
        char sfen[SFEN_SIZE];
        sfen_write(&problem->setup, sfen);
        cr_expect_str_eq(sfen, after[i]);
        cr_expect_eq(problem->defender_to_move, i == 3);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

/* The defender of the problem may drop what only the rule for hands gives him. */
Test(problems, moves_are_played_with_completed_hands) {
    struct reader *reader =
        read_text("x.sfen", "8k/9/9/9/9/9/9/9/8L w - 1 moves P*1h\n8k/9/9/9/9/9/9/9/8L w - 1 moves N*1h\n");
    expect_good(reader, "8k/9/9/9/9/9/9/8p/8L b 2r2b4g4s4n3l17p 1");
    expect_error(reader, 2, 33, "not legal");
    expect_end(reader);
}

Test(problems, variations_are_a_tree) {
    static const char tree[] = "7g7f 3c3d (8c8d 5g5f (2g2f)) 8h2b+ (2g2f 2b8h+ 7i8h) 3a2b (8b2b) B*4e";
    static const char *const names[] = {"tests/fixtures/variations.kif", "tests/fixtures/variations-sjis.kif"};
    for (int i = 0; i < 2; i++) {
        struct reader *reader = read_paths(names[i]);
        struct tsume_problem *problem = reader_next(reader);
        expect_position(problem, SFEN_OPENING, names[i]);
        expect_moves(problem, tree, names[i]);
        cr_expect_str_eq(problem->stated->comment, "初手\n二行目");
        cr_expect_str_eq(problem->stated->next->next->next->variation->comment, "別の取り方");
        cr_expect(!stated_line_mates(problem));
        tsume_problem_free(problem);
        expect_end(reader);
    }
}

Test(problems, handicaps) {
    static const char *const ranks[] = {"lnsgkgsnl/1r5b1", "lnsgkgsn1/1r5b1", "1nsgkgsnl/1r5b1", "lnsgkgsnl/1r7",
                                        "lnsgkgsnl/7b1",   "lnsgkgsn1/7b1",   "lnsgkgsnl/9",     "lnsgkgsn1/9",
                                        "1nsgkgsn1/9",     "2sgkgsn1/9",      "1nsgkgs2/9",      "2sgkgs2/9",
                                        "2sgkg3/9",        "3gkgs2/9",        "3gkg3/9",         "4k4/9"};
    struct reader *reader = read_paths("tests/fixtures/handicaps.kif");
    for (int i = 0; i < 16; i++) {
        char sfen[SFEN_SIZE];
        snprintf(sfen, sizeof sfen, "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL %c - 1", ranks[i],
                 i == 0 ? 'b' : 'w');
        expect_good(reader, sfen);
    }
    expect_end(reader);
}

Test(problems, moves_without_origins) {
    struct reader *reader = read_paths("tests/fixtures/origins-unstated.ki2");
    struct tsume_problem *problem = reader_next(reader);
    expect_position(problem, ZUKO, "origins-unstated.ki2");
    expect_moves(problem, ZUKO_LINE, "origins-unstated.ki2");
    cr_expect(stated_line_mates(problem));
    tsume_problem_free(problem);
    expect_end(reader);
}

Test(problems, bundled_collections) {
    static const struct {
        const char *path;
        int problems;
        bool solved;
    } collections[] = {
        {"problems/zukou.tsv", 100, true}, {"problems/games.tsv", 1396, false}, {"problems/cases.tsv", 19, false}};
    for (int i = 0; i < 3; i++) {
        struct reader *reader = read_paths(collections[i].path);
        int count = 0;
        for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
            cr_expect(!problem->invalid, "%s: %s", problem->id, problem->error.message);
            cr_expect_null(problem->stated_note, "%s", problem->stated_note ? problem->stated_note : "");
            cr_expect(!problem->defender_to_move, "%s", problem->id);
            count++;
        }
        cr_expect_eq(count, collections[i].problems);
        reader_free(reader);
    }
}

/* ---- Attacker, defender, hands ---- */

static struct tsume_problem *read_one(const char *sfen, enum hands_rule hands, enum attacker_rule attacker) {
    struct reader_options options = {hands, attacker};
    struct reader *reader = reader_new_memory("one.sfen", sfen, strlen(sfen), &options);
    struct tsume_problem *problem = reader_next(reader);
    cr_assert_not_null(problem);
    reader_free(reader);
    return problem;
}

static void expect_sides(const char *sfen, enum attacker_rule rule, enum color attacker, bool defender_to_move) {
    struct tsume_problem *problem = read_one(sfen, HANDS_COMPLETE, rule);
    cr_expect(!problem->invalid, "%s: %s", sfen, problem->error.message);
    cr_expect_eq(problem->attacker, attacker, "%s", sfen);
    cr_expect_eq(problem->defender_to_move, defender_to_move, "%s", sfen);
    tsume_problem_free(problem);
}

Test(problems, who_attacks) {
    expect_sides("8k/9/9/9/9/9/9/9/9 b G 1", ATTACKER_AUTO, BLACK, false);
    expect_sides("9/9/9/9/9/9/9/9/K8 w g 1", ATTACKER_AUTO, WHITE, false);
    /* the only king is in check and to move: the defender begins */
    expect_sides("8k/9/9/9/8L/9/9/9/9 w - 1", ATTACKER_AUTO, BLACK, true);
    /* two kings: the side to move, unless it is in check */
    expect_sides("8k/9/9/9/9/9/9/9/K8 w - 1", ATTACKER_AUTO, WHITE, false);
    expect_sides("8k/9/9/9/8L/9/9/9/K8 w - 1", ATTACKER_AUTO, BLACK, true);
    /* … where the other reading must be asked for: the attacker answers a check with one */
    expect_sides("8k/9/9/9/8L/9/9/9/K8 w - 1", ATTACKER_WHITE, WHITE, false);
    expect_sides("8k/9/9/9/8L/9/9/9/K8 w - 1", ATTACKER_BLACK, BLACK, true);
}

Test(problems, defender_first_in_files) {
    static const char *const paths[] = {"tests/fixtures/defender-first.sfen", "tests/fixtures/defender-first.kif"};
    for (int i = 0; i < 2; i++) {
        struct reader *reader = read_paths(paths[i]);
        struct tsume_problem *problem = reader_next(reader);
        expect_position(problem, "8k/9/9/9/8L/9/9/9/9 w 2r2b4g4s4n3l18p 1", paths[i]);
        cr_expect(problem->defender_to_move && problem->hands_completed);
        cr_expect_eq(problem->attacker, BLACK);
        tsume_problem_free(problem);
        expect_end(reader);
    }
}

static void expect_hands(const char *sfen, enum hands_rule rule, const char *after, bool completed) {
    struct tsume_problem *problem = read_one(sfen, rule, ATTACKER_AUTO);
    expect_position(problem, after, sfen);
    cr_expect_eq(problem->hands_completed, completed, "%s", sfen);
    tsume_problem_free(problem);
}

Test(problems, the_defender_has_the_rest_of_the_set) {
    expect_hands("8k/9/9/9/9/9/9/9/9 b G2p 1", HANDS_COMPLETE, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", true);
    expect_hands("8k/9/9/9/9/9/9/9/9 b G2p 1", HANDS_AS_GIVEN, "8k/9/9/9/9/9/9/9/9 b G2p 1", false);
    expect_hands("8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", HANDS_COMPLETE, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1",
                 false);
    expect_hands("9/9/9/9/9/9/9/9/K8 w g 1", HANDS_COMPLETE, "9/9/9/9/9/9/9/9/K8 w 2R2B3G4S4N4L18Pg 1", true);
    /* two kings: as given */
    expect_hands("8k/9/9/9/9/9/9/9/K8 b G2p 1", HANDS_COMPLETE, "8k/9/9/9/9/9/9/9/K8 b G2p 1", false);
}

/* ---- What is no problem ---- */

static void expect_fault(const char *sfen, enum attacker_rule rule, const char *reason) {
    struct tsume_problem *problem = read_one(sfen, HANDS_COMPLETE, rule);
    cr_expect(problem->invalid, "%s", sfen);
    cr_expect(problem->position_is_set, "it can be shown");
    cr_expect(strstr(problem->error.message, reason), "%s: '%s', expected '%s'", sfen, problem->error.message, reason);
    cr_expect(problem->error.line == 1 && problem->error.column == 1);
    tsume_problem_free(problem);
}

Test(problems, illegal_setups_are_invalid) {
    expect_fault("8k/8P/9/9/9/9/9/9/9 b G 1", ATTACKER_AUTO, "White's king is already in check with Black to move");
    expect_fault("8k/9/9/7P1/9/7P1/9/9/9 b G 1", ATTACKER_AUTO, "Black has two unpromoted pawns on file 2 (nifu)");
    expect_fault("P7k/9/9/9/9/9/9/9/9 b G 1", ATTACKER_AUTO, "Black's pawn on 9a could never move");
    expect_fault("8k/9/9/9/9/9/9/6n2/9 b G 1", ATTACKER_AUTO, "White's knight on 3h could never move");
    expect_fault("8k/9/9/9/9/9/9/9/8l b G 1", ATTACKER_AUTO, "White's lance on 1i could never move");
    expect_fault("8k/9/9/9/9/9/9/9/9 b 19P 1", ATTACKER_AUTO, "there are 19 pawns, a set has 18");
    expect_fault("8k/9/9/9/4+R4/9/9/9/9 b 2R 1", ATTACKER_AUTO, "there are 3 rooks, a set has 2");
    expect_fault("k7k/9/9/9/9/9/9/9/9 b G 1", ATTACKER_AUTO, "White has 2 kings");
    expect_fault("9/9/9/9/9/9/9/9/9 b G 1", ATTACKER_AUTO, "there is no king to mate");
    expect_fault("8k/9/9/9/9/9/9/9/9 w G 1", ATTACKER_AUTO, "White is the defender and to move, but is not in check");
    expect_fault("8k/9/9/9/9/9/9/9/9 b G 1", ATTACKER_WHITE, "White is to be the attacker, but Black has no king");
    expect_fault("8k/9/9/9/9/9/9/9/K8 b G 1", ATTACKER_WHITE, "Black is the defender and to move, but is not in check");
}

/* ---- Errors tell where they are ---- */

Test(problems, errors_of_a_list) {
    static const char text[] = "# line 1\n"
                               "8k/9/9/9/9/9/9/9/9 b G 1\n"
                               "8k/9/9/9/9/9/9/9/8 b G 1\n"
                               "sfen 8k/9/9/9/9x/9/9/9/9 b G 1\tid\n"
                               "   8k/9/9/9/9/9/9/9/9 c G 1\n"
                               "8k/9/9/9/9/9/9/9/9 b G 1 move 1a1b\n"
                               "position 8k/9/9/9/9/9/9/9/9\n"
                               "lnsgkgsnl/1r5b1/ppppppppp\n"
                               "what is this?\n"
                               "startpos moves 7g7f 7g7f\n"
                               "startpos moves 7g7f 飛車\n"
                               "startpos now\n"
                               "8k/9/9/9/9/9/9/9/9 b 19P 1\n"
                               "8k/9/9/9/9/9/9/9/9 b G 1\n";
    struct reader *reader = read_text("list.sfen", text);
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_error(reader, 3, 19, "rank 9 has 8 squares");
    expect_error(reader, 4, 16, "expected a piece letter");
    expect_error(reader, 5, 23, "expected the side to move");
    expect_error(reader, 6, 26, "expected 'moves'");
    expect_error(reader, 7, 28, "expected a space");
    expect_error(reader, 8, 26, "the board ends after 3 ranks");
    expect_error(reader, 9, 1, "expected a piece letter");
    expect_error(reader, 10, 21, "move 2, '7g7f', is not legal here");
    expect_error(reader, 11, 21, "move 2, '飛車', is not a move in USI notation");
    expect_error(reader, 12, 10, "expected 'moves'");
    expect_error(reader, 13, 1, "19 pawns");
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_end(reader);
}

/* A stated move that is not legal does not make the problem invalid. */
Test(problems, wrong_solution_of_a_list) {
    struct reader *reader = read_text("list.tsv", "8k/9/7+P1/9/9/9/9/9/9 b G 1\tid\t3\tG*2b 1a1b 2b1b\n");
    struct tsume_problem *problem = reader_next(reader);
    cr_assert(!problem->invalid);
    cr_expect_str_eq(problem->stated_note, "list.tsv:1:39: stated move 2, '1a1b', is not legal here");
    cr_expect_null(problem->stated->next);
    cr_expect(!stated_line_mates(problem));
    tsume_problem_free(problem);
    expect_end(reader);
}

#define TOP "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
#define FIRST "| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n"
#define ROW(label) "| ・ ・ ・ ・ ・ ・ ・ ・ ・|" label "\n"
#define MIDDLE ROW("二") "| ・ ・ ・ ・ ・ ・ ・ と ・|三\n" ROW("四") ROW("五") ROW("六") ROW("七")
#define BOTTOM "+---------------------------+\n"
#define BOARD TOP FIRST MIDDLE ROW("八") ROW("九") BOTTOM
#define BOARD_SFEN "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"

Test(problems, errors_of_boards) {
    static const char text[] =
        "先手の持駒：金\n" BOARD                                                                     /* 1–13 */
        "先手の持駒：金\n" TOP "| ・ ・ ・ ・ ・ ・ ・ 桐v玉|一\n" MIDDLE ROW("八") ROW("九") BOTTOM /* 14–26 */
        "先手の持駒：金\n" TOP FIRST MIDDLE ROW("八") BOTTOM                                         /* 27–38 */
        "先手の持駒：金\n" TOP FIRST MIDDLE ROW("九") ROW("八") BOTTOM                               /* 39–51 */
        "先手の持駒：金\n" TOP "| ・ ・ ・ ・ ・ ・ ・v玉|一\n" MIDDLE ROW("八") ROW("九") BOTTOM    /* 52–64 */
        "先手の持駒：金\n" BOARD;                                                                    /* 65–77 */
    struct reader *reader = read_text("boards.kif", text);
    expect_good(reader, BOARD_SFEN);
    expect_error(reader, 17, 17, "expected a piece or ・, found '桐v玉|一'");
    expect_error(reader, 38, 1, "the board ends after 8 of 9 rows");
    expect_error(reader, 49, 21, "the row is labelled 9, expected 8");
    expect_error(reader, 55, 18, "expected a piece or ・, found '|一'");
    expect_good(reader, BOARD_SFEN);
    expect_end(reader);
}

Test(problems, errors_of_headers) {
    static const char text[] = "先手の持駒：金　桐二\n" BOARD                 /* 1–13 */
                               "先手の持駒：金 と\n" BOARD                    /* 14–26 */
                               "手合割：三十枚落ち\n"                         /* 27 */
                               "手合割：詰将棋\n手数----指手\n"               /* 28 */
                               "手合割：平手\n後手の持駒：\n" TOP FIRST       /* 30–34 */
                               "手合割：平手\n先手の持駒：金　歩百\n" BOARD   /* 35–48 */
                               "手合割：平手\n先手の持駒：歩９９９枚\n" BOARD /* 49–62 */
                               "手合割：平手\n先手の持駒：金\n" BOARD;        /* 63–76 */
    struct reader *reader = read_text("headers.kif", text);
    expect_error(reader, 1, 9, "expected a piece in hand (飛角金銀桂香歩) or なし, found '桐二'");
    expect_error(reader, 14, 9, "expected a piece in hand (飛角金銀桂香歩) or なし, found 'と'");
    expect_error(reader, 27, 1, "手合割 is none of");
    expect_error(reader, 28, 1, "手合割 is none of");
    expect_error(reader, 34, 1, "the board ends after 1 of 9 rows");
    expect_error(reader, 36, 10, "expected a piece in hand (飛角金銀桂香歩) or なし, found '百'");
    expect_error(reader, 50, 7, "a hand cannot hold 999 of a piece");
    expect_good(reader, BOARD_SFEN);
    expect_end(reader);
}

static void expect_note(const char *moves, const char *line, const char *note) {
    char text[2048];
    snprintf(text, sizeof text, "先手の持駒：金\n%s手数----指手---------消費時間--\n%s", BOARD, moves);
    struct reader *reader = read_text("r.kif", text);
    struct tsume_problem *problem = reader_next(reader);
    expect_position(problem, BOARD_SFEN, moves);
    char read[256] = "";
    write_moves(problem->stated, read, sizeof read);
    cr_expect_str_eq(read, line, "%s: %s", moves, read);
    cr_expect_str_eq(problem->stated_note ? problem->stated_note : "", note);
    tsume_problem_free(problem);
    expect_end(reader);
}

Test(problems, wrong_solutions_of_records) {
    expect_note("   1 １二金打\n   2 詰み\n", "G*1b", "");
    expect_note("   1 １二金打 ( 0:01/00:00:01)+\n   2 ２二玉(11)\n", "G*1b",
                "r.kif:16:6: move 2, '２二玉(11)', cannot be played: it is not legal here");
    expect_note("   1 １二金(22)\n", "",
                "r.kif:15:6: move 1, '１二金(22)', cannot be played: the side to move has no piece on its origin");
    expect_note("   1 １二金(23)\n", "",
                "r.kif:15:6: move 1, '１二金(23)', cannot be played: another piece stands on its origin");
    expect_note("   1 同　金打\n", "",
                "r.kif:15:8: move 1: expected a square (there is no move before 同), found '金打'");
    expect_note("   1 １二銅打\n", "", "r.kif:15:8: move 1: expected a piece, found '銅打'");
    expect_note("   1 １二金打\n   3 同　玉(11)\n", "G*1b", "r.kif:16:4: expected move 2, found move 3");
    expect_note("   1 １二金打\n   2 投了\n   2 同　玉(11)\n", "G*1b",
                "r.kif:17:6: move 2 comes after the end of the line of play");
    expect_note("   1 １二金打\n変化：5手\n   5 １二金打\n", "G*1b",
                "r.kif:16:4: a variation at move 5, but no such move was read before it");
    /* a variation is read though the line before it was broken off */
    expect_note("   1 １二金打\n   2 ９九玉(11)\n変化：1手\n   1 ２二金打\n", "G*1b (G*2b)",
                "r.kif:16:6: move 2, '９九玉(11)', cannot be played: it is not legal here");
}

/* ---- Encodings ---- */

Test(problems, bad_bytes_are_located) {
    static const char list[] = "8k/9/9/9/9/9/9/9/9 b G 1\tone\n"
                               "8k/9/9/9\xFF/9/9/9/9/9 b G 1\n"
                               "8k/9/9/9/9/9/9/9/9 b G 1\tthree\t3\tremark \xFF\xFE here\n";
    struct reader *reader = read_text("bytes.sfen", list);
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_error(reader, 2, 9, "byte 0xFF is not text in UTF-8 or Shift-JIS");
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_end(reader);

    reader = read_text("bytes.kif", "先手の持駒：金\n" TOP "| ・ ・ ・ ・ ・\xE3\x83 ・ ・v玉|一\n" MIDDLE ROW("八")
                                        ROW("九") BOTTOM "先手の持駒：金\n" BOARD);
    expect_error(reader, 4, 12, "byte 0xE3 is not text in UTF-8 or Shift-JIS");
    expect_good(reader, BOARD_SFEN);
    expect_end(reader);
}

Test(problems, nul_bytes_are_located) {
    static const char list[] = "8k/9/9/9/9/9/9/9/9 b G 1\n8k/9/\0/9/9/9/9/9/9 b G 1\n8k/9/9/9/9/9/9/9/9 b G 1\n";
    struct reader *reader = reader_new_memory("nul.sfen", list, sizeof list - 1, NULL);
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_error(reader, 2, 6, "byte 0x00 is not text");
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_end(reader);
}

/* ---- What belongs to no problem ---- */

Test(problems, a_text_of_another_kind_is_reported_once) {
    struct reader *reader = read_text("letter", "Dear reader,\nthis is a letter.\n\nYours\n8k/9/9/9/9/9/9/9/9 b G 1\n");
    expect_error(reader, 1, 1, "expected a position in SFEN");
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_end(reader);
    reader = read_text("letter.kif", "Dear reader,\nthis is a letter.\n");
    expect_error(reader, 1, 1, "there is no position");
    expect_end(reader);
    expect_end(read_text("empty.sfen", ""));
    expect_end(read_text("empty.kif", "\n\n# nothing\n"));
}

/* Moves that nothing stands before are played from the opening position, or the record has no position. */
Test(problems, a_record_without_its_head) {
    struct reader *reader = read_text("cut.kif", "   5 ２二金打\n   6 同　玉(11)\n");
    expect_error(reader, 1, 1, "there is no position");
    expect_end(reader);
    reader = read_text("game.kif", "   1 ７六歩(77)\n");
    struct tsume_problem *problem = reader_next(reader);
    expect_position(problem, SFEN_OPENING, "game.kif");
    expect_moves(problem, "7g7f", "game.kif");
    tsume_problem_free(problem);
    expect_end(reader);
}

/* ---- Files, folders, standard input ---- */

static void write_file(const char *folder, const char *name, const void *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(data, 1, size, file), size);
    fclose(file);
}

static void write_list(const char *folder, const char *name, const char *id) {
    char text[256];
    snprintf(text, sizeof text, "8k/9/9/9/9/9/9/9/9 b G 1\t%s\n", id);
    write_file(folder, name, text, strlen(text));
}

static const char *make_folder(void) {
    static char folder[64];
    snprintf(folder, sizeof folder, "/tmp/tsume-problems-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    return folder;
}

static void remove_folder(const char *folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

static const char *in(const char *folder, const char *name) {
    static char path[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void expect_ids(struct reader *reader, const char *const *ids) {
    for (; *ids; ids++) {
        struct tsume_problem *problem = reader_next(reader);
        cr_assert_not_null(problem, "no problem, expected %s", *ids);
        cr_expect_str_eq(problem->id, *ids);
        tsume_problem_free(problem);
    }
    expect_end(reader);
}

Test(problems, folders_are_read_in_order_of_name) {
    const char *folder = make_folder();
    cr_assert_eq(mkdir(in(folder, "b"), 0755), 0);
    cr_assert_eq(mkdir(in(folder, "b/deep"), 0755), 0);
    cr_assert_eq(mkdir(in(folder, ".git"), 0755), 0);
    write_list(folder, "c.tsv", "c");
    write_list(folder, "a.SFEN", "a");
    write_list(folder, "b/2.sfen", "b2");
    write_list(folder, "b/deep/1.sfen", "deep");
    write_list(folder, ".git/1.sfen", "hidden");
    write_list(folder, "d", "content tells");
    write_file(folder, "e.png", "\x89PNG\r\n\x1a\n\0\0", 10);
    write_file(folder, "README", "about this\n", 11);
    cr_assert_eq(symlink(folder, in(folder, "b/loop")), 0);
    cr_assert_eq(symlink("nowhere", in(folder, "f.kif")), 0);
    char missing[128];
    snprintf(missing, sizeof missing, "%s/f.kif", folder);
    const char *ids[] = {"a", "b2", "deep", "c", "content tells", missing, NULL};
    expect_ids(read_paths(folder), ids);
    remove_folder(folder);
}

Test(problems, paths_are_read_in_the_order_given) {
    const char *folder = make_folder();
    write_list(folder, "1.sfen", "one");
    write_list(folder, "2.sfen", "two");
    write_file(folder, "2.kif", "", 0);
    char missing[128], first[128], second[128];
    snprintf(first, sizeof first, "%s/1.sfen", folder);
    snprintf(second, sizeof second, "%s/2.sfen", folder);
    snprintf(missing, sizeof missing, "%s/missing", folder);
    const char *paths[] = {second, missing, first}, *ids[] = {"two", missing, "one", NULL};
    struct reader *reader = reader_new(paths, 3, NULL);
    expect_ids(reader, ids);
    reader = read_paths(missing);
    struct tsume_problem *problem = reader_next(reader);
    cr_expect(problem->invalid);
    cr_expect(strstr(problem->error.message, "cannot be opened: No such file"), "%s", problem->error.message);
    cr_expect_str_eq(problem->error.file, missing);
    tsume_problem_free(problem);
    expect_end(reader);
    remove_folder(folder);
}

Test(problems, standard_input) {
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    static const char text[] = "8k/9/9/9/9/9/9/9/9 b G 1\n8k/9/9/9/9/9/9/9/9 b S 1\tlast";
    cr_assert_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    const char *ids[] = {"-:1", "last", NULL};
    expect_ids(read_paths("-"), ids);
}

Test(problems, progress_reaches_the_size) {
    struct reader *reader = read_paths("problems/zukou.tsv");
    unsigned long long done, total;
    for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
        reader_progress(reader, &done, &total);
        cr_expect(done <= total);
    }
    reader_progress(reader, &done, &total);
    cr_expect(done == total && total > 20000);
    reader_free(reader);
}

/* ---- Size ---- */

/* A position with thousands of moves after it is one line. */
Test(problems, a_long_game_fits_in_a_line) {
    static const char *const shuffle[] = {" 2h3h", " 8b7b", " 3h2h", " 7b8b"};
    static char text[32768] = "startpos moves";
    size_t length = strlen(text);
    for (int i = 0; i < 5000; i++, length += 5)
        memcpy(text + length, shuffle[i % 4], 5);
    struct reader *reader = read_text("long.sfen", text);
    expect_good(reader, SFEN_OPENING);
    expect_end(reader);
}

/* A line without end is an error, in memory that does not grow with it; what follows is read. */
Test(problems, a_line_that_is_too_long) {
    static const char before[] = "8k/9/9/9/9/9/9/9/9 b G 1\n", after[] = "\n8k/9/9/9/9/9/9/9/9 b S 1\n";
    enum { LONG = TEXT_LINE_MAX + (8 << 20), BEFORE = sizeof before - 1 };
    char *text = malloc(BEFORE + LONG + sizeof after);
    cr_assert_not_null(text);
    memcpy(text, before, BEFORE);
    memset(text + BEFORE, '9', LONG);
    memcpy(text + BEFORE + LONG, after, sizeof after);
    struct reader *reader = read_text("long.sfen", text);
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    expect_error(reader, 2, TEXT_LINE_MAX + 1, "longer than 16777216 bytes");
    expect_good(reader, "8k/9/9/9/9/9/9/9/9 b S2r2b4g3s4n4l18p 1");
    expect_end(reader);
    free(text);
}

static long memory_kib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

Test(problems, memory_does_not_grow_with_a_list) {
    enum { LINES = TSUME_SANITIZED ? 20000 : 200000 };
    const char *folder = make_folder(), *path = in(folder, "list.sfen");
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (int i = 0; i < LINES; i++)
        fprintf(file, "8k/9/9/9/9/9/9/9/9 b G 1\t%d\n", i);
    fclose(file);
    struct reader *reader = read_paths(path);
    long count = 0, before = 0;
    for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
        cr_assert(!problem->invalid);
        if (++count == 1000)
            before = memory_kib();
    }
    cr_expect_eq(count, LINES);
    if (!TSUME_SANITIZED)
        cr_expect_leq(memory_kib() - before, 1024);
    reader_free(reader);
    remove_folder(folder);
}

/* ---- Hostile files ---- */

enum { HOSTILE = 240 };

static uint64_t random_state = 20240229;

static uint64_t random_next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static size_t random_below(size_t n) {
    return (size_t)(random_next() % n);
}

struct bytes {
    char *data;
    size_t length;
};

static struct bytes load(const char *path) {
    struct bytes bytes = {malloc(1 << 20), 0};
    FILE *file = fopen(path, "rb");
    cr_assert(file && bytes.data, "%s", path);
    bytes.length = fread(bytes.data, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static struct bytes repeat(const char *text, size_t size) {
    struct bytes bytes = {malloc(size), size};
    cr_assert_not_null(bytes.data);
    for (size_t i = 0; i < size; i++)
        bytes.data[i] = text[i % strlen(text)];
    return bytes;
}

static struct bytes random_bytes(size_t size) {
    struct bytes bytes = repeat(" ", size);
    for (size_t i = 0; i < size; i++)
        bytes.data[i] = (char)random_next();
    return bytes;
}

static const char *const seeds[] = {"utf8.kifu",      "sjis.kif",           "utf16le.kif", "columns.tsv",
                                    "variations.kif", "diagrams.bod",       "utf32le.kif", "utf8-bom.kif",
                                    "moves.sfen",     "eucjp-declared.kif", "games.csa",   "record.jkf",
                                    "record.kifu",    "relations.ki2u"};

static struct bytes load_seed(void) {
    char path[128];
    snprintf(path, sizeof path, "tests/fixtures/%s", seeds[random_below(sizeof seeds / sizeof *seeds)]);
    return load(path);
}

static struct bytes hostile_bytes(int i) {
    static const char *const floods[] = {
        "変化：1手\n", "*",         "+-\n",  "(",        "   1 同\n", "先手の持駒：歩99999999999\n",
        "\t",          "position ", "\xE3",  "\r",       "▲",         "手数＝9",
        "sfen 9/",     "| ・",      "　",    "&#*\n",    "７六歩",    "/",
        "{\"a\":",     "[{},",      "P1+FU", "+7776FU,", "'*\n",      "V2\n/\n",
        "$A:\n"};
    struct bytes bytes;
    switch (i % 8) {
    case 0: /* cut off */
        bytes = load_seed();
        bytes.length = random_below(bytes.length);
        return bytes;
    case 1: /* bits flipped */
    case 2:
        bytes = load_seed();
        for (size_t n = 1 + random_below(60); n > 0; n--)
            bytes.data[random_below(bytes.length)] ^= (char)(1 << random_below(8));
        return bytes;
    case 3: /* NULs inside */
        bytes = load_seed();
        for (size_t n = 1 + random_below(20); n > 0; n--)
            bytes.data[random_below(bytes.length)] = '\0';
        return bytes;
    case 4:
        return random_bytes(1 + random_below(20000));
    case 5: /* the same thing without end */
        return repeat(floods[random_below(sizeof floods / sizeof *floods)], 1 + random_below(300000));
    case 6: /* lines swallowed */
        bytes = load_seed();
        for (size_t at = random_below(bytes.length), n = random_below(bytes.length - at); n > 0; n--)
            bytes.data[at + n - 1] = bytes.data[random_below(bytes.length)];
        return bytes;
    default: /* the wrong encoding declared or marked */
        bytes = load_seed();
        memcpy(bytes.data, random_below(2) ? "\xFF\xFE" : "\xFE\xFF", 2);
        return bytes;
    }
}

/* Hostile bytes between two good lines; at the beginning of the file, where the encoding is decided, only now and then. */
static void write_hostile(const char *folder, int i) {
    static const char *const endings[] = {"kif", "sfen", "txt", "bod", "tsv", "kifu", "csa", "jkf", "ki2"};
    char name[64], before[128], after[128];
    snprintf(name, sizeof name, "%03d-hostile.%s", i, endings[random_below(9)]);
    snprintf(before, sizeof before, "8k/9/9/9/9/9/9/9/9 b G 1\tbefore-%d\n", i);
    snprintf(after, sizeof after, "\n8k/9/9/9/9/9/9/9/9 b G 1\tafter-%d\n", i);
    bool wrapped = i % 8 != 7;
    struct bytes bytes = hostile_bytes(i);
    char *all = malloc(bytes.length + 256);
    cr_assert_not_null(all);
    size_t length = 0;
    if (wrapped) {
        memcpy(all, before, strlen(before));
        length = strlen(before);
    }
    memcpy(all + length, bytes.data, bytes.length);
    length += bytes.length;
    if (wrapped) {
        memcpy(all + length, after, strlen(after));
        length += strlen(after);
    }
    write_file(folder, name, all, length);
    free(all);
    free(bytes.data);
    snprintf(name, sizeof name, "%03d-zgood.kif", i);
    char good[2048];
    snprintf(good, sizeof good, "作品番号：good-%d\n先手の持駒：金\n%s手数----指手\n   1 １二金打\n   2 詰み\n", i,
             BOARD);
    write_file(folder, name, good, strlen(good));
}

/* Marks the good problem with this id as seen. */
static void tick(const char *id, const char *prefix, bool *seen) {
    size_t length = strlen(prefix);
    if (strncmp(id, prefix, length) == 0)
        seen[atoi(id + length) % HOSTILE] = true;
}

Test(problems, hostile_files) {
    const char *folder = make_folder();
    for (int i = 0; i < HOSTILE; i++)
        write_hostile(folder, i);
    write_file(folder, "unreadable.kif", "x", 1);
    cr_assert_eq(chmod(in(folder, "unreadable.kif"), 0), 0);
    bool before[HOSTILE] = {false}, after[HOSTILE] = {false}, good[HOSTILE] = {false};
    long errors = 0;
    struct reader *reader = read_paths(folder);
    for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
        if (problem->invalid) {
            errors++;
            cr_expect(problem->error.message[0] != '\0');
            cr_expect_str_eq(problem->error.file, problem->file);
            cr_expect(problem->error.line > 0 || strstr(problem->error.message, "cannot be opened"), "%s: %s",
                      problem->id, problem->error.message);
            continue;
        }
        tick(problem->id, "before-", before);
        tick(problem->id, "after-", after);
        tick(problem->id, "good-", good);
    }
    cr_expect(!reader_out_of_memory(reader));
    reader_free(reader);
    for (int i = 0; i < HOSTILE; i++) {
        cr_expect(good[i], "the record after hostile file %d is lost", i);
        cr_expect(i % 8 == 7 || (before[i] && after[i]), "a line in hostile file %d is lost", i);
    }
    cr_expect_geq(errors, HOSTILE / 2);
    cr_assert_eq(chmod(in(folder, "unreadable.kif"), 0600), 0);
    remove_folder(folder);
}

/* Folders in folders, deeper than a path may be long. */
Test(problems, deep_folders) {
    const char *folder = make_folder();
    char name[101];
    snprintf(name, sizeof name, "%0100d", 0);
    cr_assert_eq(chdir(folder), 0);
    for (int i = 0; i < 60; i++) {
        cr_assert_eq(mkdir(name, 0755), 0);
        cr_assert_eq(chdir(name), 0);
    }
    go_to_source();
    write_list(folder, "z.sfen", "last");
    struct reader *reader = read_paths(folder);
    struct tsume_problem *problem = reader_next(reader);
    cr_assert_not_null(problem);
    cr_expect(problem->invalid);
    cr_expect(strstr(problem->error.message, "File name too long"), "%s", problem->error.message);
    tsume_problem_free(problem);
    const char *ids[] = {"last", NULL};
    expect_ids(reader, ids);
    remove_folder(folder);
}

/* A reader that is given up in the middle leaves nothing behind. */
Test(problems, a_reader_may_be_freed_early) {
    struct reader *reader = read_paths("tests/fixtures");
    for (int i = 0; i < 10; i++)
        tsume_problem_free(reader_next(reader));
    reader_free(reader);
    reader_free(NULL);
    tsume_problem_free(NULL);
}
