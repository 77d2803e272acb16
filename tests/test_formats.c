/* test_formats.c: problems written in every format, and read again.
 *
 * What a format can hold comes back as it was: titles, headers, comments, times, variations. */
#include "problems/reader.h"
#include "problems/writer.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "tests/described.h"
#include "tests/random_position.h"
#include "tests/random_tree.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void go_to_source(void) {
    cr_assert_eq(chdir(TSUME_SOURCE_DIR), 0);
}

TestSuite(formats, .init = go_to_source, .timeout = 300);

/* ---- There and back ---- */

static struct reader *read_bytes(const char *name, const char *text, size_t length) {
    struct reader *reader = reader_new_memory(name, text, length, NULL);
    cr_assert_not_null(reader);
    return reader;
}

static char *write_problem(const struct tsume_problem *problem, const struct writer_options *options, size_t *length,
                           unsigned *lost) {
    size_t replaced;
    char *text = problem_text(problem, options, length, lost, &replaced);
    cr_assert_not_null(text);
    cr_assert_eq(replaced, 0, "%s", problem->id);
    return text;
}

static void expect_same(const struct tsume_problem *problem, const struct tsume_problem *again, unsigned parts,
                        const char *text) {
    cr_assert_not_null(again, "nothing was read from:\n%s", text);
    cr_assert(!again->invalid, "%s: %s, in:\n%s", again->id, again->error.message, text);
    cr_expect_null(again->stated_note, "%s, in:\n%s", again->stated_note ? again->stated_note : "", text);
    char *before = described_problem(problem, parts), *after = described_problem(again, parts);
    cr_expect_str_eq(after, before, "--- read ---\n%s\n--- expected ---\n%s\n--- from ---\n%s", after, before, text);
    free(before);
    free(after);
}

/* What is not said to be lost comes back. */
static void expect_round_trip(const struct tsume_problem *problem, enum format format, enum encoding encoding) {
    struct writer_options options = {format, encoding, false};
    char name[16];
    size_t length;
    unsigned lost;
    char *text = write_problem(problem, &options, &length, &lost);
    snprintf(name, sizeof name, "x%s", format_ending(format, encoding));
    struct reader *reader = read_bytes(name, text, length);
    struct tsume_problem *again = reader_next(reader), *end = reader_next(reader);
    expect_same(problem, again, described_parts_kept(format, lost), text);
    cr_expect_null(end);
    tsume_problem_free(again);
    tsume_problem_free(end);
    reader_free(reader);
    free(text);
}

static void expect_round_trips(const struct tsume_problem *problem) {
    for (enum format format = FORMAT_SFEN; format < FORMATS; format++) {
        expect_round_trip(problem, format, ENCODING_UTF8);
        if (format != FORMAT_JKF)
            expect_round_trip(problem, format, ENCODING_SHIFT_JIS);
    }
}

Test(formats, files_go_round) {
    static const char *const paths[] = {"tests/fixtures/record.kifu",
                                        "tests/fixtures/variations.kif",
                                        "tests/fixtures/games.csa",
                                        "tests/fixtures/record.jkf",
                                        "tests/fixtures/columns.tsv",
                                        "tests/fixtures/sjis.kif",
                                        "tests/fixtures/handicaps.kif",
                                        "tests/fixtures/diagrams.bod",
                                        "tests/fixtures/relations.ki2u",
                                        "problems/cases.tsv",
                                        "problems/zukou.tsv"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct reader *reader = reader_new(&paths[i], 1, NULL);
        int count = 0;
        for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem), count++) {
            cr_assert(!problem->invalid, "%s: %s", problem->id, problem->error.message);
            cr_expect_null(problem->stated_note, "%s", problem->stated_note ? problem->stated_note : "");
            expect_round_trips(problem);
        }
        cr_expect_gt(count, 0, "%s", paths[i]);
        reader_free(reader);
    }
}

/* ---- Trees made by chance ---- */

