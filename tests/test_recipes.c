/* test_recipes.c: what README.md tells to type for many machines, as it stands there: with GNU parallel and with Slurm.
 *
 * Skipped where these are not installed (.ci/setup --tests does it), unless TSUME_REQUIRE_ORACLE is set in the
 * environment: then that is a failure. Slurm is also skipped where it does not come up, as in a container that forbids it. */
#include "tests/bundled.h"
#include "tests/running.h"
#include "tests/shell.h"

TestSuite(recipes, .timeout = 300);

enum { COUNT = 20, NOT_UP = 77 };

static char folder[64];

/* A folder as the recipes expect it: build/tsume, and problems in huge.tsv. */
static void make_folder(void) {
    char line[BUNDLED_LINE], path[128];
    int status;
    snprintf(folder, sizeof folder, "/tmp/tsume-recipe-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    free(shell(&status, "ln -s \"$(dirname %s)\" %s/build", TSUME_PROGRAM, folder));
    cr_assert_eq(status, 0);

    snprintf(path, sizeof path, "%s/huge.tsv", folder);
    FILE *games = open_bundled("games.tsv"), *list = fopen(path, "w");
    cr_assert_not_null(list);
    for (int written = 0; written < COUNT;) {
        cr_assert_not_null(fgets(line, sizeof line, games));
        if (strstr(line, "\t3\t")) {
            fputs(line, list);
            written++;
        }
    }
    fclose(games);
    fclose(list);
}

static void remove_folder(void) {
    int status;
    free(shell(&status, "rm -r %s", folder));
    cr_expect_eq(status, 0);
}

/* Writes the indented lines of README.md from the one that begins with this word on to recipe.sh in the folder. */
static void write_recipe(const char *word) {
    static const char INDENT[] = "    ";
    enum { INDENT_LENGTH = sizeof INDENT - 1 };
    char line[BUNDLED_LINE], path[1024];
    bool inside = false, found = false;
    snprintf(path, sizeof path, "%s/README.md", TSUME_SOURCE_DIR);
    FILE *readme = fopen(path, "r");
    snprintf(path, sizeof path, "%s/recipe.sh", folder);
    FILE *recipe = fopen(path, "w");
    cr_assert(readme && recipe);
    while (fgets(line, sizeof line, readme)) {
        bool indented = strncmp(line, INDENT, INDENT_LENGTH) == 0;
        inside = indented && (inside || strncmp(line + INDENT_LENGTH, word, strlen(word)) == 0);
        found |= inside;
        if (inside)
            fputs(line + INDENT_LENGTH, recipe);
    }
    cr_assert(found, "README.md has no recipe that begins with '%s'", word);
    fclose(readme);
    fclose(recipe);
}

/* Skips the test where a program is not installed. */
static void require(const char *program, const char *package) {
    int status;
    free(shell(&status, "PATH=$PATH:/usr/sbin; command -v %s", program));
    if (status == 0)
        return;
    cr_assert(!getenv("TSUME_REQUIRE_ORACLE"), "%s is not installed, but TSUME_REQUIRE_ORACLE is set", package);
    cr_skip_test("%s is not installed", package);
}

/* The recipe has solved every problem, and put the results in the order of the list. */
static void expect_results(void) {
    int status;
    char *text = shell(&status, "cat %s/results.jsonl", folder);
    json_t *records = parse_lines(text);
    cr_assert_eq(json_array_size(records), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        cr_expect_eq(json_integer_value(json_object_get(json_array_get(records, i), "number")), (json_int_t)i + 1);
        cr_expect_str_eq(string_at(records, i, "verdict"), "mate");
    }
    json_decref(records);
    free(text);
}

Test(recipes, gnu_parallel) {
    require("parallel", "parallel");
    make_folder();
    write_recipe("parallel ");
    int status;
    char *said = shell(&status, "cd %s && bash -e recipe.sh 2>&1", folder);
    cr_assert_eq(status, 0, "%s", said);
    expect_results();
    free(said);
    remove_folder();
}

Test(recipes, slurm_array_job) {
    require("slurmctld", "slurm-wlm");
    require("munged", "munge");
    make_folder();
    write_recipe("sbatch ");
    int status;
    char *said = shell(&status, "cd %s && timeout 120 %s/tests/slurm_here.sh %s/slurm bash -e recipe.sh 2>&1", folder,
                       TSUME_SOURCE_DIR, folder);
    if (status == NOT_UP) {
        fprintf(stderr, "test_recipes: skipped, Slurm does not come up: %s\n", said);
        fflush(stderr); /* Criterion itself shows the reason only when asked to be verbose */
        remove_folder();
        cr_skip_test("Slurm does not come up");
    }
    cr_assert_eq(status, 0, "%s", said);
    expect_results();
    free(said);
    remove_folder();
}
