/* cmd_convert.c: `tsume convert`: writes problems in another format. */
#include "program.h"
#include "program_options.h"
#include "program_output.h"
#include "program_report.h"
#include "rules/language.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    const char *target; /* NULL: stdout */
    bool quiet;
    char **paths; /* points into argv */
    int count;

    struct output out;
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
        c->target = text;
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

static void choose_encoding(struct conversion *c) {
    if (c->encoding == NOT_CHOSEN)
        c->encoding =
            c->target && c->to != TSUME_JKF && (text_ends_with(c->target, ".kif") || text_ends_with(c->target, ".ki2"));
}

static void parse(int argc, char **argv, struct conversion *c) {
    static const struct argp_child CHILDREN[] = {{.argp = &options_reader}, {0}};
    static const struct argp ARGP = {
        .options = OPTIONS, .parser = parse_option, .args_doc = "FILE...", .doc = DOC, .children = CHILDREN};
    options_read(argc, argv, &ARGP, c);
    choose_encoding(c);
}

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

/* A format that holds one problem cannot take a second one into the same file. */
static _Noreturn void fail_on_second(struct conversion *c, const struct tsume_problem *problem) {
    fprintf(stderr,
            _("tsume convert: %s: a file of %s holds one problem; write many into a folder with --output DIR/\n"),
            tsume_problem_source(problem), tsume_format_name((enum tsume_format)c->to));
    output_abandon(&c->out);
    exit(STATUS_USAGE);
}

static void write_problem(struct conversion *c, const struct tsume_problem *problem) {
    struct tsume_writing writing = {
        .format = (enum tsume_format)c->to,
        .shift_jis = c->encoding == 1,
        .more = !c->out.in_folder && c->converted > 0,
    };
    if (writing.more && !tsume_format_holds_several(writing.format))
        fail_on_second(c, problem);
    if (c->out.in_folder)
        output_open_numbered(&c->out, tsume_format_ending(writing.format, writing.shift_jis));
    size_t length;
    char *text = tsume_problem_text(problem, &writing, &length);
    if (!text)
        program_fail(ENOMEM, _("converting"));
    if (writing.more)
        fputs(tsume_format_separator(writing.format), c->out.file);
    if (fwrite(text, 1, length, c->out.file) != length)
        output_fail(&c->out, errno);
    free(text);
    if (c->out.in_folder)
        output_close(&c->out);
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
            report_tell_error(problem);
            c->invalid++;
            continue;
        }
        if (tsume_problem_note(problem)) {
            fprintf(stderr, _("%s; what follows is left out\n"), tsume_problem_note(problem));
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
    output_begin(&c.out, c.target);
    convert_all(&c);
    output_close(&c.out);
    if (!c.quiet)
        print_summary(&c);
    return c.invalid ? STATUS_INVALID : STATUS_DECIDED;
}