Test(formats, trees_of_moves_go_round) {
    enum { TREES = TSUME_SANITIZED ? 60 : 300 };
    struct random_source random = {11};
    enum play_end ends[PLAY_ENDS];
    for (int end = 0; end < PLAY_ENDS; end++)
        ends[end] = (enum play_end)end;
    for (int i = 0; i < TREES; i++) {
        struct random_problem made = random_problem(&random, NULL);
        struct reader *reader = read_bytes("x.sfen", made.sfen, strlen(made.sfen));
        struct tsume_problem *problem = reader_next(reader);
        cr_assert(problem && !problem->invalid, "%s", made.sfen);
        random_tree_grow(&random, problem, 20, ends, PLAY_ENDS);
        expect_round_trips(problem);
        tsume_problem_free(problem);
        reader_free(reader);
    }
}

/* ---- Several problems in one file ---- */

Test(formats, files_of_several_problems) {
    static const char *const paths[] = {"tests/fixtures/variations.kif", "tests/fixtures/games.csa",
                                        "tests/fixtures/record.kifu", "tests/fixtures/columns.tsv"};
    for (enum format format = FORMAT_SFEN; format < FORMATS; format++) {
        char *all = NULL;
        size_t length, count = 0;
        unsigned lost_of_one, lost = 0;
        FILE *out = open_memstream(&all, &length);
        struct writer_options options = {format, ENCODING_UTF8, false};
        struct reader *reader = reader_new(paths, 4, NULL);
        for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
            options.more = count++ > 0;
            size_t size;
            char *text = write_problem(problem, &options, &size, &lost_of_one);
            lost |= lost_of_one;
            if (options.more)
                fputs(format_separator(options.format), out);
            fwrite(text, 1, size, out);
            free(text);
        }
        fclose(out);
        reader_free(reader);
        reader = reader_new(paths, 4, NULL);
        struct reader *written = read_bytes("all", all, length); /* the content alone must tell */
        for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
            struct tsume_problem *again = reader_next(written);
            expect_same(problem, again, described_parts_kept(format, lost) & ~(unsigned)DESCRIBED_MILLISECONDS, all);
            tsume_problem_free(again);
        }
        struct tsume_problem *rest = reader_next(written);
        cr_expect_null(rest);
        tsume_problem_free(rest);
        reader_free(reader);
        reader_free(written);
        free(all);
    }
}

/* ---- What is left out is told ---- */

static struct tsume_problem *first_of(const char *path) {
    struct reader *reader = reader_new(&path, 1, NULL);
    struct tsume_problem *problem = reader_next(reader);
    cr_assert(problem && !problem->invalid, "%s", path);
    reader_free(reader);
    return problem;
}

static unsigned lost_in(const struct tsume_problem *problem, enum format format) {
    struct writer_options options = {format, ENCODING_UTF8, false};
    unsigned lost;
    size_t length, replaced;
    free(problem_text(problem, &options, &length, &lost, &replaced));
    return lost;
}

Test(formats, losses) {
    struct tsume_problem *problem = first_of("tests/fixtures/variations.kif");
    cr_expect_eq(lost_in(problem, FORMAT_SFEN), LOST_VARIATIONS | LOST_COMMENTS | LOST_ENDS);
    cr_expect_eq(lost_in(problem, FORMAT_BOD), LOST_MOVES);
    cr_expect_eq(lost_in(problem, FORMAT_CSA), LOST_VARIATIONS);
    cr_expect_eq(lost_in(problem, FORMAT_KIF) | lost_in(problem, FORMAT_KI2) | lost_in(problem, FORMAT_JKF), 0);
    tsume_problem_free(problem);
}

Test(formats, characters_that_shift_jis_lacks) {
    struct tsume_problem *problem = first_of("tests/fixtures/record.kifu");
    struct writer_options options = {FORMAT_KIF, ENCODING_SHIFT_JIS, false};
    unsigned lost;
    size_t length, replaced;
    cr_assert(problem_add_header(problem, "出典", "図巧😀ю𠮷"));
    char *text = problem_text(problem, &options, &length, &lost, &replaced);
    cr_expect_eq(replaced, 2);
    struct reader *reader = read_bytes("x.kif", text, length);
    struct tsume_problem *again = reader_next(reader);
    cr_expect_str_eq(problem_header(again, "出典"), "図巧〓ю〓");
    tsume_problem_free(again);
    reader_free(reader);
    free(text);
    tsume_problem_free(problem);
}

