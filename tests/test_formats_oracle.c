/* test_formats_oracle.c: what is written here, read by the npm packages json-kifu-format and tsshogi, and what they
 * write, read here.
 *
 * Skipped where node or the packages are not installed (.ci/setup --tools does both), unless TSUME_REQUIRE_ORACLE is
 * set in the environment: then their absence is a failure. TSUME_NODE_MODULES in the environment says where the
 * packages are, if not where .ci/setup puts them. */
#include "problems/reader.h"
#include "problems/writer.h"
#include "rules/movegen.h"
#include "tests/described.h"
#include "tests/random_position.h"
#include "tests/random_tree.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void go_to_source(void) {
    cr_assert_eq(chdir(TSUME_SOURCE_DIR), 0);
}

TestSuite(formats_oracle, .init = go_to_source, .timeout = 300);

/* ---- The packages ---- */

static const char *modules_folder(void) {
    const char *named = getenv("TSUME_NODE_MODULES");
    return named ? named : TSUME_SOURCE_DIR "/build/oracle/node_modules";
}

/* Why the comparison cannot be made; NULL if it can. */
static const char *what_is_missing(void) {
    static const char *const packages[] = {"json-kifu-format", "tsshogi"};
    if (system("command -v node >/dev/null 2>&1") != 0)
        return "node is not installed";
    for (int i = 0; i < 2; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s/package.json", modules_folder(), packages[i]);
        if (access(path, R_OK) != 0)
            return "the npm packages json-kifu-format and tsshogi are not installed";
    }
    return NULL;
}

/* ---- Problems ---- */

enum { MOST_PROBLEMS = 120, RANDOM_TREES = 25, ZUKOU = 10 };

/* What the packages hold: all but parts of seconds. KI2 has no times, CSA no variations. */
enum {
    ALL = DESCRIBED_MOVES | DESCRIBED_VARIATIONS | DESCRIBED_COMMENTS | DESCRIBED_ENDS | DESCRIBED_TIMES |
          DESCRIBED_HEADERS | DESCRIBED_NO_BLANKS
};
static const struct form {
    const char *ending;
    enum format format;
    unsigned parts;
} forms[] = {
    {"kifu", FORMAT_KIF, ALL},
    {"ki2u", FORMAT_KI2, ALL & ~DESCRIBED_TIMES},
    {"csa", FORMAT_CSA, ALL & ~DESCRIBED_VARIATIONS},
    {"jkf", FORMAT_JKF, ALL},
};
enum { FORMS = sizeof forms / sizeof *forms };

static struct tsume_problem *problems[MOST_PROBLEMS];
static int problem_count;

static void add_file(const char *path, int most) {
    struct reader *reader = reader_new(&path, 1, NULL);
    for (struct tsume_problem *problem; most-- > 0 && (problem = reader_next(reader));) {
        cr_assert(!problem->invalid && problem_count < MOST_PROBLEMS, "%s", problem->error.message);
        problems[problem_count++] = problem;
    }
    reader_free(reader);
}

static void add_random(struct random_source *random) {
    static const enum play_end ends[] = {END_MATE, END_RESIGNED, END_INTERRUPTED};
    struct random_problem made = random_problem(random, NULL);
    struct reader *reader = reader_new_memory("x.sfen", made.sfen, strlen(made.sfen), NULL);
    struct tsume_problem *problem = reader_next(reader);
    reader_free(reader);
    random_tree_grow(random, problem, 25, ends, 3);
    if (problem->stated)
        problems[problem_count++] = problem;
    else
        tsume_problem_free(problem);
}

/* Version 3 of CSA is for one of the packages only. */
static void without_fractions(struct stated_move *first) {
    for (struct stated_move *m = first; m; m = m->next) {
        if (m->time_ms > 0)
            m->time_ms -= m->time_ms % 1000;
        if (m->variation)
            without_fractions(m->variation);
    }
}

static void collect_problems(void) {
    struct random_source random = {5};
    add_file("tests/fixtures/record.kifu", 1);
    add_file("tests/fixtures/variations.kif", 1);
    add_file("tests/fixtures/relations.ki2u", 1);
    add_file("tests/fixtures/games.csa", 3);
    add_file("tests/fixtures/record.jkf", 1);
    add_file("problems/zukou.tsv", ZUKOU);
    for (int i = 0; i < RANDOM_TREES; i++)
        add_random(&random);
    for (int i = 0; i < problem_count; i++)
        without_fractions(problems[i]->stated);
}

/* ---- There ---- */

