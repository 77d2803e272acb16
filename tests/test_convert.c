/* test_convert.c: `tsume convert` from outside, and what `solve` and `check` write in other notations and as records.
 * */
#include "problems/reader.h"
#include "tests/described.h"
#include "tests/shell.h"

#include <string.h>
#include <unistd.h>

#define TSUME TSUME_PROGRAM " "
#define GOLD "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
/* A mate in three with two ways at the first move. */
#define COOK "kgGn5/bl7/SL+B6/3l5/9/9/9/9/9 b 2RGg3s3nl18p 1"

static void go_to_source(void) {
    cr_assert_eq(chdir(TSUME_SOURCE_DIR), 0);
}

TestSuite(convert, .init = go_to_source, .timeout = 120);

static void expect_output(const char *expected, int expected_status, const char *command) {
    int status;
    char *text = shell(&status, "%s", command);
    cr_expect_str_eq(text, expected, "%s:\n%s", command, text);
    cr_expect_eq(status, expected_status, "%s: exit status %d", command, status);
    free(text);
}

static void expect_part(const char *part, int expected_status, const char *command) {
    int status;
    char *text = shell(&status, "%s", command);
    cr_expect(strstr(text, part), "%s: no '%s' in:\n%s", command, part, text);
    cr_expect_eq(status, expected_status, "%s: exit status %d", command, status);
    free(text);
}

static void expect_status(int expected, const char *command) {
    int status;
    free(shell(&status, "%s", command));
    cr_expect_eq(status, expected, "%s: exit status %d", command, status);
}

/* ---- Converting ---- */

Test(convert, from_one_format_to_another) {
    expect_output(GOLD "\tgold\t1\tG*1b\n", 0,
                  "echo '" GOLD "\tgold\t1\tG*1b' | " TSUME "convert -q --to ki2 - | " TSUME
                  "convert -q --to csa - | " TSUME "convert -q --to jkf - | " TSUME "convert -q --to kif - | " TSUME
                  "convert -q --to sfen -");
    expect_part("先手の持駒：金\n", 0, "echo '" GOLD "' | " TSUME "convert -q --to bod -");
}

Test(convert, all_of_a_collection_and_back) {
    expect_output("", 0,
                  TSUME "convert -q --to sfen problems/zukou.tsv >/tmp/tsume-convert-$$ && " TSUME
                        "convert -q --to csa problems/zukou.tsv | " TSUME
                        "convert -q --to sfen - | cmp - /tmp/tsume-convert-$$"
                        "; status=$?; rm -f /tmp/tsume-convert-$$; exit $status");
}

Test(convert, bad_input_is_named_and_the_rest_converted) {
    static const char list[] = "printf '" GOLD "\\n8k/9/9/9x/9/9/9/9/9 b G 1\\n" GOLD "\\tlast\\t1\\tG*1a\\n' | ";
    char command[1024];
    snprintf(command, sizeof command, "%s" TSUME "convert -q --to sfen - 2>/dev/null", list);
    expect_output(GOLD "\n" GOLD "\tlast\t1\n", 3, command);
    snprintf(command, sizeof command, "%s" TSUME "convert -q --to sfen - 2>&1 >/dev/null", list);
    expect_output("-:2:9: error: expected a piece letter, a digit or '/', found 'x'\n"
                  "-:3:51: stated move 1, 'G*1a', is not legal here; what follows is left out\n",
                  3, command);
}

Test(convert, what_is_left_out_is_told) {
    expect_part("sfen has no place for the variations of 1", 0,
                TSUME "convert --to sfen tests/fixtures/variations.kif 2>&1 >/dev/null");
}

Test(convert, several_problems_need_a_format_that_holds_them) {
    expect_part("a file of jkf holds one problem", 2, TSUME "convert -q --to jkf problems/zukou.tsv 2>&1 >/dev/null");
    expect_output("00001.jkf\n00002.jkf\n00003.jkf\n", 0,
                  "d=$(mktemp -d) && " TSUME
                  "convert -q --to jkf tests/fixtures/columns.tsv -o $d/made/ && ls $d/made; "
                  "status=$?; rm -rf $d; exit $status");
}

Test(convert, encodings) {
    expect_part("encoding=Shift_JIS", 0,
                "d=$(mktemp -d) && " TSUME
                "convert -q --to kif tests/fixtures/record.kifu -o $d/x.kif && cat $d/x.kif; "
                "status=$?; rm -rf $d; exit $status");
    expect_part("encoding=UTF-8", 0, TSUME "convert -q --to kif tests/fixtures/record.kifu");
    expect_part("作者：無名氏", 0,
                TSUME "convert -q --to kif --encoding sjis tests/fixtures/record.kifu | iconv -f CP932 -t UTF-8");
}

/* A file may be written over itself. */
Test(convert, in_place) {
    expect_output("同じ\n", 0,
                  "d=$(mktemp -d) && cp tests/fixtures/record.kifu $d/x.kifu && " TSUME
                  "convert -q --to kif $d/x.kifu -o $d/x.kifu && " TSUME "convert -q --to jkf $d/x.kifu >$d/a && " TSUME
                  "convert -q --to jkf tests/fixtures/record.kifu | cmp - $d/a && echo 同じ; "
                  "status=$?; rm -rf $d; exit $status");
}