/* A header that would be read as something else is left out, not written. */
Test(formats, headers_that_a_record_cannot_hold) {
    static const char *const keys[] = {"*", "#", "変化", "| ・", "   1 ７六歩", "position", ""};
    struct tsume_problem *problem = first_of("tests/fixtures/variations.kif");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cr_assert(problem_add_header(problem, keys[i], "1手"));
    cr_expect(lost_in(problem, FORMAT_KIF) & LOST_HEADERS);
    size_t length;
    unsigned lost;
    struct writer_options options = {FORMAT_KIF, ENCODING_UTF8, false};
    char *text = write_problem(problem, &options, &length, &lost);
    struct reader *reader = read_bytes("x.kif", text, length);
    struct tsume_problem *again = reader_next(reader);
    cr_expect_null(again->stated_note);
    cr_expect_not_null(again->stated);
    cr_expect_str_eq(again->stated->comment, "初手\n二行目");
    tsume_problem_free(again);
    reader_free(reader);
    free(text);
    tsume_problem_free(problem);
}

/* ---- Reading CSA ---- */

static void expect_position_of(const struct tsume_problem *problem, const char *expected) {
    char sfen[SFEN_SIZE];
    cr_assert_not_null(problem, "no problem, expected %s", expected);
    cr_assert(!problem->invalid, "%s", problem->error.message);
    sfen_write(&problem->setup, sfen);
    cr_expect_str_eq(sfen, expected);
}

static void expect_text(const char *name, const char *text, const char *sfen, const char *moves) {
    struct reader *reader = read_bytes(name, text, strlen(text));
    struct tsume_problem *problem = reader_next(reader);
    expect_position_of(problem, sfen);
    char *described = NULL;
    size_t length;
    FILE *out = open_memstream(&described, &length);
    described_moves(out, problem->stated,
                    DESCRIBED_VARIATIONS | DESCRIBED_COMMENTS | DESCRIBED_ENDS | DESCRIBED_MOVES | DESCRIBED_TIMES |
                        DESCRIBED_MILLISECONDS);
    fclose(out);
    cr_expect_str_eq(described, moves, "%s: %s", text, described);
    cr_expect_str_eq(problem->stated_note ? problem->stated_note : "", "");
    free(described);
    tsume_problem_free(problem);
    problem = reader_next(reader);
    cr_expect_null(problem);
    tsume_problem_free(problem);
    reader_free(reader);
}

#define TOKIN "7nk/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s3n4l17p 1"

Test(formats, positions_of_csa) {
    static const char ranks[] =
        "P1 *  *  *  *  *  *  * -KE-OU\nP2 * * * * * * * * *\nP3 *  *  *  *  *  *  * +TO *\n"
        "P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
        "P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \nP9 *  *  *  *  *  *  *  *  * \n"
        "P+00KI\nP-00AL\n+\n+0022KI\n%TSUMI\n";
    expect_text("x", ranks, TOKIN, " G*2b %TSUMI");
    expect_text("x", "V2\nP+23TO\nP-11OU21KE\nP+00KI\nP-00AL\n+\n+0022KI,T12,%TSUMI,T1\n", TOKIN,
                " G*2b T12000 %TSUMI T1000");
    expect_text("x.csa", "'start\nN+\nP-11OU21KE\nP+23TO00KI\nP-00AL\n+\n+0022KI\n'mate\n'*read me\n%TSUMI\n", TOKIN,
                " G*2b \"mate\\nread me\" %TSUMI");
}

Test(formats, moves_of_csa) {
    expect_text("x", "PI\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0045KA\n%-ILLEGAL_ACTION\n", SFEN_OPENING,
                " 7g7f 3c3d 8h2b+ 3a2b B*4e %-ILLEGAL_ACTION");
    expect_text("x", "V3.0\nPI\n+\n+7776FU\nT0.5\n-3334FU\nT10\n%TORYO\n", SFEN_OPENING,
                " 7g7f T500 3c3d T10000 %TORYO");
    expect_text("x", "N+Black\n+7776FU\n", SFEN_OPENING, " 7g7f");
    /* a player's name that looks like a board */
    expect_text("x", "V2.2\nN+N8/9/9/9/9\nPI\n+\n+7776FU\n", SFEN_OPENING, " 7g7f");
}

