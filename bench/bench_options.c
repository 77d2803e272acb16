#include "bench/bench_options.h"

#include "rules/language.h"
#include "solver/program.h"

#include <stdlib.h>
#include <string.h>

/* Small enough for any machine, large enough for the suite, and the same everywhere, so that nodes can be compared. */
enum { DEFAULT_HASH_MIB = 256 };

enum option_key {
    KEY_THREADS = 1000,
    KEY_HASH,
    KEY_REPEAT,
    KEY_BY,
    KEY_FORMAT,
    KEY_PLOT,
    KEY_ENGINE,
    KEY_ENGINE_OPTION,
    KEY_ENGINE_NAME,
    KEY_ENGINE_MESSAGES,
};

enum option_group { GROUP_MEASURE = 1, GROUP_SEARCH, GROUP_INPUT, GROUP_OUTPUT };

static const struct argp_option OPTIONS[] = {
    {.doc = N_("Measuring:"), .group = GROUP_MEASURE},
    {"engine", KEY_ENGINE, "COMMAND", 0,
     N_("Run another USI engine on the same problems, alternating with tsume; may be given several times. COMMAND is "
        "split "
        "as a shell would"),
     GROUP_MEASURE},
    {"engine-option", KEY_ENGINE_OPTION, "NAME=VALUE", 0, N_("Send `setoption' to the engine named last"),
     GROUP_MEASURE},
    {"engine-name", KEY_ENGINE_NAME, "NAME", 0, N_("Call the engine named last so (default: as it calls itself)"),
     GROUP_MEASURE},
    {"engine-messages", KEY_ENGINE_MESSAGES, NULL, 0, N_("Show what the engine named last writes on stderr"),
     GROUP_MEASURE},
    {"repeat", KEY_REPEAT, "N", 0, N_("Measure everything N times, and tell least, median and most time (default: 1)"),
     GROUP_MEASURE},
    {"threads", KEY_THREADS, "N[,N...]", 0,
     N_("Search each problem with N threads together; several numbers are measured against the first (default: 1)"),
     GROUP_MEASURE},
    {"hash", KEY_HASH, "MIB", 0, N_("Size of each table in MiB (default: 256)"), GROUP_SEARCH},
    {"by", KEY_BY, "problem|group", 0,
     N_("A row of text a problem, or a group of problems: a file (default: problem; of the suite: group)"),
     GROUP_OUTPUT},
    {"format", KEY_FORMAT, "text|jsonl|csv", 0, N_("Tables for people, JSON lines, or CSV (default: text)"),
     GROUP_OUTPUT},
    {"plot", KEY_PLOT, "FILE", 0, N_("Draw problems solved over time as an SVG picture"), GROUP_OUTPUT},
    {0},
};

/* ---- Values -------------------------------------------------------------------------------------------------------- */

/* Numbers parted by commas. */
static void read_thread_counts(struct argp_state *state, const char *text, struct bench_options *options) {
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        argp_failure(state, STATUS_FAILED, 0, _("out of memory"));
    options->thread_counts = 0;
    for (char *word; (word = strsep(&rest, ","));) {
        if (options->thread_counts == BENCH_THREAD_COUNTS)
            argp_error(state, _("--threads takes at most %d numbers"), BENCH_THREAD_COUNTS);
        options->threads[options->thread_counts++] = (int)option_number(state, "threads", word, 1, OPTION_MAX_THREADS);
    }
    free(copy);
}

static void add_engine(struct argp_state *state, const char *command, struct bench_options *options) {
    if (options->engine_count == BENCH_ENGINES)
        argp_error(state, _("at most %d engines can be compared"), BENCH_ENGINES);
    options->engines[options->engine_count++] = (struct usi_spec){.command = command};
}

/* The engine that an option is for. */
static struct usi_spec *last_engine(struct argp_state *state, const char *option, struct bench_options *options) {
    if (options->engine_count == 0)
        argp_error(state, _("--%s belongs behind the --engine that it is for"), option);
    return &options->engines[options->engine_count - 1];
}

static void add_engine_option(struct argp_state *state, const char *text, struct usi_spec *engine) {
    if (!strchr(text, '=') || text[0] == '=')
        argp_error(state, _("--engine-option wants NAME=VALUE, not '%s'"), text);
    if (engine->option_count == USI_OPTIONS)
        argp_error(state, _("at most %d options can be sent to an engine"), USI_OPTIONS);
    engine->options[engine->option_count++] = text;
}

/* ---- The command line ---------------------------------------------------------------------------------------------- */

enum rows { ROWS_NOT_SAID = -1, ROWS_BY_PROBLEM, ROWS_BY_GROUP };

struct parsing {
    struct bench_options *options;
    int rows; /* enum rows */
};

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct parsing *parsing = state->input;
    struct bench_options *options = parsing->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->search;
        return 0;
    case KEY_THREADS:
        read_thread_counts(state, text, options);
        return 0;
    case KEY_HASH:
        options->search.hash_mib = option_number(state, "hash", text, 1, OPTION_MAX_HASH_MIB);
        return 0;
    case KEY_REPEAT:
        options->repeat = option_number(state, "repeat", text, 1, BENCH_MAX_REPEAT);
        return 0;
    case KEY_BY:
        parsing->rows = option_choice(state, "by", text, (const char *const[]){"problem", "group", NULL});
        return 0;
    case KEY_FORMAT:
        options->format = (enum sheet_format)option_choice(state, "format", text,
                                                           (const char *const[]){"text", "jsonl", "csv", NULL});
        return 0;
    case KEY_PLOT:
        options->plot = text;
        return 0;
    case KEY_ENGINE:
        add_engine(state, text, options);
        return 0;
    case KEY_ENGINE_OPTION:
        add_engine_option(state, text, last_engine(state, "engine-option", options));
        return 0;
    case KEY_ENGINE_NAME:
        last_engine(state, "engine-name", options)->name = text;
        return 0;
    case KEY_ENGINE_MESSAGES:
        last_engine(state, "engine-messages", options)->shows_messages = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->search.files = (const char *const *)(state->argv + state->next);
        options->search.file_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void bench_options_parse(int argc, char **argv, const char *doc, struct bench_options *options) {
    static const struct argp_child CHILDREN[] = {{.argp = &options_search}, {0}};
    const struct argp argp = {
        .options = OPTIONS, .parser = parse_option, .args_doc = "[FILE...]", .doc = doc, .children = CHILDREN};
    struct parsing parsing = {options, ROWS_NOT_SAID};
    *options = (struct bench_options){.threads = {1}, .thread_counts = 1, .repeat = 1};
    options_begin(&options->search);
    options->search.hash_mib = DEFAULT_HASH_MIB;
    options_read(argc, argv, &argp, &parsing);

    bool suite = options->search.file_count == 0;
    bool time_said = options->search.limits.seconds >= 0;
    options_end(&options->search);
    if (suite && options->engine_count == 0 && !time_said)
        options->search.limits.seconds = 0; /* the suite has limits of nodes, so that nothing depends on speed */
    options->by_group = parsing.rows == ROWS_NOT_SAID ? suite : parsing.rows == ROWS_BY_GROUP;
}