Test(convert, command_lines_that_make_no_sense) {
    expect_status(2, TSUME "convert tests/fixtures/record.kifu 2>/dev/null");
    expect_status(2, TSUME "convert --to kif 2>/dev/null");
    expect_status(2, TSUME "convert --to xls tests/fixtures/record.kifu 2>/dev/null");
    expect_status(2, TSUME "convert --to jkf --encoding sjis tests/fixtures/record.kifu 2>/dev/null");
    expect_status(3, TSUME "convert --to kif /nowhere.kif 2>/dev/null");
    expect_status(4, TSUME "convert --to kif tests/fixtures/record.kifu -o /nowhere/x.kif 2>/dev/null");
    expect_status(4, TSUME "convert --to kif problems/zukou.tsv >/dev/full 2>/dev/null");
}

/* ---- Notations ---- */

#define SOLVE "echo '" GOLD "\tgold' | " TSUME "solve --quiet --hash 16 --threads 1 "
#define CHECK "echo '" COOK "\tcook' | " TSUME "check --quiet --hash 16 --threads 1 "

Test(convert, lines_in_other_notations) {
    expect_part("\n  G*1b\n", 0, SOLVE "-");
    expect_part("\n  ▲１二金\n", 0, SOLVE "--notation ja -");
    expect_part("\n  G*1b\n", 0, SOLVE "--notation western -");
    expect_part("\n  +0012KI\n", 0, SOLVE "--notation csa -");
    expect_status(2, SOLVE "--notation kif - 2>/dev/null");
}

Test(convert, findings_in_other_notations) {
    expect_part("\n  ▲８二馬 △同金 ▲同香成\n", 0, CHECK "--notation ja -");
    expect_part("\n  ply 1: ▲８一金 cook (余詰), mate in 3 plies, 5 left over: ▲８一金 △同角 ▲８二馬\n", 0,
                CHECK "--notation ja -");
    expect_part("\n  ply 3: Sx8b= final-dual", 0, CHECK "--notation western -");
}

/* ---- Records ---- */

static struct tsume_problem *read_output(const char *command, int expected_status) {
    int status;
    char *text = shell(&status, "%s", command);
    cr_assert_eq(status, expected_status, "%s: exit status %d", command, status);
    struct reader *reader = reader_new_memory("output", text, strlen(text), NULL);
    struct tsume_problem *problem = reader_next(reader);
    cr_assert(problem && !problem->invalid, "%s: %s", command, text);
    cr_expect_null(problem->stated_note);
    reader_free(reader);
    free(text);
    return problem;
}

static void expect_play(const char *command, const char *expected) {
    struct tsume_problem *problem = read_output(command, 0);
    char *play = described_play(problem, DESCRIBED_MOVES | DESCRIBED_COMMENTS | DESCRIBED_ENDS);
    cr_expect_str_eq(play, expected, "%s: %s", command, play);
    free(play);
    tsume_problem_free(problem);
}

Test(convert, answers_as_records) {
    static const char *const FORMATS[] = {"kif", "jkf"};
    for (int i = 0; i < 2; i++) {
        char command[512];
        snprintf(command, sizeof command, "%s--format %s -", SOLVE, FORMATS[i]);
        expect_play(command, "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p \"mate in 1 ply\" G*1b %TSUMI");
    }
    expect_play("echo '4k4/9/9/9/9/9/9/9/9 b P 1' | " TSUME "solve --quiet --hash 16 --format kif -",
                "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p \"no mate\"");
    expect_output("", 3, "echo 'nonsense/////' | " TSUME "solve --quiet --hash 16 --format jkf - 2>/dev/null");
}

/* A move in place of this one with such a comment; NULL if there is none. */
static const struct stated_move *variation_with_comment(const struct stated_move *first, const char *comment) {
    for (const struct stated_move *v = first->variation; v; v = v->variation)
        if (v->comment && strstr(v->comment, comment))
            return v;
    return NULL;
}

Test(convert, reports_as_records) {
    static const char *const FORMATS[] = {"kif", "jkf"};
    for (int i = 0; i < 2; i++) {
        char command[512];
        snprintf(command, sizeof command, "%s--format %s -", CHECK, FORMATS[i]);
        struct tsume_problem *problem = read_output(command, 0);
        cr_expect_str_eq(problem->id, "cook");
        cr_expect_str_eq(problem->comment, "unsound");
        cr_expect(stated_line_mates(problem));
        const struct stated_move *cook = variation_with_comment(problem->stated, "cook (余詰), mate in 3 plies");
        cr_assert_not_null(cook);
        cr_expect(cook->next && cook->next->next && cook->next->next->end == END_MATE);
        const struct stated_move *last = problem->stated->next->next;
        cr_expect(strstr(last->comment, "leftover (駒余り)"), "%s", last->comment);
        cr_expect_not_null(variation_with_comment(last, "final-dual (最終手余詰)"));
        tsume_problem_free(problem);
    }
}