static void expect_error(struct reader *reader, long line, long column, const char *reason) {
    struct tsume_problem *problem = reader_next(reader);
    cr_assert_not_null(problem, "no problem, expected: %s", reason);
    cr_expect(problem->invalid, "%s", reason);
    cr_expect(problem->error.line == line && problem->error.column == column, "at %ld:%ld, expected %ld:%ld: %s",
              problem->error.line, problem->error.column, line, column, problem->error.message);
    cr_expect(strstr(problem->error.message, reason), "'%s', expected '%s'", problem->error.message, reason);
    tsume_problem_free(problem);
}

static void expect_end(struct reader *reader) {
    struct tsume_problem *problem = reader_next(reader);
    cr_expect_null(problem, "unexpected: %s", problem ? problem->error.message : "");
    tsume_problem_free(problem);
    reader_free(reader);
}

Test(formats, errors_of_csa) {
    static const char text[] = "V2.2\nP1 *  *  *  * -XX *  *  *  * \n+\n/\n" /* 1–4 */
                               "P1 *  *  *  * -OU *  *  *  *  * \n+\n/\n"    /* 5–7 */
                               "P-11OU\nP+00OU\n+\n/\n"                      /* 8–11 */
                               "P-11OU\nP+10KI\n+\n/\n"                      /* 12–15 */
                               "PI22HI\n+\n/\n"                              /* 16–18 */
                               "P-11OU,P+0\n+\n/\n"                          /* 19–21 */
                               "N+nobody\n/\n"                               /* 22–23 */
                               "P-11OU\nwhat is this\n+\n/\n"                /* 24–27 */
                               "P-11OU\nP+22FU21KI\n+\n/\n"                  /* 28–31: already in check */
                               "P-11OU\nP+12KI11KI\n+\n/\n"                  /* 32–35 */
                               "P+11KI\nP1 * * * * * * * * -OU\n+\n/\n"      /* 36–39 */
                               "P1 * * * * * * * * -OU\nPI\n+\n/\n"          /* 40–43 */
                               "P-11OU\nP+00AL\nP-00AL\n+\n/\n"              /* 44–48 */
                               "P-11OU\n"
                               "P+23TO00KI\nP-00AL\n+\n+0022KI\n%TSUMI\n"; /* 49–54 */
    struct reader *reader = read_bytes("errors.csa", text, strlen(text));
    expect_error(reader, 2, 15, "expected a piece (+FU");
    expect_error(reader, 5, 30, "more than 9 squares");
    expect_error(reader, 9, 3, "cannot be in a hand");
    expect_error(reader, 13, 3, "expected a square and a piece");
    expect_error(reader, 16, 3, "no such piece on this square");
    expect_error(reader, 19, 10, "expected a square and a piece");
    expect_error(reader, 22, 1, "there is no position");
    expect_error(reader, 25, 1, "no statement of CSA");
    expect_error(reader, 28, 0, "already in check");
    expect_error(reader, 33, 7, "a piece on this square already");
    expect_error(reader, 37, 1, "this rank, or a piece on it, was stated already");
    expect_error(reader, 41, 1, "the board was stated already");
    expect_error(reader, 46, 3, "the other hand has all that is left");
    struct tsume_problem *problem = reader_next(reader);
    expect_position_of(problem, "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    tsume_problem_free(problem);
    expect_end(reader);
}

static void expect_note(const char *name, const char *text, const char *note) {
    struct reader *reader = read_bytes(name, text, strlen(text));
    struct tsume_problem *problem = reader_next(reader);
    cr_assert(problem && !problem->invalid, "%s: %s", text, problem ? problem->error.message : "nothing");
    cr_expect_str_eq(problem->stated_note ? problem->stated_note : "", note);
    tsume_problem_free(problem);
    expect_end(reader);
}

Test(formats, wrong_moves_of_csa) {
    expect_note("x.csa", "PI\n+\n+7776FU\n+7675FU\n",
                "x.csa:4:1: move 2, '+7675FU', cannot be played: it is not the turn of "
                "that side");
    expect_note("x.csa", "PI\n+\n+7775FU\n", "x.csa:3:1: move 1, '+7775FU', cannot be played: it is not legal here");
    expect_note("x.csa", "PI\n+\n+7776KI\n",
                "x.csa:3:1: move 1, '+7776KI', cannot be played: another piece stands on its origin");
    expect_note("x.csa", "PI\n+\n+7776FU,-33\n", "x.csa:3:9: move 2, '-33', is no statement of CSA");
    expect_note("x.csa", "PI\n+\n+7776FU\n%TORYO\n-3334FU\n",
                "x.csa:5:1: move 2, '-3334FU', comes after the end of the game");
    expect_note("x.csa", "PI\n+\n+7776FU\n%NONSENSE\n", "x.csa:4:1: '%NONSENS'… is no end of a game that CSA knows");
    expect_note("x.csa", "PI\n+\n+7776FU\nPI\n",
                "x.csa:4:1: move 2, 'PI', changes the position after the side to move was stated");
}

/* ---- Reading KI2 ---- */

Test(formats, moves_told_apart_in_ki2) {
    /* 左 as White sees it; the third move says more than it needs to */
    expect_text("x", "▲５八金右 △５二金左 ▲４八金寄 △６二金寄\n", SFEN_OPENING, " 4i5h 4a5b 5h4h 5b6b");
    expect_note(
        "x.ki2", "手合割：平手\n▲５八金\n",
        "x.ki2:2:2: move 1, '５八金', cannot be played: several pieces can make it (state its origin, as in (77))");
    expect_note(
        "x.ki2", "手合割：平手\n▲５八金直\n",
        "x.ki2:2:2: move 1, '５八金直', cannot be played: no piece that can make it stands so (state its origin, as in "
        "(77))");
}

/* ---- Reading JKF ---- */

#define TOKIN_JKF                                                                                                      \
    "{\"header\":{},\"initial\":{\"preset\":\"OTHER\",\"data\":{\"color\":0,\"board\":["                               \
    "[{\"color\":1,\"kind\":\"OU\"},{},{},{},{},{},{},{},{}],[{\"color\":1,\"kind\":\"KE\"},{},{\"color\":0,\"kind\":" \
    "\"TO\"}"                                                                                                          \
    ",{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],"      \
    "[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{},{}],[{},{},{},{},{},{},{},{}," \
    "{}]],"                                                                                                            \
    "\"hands\":[{\"KI\":1},{}]}},"

Test(formats, records_of_jkf) {
    expect_text(
        "x", TOKIN_JKF "\"moves\":[{},{\"move\":{\"to\":{\"x\":2,\"y\":2},\"piece\":\"KI\"}},{\"special\":\"TSUMI\"}]}",
        TOKIN, " G*2b %TSUMI");
    /* to left out after `same`, a fork, comments, time */
    expect_text("x",
                "{\n\"moves\": [{},\n"
                " {\"move\": {\"from\": {\"x\": 7, \"y\": 7}, \"to\": {\"x\": 7, \"y\": 6}}, \"time\": {\"now\": "
                "{\"m\": 1, \"s\": 2}}},\n"
                " {\"move\": {\"from\": {\"x\": 3, \"y\": 3}, \"to\": {\"x\": 3, \"y\": 4}}},\n"
                " {\"move\": {\"from\": {\"x\": 8, \"y\": 8}, \"to\": {\"x\": 2, \"y\": 2}, \"promote\": true},\n"
                "  \"forks\": [[{\"move\": {\"from\": {\"x\": 2, \"y\": 7}, \"to\": {\"x\": 2, \"y\": 6}}}]]},\n"
                " {\"move\": {\"from\": {\"x\": 3, \"y\": 1}, \"same\": true}, \"comments\": [\"取る\", \"{\"]}]\n}\n",
                SFEN_OPENING, " 7g7f T62000 3c3d 8h2b+ (2g2f) 3a2b \"取る\\n{\"");
}

Test(formats, errors_of_jkf) {
    static const char text[] =
        "{\"header\": {},\n \"moves\": [}\n"                       /* 1–2: no JSON */
        "{\"name\": \"package\", \"version\": 1}\n"                /* 3: no record */
        "{\"header\": {}, \"initial\": {\"preset\": \"11\"}}\n"    /* 4 */
        "{\"header\": {}, \"initial\": {\"preset\": \"OTHER\"}}\n" /* 5 */
        "{\"header\": {}, \"initial\": {\"preset\": \"OTHER\", \"data\": {\"board\": [[{\"kind\": 1}]]}}}\n" /* 6 */
        "{\"header\": {}, \"moves\": [\n"                  /* 7: cut off */
        "{\"header\": {}, \"moves\": []} x\n"              /* 8 */
        "{\"header\": {}, \"moves\": [], \"moves\": []}\n" /* 9 */
        "{\"header\": {}, \"moves\": [{}]}\n";             /* 10 */
    struct reader *reader = read_bytes("errors.jkf", text, strlen(text));
    expect_error(reader, 2, 12, "JSON: ");
    expect_error(reader, 3, 1, "neither header nor moves");
    expect_error(reader, 4, 1, "the preset '11' is none of");
    expect_error(reader, 5, 1, "preset OTHER, but no data");
    expect_error(reader, 6, 1, "board[0][0] is no piece");
    expect_error(reader, 8, 1, "JSON: "); /* where the next one begins */
    expect_error(reader, 8, 29, "JSON: ");
    expect_error(reader, 9, 35, "JSON: duplicate object key");
    struct tsume_problem *problem = reader_next(reader);
    expect_position_of(problem, SFEN_OPENING);
    tsume_problem_free(problem);
    expect_end(reader);
}

Test(formats, wrong_moves_of_jkf) {
    expect_note("x.jkf", "{\"moves\": [{}, {\"move\": {\"to\": {\"x\": 5, \"y\": 5}, \"piece\": \"FU\"}}]}",
                "x.jkf:1:1: moves[1] is not legal there; the line ends before it");
}

/* ---- Texts that look like something else ---- */

/* Every problem of the text comes back from every format, but for what is said to be lost. */
static void expect_comes_back(const char *name, const char *text) {
    struct reader *reader = read_bytes(name, text, strlen(text));
    int count = 0;
    for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem), count++) {
        cr_assert(!problem->invalid, "%s: %s", text, problem->error.message);
        for (enum format format = FORMAT_SFEN; format < FORMATS; format++)
            expect_round_trip(problem, format, ENCODING_UTF8);
    }
    cr_expect_eq(count, 1, "%d problems in %s", count, text);
    reader_free(reader);
}

