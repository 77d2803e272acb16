/* test_show.c: `tsume show` from outside: what its diagrams hold, and where. Pictures are read back with xmllint, pdftotext and pdfinfo. */
#include "tests/shell.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define SHOW TSUME_PROGRAM " show "
#define GOLD "8k/9/7+P1/9/9/9/9/9/9 b G 1"
#define LISTED(sfen, rest) "printf '" sfen "\\t" rest "\\n' | "

static void begin(void) {
    char folder[] = "/tmp/tsume-show-XXXXXX"; /* for the files of a test: $D */
    cr_assert_eq(chdir(TSUME_SOURCE_DIR), 0);
    cr_assert_not_null(mkdtemp(folder));
    setenv("D", folder, 1);
    setenv("LSAN_OPTIONS", "print_suppressions=0:suppressions=" TSUME_SOURCE_DIR "/tests/leaks.supp", 1);
}

static void end(void) {
    int status;
    free(shell(&status, "rm -rf $D"));
}

TestSuite(show, .init = begin, .fini = end, .timeout = 120);

/* What a command writes to stdout; it must end with this status. */
static char *output_of(int expected_status, const char *command) {
    int status;
    char *text = shell(&status, "%s", command);
    cr_expect_eq(status, expected_status, "%s: exit status %d", command, status);
    return text;
}

static void expect_output(const char *expected, int status, const char *command) {
    char *text = output_of(status, command);
    cr_expect_str_eq(text, expected, "%s:\n%s", command, text);
    free(text);
}

static void expect_part(const char *part, int status, const char *command) {
    char *text = output_of(status, command);
    cr_expect(strstr(text, part), "%s: no '%s' in:\n%s", command, part, text);
    free(text);
}

/* ---- Text ---- */

Test(show, text_has_heading_headers_board_and_moves) {
    expect_output("gold  1 ply  hands completed\n"
                  "作者：無名氏\n"
                  "後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七\n"
                  "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                  "+---------------------------+\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                  "| ・ ・ ・ ・ ・ ・ ・ と ・|三\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                  "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
                  "+---------------------------+\n"
                  "先手の持駒：金\n"
                  "  ▲１二金\n",
                  0, LISTED(GOLD, "gold\\t1\\tG*1b\\t作者：無名氏") SHOW "--moves -");
}

