#include "program_options.h"

#include "program.h"
#include "program_help.h"
#include "rules/language.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SECONDS = 1000000000 };

enum option_key {
    KEY_QUIET = 'q',
    KEY_THREADS = 256,
    KEY_HASH,
    KEY_TIME,
    KEY_NODES,
    KEY_ANY,
    KEY_ORDER,
    KEY_FUTILE,
    KEY_HANDS,
    KEY_ATTACKER,
    KEY_FORMAT,
    KEY_NOTATION,
    KEY_BOARD,
    KEY_ASCII,
    KEY_COLOR,
    KEY_CERTIFICATE,
    KEY_RESUME,
    KEY_RETRY,
    KEY_SHARD,
    KEY_PER_MOVE,
    KEY_FIRST,
    KEY_ALL_LINES,
};

enum option_group { GROUP_CHECK = 1, GROUP_SEARCH, GROUP_INPUT, GROUP_OUTPUT, GROUP_BATCH };

#define HEADING(text, group_number)                                                                                    \
    { .doc = (text), .group = (group_number) }

static const struct argp_option READER_OPTIONS[] = {
    HEADING(N_("Reading:"), GROUP_INPUT),
    {"hands", KEY_HANDS, "complete|as-given", 0,
     N_("With one king, give the defender every piece that is nowhere else, or take his hand as written "
        "(default: complete)"),
     GROUP_INPUT},
    {"attacker", KEY_ATTACKER, "black|white", 0, N_("Who mates, where the position alone does not say"), GROUP_INPUT},
    {0},
};

/* What every command has that searches problems out of files. */
static const struct argp_option SEARCH_OPTIONS[] = {
    HEADING(N_("Searching:"), GROUP_SEARCH),
    {"time", KEY_TIME, "SECONDS", 0,
     N_("Give up a problem after so many seconds (default: 30, or never with --nodes; 0: never)"), GROUP_SEARCH},
    {"nodes", KEY_NODES, "N", 0, N_("Give up a problem after N positions (default: never)"), GROUP_SEARCH},
    {"order", KEY_ORDER, "shortest|any", 0,
     N_("Look for the shortest mate, or be content with the first one found (default: shortest)"), GROUP_SEARCH},
    {"any", KEY_ANY, NULL, 0, N_("The same as --order any"), GROUP_SEARCH},
    {"futile", KEY_FUTILE, "exact|none", 0,
     N_("Leave futile interpositions out of the line, or count them all as moves (default: exact)"), GROUP_SEARCH},
    HEADING(N_("Writing:"), GROUP_OUTPUT),
    {"quiet", KEY_QUIET, NULL, 0, N_("No progress and no summary on stderr"), GROUP_OUTPUT},
    {0},
};

static const struct argp_option OPTIONS[] = {
    {"hash", KEY_HASH, "MIB", 0, N_("Size of the table in MiB (default: a quarter of memory, at least 256)"),
     GROUP_SEARCH},
    {"threads", KEY_THREADS, "N", 0, N_("Search with N threads (default: all cores)"), GROUP_SEARCH},
    {"format", KEY_FORMAT, "text|jsonl|kif|jkf", 0,
     N_("text for people (the default), jsonl for one JSON object a line, or a record with the lines and findings as "
        "moves and comments: kif, or jkf for JSON Kifu Format, one object a line"),
     GROUP_OUTPUT},
    {"notation", KEY_NOTATION, "usi|ja|western|csa", 0,
     N_("Moves in text as usi (2b3c+, the default), ja (▲３三角成), western (Bx3c+) or csa (+2233UM)"), GROUP_OUTPUT},
    {"board", KEY_BOARD, NULL, 0, N_("Show each position as a diagram"), GROUP_OUTPUT},
    {"ascii", KEY_ASCII, NULL, 0, N_("Letters instead of kanji in diagrams"), GROUP_OUTPUT},
    {"color", KEY_COLOR, "auto|always|never", 0, N_("Colour the verdicts (default: auto, that is, on a terminal)"),
     GROUP_OUTPUT},
    {"certificate", KEY_CERTIFICATE, "DIR", 0,
     N_("Write a certificate of each problem to the folder DIR, for `tsume verify'"), GROUP_OUTPUT},
    HEADING(N_("Large files and many machines:"), GROUP_BATCH),
    {"resume", KEY_RESUME, "FILE", 0,
     N_("Write JSON lines to FILE instead of standard output, each as soon as its problem is finished; where FILE "
        "holds "
        "results of an earlier run with the same input and options, stopped or killed, go on from there"),
     GROUP_BATCH},
    {"retry", KEY_RETRY, NULL, 0,
     N_("With --resume: solve again what is unknown or undecided in FILE, and mates whose length is not proved"),
     GROUP_BATCH},
    {"shard", KEY_SHARD, "I/N", 0,
     N_("Only every Nth problem, from the Ith on: the part of one of N machines; `tsume merge' puts their results "
        "together"),
     GROUP_BATCH},
    {0},
};