static struct tsume_problem *only_problem(const char *name, const char *text) {
    struct reader *reader = read_bytes(name, text, strlen(text));
    struct tsume_problem *problem = reader_next(reader), *end = reader_next(reader);
    cr_assert(problem && !problem->invalid, "%s: %s", text, problem ? problem->error.message : "nothing");
    cr_expect_null(end, "more than one problem in %s", text);
    reader_free(reader);
    return problem;
}

static void expect_lost(const char *name, const char *text, enum format format, unsigned lost) {
    struct tsume_problem *problem = only_problem(name, text);
    cr_expect_eq(lost_in(problem, format), lost, "%s: %u", text, lost_in(problem, format));
    tsume_problem_free(problem);
}

/* A reader asks of each line whether it belongs to another format. */
Test(formats, headers_that_look_like_those_of_another_format) {
    static const char text[] = "$$:{:{5\nPI\n+\n+7776FU\n";
    expect_comes_back("x.csa", text);
    expect_lost("x.csa", text, FORMAT_KIF, 0);
    expect_lost("x.csa", text, FORMAT_SFEN, 0);
    expect_comes_back("x.csa", "V2.2\nN+N8/9/9/9/9\nPI\n+\n+7776FU\n");
    expect_lost("x.csa", "V2.2\nN+N8/9/9/9/9\nPI\n+\n+7776FU\n", FORMAT_CSA, LOST_HEADERS);
    expect_lost("x.jkf", "{\"header\":{\"変化\":\"1手\"},\"moves\":[]}", FORMAT_KIF, LOST_HEADERS);
    expect_comes_back(
        "x.jkf", "{\"header\":{\"EVENT\":\"1\",\"変化\":\"2\",\"a：b\":\"3\",\"a:b\":\"4\",\"\":\"5\"},\"moves\":[]}");
    /* nor does a line of a record begin a game of CSA because of a $ and a colon */
    expect_comes_back("x.kif", "手合割：平手\n$100:賞金\n   1 ７六歩(77)\n");
}