static const char *make_folder(void) {
    static char folder[64], again[128];
    snprintf(folder, sizeof folder, "/tmp/tsume-formats-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(again, sizeof again, "%s/again", folder);
    cr_assert_eq(mkdir(again, 0700), 0);
    return folder;
}

static void remove_folder(const char *folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

static void write_problem(const char *folder, int i, const struct form *form) {
    char path[256];
    unsigned lost;
    size_t length, replaced;
    struct writer_options options = {form->format, ENCODING_UTF8, false};
    char *text = problem_text(problems[i], &options, &length, &lost, &replaced);
    snprintf(path, sizeof path, "%s/%03d.%s", folder, i, form->ending);
    FILE *file = fopen(path, "w");
    cr_assert(file && text);
    fwrite(text, 1, length, file);
    fclose(file);
    free(text);
}

static const struct form *form_of(const char *name) {
    const char *ending = strrchr(name, '.') + 1;
    for (int i = 0; i < FORMS; i++)
        if (strcmp(ending, forms[i].ending) == 0)
            return &forms[i];
    return NULL;
}

/* A line "012.kifu tsshogi DESCRIPTION" must describe the problem as it was. */
static void compare_line(char *line) {
    char *name = strtok(line, " "), *package = strtok(NULL, " "), *described = strtok(NULL, "\n");
    cr_assert(name && package && described);
    unsigned parts = form_of(name)->parts;
    if (strcmp(package, "tsshogi") == 0)
        parts &= ~(unsigned)DESCRIBED_TIMES;
    char *expected = described_play(problems[atoi(name)], parts);
    cr_expect_str_eq(described, expected, "%s %s\n--- read ---\n%s\n--- expected ---\n%s", name, package, described,
                     expected);
    free(expected);
}

/* ---- And back ---- */

/* What a package wrote of a problem it had read in one form, in the other one. */
static void compare_again(const char *folder, int i, const struct form *read, const char *package,
                          const struct form *written) {
    char path[256];
    snprintf(path, sizeof path, "%s/again/%03d.%s.%s.%s", folder, i, read->ending, package, written->ending);
    const char *paths[] = {path};
    if (access(path, R_OK) != 0)
        return; /* as with json-kifu-format, which writes its own format only */
    struct reader *reader = reader_new(paths, 1, NULL);
    struct tsume_problem *again = reader_next(reader);
    cr_assert(again && !again->invalid, "%s: %s", path, again ? again->error.message : "nothing");
    cr_expect_null(again->stated_note, "%s", again->stated_note);
    unsigned parts = read->parts & written->parts & ~(unsigned)DESCRIBED_TIMES;
    if (read->format == FORMAT_CSA && strcmp(package, "json-kifu-format") == 0)
        parts &= ~(unsigned)DESCRIBED_COMMENTS; /* they keep the * that tells what kind of comment it is */
    char *described = described_play(again, parts), *expected = described_play(problems[i], parts);
    cr_expect_str_eq(described, expected, "%s\n--- read ---\n%s\n--- expected ---\n%s", path, described, expected);
    free(described);
    free(expected);
    tsume_problem_free(again);
    reader_free(reader);
}

static void compare_all_again(const char *folder) {
    static const char *const packages[] = {"json-kifu-format", "tsshogi"};
    for (int i = 0; i < problem_count; i++)
        for (int read = 0; read < FORMS; read++)
            for (int written = 0; written < FORMS; written++)
                for (int package = 0; package < 2; package++)
                    compare_again(folder, i, &forms[read], packages[package], &forms[written]);
}

Test(formats_oracle, other_programs_read_the_same) {
    const char *missing = what_is_missing();
    if (missing) {
        cr_assert(!getenv("TSUME_REQUIRE_ORACLE"), "%s, but TSUME_REQUIRE_ORACLE is set", missing);
        fprintf(stderr, "test_formats_oracle: skipped, %s\n", missing);
        fflush(stderr); /* Criterion itself shows the reason only when asked to be verbose */
        cr_skip_test("node or its packages are not installed");
    }
    const char *folder = make_folder();
    collect_problems();
    for (int i = 0; i < problem_count; i++)
        for (int form = 0; form < FORMS; form++)
            write_problem(folder, i, &forms[form]);
    char command[2048], *line = NULL;
    size_t size = 0;
    int lines = 0;
    snprintf(command, sizeof command, "node tests/formats_oracle.js '%s' '%s'", modules_folder(), folder);
    FILE *oracle = popen(command, "r");
    cr_assert_not_null(oracle);
    for (; getline(&line, &size, oracle) > 0; lines++)
        compare_line(line);
    cr_expect_eq(pclose(oracle), 0);
    cr_expect_eq(lines, problem_count * FORMS * 2);
    compare_all_again(folder);
    free(line);
    for (int i = 0; i < problem_count; i++)
        tsume_problem_free(problems[i]);
    remove_folder(folder);
}
