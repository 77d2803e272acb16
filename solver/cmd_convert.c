/* cmd_convert.c: `tsume convert`: writes problems in another format. */
#include "program.h"
#include "program_options.h"
#include "program_report.h"
#include "rules/language.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char DOC[] =
    N_("Writes problems in another format, with their solutions, variations, titles, headers and comments as far as "
       "it has a place for them.\v"
       "FILE is a list of SFEN lines, a record in KIF, KI2, BOD, CSA or JKF (JSON), a folder of such files, or - "
       "for standard input. What cannot be read is named on stderr, and the rest is converted.\n"
       "\n"
       "Exit status: 0 all converted; 2 bad usage; 3 some problems, or their moves, could not be read; 4 no memory, "
       "or the output cannot be written.");

enum { KEY_TO = 256, KEY_ENCODING, KEY_OUTPUT = 'o', KEY_QUIET = 'q' };
enum { LOSSES = 5, NOT_CHOSEN = -1 };

struct conversion {
    struct tsume_reader_options reader;
    int to, encoding;   /* enum tsume_format; 1: Shift-JIS; NOT_CHOSEN */
    const char *output; /* NULL: stdout */
    bool quiet;
    char **paths; /* points into argv */
    int count;

    FILE *out;  /* the file that is being written, NULL between those of a folder */
    char *path; /* where it will be, and where it is until it is complete */
    char *unfinished;
    bool in_folder;
    unsigned long converted, invalid, replaced, lost[LOSSES];
};

/* ---- The command line ---------------------------------------------------------------------------------------------- */