Test(formats, control_characters_and_spaces_around_them) {
    expect_comes_back("x.csa", "$NOTE:\x05+|:\x7F\nN+\x01\nPI\n+\n+7776FU\n");
    expect_comes_back("x.sfen", TOKIN "\t\x01 id \x02\t\tG*2b\ttitle：\x01 t\n");
}

Test(formats, headers_stated_more_than_once) {
    expect_comes_back("x.csa", "N-one\nN-two\nN-\nPI\n+\n+7776FU\n");
    expect_comes_back("x.jkf", "{\"header\":{\"備考\":\"a\\nb\\n\\nc\",\"作品名\":\"a\\nb\"},\"moves\":[]}");
    /* all three are the title: in KIF the second would begin another record */
    expect_comes_back("x.jkf",
                      "{\"header\":{\"表題\":\"a\",\"題名\":\"b\",\"title\":\"c\",\"作品番号\":\"\"},\"moves\":[]}");
}

Test(formats, remarks_that_look_like_other_columns) {
    static const char *const notes[] = {"7g7f", "G*2b 1a2b", "-", "a：b", "：", "12", "備考：x", "position", ""};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        char text[256];
        snprintf(text, sizeof text, "{\"header\":{\"備考\":\"%s\"},\"moves\":[]}", notes[i]);
        expect_comes_back("x.jkf", text);
        expect_lost("x.jkf", text, FORMAT_SFEN, 0);
    }
    expect_lost("x.jkf", "{\"header\":{\"G*2b x\":\"\"},\"moves\":[]}", FORMAT_SFEN, LOST_HEADERS);
}