static const struct argp_option CHECK_OPTIONS[] = {
    HEADING(N_("Checking:"), GROUP_CHECK),
    {"per-move", KEY_PER_MOVE, "SECONDS", 0,
     N_("Give up a move in place of the main line's after so many seconds (default: never)"), GROUP_CHECK},
    {"first", KEY_FIRST, NULL, 0, N_("Stop at the first cook"), GROUP_CHECK},
    {"all-lines", KEY_ALL_LINES, NULL, 0,
     N_("Look for equal variations in the last two plies too, which are no blemish"), GROUP_CHECK},
    {0},
};

/* ---- Values -------------------------------------------------------------------------------------------------------- */

unsigned long long option_number(struct argp_state *state, const char *option, const char *text,
                                 unsigned long long least, unsigned long long most) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (!is_number || value < least || value > most)
        argp_error(state, _("--%s wants a whole number from %llu to %llu, not '%s'"), option, least, most, text);
    return value;
}

double option_seconds(struct argp_state *state, const char *option, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value < 0 || value > MAX_SECONDS)
        argp_error(state, _("--%s wants a number of seconds, not '%s'"), option, text);
    return value;
}

int option_choice(struct argp_state *state, const char *option, const char *text, const char *const *words) {
    char all[256] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0)
            return i;
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i == 0 ? "" : words[i + 1] ? _(", ") : _(" or "), words[i]);
    }
    argp_error(state, _("--%s is %s, not '%s'"), option, all, text);
    return 0;
}

