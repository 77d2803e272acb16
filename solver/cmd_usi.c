/* cmd_usi.c: `tsume usi`: an engine for shogi programs that speak USI. */
#include "program.h"
#include "program_lines.h"
#include "program_options.h"
#include "program_usi_go.h"
#include "program_usi_options.h"
#include "program_usi_text.h"
#include "program_usi_thinker.h"
#include "rules/language.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char DOC[] =
    N_("Speaks the USI protocol on standard input and output, for shogi programs: give them the program tsume-usi, "
       "which does the same.\v"
       "'go mate' looks for a mate by checks; 'go' plays the mating move, the longest defence against a mate, or, "
       "where no mate is found, a legal move chosen at a glance.\n"
       "\n"
       "Exit status: 0 'quit', or the input has ended; 2 bad usage; 4 no memory, or the output cannot be written.");

struct engine {
    struct thinker *thinker;
    struct usi_options defaults, options;
    char *position; /* in the words of `position`, malloc'd; NULL: the last one could not be read */
    char side;      /* to move there, 'b' or 'w' */
    char *rest;     /* what stands behind the name of the command that is obeyed */
    bool quits;
};

static void say(const char *text, const char *about) {
    usi_begin_output();
    usi_write_string(text, about);
    usi_end_output();
}

/* ---- Commands ------------------------------------------------------------------------------------------------------ */

static void do_usi(struct engine *engine) {
    usi_begin_output();
    printf("id name tsume %s\nid author The tsume authors\n", tsume_version());
    usi_options_list(&engine->defaults, stdout);
    puts("usiok");
    usi_end_output();
}

static void do_isready(struct engine *engine) {
    thinker_prepare(engine->thinker, engine->options.hash_mib);
    usi_begin_output();
    puts("readyok");
    usi_end_output();
}

static void do_setoption(struct engine *engine) {
    char *shown = program_must(strdup(engine->rest));
    const char *fault = usi_options_set(&engine->options, engine->rest);
    if (fault)
        say(fault, shown);
    free(shown);
}

/* The side to move, from the second field of an SFEN. */
static char side_of(const char *sfen) {
    const char *space = strchr(sfen, ' ');
    return space && space[1] == 'w' ? 'w' : 'b';
}

static void do_position(struct engine *engine) {
    for (char *at = engine->rest; (at = strchr(at, '\t'));)
        *at = ' '; /* in a list of problems, tabs part columns */
    struct tsume_problem *problem = program_must(tsume_problem_from_sfen(engine->rest, NULL));
    const struct tsume_error *error = tsume_problem_error(problem);
    const char *sfen = tsume_problem_sfen(problem);
    free(engine->position);
    engine->position = *sfen ? program_must(strdup(engine->rest)) : NULL;
    engine->side = side_of(sfen);
    if (error)
        say(engine->position ? _("no mate problem") : _("no position"), error->message);
    tsume_problem_free(problem);
}

static void do_go(struct engine *engine) {
    struct usi_go go;
    const char *unknown = usi_go_read(&go, engine->rest, engine->side);
    if (unknown)
        say(_("not understood behind 'go'"), unknown);
    thinker_go(engine->thinker, &go, &engine->options, engine->position, engine->side);
}

static void do_stop(struct engine *engine) {
    thinker_stop(engine->thinker);
}

static void do_ponderhit(struct engine *engine) {
    struct usi_go clocks; /* some programs repeat them */
    (void)usi_go_read(&clocks, engine->rest, engine->side);
    thinker_ponderhit(engine->thinker, clocks.seconds);
}

/* What is known of earlier positions is no use for others: each search begins anew. */
static void do_usinewgame(struct engine *engine) {
    (void)engine;
}

static void do_quit(struct engine *engine) {
    engine->quits = true;
}

static const struct {
    const char *name;
    void (*run)(struct engine *engine);
} COMMANDS[] = {
    {"usi", do_usi},           {"isready", do_isready}, {"setoption", do_setoption}, {"usinewgame", do_usinewgame},
    {"position", do_position}, {"go", do_go},           {"stop", do_stop},           {"ponderhit", do_ponderhit},
    {"gameover", do_stop},     {"quit", do_quit},
};

static void obey(struct engine *engine, char *line) {
    char *name = line + strspn(line, " \t"), *end = name + strcspn(name, " \t");
    engine->rest = end + strspn(end, " \t");
    if (*name == '\0')
        return;
    *end = '\0';
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
        if (strcmp(COMMANDS[i].name, name) == 0) {
            COMMANDS[i].run(engine);
            return;
        }
    say(_("unknown command"), name);
}

/* ---- Everything ---------------------------------------------------------------------------------------------------- */

static void run(struct engine *engine, struct lines *input) {
    while (!engine->quits) {
        char *line;
        enum lines_event event = lines_next(input, thinker_wake_time(engine->thinker), &line);
        if (event == LINES_LINE)
            obey(engine, line);
        if (event == LINES_END)
            break;
        thinker_tick(engine->thinker);
    }
    if (!engine->quits)
        thinker_linger(engine->thinker);
}

static error_t parse_argument(int key, char *text, struct argp_state *state) {
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, _("'%s': there are no arguments; problems come by the protocol"), text);
    return EINVAL;
}

int cmd_usi(int argc, char **argv) {
    static const struct argp ARGP = {.parser = parse_argument, .doc = DOC};
    options_read(argc, argv, &ARGP, NULL);
    struct engine engine = {.thinker = thinker_new(), .side = 'b'};
    struct lines input = {.fd = STDIN_FILENO};
    engine.defaults = engine.options = usi_options_defaults(thinker_hash_mib(engine.thinker));
    engine.position = program_must(strdup("startpos"));
    run(&engine, &input);
    thinker_free(engine.thinker);
    lines_free(&input);
    free(engine.position);
    return STATUS_DECIDED;
}
