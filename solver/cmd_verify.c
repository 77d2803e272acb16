/* cmd_verify.c: `tsume verify`: checks certificates. */
#include "program.h"
#include "program_options.h"
#include "rules/language.h"
#include "tsume.h"
#include "verify.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char DOC[] =
    N_("Checks certificates of mate, of no mate and of soundness by rules of its own, without the solver.\v"
       "A folder stands for the files in it whose names end in .cert. For each file one line tells `verified: mate "
       "in at most N: SFEN' (every interposition counted), `verified: no mate: SFEN', or what is wrong and where.\n"
       "\n"
       "Exit status: 0 all verified; 2 bad usage; 3 some are not; 4 no memory, or the output cannot be written.");

struct task {
    bool quiet;      /* only what is wrong */
    bool all_proved; /* so far */
    char **paths;    /* points into argv */
    int count;
};

enum { KEY_QUIET = 'q' };

static const struct argp_option OPTIONS[] = {
    {"quiet", KEY_QUIET, NULL, 0, N_("Tell only of what is wrong"), 0},
    {0},
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's type */
static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct task *task = state->input;
    (void)text;
    switch (key) {
    case KEY_QUIET:
        task->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        task->paths = state->argv + state->next;
        task->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("no certificate named"));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_file(struct task *task, const char *path) {
    struct verify_report report;
    char line[VERIFY_LINE_SIZE];
    verify_file(path, &report);
    verify_line(&report, line);
    bool proved = verify_holds(&report);
    task->all_proved &= proved;
    if (!proved || !task->quiet)
        printf("%s: %s\n", path, line);
}

static int is_certificate(const struct dirent *entry) {
    const char *ending = strrchr(entry->d_name, '.');
    return ending && strcmp(ending, ".cert") == 0;
}

static void check_folder(struct task *task, const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_certificate, alphasort);
    if (count <= 0) {
        printf("%s: %s\n", folder, count < 0 ? strerror(errno) : _("no certificate in this folder"));
        task->all_proved = false;
    }
    for (int i = 0; i < count; i++) {
        size_t size = strlen(folder) + strlen(entries[i]->d_name) + 2;
        char *path = malloc(size);
        if (!path)
            program_fail(ENOMEM, _("certificates"));
        snprintf(path, size, "%s/%s", folder, entries[i]->d_name);
        check_file(task, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int cmd_verify(int argc, char **argv) {
    static const struct argp ARGP = {.options = OPTIONS, .parser = parse_option, .args_doc = "FILE|DIR...", .doc = DOC};
    struct task task = {.all_proved = true};
    options_read(argc, argv, &ARGP, &task);
    for (int i = 0; i < task.count; i++) {
        struct stat status;
        if (stat(task.paths[i], &status) == 0 && S_ISDIR(status.st_mode))
            check_folder(&task, task.paths[i]);
        else
            check_file(&task, task.paths[i]);
    }
    if (fflush(stdout) != 0)
        program_fail(errno, _("the output could not be written"));
    return task.all_proved ? STATUS_DECIDED : STATUS_INVALID;
}