/* Whether stdout gets colours, by what --color says. */
static bool wants_color(int rule) {
    enum { AUTO, ALWAYS };
    if (rule != AUTO)
        return rule == ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

/* ---- The command line ---------------------------------------------------------------------------------------------- */

static error_t parse_reader_option(int key, char *text, struct argp_state *state) {
    static const char *const HANDS[] = {"complete", "as-given", NULL}, *const ATTACKERS[] = {"black", "white", NULL};
    struct tsume_reader_options *options = state->input;
    switch (key) {
    case KEY_HANDS:
        options->hands_as_given = option_choice(state, "hands", text, HANDS) == 1;
        return 0;
    case KEY_ATTACKER:
        options->attacker = "bw"[option_choice(state, "attacker", text, ATTACKERS)];
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp options_reader = {.options = READER_OPTIONS, .parser = parse_reader_option};

static error_t parse_search_option(int key, char *text, struct argp_state *state) {
    static const char *const ORDERS[] = {"shortest", "any", NULL}, *const FUTILE[] = {"exact", "none", NULL};
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->reader;
        return 0;
    case KEY_TIME:
        options->limits.seconds = option_seconds(state, "time", text);
        return 0;
    case KEY_NODES:
        options->limits.nodes = option_number(state, "nodes", text, 1, UINT64_MAX);
        return 0;
    case KEY_ANY:
        options->limits.any = true;
        return 0;
    case KEY_ORDER:
        options->limits.any = option_choice(state, "order", text, ORDERS) == 1;
        return 0;
    case KEY_FUTILE:
        options->limits.count_futile = option_choice(state, "futile", text, FUTILE) == 1;
        return 0;
    case KEY_QUIET:
        options->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child READER[] = {{.argp = &options_reader}, {0}};
const struct argp options_search = {.options = SEARCH_OPTIONS, .parser = parse_search_option, .children = READER};

/* I/N with 1 ≤ I ≤ N. */
static void parse_shard(struct argp_state *state, const char *text, struct options *options) {
    char first[16];
    size_t length = strcspn(text, "/");
    if (text[length] != '/' || length >= sizeof first) {
        argp_error(state, _("--shard wants two numbers I/N, not '%s'"), text);
        return;
    }
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    options->shards = (unsigned)option_number(state, "shard I/N", text + length + 1, 1, OPTION_MAX_SHARDS);
    options->shard = (unsigned)option_number(state, "shard I/N", first, 1, options->shards);
}

/* What several options say together. */
static void check_together(struct argp_state *state, const struct options *options) {
    if (options->retry && !options->resume)
        argp_error(state, _("--retry needs --resume FILE"));
    if (options->resume && options->format != FORMAT_JSONL && options->format != FORMAT_NOT_SAID)
        argp_error(state, _("--resume writes --format jsonl only"));
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    static const char *const FORMATS[] = {"text", "jsonl", "kif", "jkf", NULL},
                             *const NOTATIONS[] = {"usi", "ja", "western", "csa", NULL},
                             *const COLORS[] = {"auto", "always", "never", NULL};
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_THREADS:
        options->threads = (int)option_number(state, "threads", text, 1, OPTION_MAX_THREADS);
        return 0;
    case KEY_HASH:
        options->hash_mib = option_number(state, "hash", text, 1, OPTION_MAX_HASH_MIB);
        return 0;
    case KEY_FORMAT:
        options->format = (enum output_format)option_choice(state, "format", text, FORMATS);
        return 0;
    case KEY_NOTATION:
        options->notation = (enum tsume_notation)option_choice(state, "notation", text, NOTATIONS);
        return 0;
    case KEY_COLOR:
        options->color = wants_color(option_choice(state, "color", text, COLORS));
        return 0;
    case KEY_CERTIFICATE:
        options->certificates = text;
        options->limits.certificate = true;
        return 0;
    case KEY_RESUME:
        options->resume = text;
        return 0;
    case KEY_RETRY:
        options->retry = true;
        return 0;
    case KEY_SHARD:
        parse_shard(state, text, options);
        return 0;
    case KEY_BOARD:
        options->board = true;
        return 0;
    case KEY_ASCII:
        options->ascii = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->files = (const char *const *)(state->argv + state->next);
        options->file_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("no file named ('-' reads standard input)"));
        return 0;
    case ARGP_KEY_END:
        check_together(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_check_option(int key, char *text, struct argp_state *state) {
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_PER_MOVE:
        options->check.seconds_per_move = option_seconds(state, "per-move", text);
        return 0;
    case KEY_FIRST:
        options->check.first = true;
        return 0;
    case KEY_ALL_LINES:
        options->check.all_lines = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child SEARCH[] = {{.argp = &options_search}, {0}};
static const struct argp PLAIN = {
    .options = OPTIONS, .parser = parse_option, .args_doc = "FILE...", .children = SEARCH};

/* Proving that a long mate has no shorter one can take forever, so there is a limit unless the user says otherwise. */
enum { DEFAULT_SECONDS = 30, SECONDS_NOT_SAID = -1 };

void options_begin(struct options *options) {
    *options = (struct options){
        .threads = omp_get_num_procs(),
        .color = wants_color(0),
        .limits.seconds = SECONDS_NOT_SAID,
        .format = FORMAT_NOT_SAID,
    };
}

void options_end(struct options *options) {
    if (options->limits.seconds == SECONDS_NOT_SAID)
        options->limits.seconds = options->limits.nodes ? 0 : DEFAULT_SECONDS;
    if (options->format == FORMAT_NOT_SAID)
        options->format = options->resume ? FORMAT_JSONL : FORMAT_TEXT;
    options->numbered = options->resume || options->shards;
    if (!options->shards)
        options->shard = options->shards = 1;
}

static void add_setting(struct options *options, const char *text) {
    size_t length = strlen(options->settings);
    snprintf(options->settings + length, sizeof options->settings - length, "%s%s", length ? " " : "", text);
}

static void set_settings(struct options *options, bool checks) {
    add_setting(options, checks ? "check" : "solve");
    if (!checks)
        add_setting(options, options->limits.any ? "--order any" : "--order shortest");
    add_setting(options, options->limits.count_futile ? "--futile none" : "--futile exact");
    add_setting(options, options->reader.hands_as_given ? "--hands as-given" : "--hands complete");
    if (options->reader.attacker)
        add_setting(options, options->reader.attacker == 'b' ? "--attacker black" : "--attacker white");
    if (options->check.first)
        add_setting(options, "--first");
    if (options->check.all_lines)
        add_setting(options, "--all-lines");
}

bool options_shard_has(const struct options *options, uint64_t number) {
    return number % options->shards == options->shard % options->shards;
}

void options_read(int argc, char **argv, const struct argp *argp, void *input) {
    argp_err_exit_status = STATUS_USAGE;
    error_t error = help_parse(argc, argv, argp, input);
    if (error)
        program_fail(error, _("the command line could not be read"));
}

static void parse(int argc, char **argv, struct argp argp, const char *doc, struct options *options) {
    argp.doc = doc;
    options_begin(options);
    options_read(argc, argv, &argp, options);
    options_end(options);
}

void options_parse(int argc, char **argv, const char *doc, struct options *options) {
    parse(argc, argv, PLAIN, doc, options);
    set_settings(options, false);
}

void options_parse_check(int argc, char **argv, const char *doc, struct options *options) {
    static const struct argp_child CHILDREN[] = {{.argp = &PLAIN}, {0}};
    const struct argp argp = {.options = CHECK_OPTIONS, .parser = parse_check_option, .children = CHILDREN};
    parse(argc, argv, argp, doc, options);
    options->check.limits = options->limits;
    set_settings(options, true);
}
