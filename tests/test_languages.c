/* test_languages.c: what the program says in Japanese and Russian, how it chooses the language, and what stays the same in all of them. */
#include "tests/running.h"
#include "tests/shell.h"

#include <locale.h>
#include <regex.h>
#include <wchar.h>

#define JAPANESE "ja"
#define RUSSIAN "ru"

static const char *const LANGUAGES[] = {JAPANESE, RUSSIAN};
enum { LANGUAGE_COUNT = sizeof LANGUAGES / sizeof *LANGUAGES };

/* ---- Looking at text ----------------------------------------------------------------------------------------------- */

/* How many columns of a terminal a line takes; −1 where it is not UTF-8. */
static int columns_of(const char *line, size_t length) {
    char copy[4096];
    wchar_t wide[4096];
    cr_assert_lt(length, sizeof copy);
    snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    cr_assert_not_null(setlocale(LC_CTYPE, "C.UTF-8"));
    size_t count = mbstowcs(wide, copy, sizeof wide / sizeof *wide);
    return count == (size_t)-1 ? -1 : wcswidth(wide, count);
}

/* All of it is UTF-8, and no line is wider than so many columns (0: as wide as it likes). */
static void expect_lines(const char *text, int widest, const char *what) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        int columns = columns_of(text, length);
        cr_expect_geq(columns, 0, "%s: no UTF-8: %.*s", what, (int)length, text);
        cr_expect(widest == 0 || columns <= widest, "%s: %d columns: %.*s", what, columns, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static bool matches(const char *text, const char *pattern) {
    regex_t regex;
    cr_assert_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

/* Text of a command line in a language: on both outputs, UTF-8, and with these words in it. */
static void expect_words(const char *language, const char *command_line, const char *input, const char *words) {
    char line[512];
    snprintf(line, sizeof line, "--lang %s %s", language, command_line);
    struct outcome outcome = run(line, input);
    expect_lines(outcome.out, 0, line);
    expect_lines(outcome.err, 0, line);
    cr_expect(strstr(outcome.out, words) || strstr(outcome.err, words), "%s: no '%s' in:\n%s%s", line, words,
              outcome.out, outcome.err);
    forget(&outcome);
}

/* ---- Catalogues ---------------------------------------------------------------------------------------------------- */

Test(languages, all_messages_are_marked_and_translated) {
    int status;
    char folder[] = "/tmp/tsume-languages-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char *said = shell(&status, "%s/solver/po/update --check %s 2>&1; ended=$?; rm -r %s; exit $ended",
                       TSUME_SOURCE_DIR, folder, folder);
    cr_expect_eq(status, 0, "%s", said);
    free(said);
}

/* ---- Help ---------------------------------------------------------------------------------------------------------- */

/* The help of a command in a language: no English is left in it but words that are typed so, and it fits a terminal. */
static void expect_help(const char *command, const char *language) {
    char line[64];
    snprintf(line, sizeof line, "%s --help --lang %s", command, language);
    struct outcome outcome = run(line, "");
    cr_expect_eq(outcome.status, 0);
    cr_expect_str_empty(outcome.err);
    expect_lines(outcome.out, 80, line);
    cr_expect(!matches(outcome.out, "[a-z]{2,} [a-z]{2,},? [a-z]{2,}"), "%s: English is left:\n%s", line, outcome.out);
    cr_expect(strstr(outcome.out, strcmp(language, JAPANESE) == 0 ? "終了コード" : "Код завершения"), "%s",
              outcome.out);
    forget(&outcome);
}

Test(languages, help_of_every_command) {
    struct outcome overview = run("--help", "");
    char *rest = strstr(overview.out, "Commands:\n");
    cr_assert_not_null(rest);
    int commands = 0;
    strsep(&rest, "\n");
    for (char *line; (line = strsep(&rest, "\n")) && strncmp(line, "  ", 2) == 0; commands++) {
        char command[32];
        cr_assert_eq(sscanf(line, "%31s", command), 1);
        for (int i = 0; i < LANGUAGE_COUNT; i++)
            expect_help(command, LANGUAGES[i]);
    }
    cr_expect_geq(commands, 6);
    forget(&overview);
}

Test(languages, help_of_the_whole) {
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "--help --lang %s", LANGUAGES[i]);
        struct outcome outcome = run(line, "");
        expect_lines(outcome.out, 85, line);
        cr_expect(!matches(outcome.out, "[a-z]{2,} [a-z]{3,} [a-z]{2,}"), "%s", outcome.out);
        forget(&outcome);
    }
}