/* iconv takes F7 85 88 8B for a character beyond U+10FFFF, which JSON refuses. */
Test(formats, characters_beyond_unicode) {
    static const char text[] = "$EVENT:将棋\nN+将棋将棋\xF7\x85\x88\x8B\nN-将棋将棋\xF4\x90\x80\x80\n+\n";
    struct tsume_problem *problem = only_problem("x.csa", text);
    const char *black = problem_header(problem, "先手"), *white = problem_header(problem, "後手");
    cr_expect_str_eq(black, "将棋将棋\uFFFD\uFFFD\uFFFD\uFFFD", "%s", black);
    cr_expect_str_eq(white, "将棋将棋\uFFFD\uFFFD\uFFFD\uFFFD", "%s", white);
    tsume_problem_free(problem);
    expect_comes_back("x.csa", text);
}

/* A comment is not about the encoding of the file that it stands in. */
Test(formats, comments_about_encodings) {
    struct tsume_problem *problem = only_problem("x.csa", "PI\n+\n'*encoding=EUC-JP\n'*将棋と囲碁\n+7776FU\n");
    expect_round_trips(problem);
    tsume_problem_free(problem);
}

Test(formats, numbers_as_large_as_can_be) {
    expect_comes_back("x.sfen", "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 0\n");
    expect_comes_back("x.sfen", "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1234567\tid\t1000000\n");
    expect_comes_back("x.kif", "手合割：平手\n手数：99999999\n   1 ７六歩(77)\n");
    expect_comes_back("x.kif", "手数＝99999999\n手合割：平手\n   1 ７六歩(77)   (30000:00/)\n");
    expect_comes_back("x.jkf", "{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}},"
                               "\"time\":{\"now\":{\"h\":500,\"m\":30000,\"s\":60}}}]}");
    expect_text("x.csa", "PI\n+\n+7776FU\nT1000000.999\n-3334FU\nT99999999999999999999\n", SFEN_OPENING,
                " 7g7f T1000000999 3c3d");
}

/* KIF has one word for what CSA has two for. */
Test(formats, fouls) {
    static const char text[] = "PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n";
    expect_comes_back("x.csa", text);
    expect_lost("x.csa", text, FORMAT_KIF, LOST_ENDS);
    expect_lost("x.csa", text, FORMAT_JKF, 0);
    expect_lost("x.csa", "PI\n+\n%TORYO\n", FORMAT_BOD, LOST_ENDS);
}

/* The end of the main line may be told where the main line is told again; and it may go on where it was told to end. */
Test(formats, ends_told_in_variations) {
    static const char again[] = "手合割：平手\n   1 ７六歩(77)\n変化：1手\n   1 ７六歩(77)\n   2 詰み\n";
    static const char longer[] = "手合割：平手\n   1 ７六歩(77)\n   2 詰み\n変化：2手\n   2 ３四歩(33)\n";
    struct tsume_problem *problem = only_problem("x.kif", again);
    cr_expect(stated_line_mates(problem));
    tsume_problem_free(problem);
    problem = only_problem("x.kif", longer);
    cr_expect(!stated_line_mates(problem));
    tsume_problem_free(problem);
    expect_comes_back("x.kif", again);
    expect_comes_back("x.kif", longer);
}

