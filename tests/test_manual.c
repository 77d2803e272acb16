/* test_manual.c: what stands beside the program, the manual pages and the completions of shells, against `tsume COMMAND
 * --help`.
 *
 * What needs mandoc, zsh or bash-completion is skipped where that is not installed (.ci/setup --tools does it), unless
 * TSUME_REQUIRE_ORACLE is set. */
#include "tests/shell.h"

#include <string.h>
#include <unistd.h>

enum { MAX_COMMANDS = 32 };

/* All commands, as `tsume --help` lists them; NULL at the end. */
struct commands {
    char *text;
    const char *names[MAX_COMMANDS];
};

static struct commands list_commands(void) {
    int status;
    struct commands commands = {0};
    commands.text =
        shell(&status, "LC_ALL=C %s --help | sed -n '/^Commands:/,/^$/s/^  \\([a-z]*\\) .*/\\1/p'", TSUME_PROGRAM);
    size_t count = 0;
    for (char *name = strtok(commands.text, "\n"); name; name = strtok(NULL, "\n")) {
        cr_assert_lt(count, MAX_COMMANDS - 1);
        commands.names[count++] = name;
    }
    cr_assert_geq(count, 6);
    return commands;
}

/* Skips a test that needs a program which is not there. */
static void needs(const char *package, bool installed) {
    if (installed)
        return;
    cr_assert(!getenv("TSUME_REQUIRE_ORACLE"), "%s is not installed, but TSUME_REQUIRE_ORACLE is set", package);
    fprintf(stderr, "test_manual: skipped, %s is not installed\n", package);
    fflush(stderr); /* Criterion itself shows the reason only when asked to be verbose */
    cr_skip_test("%s is not installed", package);
}

static bool is_program(const char *name) {
    int status;
    free(shell(&status, "command -v %s", name));
    return status == 0;
}

/* ---- Options ------------------------------------------------------------------------------------------------------- */

/* Shell: the options in the output of --help, as "-q, --quiet" or "--hash=MIB", sorted. */
#define HELP "LC_ALL=C " TSUME_PROGRAM " %s --help | sed -nE 's/^ +((-., )?--[^ ]+).*/\\1/p' | sort"

static char *options_in_help(const char *command) {
    int status;
    return shell(&status, HELP, command);
}

/* The same out of the manual page: ".It Fl -hash Ar mib". */
static char *options_in_manual(const char *command) {
    int status;
    return shell(&status,
                 "sed -nE 's/^\\.It Fl /-/p' %s/tsume-%s.1 | sed -E 's/ , Fl /,-/; s/\\\\&//; s/ Ns//g;"
                 " s/Ar ([a-z]+)/\\U\\1/g; s/Cm ([a-z0-9-]+)/\\1/g; s/ Op (.*)$/[\\1]/;"
                 " s/ /=/; s/ //g; s/,-/, -/' | sort",
                 TSUME_MANUAL, command);
}

Test(manual, has_all_options_and_no_others) {
    struct commands commands = list_commands();
    for (const char **command = commands.names; *command; command++) {
        char *help = options_in_help(*command), *manual = options_in_manual(*command);
        cr_expect_not_null(strstr(help, "-?, --help\n"), "tsume %s --help: %s", *command, help);
        cr_expect_str_eq(help, manual, "tsume %s --help:\n%s\ntsume-%s.1:\n%s", *command, help, *command, manual);
        free(help);
        free(manual);
    }
    free(commands.text);
}

Test(manual, names_all_commands) {
    struct commands commands = list_commands();
    for (const char **command = commands.names; *command; command++) {
        int status;
        free(shell(&status, "grep -q '^\\.It Cm %s$' %s/tsume.1", *command, TSUME_MANUAL));
        cr_expect_eq(status, 0, "tsume.1 does not name %s", *command);
    }
    free(commands.text);
}

/* ---- Pages --------------------------------------------------------------------------------------------------------- */

Test(manual, refers_to_pages_that_are_there) {
    int status;
    char *missing = shell(&status,
                          "cd %s && sed -nE 's/^\\.Xr (tsume[a-z-]*) ([0-9]).*/\\1.\\2/p' *.[15] | sort -u |"
                          " while read -r page; do [ -f \"$page\" ] || echo \"$page\"; done",
                          TSUME_MANUAL);
    cr_expect_str_empty(missing);
    free(missing);
}

Test(manual, pleases_mandoc) {
    needs("mandoc", is_program("mandoc"));
    int status;
    char *complaints = shell(&status, "mandoc -Tlint %s/*.[15] | grep -v 'referenced manual not found'", TSUME_MANUAL);
    cr_expect_str_empty(complaints);
    free(complaints);
}

/* ---- Completion ---------------------------------------------------------------------------------------------------- */

enum completion { IN_BASH, IN_ZSH };

/* What a shell offers at the end of this command line, parted by spaces. */
static char *offer(enum completion in, const char *line) {
    static const char *const WAYS[] = {"complete.bash", "complete.zsh"};
    static const char *const COMPLETIONS[] = {"tsume.bash", ""};
    int status;
    char *offers =
        shell(&status, "cd %s && LC_ALL=C tests/%s %s solver/completion/%s '%s' | sed '/^$/d' | paste -sd' '",
              TSUME_SOURCE_DIR, WAYS[in], TSUME_PROGRAM, COMPLETIONS[in], line);
    offers[strcspn(offers, "\n")] = '\0';
    return offers;
}

static void expect_offer(enum completion in, const char *line, const char *expected) {
    char *offers = offer(in, line);
    cr_expect_str_eq(offers, expected, "'%s': '%s' instead of '%s'", line, offers, expected);
    free(offers);
}

static void expect_completion(enum completion in) {
    expect_offer(in, "tsume so", "solve");
    expect_offer(in, "tsume help con", "convert");
    expect_offer(in, "tsume solve --fut", "--futile");
    expect_offer(in, "tsume solve --futile ", "exact none");
    expect_offer(in, "tsume solve --futile=n", "none");
    expect_offer(in, "tsume solve --any -q --format j", "jkf jsonl");
    expect_offer(in, "tsume convert --to ki", "ki2 kif");
    expect_offer(in, "tsume solve --hash ", "");
    expect_offer(in, "tsume verify LIC", "LICENSE");
    expect_offer(in, "tsume usi LIC", "");
    expect_offer(in, "tsume solve --certificate sol", "solver");
}

/* After a hyphen each command's options, long and short, are offered, and nothing else. */
static void expect_all_options(enum completion in) {
    struct commands commands = list_commands();
    for (const char **command = commands.names; *command; command++) {
        int status;
        char line[64],
            *help = shell(&status, HELP " | sed -E 's/=.*//; s/, /\\n/' | LC_ALL=C sort | paste -sd' '", *command);
        help[strcspn(help, "\n")] = '\0';
        snprintf(line, sizeof line, "tsume %s -", *command);
        expect_offer(in, line, help);
        free(help);
    }
    free(commands.text);
}

Test(completion, in_bash, .timeout = 300) {
    needs("bash-completion", access("/usr/share/bash-completion/bash_completion", R_OK) == 0);
    expect_completion(IN_BASH);
    expect_all_options(IN_BASH);
}

Test(completion, in_zsh, .timeout = 300) {
    needs("zsh", is_program("zsh"));
    expect_completion(IN_ZSH);
    expect_all_options(IN_ZSH);
}