/* ---- Reports ------------------------------------------------------------------------------------------------------- */

Test(languages, answers) {
    static const char PROBLEMS[] = MATE_IN_ONE "\tone\n" NO_MATE "\tnone\n" NIFU "\tnifu\n" HARD "\thard\n";
    static const char SOLVE[] = "solve --hash 16 --threads 1 --nodes 1000 -";
    static const struct {
        const char *language, *words;
    } cases[] = {
        {JAPANESE, "one  1手詰  "},
        {JAPANESE, "none  不詰  "},
        {JAPANESE, "nifu  不正  -:3:1: エラー: 先手の歩が5筋に2枚あります（二歩）"},
        {JAPANESE, "hard  不明  "},
        {JAPANESE, "4問: 詰み 1、不詰 1、不明 1、不正 1。"},
        {RUSSIAN, "one  мат в 1 ход  "},
        {RUSSIAN, "none  нет мата  "},
        {RUSSIAN, "nifu  недопустима  -:3:1: ошибка: Чёрные: две неперевёрнутые пешки на вертикали 5 (нифу)"},
        {RUSSIAN, "4 задачи: мат — 1, нет мата — 1, неизвестно — 1, недопустима — 1; "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_words(cases[i].language, SOLVE, PROBLEMS, cases[i].words);
}

/* Russian has three forms of a noun behind a number, Japanese one. */
Test(languages, plural_forms) {
    static const char *const COUNTED[] = {"1 задача: ", "2 задачи: ", "5 задач: ", "11 задач: ", "21 задача: "};
    char input[40 * sizeof NIFU] = "";
    size_t length = 0, given = 0;
    for (size_t i = 0; i < sizeof COUNTED / sizeof *COUNTED; i++) {
        for (size_t count = (size_t)atoi(COUNTED[i]); given < count; given++)
            length += (size_t)snprintf(input + length, sizeof input - length, NIFU "\n");
        expect_words(RUSSIAN, "solve --hash 1 -", input, COUNTED[i]);
    }
    expect_words(RUSSIAN, "solve --hash 16 " TSUME_SOURCE_DIR "/tests/fixtures/soundness/cook.tsv", "", "мат в 3 хода");
    expect_words(RUSSIAN, "solve --hash 1 -", "9/8/9/9/9/9/9/9/9 b - 1\n", "в горизонтали 2 только 8 полей, а нужно 9");
    expect_words(RUSSIAN, "solve --hash 1 -", "9/1/9/9/9/9/9/9/9 b - 1\n", "в горизонтали 2 только 1 поле, а нужно 9");
    expect_words("en", "solve --hash 1 -", "9/1/9/9/9/9/9/9/9 b - 1\n", "rank 2 has 1 square, expected 9");
    expect_words(JAPANESE, "solve --hash 1 -", "9/8/9/9/9/9/9/9/9 b - 1\n", "2段目のマスが8個しかありません");
}

/* In the words of composers, and with their terms in Japanese. */
Test(languages, findings) {
    static const struct {
        const char *fixture, *japanese, *russian;
    } cases[] = {
        {"cook", "不完全作、", "некорректна, "},
        {"cook", " 余詰、", " побочное решение (余詰), "},
        {"early-mate", " 早詰、", " более короткое решение (早詰), "},
        {"final-dual", " 最終手余詰、", " дуаль последнего хода (最終手余詰), "},
        {"promotion-choice", " 成・不成非限定、", " выбор переворота (成・不成非限定), "},
        {"square-choice", " 打ち場所非限定、", " выбор поля сброса (打点非限定), "},
        {"detour", " 迂回手順、", " обходной путь (迂回手順), "},
        {"transposition", " 手順前後、", " перестановка ходов (手順前後), "},
        {"leftover", "手目: 駒余り、", " лишние фигуры в руке (駒余り), "},
        {"equal-variation", " 変化同手数（変同）、", " равный вариант (変化同手数), "},
        {"longer-variation", " 変化長手数（変長）、", " более длинный вариант (変化長手数), "},
        {"no-mate", "不詰", "нет мата (不詰)"},
        {"stated-not-optimal", "作意が最善手順でない", "авторское решение не оптимально (作意不最善)"},
        {"sound", "  完全作、", "  корректна, "},
        {"transposition", "  キズあり、", "  с изъянами, "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "check --hash 16 %s/tests/fixtures/soundness/%s.tsv", TSUME_SOURCE_DIR,
                 cases[i].fixture);
        expect_words(JAPANESE, line, "", cases[i].japanese);
        expect_words(RUSSIAN, line, "", cases[i].russian);
    }
}

/* Comments in a record are for people. */
Test(languages, records_of_play) {
    expect_words(JAPANESE, "solve --hash 16 --format kif -", MATE_IN_ONE "\n", "*1手詰\n");
    expect_words(RUSSIAN, "solve --hash 16 --format kif -", MATE_IN_ONE "\n", "*мат в 1 ход\n");
}

Test(languages, converting) {
    static const char BAD[] = MATE_IN_ONE "\tone\t1\t1a1b\n";
    expect_words(JAPANESE, "convert --to kif -", BAD, "作意の1手目、'1a1b': 合法手ではありません。");
    expect_words(JAPANESE, "convert --to kif -", BAD, "1問を変換しました、うちエラー1件");
    expect_words(RUSSIAN, "convert --to kif -", BAD, "ход решения 1, «1a1b»: здесь не по правилам; ");
    expect_words(RUSSIAN, "convert --to kif -", BAD, "преобразована 1 задача, с ошибками: 1");
}

Test(languages, certificates) {
    char folder[] = "/tmp/tsume-languages-XXXXXX", line[128];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(line, sizeof line, "solve --hash 16 --certificate %s -", folder);
    cr_assert_eq(status_of(line, MATE_IN_ONE "\tone\n"), 0);
    snprintf(line, sizeof line, "verify %s", folder);
    expect_words(JAPANESE, line, "", "検証済み: 1手以内の詰み: ");
    expect_words(RUSSIAN, line, "", "проверено: мат, ходов не более 1: ");
    snprintf(line, sizeof line, "verify %s/tests/running.h", TSUME_SOURCE_DIR);
    expect_words(JAPANESE, line, "", "誤り: 証明書ではありません");
    expect_words(RUSSIAN, line, "", "неверно: это не сертификат");
    int status;
    free(shell(&status, "rm -r %s", folder));
}

Test(languages, the_engine) {
    expect_words(JAPANESE, "usi", "nonsense\nquit\n", "info string 不明なコマンド: 'nonsense'");
    expect_words(RUSSIAN, "usi", "nonsense\nquit\n", "info string неизвестная команда: 'nonsense'");
}

Test(languages, bad_usage) {
    expect_words(JAPANESE, "solve --hash x -", "", "--hashには1から16777216までの整数を指定してください（'x'は不可）");
    expect_words(JAPANESE, "solve --order x -", "", "--orderはshortest、anyのどれかです");
    expect_words(RUSSIAN, "solve --hash x -", "", "для --hash нужно целое число от 1 до 16777216, а не «x»");
    expect_words(RUSSIAN, "solve", "", "не указан файл («-» — стандартный ввод)");
    expect_words(JAPANESE, "nonsense", "", "'nonsense'というコマンドはありません");
}

/* The columns of tables stand below each other: all lines of one are as wide, since its last column is of numbers. */
Test(languages, tables_are_aligned) {
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "bench --hash 16 --lang %s --repeat 2 -", LANGUAGES[i]);
        struct outcome outcome = run(line, MATE_IN_ONE "\t詰将棋\n" NO_MATE "\tno\n");
        cr_expect_eq(outcome.status, 0);
        expect_lines(outcome.out, 0, line);
        char *rest = strstr(outcome.out, "\n\n"), *row;
        cr_assert_not_null(rest);
        rest += 2;
        int width = columns_of(rest, strcspn(rest, "\n")), rows = 0;
        for (; (row = strsep(&rest, "\n")) && *row; rows++)
            cr_expect_eq(columns_of(row, strlen(row)), width, "%s", row);
        cr_expect_eq(rows, 3);
        forget(&outcome);
    }
}