Test(show, text_in_letters_after_a_move) {
    expect_output("gold  1 ply  hands completed\n"
                  "after 1 ply: G*1b\n"
                  "White in hand: r2 b2 g3 s4 n4 l4 p17\n"
                  "   9  8  7  6  5  4  3  2  1\n"
                  "+----------------------------+\n"
                  "|  .  .  .  .  .  .  .  .  k |a\n"
                  "|  .  .  .  .  .  .  .  .  G |b\n"
                  "|  .  .  .  .  .  .  . +P  . |c\n"
                  "|  .  .  .  .  .  .  .  .  . |d\n"
                  "|  .  .  .  .  .  .  .  .  . |e\n"
                  "|  .  .  .  .  .  .  .  .  . |f\n"
                  "|  .  .  .  .  .  .  .  .  . |g\n"
                  "|  .  .  .  .  .  .  .  .  . |h\n"
                  "|  .  .  .  .  .  .  .  .  . |i\n"
                  "+----------------------------+\n"
                  "Black in hand: nothing\n"
                  "White to move\n",
                  0, LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--ascii --at 1 -");
}

Test(show, moves_in_other_notations) {
    expect_part("\n  G*1b\n", 0, LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--moves --notation western -");
    expect_part("\n  +0012KI\n", 0, LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--moves --notation csa -");
    expect_part("\n  G*1b\n", 0, LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--moves --ascii -");
}

/* ---- Bad input ---- */

Test(show, bad_input_is_named_and_the_rest_shown) {
    static const char list[] = "printf '8k/9/9/9x/9/9/9/9/9 b G 1\\n" GOLD "\\tlast\\t1\\tG*1a\\n' | ";
    char command[512];
    snprintf(command, sizeof command, "%s" SHOW "- 2>&1 >/dev/null", list);
    expect_output("-:1:9: error: expected a piece letter, a digit or '/', found 'x'\n"
                  "-:2:36: stated move 1, 'G*1a', is not legal here; the moves end there\n",
                  3, command);
    snprintf(command, sizeof command, "%s" SHOW "- 2>/dev/null | grep -c 先手の持駒", list);
    expect_output("1\n", 0, command);
    expect_output("-:1: error: there is no position after 2 plies: the stated solution ends after 1\n", 3,
                  LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--at 2 - 2>&1");
}

Test(show, a_picture_holds_one_problem) {
    expect_part("a file of svg holds one problem", 2, SHOW "--format svg problems/zukou.tsv 2>&1 >/dev/null");
    expect_output("00001.svg\n00002.svg\n00003.svg\n", 0,
                  SHOW "--format svg tests/fixtures/columns.tsv -o $D/made/ && ls $D/made");
    expect_part("a book is one file", 2, SHOW "--format pdf problems/zukou.tsv -o $D 2>&1");
}

Test(show, an_empty_book_is_not_written) {
    expect_output("tsume show: there is no problem to draw, and no PDF file is written\n", 3,
                  SHOW "-o $D/x.pdf - </dev/null 2>&1");
    expect_output("", 0, "ls $D");
    expect_output("", 0, SHOW "- </dev/null");
}

Test(show, outputs_that_cannot_be_written) {
    expect_output("", 4, SHOW "tests/fixtures/record.kifu -o /nowhere/x.svg 2>/dev/null");
    expect_output("", 4, SHOW "tests/fixtures/record.kifu -o /nowhere/x.pdf 2>/dev/null");
    expect_output("", 4, SHOW "--format svg tests/fixtures/record.kifu >/dev/full 2>/dev/null");
    expect_output("", 4, SHOW "--format pdf tests/fixtures/record.kifu >/dev/full 2>/dev/null");
    expect_output("", 4, SHOW "problems/zukou.tsv >/dev/full 2>/dev/null");
}

Test(show, command_lines_that_make_no_sense) {
    expect_output("", 2, SHOW "2>/dev/null");
    expect_output("", 2, SHOW "--format png problems/zukou.tsv 2>/dev/null");
    expect_output("", 2, SHOW "--per-page 0 problems/zukou.tsv 2>/dev/null");
    expect_output("", 2, SHOW "--paper b5 problems/zukou.tsv 2>/dev/null");
    expect_output("", 2, SHOW "--at x problems/zukou.tsv 2>/dev/null");
    expect_output("", 2, SHOW "--solutions end problems/zukou.tsv 2>/dev/null");
    expect_output("", 2, SHOW "--flip problems/zukou.tsv 2>/dev/null");
    expect_output("", 2, SHOW "--ascii --format pdf problems/zukou.tsv 2>/dev/null");
}

/* ---- Fonts ---- */

Test(show, no_picture_without_a_japanese_font) {
    expect_part("install a Japanese font", 4,
                "echo '<fontconfig></fontconfig>' >$D/none.conf && FONTCONFIG_FILE=$D/none.conf " SHOW
                "tests/fixtures/record.kifu -o $D/x.pdf 2>&1");
    expect_output("none.conf\n", 0, "ls $D");
}

/* U+F8FE is nobody's character. */
Test(show, characters_that_no_font_has_are_told) {
    expect_output("-:1: no font has 1 of its characters: boxes stand for them\n", 0,
                  LISTED(GOLD, "\xEF\xA3\xBE") SHOW "-o $D/x.svg - 2>&1");
}

/* ---- What PDF files hold ---- */

struct word {
    char text[512];
    double x, y; /* the middle */
};
struct words {
    struct word *of;
    size_t count;
};

/* The words of a PDF file that a command writes to stdout, in the order in which they are drawn. */
static struct words words_of(const char *command) {
    char whole[2048];
    struct words words = {0};
    snprintf(whole, sizeof whole, "%s | pdftotext -bbox - -", command);
    char *text = output_of(0, whole);
    for (char *line = text; (line = strstr(line, "<word ")); line++) {
        struct word word;
        double left, right, top, bottom;
        if (sscanf(line, "<word xMin=\"%lf\" yMin=\"%lf\" xMax=\"%lf\" yMax=\"%lf\">%511[^<]", &left, &top, &right,
                   &bottom, word.text) != 5)
            continue;
        word.x = (left + right) / 2;
        word.y = (top + bottom) / 2;
        words.of = realloc(words.of, (words.count + 1) * sizeof *words.of);
        words.of[words.count++] = word;
    }
    free(text);
    return words;
}

/* The uppermost word with this text. */
static struct word find_word(const struct words *words, const char *text) {
    const struct word *found = NULL;
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->of[i].text, text) == 0 && (!found || words->of[i].y < found->y))
            found = &words->of[i];
    cr_assert(found, "no '%s'", text);
    return *found;
}

static const char *const FILES[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"}, *const RANKS[] = {"一", "二", "三",
                                                                                                    "四", "五", "六",
                                                                                                    "七", "八", "九"};

/* The piece stands below the number of the file and beside that of the rank. */
static void expect_at(const struct words *words, const char *kanji, int file, int rank) {
    struct word piece = find_word(words, kanji);
    double x = find_word(words, FILES[file - 1]).x, y = find_word(words, RANKS[rank - 1]).y;
    cr_expect(fabs(piece.x - x) < 2, "%s: %g, not %g", kanji, piece.x, x);
    cr_expect(fabs(piece.y - y) < 2, "%s: %g, not %g", kanji, piece.y, y);
}

#define DIAGONAL "k8/9/2+R6/3+B5/4+s4/5+n3/6+l2/7+p1/8G b - 1"

static void expect_diagonal(const struct words *words) {
    static const char *const PIECES[] = {"金", "と", "杏", "圭", "全", "馬", "龍"};
    for (int i = 0; i < 7; i++)
        expect_at(words, PIECES[i], i + 1, 9 - i);
    expect_at(words, "玉", 9, 1);
}

Test(show, pieces_stand_on_their_squares) {
    struct words words = words_of("echo '" DIAGONAL "\tdiagonal' | " SHOW "--format pdf --per-page 1 -");
    expect_diagonal(&words);
    cr_expect_gt(find_word(&words, "1").x, find_word(&words, "9").x);
    cr_expect_gt(find_word(&words, "九").y, find_word(&words, "一").y);
    cr_expect_gt(find_word(&words, "一").x, find_word(&words, "1").x, "ranks are counted at the right");
    cr_expect_lt(find_word(&words, "5").y, find_word(&words, "一").y, "files are counted above");
    free(words.of);
}

Test(show, a_flipped_board_has_them_on_the_same_squares) {
    struct words words = words_of("echo '" DIAGONAL "\tdiagonal' | " SHOW "--flip --format pdf --per-page 1 -");
    expect_diagonal(&words);
    cr_expect_lt(find_word(&words, "1").x, find_word(&words, "9").x);
    cr_expect_lt(find_word(&words, "九").y, find_word(&words, "一").y);
    free(words.of);
}

/* All that is written in the column of a word, downwards. */
static char *column_of(struct words words, const char *first) {
    struct word top = find_word(&words, first), *next;
    char *text = calloc(1, 1024);
    for (double y = top.y - 1;; y = next->y) {
        next = NULL;
        for (size_t i = 0; i < words.count; i++)
            if (fabs(words.of[i].x - top.x) < 1 && words.of[i].y > y && (!next || words.of[i].y < next->y))
                next = &words.of[i];
        if (!next)
            return text;
        strncat(text, next->text, 1023 - strlen(text));
    }
}

static void expect_hands(const char *options, const char *sfen, const char *black, const char *white) {
    char command[512];
    snprintf(command, sizeof command, "echo '%s' | " SHOW "--format pdf --per-page 1 %s -", sfen, options);
    struct words words = words_of(command);
    char *text = column_of(words, "☗");
    cr_expect_str_eq(text, black, "%s: %s", options, text);
    free(text);
    text = white ? column_of(words, "☖") : NULL;
    cr_expect(!white || strcmp(text, white) == 0, "%s: %s", options, text);
    free(text);
    for (size_t i = 0; i < words.count; i++)
        cr_expect(white || strcmp(words.of[i].text, "☖"), "%s: White's hand", options);
    free(words.of);
}

Test(show, hands_are_written_downwards) {
    static const char one_king[] = "8k/9/7+P1/9/9/9/9/9/9 b RGS2P 1", two_kings[] = "8k/9/7+P1/9/9/9/9/9/K8 b G2s 1";
    expect_hands("", one_king, "☗持駒飛金銀歩二", NULL);
    expect_hands("--defender-hand rest", one_king, "☗持駒飛金銀歩二", "☖持駒残り全部");
    expect_hands("--defender-hand pieces", one_king, "☗持駒飛金銀歩二", "☖持駒飛角二金三銀三桂四香四歩十五");
    expect_hands("", two_kings, "☗持駒金", "☖持駒銀二");
    expect_hands("--defender-hand none", two_kings, "☗持駒金", NULL);
    expect_hands("--hands as-given", "8k/9/7+P1/9/9/9/9/9/9 b - 1", "☗持駒なし", "☖持駒なし");
}

Test(show, title_author_and_length_stand_by_the_board) {
    struct words words = words_of(LISTED(GOLD, "7番\\t1\\tG*1b\\t作者：誰か") SHOW "--format pdf --at 1 -");
    double board = find_word(&words, "9").y, below = find_word(&words, "九").y;
    cr_expect_lt(find_word(&words, "7番").y, board);
    cr_expect_lt(find_word(&words, "1手詰").y, board);
    cr_expect_gt(find_word(&words, "誰か").y, below);
    cr_expect_gt(find_word(&words, "1手目").y, below);
    cr_expect_gt(find_word(&words, "▲１二金").y, below);
    expect_at(&words, "金", 1, 2);
    free(words.of);
}

/* ---- Books ---- */

static void expect_pages(const char *expected, const char *options) {
    char command[512], line[64];
    snprintf(command, sizeof command,
             SHOW "%s -o $D/x.pdf problems/zukou.tsv && pdfinfo $D/x.pdf | grep -E '^(Pages|Page size)'", options);
    snprintf(line, sizeof line, "Pages:           %s\n", expected);
    expect_output(line, 0, command);
}

/* Of the 100 problems of Shogi Zuko. */
Test(show, so_many_to_a_page) {
    expect_pages("100\nPage size:       595.28 x 841.89 pts (A4)", "--per-page 1");
    expect_pages("17\nPage size:       595.28 x 841.89 pts (A4)", "");
    expect_pages("12\nPage size:       419.53 x 595.28 pts", "--per-page 9 --paper a5");
    expect_pages("25\nPage size:       612 x 792 pts (letter)", "--per-page 4 --paper letter");
}

/* Leaves out white space, page breaks and the digits that page numbers are made of (moves have wide ones). */
static void squeeze(char *text) {
    char *end = text;
    for (char *c = text; *c; c++)
        if (!isspace((unsigned char)*c) && !isdigit((unsigned char)*c))
            *end++ = *c;
    *end = '\0';
}

/* Nothing of all these solutions is lost between lines, columns and pages. */
static void expect_all_moves(const char *options) {
    char command[512];
    snprintf(command, sizeof command, SHOW "%s --format pdf problems/zukou.tsv | pdftotext -raw - -", options);
    char *book = output_of(0, command), *lists = output_of(0, SHOW "--moves problems/zukou.tsv"), *rest = lists;
    int count = 0;
    for (int i = 1; i <= 100; i++) {
        char id[16];
        snprintf(id, sizeof id, "zukou-%03d", i);
        cr_expect(strstr(book, id), "%s: no %s", options, id);
    }
    squeeze(book);
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (strncmp(line, "  ▲", 5) != 0)
            continue;
        count++;
        squeeze(line);
        cr_expect(strstr(book, line), "%s: no %s", options, line);
    }
    cr_expect_eq(count, 99, "of the last one only the length is recorded: %d", count);
    free(lists);
    free(book);
}

Test(show, solutions_below) {
    expect_all_moves("--solutions below");
    expect_all_moves("--moves --paper a5 --per-page 4");
}

Test(show, solutions_at_the_end) {
    expect_all_moves("--solutions end --per-page 9");
    expect_all_moves("--solutions end --paper a5");
}

/* A rook and a king go to and fro 400 times: as long as the longest problems. */
static void expect_long_solution(const char *options, const char *pages) {
    char command[512];
    snprintf(command, sizeof command, SHOW "%s $D/long.tsv -o $D/long.pdf && pdfinfo $D/long.pdf | grep Pages",
             options);
    expect_output(pages, 0, command);
    static const char one[] = "▲８九飛△４一玉▲９九飛△５一玉";
    char *book = output_of(0, "pdftotext -raw $D/long.pdf -");
    int rounds = 0;
    squeeze(book);
    for (const char *at = strstr(book, one); at && strncmp(at, one, strlen(one)) == 0; at += strlen(one))
        rounds++;
    cr_expect_eq(rounds, 400, "%s: %d", options, rounds);
    free(book);
}

Test(show, solutions_as_long_as_any) {
    expect_output("", 0,
                  "(printf '4k4/9/9/9/9/9/9/9/R3K4 b - 1\tlong\t1600\t'; for i in $(seq 400); do printf "
                  "'9i8i 5a4a 8i9i 4a5a '; done; echo) >$D/long.tsv");
    expect_long_solution("--moves", "Pages:           3\n");
    expect_long_solution("--moves --paper a5", "Pages:           6\n");
    expect_long_solution("--solutions end", "Pages:           4\n");
}

Test(show, no_solutions_unless_asked_for) {
    expect_output("", 1, SHOW "--format pdf problems/zukou.tsv | pdftotext - - | grep ▲");
}

Test(show, the_same_input_gives_the_same_file) {
    static const char twice[] = SHOW "--moves problems/zukou.tsv -o $D/1.pdf && sleep 1.1 && " SHOW
                                     "--moves problems/zukou.tsv -o $D/2.pdf && cmp $D/1.pdf $D/2.pdf";
    expect_output("", 0, twice);
    expect_output("", 1, "pdfinfo $D/1.pdf | grep Date");
    expect_part("CreationDate:    Thu Jan  1 00:00:01 1970", 0,
                "SOURCE_DATE_EPOCH=1 " SHOW "tests/fixtures/record.kifu -o $D/3.pdf && TZ=UTC pdfinfo $D/3.pdf");
}

/* ---- What SVG pictures hold ---- */

enum { MOST_GLYPHS = 256 };

struct glyph {
    char name[32];
    double x, y;
};
struct picture {
    char *svg;
    struct glyph glyphs[MOST_GLYPHS]; /* in the order in which they are drawn */
    int count;
};

static struct picture picture_of(const char *sfen) {
    char command[512];
    struct picture picture = {0};
    snprintf(command, sizeof command,
             "printf '%s\\tx' | " SHOW "--format svg - | tee $D/x.svg && xmllint --noout $D/x.svg", sfen);
    picture.svg = output_of(0, command);
    for (char *use = picture.svg; (use = strstr(use, "<use ")) && picture.count < MOST_GLYPHS; use++) {
        struct glyph *glyph = &picture.glyphs[picture.count];
        if (sscanf(use, "<use xlink:href=\"#%31[^\"]\" x=\"%lf\" y=\"%lf\"", glyph->name, &glyph->x, &glyph->y) == 3)
            picture.count++;
    }
    cr_assert_gt(picture.count, 18, "labels: %d glyphs", picture.count);
    return picture;
}

/* The outline of a glyph: it begins at this point, seen from its own origin. */
static void outline_of(const struct picture *picture, const struct glyph *glyph, double *x, double *y) {
    char id[64];
    snprintf(id, sizeof id, "id=\"%s\"", glyph->name);
    const char *symbol = strstr(picture->svg, id), *path = symbol ? strstr(symbol, " d=\"") : NULL;
    cr_assert(path && sscanf(path, " d=\"M %lf %lf", x, y) == 2, "%s", glyph->name);
}

/* The glyph of the last piece that is drawn: labels and pieces come first, then the four of ☗持駒 and its piece, then x. */
static struct glyph piece_in(const struct picture *picture) {
    return picture->glyphs[18];
}

/* A gold wanders over an otherwise empty board (the king stands in the corner where pieces are drawn last). */
Test(show, svg_has_pieces_on_their_squares) {
    struct picture one = picture_of("9/4G4/9/9/9/9/9/9/8k b - 1"), beside = picture_of("9/5G3/9/9/9/9/9/9/8k b - 1"),
                   below = picture_of("9/9/9/4G4/9/9/9/9/8k b - 1"), silver = picture_of("9/4S4/9/9/9/9/9/9/8k b - 1"),
                   turned = picture_of("9/4g4/9/9/9/9/9/9/8k b - 1");
    double files = fabs(one.glyphs[0].x - one.glyphs[2].x); /* from one label of a file to the next */
    cr_expect_float_eq(piece_in(&beside).x - piece_in(&one).x, files, .01);
    cr_expect_float_eq(piece_in(&beside).y, piece_in(&one).y, .01);
    cr_expect_float_eq(piece_in(&below).x, piece_in(&one).x, .01);
    cr_expect_float_eq(piece_in(&below).y - piece_in(&one).y, 2 * (one.glyphs[3].y - one.glyphs[1].y), .02);

    struct glyph gold = piece_in(&one), other = piece_in(&below);
    double x, y, other_x, other_y;
    outline_of(&one, &gold, &x, &y);
    outline_of(&below, &other, &other_x, &other_y);
    cr_expect(x == other_x && y == other_y, "the same piece looks the same");
    other = piece_in(&silver);
    outline_of(&silver, &other, &other_x, &other_y);
    cr_expect(x != other_x || y != other_y, "another piece looks different");
    other = piece_in(&turned);
    outline_of(&turned, &other, &other_x, &other_y);
    cr_expect(fabs(x + other_x) < .01 && fabs(y + other_y) < .01, "White's stands on its head");
    free(one.svg), free(beside.svg), free(below.svg), free(silver.svg), free(turned.svg);
}

Test(show, the_square_of_the_last_move_is_shaded) {
    expect_output("1\n", 0, LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--format svg --at 1 - | grep -c 'fill:rgb(8[05]'");
    expect_output("0\n", 1, LISTED(GOLD, "gold\\t1\\tG*1b") SHOW "--format svg - | grep -c 'fill:rgb(8[05]'");
}

/* ---- Hostile text ---- */

Test(show, any_title_is_only_text) {
    static const char *const titles[] = {"<&>\"]]>", "\\033[31m\\001\\177", "%%s%%n", "\\342\\200\\256abc",
                                         "$(printf %%09999d 0)"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "printf '" GOLD "\\t%s\\t1\\tG*1b\\n' >$D/x.tsv && " SHOW
                 "--moves $D/x.tsv -o $D/x.svg 2>/dev/null && xmllint --noout $D/x.svg",
                 titles[i]);
        expect_output("", 0, command);
        expect_output("Pages:           2\n", 0,
                      SHOW "--solutions end $D/x.tsv -o $D/x.pdf 2>/dev/null && pdfinfo $D/x.pdf | grep Pages");
    }
    expect_part("<&>\"]]>", 0, LISTED(GOLD, "<&>\"]]>") SHOW "--format pdf - | pdftotext - -");
    expect_output("", 1, LISTED(GOLD, "\\033[31m") SHOW "- | grep \"$(printf '\\033')\"");
}

/* A name of a file may hold any bytes. */
Test(show, names_that_are_no_text) {
    expect_output("", 0,
                  "n=$D/$(printf 'a\\377b').sfen && echo '" GOLD "' >$n && " SHOW
                  "$n -o $D/x.svg 2>/dev/null && xmllint --noout $D/x.svg");
}
