/* main.c: the program `tsume`: a table of commands. */
#include "program.h"
#include "program_language.h"
#include "rules/language.h"
#include "tsume.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command {
    const char *name;       /* what the user types */
    const char *shown_name; /* argv[0] of the command, for its messages */
    int (*run)(int argc, char **argv);
    const char *summary;
};

static const struct command COMMANDS[] = {
    {"solve", "tsume solve", cmd_solve, N_("decide problems: mate or no mate, shortest line, plies, leftover")},
    {"check", "tsume check", cmd_check, N_("find cooks and other flaws of composed problems")},
    {"verify", "tsume verify", cmd_verify, N_("check certificates of mate and of no mate")},
    {"convert", "tsume convert", cmd_convert, N_("write problems in another format: SFEN, KIF, KI2, BOD, CSA, JKF")},
    {"show", "tsume show", cmd_show, N_("show problems as diagrams: text, SVG pictures, PDF books")},
    {"duplicates", "tsume duplicates", cmd_duplicates, N_("find problems that are there twice, also mirrored")},
    {"merge", "tsume merge", cmd_merge, N_("put the results of several runs or machines together")},
    {"usi", "tsume usi", cmd_usi, N_("an engine for shogi programs that speak USI")},
    {"bench", "tsume bench", cmd_bench, N_("measure speed, compare with other engines")},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void print_usage(FILE *out) {
    fputs(_("Usage: tsume COMMAND [OPTION...] [FILE...]\n"
            "Solves tsume shogi (mate problems).\n"
            "\n"
            "Commands:\n"),
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", COMMANDS[i].name, _(COMMANDS[i].summary));
    fputs(_("\n"
            "  tsume COMMAND --help   the options of a command\n"
            "  tsume --help           this text\n"
            "  tsume                  the same as 'tsume usi', where standard input is no terminal\n"
            "  tsume --version        the version\n"
            "  tsume --lang LANG ...  in another language, as ja or ru\n"),
          out);
}

static const struct command *find_command(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(COMMANDS[i].name, name) == 0)
            return &COMMANDS[i];
    return NULL;
}

/* `tsume help` and `tsume help COMMAND`. */
static int help(int argc, char **argv) {
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (!command) {
        print_usage(stdout);
        return argc > 1 ? STATUS_USAGE : STATUS_DECIDED;
    }
    char name[32], option[] = "--help";
    snprintf(name, sizeof name, "%s", command->shown_name);
    return command->run(2, (char *[]){name, option, NULL});
}

int main(int argc, char **argv) {
    language_begin(&argc, argv);
    if (argc < 2 && !isatty(STDIN_FILENO)) /* a shogi program started it */
        return cmd_usi(argc, argv);
    if (argc < 2) {
        print_usage(stderr);
        return STATUS_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("tsume %s\n", tsume_version());
        return STATUS_DECIDED;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help(argc - 1, argv + 1);

    const struct command *command = find_command(name);
    if (!command) {
        fprintf(stderr, _("tsume: '%s' is no command; see 'tsume --help'\n"), name);
        return STATUS_USAGE;
    }
    char shown[32];
    snprintf(shown, sizeof shown, "%s", command->shown_name);
    argv[1] = shown;
    return command->run(argc - 1, argv + 1);
}