/* ---- What programs read -------------------------------------------------------------------------------------------- */

/* The records of a run, without times. */
static json_t *timeless_records(const char *language, const char *command_line, const char *input) {
    char line[256];
    size_t i;
    json_t *record;
    snprintf(line, sizeof line, "--lang %s %s", language, command_line);
    json_t *records = records_of(line, input);
    json_array_foreach(records, i, record) json_object_del(record, "seconds");
    return records;
}

Test(languages, json_is_the_same) {
    static const char *const COMMANDS[] = {"solve --hash 16 --threads 1 --nodes 1000 --format jsonl - /nowhere",
                                           "check --hash 16 --threads 1 --nodes 1000 --format jsonl -"};
    static const char INPUT[] = MATE_IN_ONE "\tmate\n" NO_MATE "\tescape\n" HARD "\thard\n" NIFU "\tnifu\nnonsense\n"
                                            "9/8/9/9/9/9/9/9/9 b - 1\n手数＝1\n";
    for (size_t c = 0; c < sizeof COMMANDS / sizeof *COMMANDS; c++) {
        json_t *english = timeless_records("en", COMMANDS[c], INPUT);
        cr_expect_geq(json_array_size(english), 6);
        for (int i = 0; i < LANGUAGE_COUNT; i++) {
            json_t *foreign = timeless_records(LANGUAGES[i], COMMANDS[c], INPUT);
            cr_expect(json_equal(english, foreign), "%s in %s", COMMANDS[c], LANGUAGES[i]);
            json_decref(foreign);
        }
        json_decref(english);
    }
}