/* Other programs write a record into one line of any length. */
Test(formats, a_record_in_a_line_of_megabytes) {
    enum { NOTE = 3 << 20 };
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "{\"header\":{\"備考\":\"%0*d\"},\"moves\":[]}", NOTE, 1);
    fclose(out);
    struct tsume_problem *problem = only_problem("x.jkf", text);
    cr_expect_eq(strlen(problem_header(problem, "備考")), NOTE);
    for (enum format format = FORMAT_SFEN; format < FORMATS; format++)
        expect_round_trip(problem, format, ENCODING_UTF8);
    tsume_problem_free(problem);
    free(text);
}

/* One key with thousands of values. */
Test(formats, notes_by_the_thousands) {
    enum { NOTES = 50000 };
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs(TOKIN "\tid\t\t", out);
    for (int i = 0; i < NOTES; i++)
        fprintf(out, "\tnote %d", i);
    fclose(out);
    struct tsume_problem *problem = only_problem("x.sfen", text);
    for (enum format format = FORMAT_SFEN; format < FORMATS; format++)
        cr_expect_eq(lost_in(problem, format), 0);
    tsume_problem_free(problem);
    free(text);
}

/* ---- As deep as a file can make it ---- */

/* Every move is a variation of the one before: deeper than any recursion could go. */
Test(formats, variations_nested_without_end) {
    enum { DEPTH = 20000 };
    static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    struct reader *reader = read_bytes("x.sfen", SFEN_OPENING, strlen(SFEN_OPENING));
    struct tsume_problem *problem = reader_next(reader);
    struct position pos = problem->position;
    struct stated_move **first = &problem->stated;
    for (int i = 0; i < DEPTH; i++) {
        struct stated_move *m = stated_move_add(first, move_from_usi(&pos, shuffle[i % 4]));
        struct stated_move *other = stated_move_add(first, move_from_usi(&pos, i % 2 ? "9c9d" : "9g9f"));
        cr_assert(m && other);
        position_do(&pos, m->move);
        first = &m->next;
    }
    size_t length;
    unsigned lost;
    struct writer_options options = {FORMAT_KIF, ENCODING_UTF8, false};
    char *text = write_problem(problem, &options, &length, &lost);
    struct reader *again = read_bytes("x.kif", text, length);
    struct tsume_problem *read = reader_next(again);
    cr_assert_not_null(read);
    cr_expect_null(read->stated_note, "%s", read->stated_note);
    cr_expect_eq(lost_in(problem, FORMAT_JKF), 0);
    tsume_problem_free(read);
    reader_free(again);
    free(text);
    tsume_problem_free(problem);
    reader_free(reader);
}

/* Here a variation has a variation has a variation …: JSON has no room for all of them. */
Test(formats, variations_in_variations) {
    enum { DEPTH = 3000 };
    static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    struct reader *reader = read_bytes("x.sfen", SFEN_OPENING, strlen(SFEN_OPENING));
    struct tsume_problem *problem = reader_next(reader);
    struct position pos = problem->position;
    struct stated_move **first = &problem->stated;
    for (int i = 0; i < DEPTH; i++) {
        struct stated_move *other = stated_move_add(first, move_from_usi(&pos, i % 2 ? "9c9d" : "9g9f"));
        struct stated_move *m = stated_move_add(first, move_from_usi(&pos, shuffle[i % 4]));
        cr_assert(m && other);
        position_do(&pos, m->move);
        first = &m->next;
    }
    cr_expect_eq(lost_in(problem, FORMAT_KIF), 0);
    cr_expect_eq(lost_in(problem, FORMAT_JKF), LOST_VARIATIONS);
    size_t length;
    unsigned lost;
    struct writer_options options = {FORMAT_JKF, ENCODING_UTF8, false};
    char *text = write_problem(problem, &options, &length, &lost);
    struct reader *again = read_bytes("x.jkf", text, length);
    struct tsume_problem *read = reader_next(again);
    cr_assert(read && !read->invalid, "%s", read->error.message);
    cr_expect_null(read->stated_note, "%s", read->stated_note);
    tsume_problem_free(read);
    reader_free(again);
    free(text);
    tsume_problem_free(problem);
    reader_free(reader);
}