static const struct argp_option OPTIONS[] = {
    {"to", KEY_TO, "sfen|kif|ki2|bod|csa|jkf", 0, N_("The format to write (needed)"), 1},
    {"encoding", KEY_ENCODING, "utf8|sjis", 0,
     N_("Write UTF-8, or Shift-JIS as Windows does (default: utf8, but sjis into FILE.kif and FILE.ki2)"), 1},
    {"output", KEY_OUTPUT, "FILE|DIR", 0,
     N_("Write to this file instead of standard output; to a folder (DIR/, or one that is there): one numbered file a "
        "problem"),
     1},
    {"quiet", KEY_QUIET, NULL, 0, N_("No summary on stderr"), 1},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state) {
    static const char *const FORMATS[] = {"sfen", "kif", "ki2", "bod", "csa", "jkf", NULL}, *const ENCODINGS[] = {
                                                                                                "utf8", "sjis", NULL};
    struct conversion *c = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &c->reader;
        return 0;
    case KEY_TO:
        c->to = option_choice(state, "to", text, FORMATS);
        return 0;
    case KEY_ENCODING:
        c->encoding = option_choice(state, "encoding", text, ENCODINGS);
        return 0;
    case KEY_OUTPUT:
        c->output = text;
        return 0;
    case KEY_QUIET:
        c->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        c->paths = state->argv + state->next;
        c->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (c->to == NOT_CHOSEN)
            argp_error(state, _("--to FORMAT is needed"));
        if (c->count == 0)
            argp_error(state, _("no file named ('-' reads standard input)"));
        if (c->to == TSUME_JKF && c->encoding == 1)
            argp_error(state, _("JSON is written in UTF-8 only"));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

static void choose_encoding(struct conversion *c) {
    if (c->encoding == NOT_CHOSEN)
        c->encoding = c->output && c->to != TSUME_JKF && (ends_with(c->output, ".kif") || ends_with(c->output, ".ki2"));
}

static void parse(int argc, char **argv, struct conversion *c) {
    static const struct argp_child CHILDREN[] = {{.argp = &options_reader}, {0}};
    static const struct argp ARGP = {
        .options = OPTIONS, .parser = parse_option, .args_doc = "FILE...", .doc = DOC, .children = CHILDREN};
    options_read(argc, argv, &ARGP, c);
    choose_encoding(c);
}

/* ---- Files --------------------------------------------------------------------------------------------------------- */

static _Noreturn void fail_at(const struct conversion *c, int error) {
    char message[512];
    if (c->path)
        snprintf(message, sizeof message, _("'%s' cannot be written"), c->path);
    else
        snprintf(message, sizeof message, "%s", _("the output could not be written"));
    if (c->unfinished)
        unlink(c->unfinished);
    program_fail(error, message);
}

/* Opens a file that appears under its name once it is complete, so that it may be one of those that are read. */
static void open_file(struct conversion *c, const char *path) {
    size_t size = strlen(path) + sizeof ".part";
    c->path = strdup(path);
    c->unfinished = malloc(size);
    if (!c->path || !c->unfinished)
        program_fail(ENOMEM, _("converting"));
    snprintf(c->unfinished, size, "%s.part", path);
    c->out = fopen(c->unfinished, "wb");
    if (!c->out)
        fail_at(c, errno);
}

static void open_numbered(struct conversion *c) {
    size_t size = strlen(c->output) + 32;
    char *path = malloc(size);
    if (!path)
        program_fail(ENOMEM, _("converting"));
    snprintf(path, size, "%s%s%05lu%s", c->output, ends_with(c->output, "/") ? "" : "/", c->converted + 1,
             tsume_format_ending((enum tsume_format)c->to, c->encoding == 1));
    open_file(c, path);
    free(path);
}

static void close_file(struct conversion *c) {
    bool failed = ferror(c->out) != 0;
    if (fclose(c->out) != 0 || failed)
        fail_at(c, failed ? 0 : errno);
    c->out = NULL;
    if (!c->unfinished)
        return;
    if (rename(c->unfinished, c->path) != 0)
        fail_at(c, errno);
    free(c->path);
    free(c->unfinished);
    c->path = c->unfinished = NULL;
}

static void begin_output(struct conversion *c) {
    struct stat status;
    if (!c->output) {
        c->out = stdout;
        return;
    }
    bool is_there = stat(c->output, &status) == 0 && S_ISDIR(status.st_mode);
    c->in_folder = is_there || ends_with(c->output, "/");
    if (c->in_folder && !is_there && mkdir(c->output, 0777) != 0)
        program_fail(errno, _("the folder cannot be made"));
    if (!c->in_folder)
        open_file(c, c->output);
}

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

static void tell_error(const struct tsume_problem *problem) {
    report_write_error(stderr, problem, tsume_problem_error(problem));
    fputc('\n', stderr);
}

/* A format that holds one problem cannot take a second one into the same file. */
static _Noreturn void fail_on_second(struct conversion *c, const struct tsume_problem *problem) {
    fprintf(stderr,
            _("tsume convert: %s: a file of %s holds one problem; write many into a folder with --output DIR/\n"),
            tsume_problem_source(problem), tsume_format_name((enum tsume_format)c->to));
    if (c->unfinished)
        unlink(c->unfinished);
    exit(STATUS_USAGE);
}

static void write_problem(struct conversion *c, const struct tsume_problem *problem) {
    struct tsume_writing writing = {
        .format = (enum tsume_format)c->to,
        .shift_jis = c->encoding == 1,
        .more = !c->in_folder && c->converted > 0,
    };
    if (writing.more && !tsume_format_holds_several(writing.format))
        fail_on_second(c, problem);
    if (c->in_folder)
        open_numbered(c);
    size_t length;
    char *text = tsume_problem_text(problem, &writing, &length);
    if (!text)
        program_fail(ENOMEM, _("converting"));
    if (writing.more)
        fputs(tsume_format_separator(writing.format), c->out);
    if (fwrite(text, 1, length, c->out) != length)
        fail_at(c, errno);
    free(text);
    if (c->in_folder)
        close_file(c);
    c->converted++;
    c->replaced += writing.replaced;
    for (int i = 0; i < LOSSES; i++)
        c->lost[i] += writing.lost >> i & 1;
}

static void convert_all(struct conversion *c) {
    struct tsume_reader *reader = tsume_reader_new((const char *const *)c->paths, (size_t)c->count, &c->reader);
    if (!reader)
        program_fail(ENOMEM, _("converting"));
    for (struct tsume_problem *problem; (problem = tsume_reader_next(reader)); tsume_problem_free(problem)) {
        if (tsume_problem_error(problem)) {
            tell_error(problem);
            c->invalid++;
            continue;
        }
        if (tsume_problem_note(problem)) {
            fprintf(stderr, _("%s; the moves end there\n"), tsume_problem_note(problem));
            c->invalid++;
        }
        write_problem(c, problem);
    }
    tsume_reader_free(reader);
}

static void print_summary(const struct conversion *c) {
    static const char *const LOST[LOSSES] = {
        N_("; %s has no place for the moves of %lu"), N_("; %s has no place for the variations of %lu"),
        N_("; %s has no place for the comments of %lu"), N_("; %s has no place for some headers of %lu"),
        N_("; %s has no place for the ends of play of %lu")};
    fprintf(stderr, Q_("%lu problem converted", "%lu problems converted", c->converted), c->converted);
    if (c->invalid)
        fprintf(stderr, Q_(", %lu with errors", ", %lu with errors", c->invalid), c->invalid);
    for (int i = 0; i < LOSSES; i++)
        if (c->lost[i])
            fprintf(stderr, _(LOST[i]), tsume_format_name((enum tsume_format)c->to), c->lost[i]);
    if (c->replaced)
        fprintf(stderr,
                Q_("; %lu character that Shift-JIS does not have replaced",
                   "; %lu characters that Shift-JIS does not have replaced", c->replaced),
                c->replaced);
    fputc('\n', stderr);
}

int cmd_convert(int argc, char **argv) {
    struct conversion c = {.to = NOT_CHOSEN, .encoding = NOT_CHOSEN};
    parse(argc, argv, &c);
    signal(SIGPIPE, SIG_IGN); /* a reader who goes away is a write error */
    begin_output(&c);
    convert_all(&c);
    if (c.out)
        close_file(&c);
    if (!c.quiet)
        print_summary(&c);
    return c.invalid ? STATUS_INVALID : STATUS_DECIDED;
}