Test(languages, csv_is_the_same) {
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "bench --hash 16 --format csv --lang %s -", LANGUAGES[i]);
        struct outcome outcome = run(line, MATE_IN_ONE "\tgold\n");
        cr_expect_not_null(strstr(outcome.out, "\r\n-,gold,tsume,1,mate,1,yes,"), "%s", outcome.out);
        forget(&outcome);
    }
}

/* The messages beside it are for people. */
Test(languages, summary_of_json) {
    expect_words(JAPANESE, "solve --hash 16 --format jsonl -", MATE_IN_ONE "\n", "1問: 詰み 1。");
}

/* ---- Choosing ------------------------------------------------------------------------------------------------------ */

/* The program's help in this environment ("NAME=VALUE …" and nothing else) and with these options begins so. */
static void expect_language(const char *environment, const char *options, const char *usage) {
    int status;
    char *help = shell(&status, "env -i %s %s %s --help", environment, TSUME_PROGRAM, options);
    cr_expect_eq(status, 0);
    cr_expect_eq(strncmp(help, usage, strlen(usage)), 0, "%s %s: %.60s", environment, options, help);
    free(help);
}

static const char ENGLISH_USAGE[] = "Usage: tsume", JAPANESE_USAGE[] = "使い方: tsume",
                  RUSSIAN_USAGE[] = "Использование: tsume";

/* Whether or not the machine has the locale. */
Test(languages, by_the_locale) {
    expect_language("", "", ENGLISH_USAGE);
    expect_language("LC_ALL=C", "", ENGLISH_USAGE);
    expect_language("LANG=ja_JP.UTF-8", "", JAPANESE_USAGE);
    expect_language("LANG=en_US.UTF-8 LC_MESSAGES=ru_RU.UTF-8", "", RUSSIAN_USAGE);
    expect_language("LANG=ru_RU.UTF-8 LC_ALL=ja_JP.UTF-8", "", JAPANESE_USAGE);
    expect_language("LANG=de_DE.UTF-8", "", ENGLISH_USAGE);
    expect_language("LANG=C LANGUAGE=ja", "", ENGLISH_USAGE); /* as gettext has it */
    expect_language("LANG=../../etc", "", ENGLISH_USAGE);
}

Test(languages, by_option) {
    expect_language("", "--lang ja", JAPANESE_USAGE);
    expect_language("LC_ALL=C", "--lang=ru", RUSSIAN_USAGE);
    expect_language("LC_ALL=ja_JP.UTF-8", "--lang ru", RUSSIAN_USAGE);
    expect_language("LC_ALL=ja_JP.UTF-8", "--lang en", ENGLISH_USAGE);
    expect_language("LC_ALL=ja_JP.UTF-8 LANGUAGE=ru", "--lang en solve", ENGLISH_USAGE);
    expect_language("", "--lang ja_JP.UTF-8 check", JAPANESE_USAGE);
    expect_language("", "solve --lang ja", JAPANESE_USAGE);
    expect_language("", "solve --lan ja", JAPANESE_USAGE);
    expect_language("", "--lang ru --lang ja", JAPANESE_USAGE);
}

Test(languages, unknown_ones) {
    static const char *const COMMANDS[] = {"--lang xx solve -", "solve --lang=xx -", "--lang ../ja --help",
                                           "--lang= solve -", "convert --to sfen --lang xx -"};
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        struct outcome outcome = run(COMMANDS[i], MATE_IN_ONE "\n");
        cr_expect_eq(outcome.status, 2, "'%s' exits %d", COMMANDS[i], outcome.status);
        cr_expect_str_empty(outcome.out);
        cr_expect_not_null(strstr(outcome.err, "; there are: en ja ru\n"), "%s", outcome.err);
        forget(&outcome);
    }
    expect_bad_usage("solve --lan xx -");
    expect_bad_usage("solve - --lang");
}

/* Behind "--" it is the name of a file. */
Test(languages, option_behind_the_end_of_options) {
    expect_words("en", "solve --hash 1 -- --lang=ja", "", "--lang=ja: error: cannot be opened");
}

/* An installed tree may be moved: catalogues are found from where the program is, even beside a program called locale. */
Test(languages, found_wherever_the_program_is) {
    int status;
    char folder[] = "/tmp/tsume-languages-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char *help = shell(&status,
                       "set -e; mkdir -p %s/bin && cd %s/bin && cp %s tsume && cp tsume locale && mkdir -p %s && "
                       "cp -r $(dirname %s)/locale/* %s && ./tsume --lang ja --help; rm -r %s",
                       folder, folder, TSUME_PROGRAM, TSUME_CATALOGUES, TSUME_PROGRAM, TSUME_CATALOGUES, folder);
    cr_expect_eq(status, 0);
    cr_expect_eq(strncmp(help, JAPANESE_USAGE, strlen(JAPANESE_USAGE)), 0, "%s", help);
    free(help);
}

/* Without catalogues it speaks English, and says so where it is asked for another language. */
Test(languages, without_catalogues) {
    int status;
    char folder[] = "/tmp/tsume-languages-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char *said = shell(&status,
                       "cp %s %s/tsume && cd %s && LC_ALL=ja_JP.UTF-8 ./tsume --help | head -n 1; "
                       "./tsume --lang ja --help 2>&1; echo $?; rm -r %s",
                       TSUME_PROGRAM, folder, folder, folder);
    cr_expect_eq(strncmp(said, ENGLISH_USAGE, strlen(ENGLISH_USAGE)), 0, "%s", said);
    cr_expect_not_null(strstr(said, "tsume: there is no language 'ja'; there are: en\n2\n"), "%s", said);
    free(said);
}
