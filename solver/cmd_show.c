/* cmd_show.c: `tsume show`: problems as diagrams, in text or as pictures. */
#include "program.h"
#include "program_module.h"
#include "program_options.h"
#include "program_output.h"
#include "program_picture.h"
#include "program_report.h"
#include "rules/language.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char DOC[] =
    N_("Shows problems as diagrams: as text, as SVG pictures, or as a PDF book with many on a page, with the "
       "solutions that their files state. Nothing is solved.\v"
       "FILE is a list of SFEN lines, a record in KIF, KI2, BOD, CSA or JKF (JSON), a folder of such files, or - "
       "for standard input. What cannot be read is named on stderr, and the rest is shown. SVG and PDF need a font "
       "with Japanese characters. PDF files are dated only if SOURCE_DATE_EPOCH is in the environment.\n"
       "\n"
       "Exit status: 0 all shown; 2 bad usage; 3 some problems, or their moves, could not be read, or there were "
       "none for the PDF file; 4 no memory, no module or font for pictures, or the output cannot be written.");

enum option_key {
    KEY_OUTPUT = 'o',
    KEY_FORMAT = 256,
    KEY_ASCII,
    KEY_MOVES,
    KEY_NOTATION,
    KEY_AT,
    KEY_FLIP,
    KEY_DEFENDER_HAND,
    KEY_FONT,
    KEY_PAPER,
    KEY_PER_PAGE,
    KEY_SOLUTIONS
};
enum { NOT_CHOSEN = -1, DEFAULT_PER_PAGE = 6, MOST_PER_PAGE = 20, MOST_PLIES = 1000000 };

enum show_format { SHOW_TEXT, SHOW_SVG, SHOW_PDF };

struct show {
    struct tsume_reader_options reader;
    int format;   /* enum show_format, or NOT_CHOSEN */
    int notation; /* enum tsume_notation, or NOT_CHOSEN */
    bool ascii;
    size_t at;          /* plies of the stated line that are played first */
    const char *target; /* NULL: stdout */
    const char *font;   /* NULL: the usual ones */
    struct draw_pages pages;
    struct picture_options picture;
    char **paths; /* points into argv */
    int count;

    struct output out;
    const struct draw_module *draw; /* NULL with text */
    struct draw_book *book;         /* NULL before the first problem, and where none is made */
    unsigned long shown, invalid;
};

/* ---- The command line ---------------------------------------------------------------------------------------------- */

enum option_group { GROUP_SHOW = 1, GROUP_PICTURE, GROUP_BOOK, GROUP_READER };

static const struct argp_option OPTIONS[] = {
    {.doc = N_("Showing:"), .group = GROUP_SHOW},
    {"format", KEY_FORMAT, "text|svg|pdf", 0,
     N_("What to write (default: by the ending of the output file, else text)"), GROUP_SHOW},
    {"output", KEY_OUTPUT, "FILE|DIR", 0,
     N_("Write to this file instead of standard output; text and SVG to a folder (DIR/, or one that is there): one "
        "numbered file a problem"),
     GROUP_SHOW},
    {"ascii", KEY_ASCII, NULL, 0, N_("Letters instead of kanji in text"), GROUP_SHOW},
    {"moves", KEY_MOVES, NULL, 0, N_("The stated solution below each diagram"), GROUP_SHOW},
    {"notation", KEY_NOTATION, "NOTATION", 0,
     N_("Moves as usi (2b3c+, the default with --ascii), ja (▲３三角成, the default otherwise), western (Bx3c+) or csa "
        "(+2233UM)"),
     GROUP_SHOW},
    {"at", KEY_AT, "PLY", 0, N_("The position after so many plies of the stated solution, the last move marked"),
     GROUP_SHOW},
    {.doc = N_("Pictures (SVG and PDF):"), .group = GROUP_PICTURE},
    {"flip", KEY_FLIP, NULL, 0, N_("The board as White sees it"), GROUP_PICTURE},
    {"defender-hand", KEY_DEFENDER_HAND, "HOW", 0,
     N_("The hand of a defender who has all that is nowhere else: auto (the default) leaves it out, rest writes "
        "残り全部, "
        "pieces lists it; none leaves out any hand of his"),
     GROUP_PICTURE},
    {"font", KEY_FONT, "FAMILY", 0, N_("A font to take before the usual ones"), GROUP_PICTURE},
    {.doc = N_("Books (PDF):"), .group = GROUP_BOOK},
    {"paper", KEY_PAPER, "a4|a5|letter", 0, N_("The size of the pages (default: a4)"), GROUP_BOOK},
    {"per-page", KEY_PER_PAGE, "N", 0, N_("Diagrams on a page (default: 6)"), GROUP_BOOK},
    {"solutions", KEY_SOLUTIONS, "none|below|end", 0,
     N_("No solutions (the default), each below its diagram (as with --moves), or all at the end"), GROUP_BOOK},
    {0},
};

struct paper {
    double width, height; /* points */
};
static const struct paper PAPERS[] = {{595.28, 841.89}, {419.53, 595.28}, {612, 792}};

static void set_paper(struct show *s, struct paper paper) {
    s->pages.width = paper.width;
    s->pages.height = paper.height;
}

/* What depends on several options. */
static void settle(struct show *s, struct argp_state *state) {
    if (s->format == NOT_CHOSEN)
        s->format = s->target && text_ends_with(s->target, ".svg")   ? SHOW_SVG
                    : s->target && text_ends_with(s->target, ".pdf") ? SHOW_PDF
                                                                     : SHOW_TEXT;
    if (s->format != SHOW_PDF && s->pages.solutions == DRAW_SOLUTIONS_AT_END)
        argp_error(state, _("--solutions end is for --format pdf"));
    if (s->format != SHOW_TEXT && s->ascii)
        argp_error(state, _("--ascii is for text"));
    if (s->format == SHOW_TEXT && s->picture.flipped)
        argp_error(state, _("--flip is for --format svg and pdf"));
    if (s->count == 0)
        argp_error(state, _("no file named ('-' reads standard input)"));
    if (s->notation == NOT_CHOSEN)
        s->notation = s->ascii ? TSUME_USI : TSUME_JAPANESE;
    s->picture.notation = (enum tsume_notation)s->notation;
    s->picture.solution = s->pages.solutions != DRAW_NO_SOLUTIONS;
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    static const char *const FORMATS[] = {"text", "svg", "pdf", NULL},
                             *const NOTATIONS[] = {"usi", "ja", "western", "csa", NULL},
                             *const HANDS[] = {"auto", "rest", "pieces", "none", NULL},
                             *const PAPER_NAMES[] = {"a4", "a5", "letter", NULL},
                             *const SOLUTIONS[] = {"none", "below", "end", NULL};
    struct show *s = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &s->reader;
        return 0;
    case KEY_FORMAT:
        s->format = option_choice(state, "format", text, FORMATS);
        return 0;
    case KEY_OUTPUT:
        s->target = text;
        return 0;
    case KEY_ASCII:
        s->ascii = true;
        return 0;
    case KEY_MOVES:
        s->pages.solutions = DRAW_SOLUTIONS_BELOW;
        return 0;
    case KEY_NOTATION:
        s->notation = option_choice(state, "notation", text, NOTATIONS);
        return 0;
    case KEY_AT:
        s->at = option_number(state, "at", text, 0, MOST_PLIES);
        return 0;
    case KEY_FLIP:
        s->picture.flipped = true;
        return 0;
    case KEY_DEFENDER_HAND:
        s->picture.defender_hand = (enum defender_hand)option_choice(state, "defender-hand", text, HANDS);
        return 0;
    case KEY_FONT:
        s->font = text;
        return 0;
    case KEY_PAPER:
        set_paper(s, PAPERS[option_choice(state, "paper", text, PAPER_NAMES)]);
        return 0;
    case KEY_PER_PAGE:
        s->pages.per_page = (int)option_number(state, "per-page", text, 1, MOST_PER_PAGE);
        return 0;
    case KEY_SOLUTIONS:
        s->pages.solutions = (enum draw_solutions)option_choice(state, "solutions", text, SOLUTIONS);
        return 0;
    case ARGP_KEY_ARGS:
        s->paths = state->argv + state->next;
        s->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        settle(s, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void parse(int argc, char **argv, struct show *s) {
    static const struct argp_child CHILDREN[] = {{.argp = &options_reader, .group = GROUP_READER}, {0}};
    static const struct argp ARGP = {
        .options = OPTIONS, .parser = parse_option, .args_doc = "FILE...", .doc = DOC, .children = CHILDREN};
    options_read(argc, argv, &ARGP, s);
}

/* ---- Messages ------------------------------------------------------------------------------------------------------ */

/* Says something of a problem on stderr. */
__attribute__((format(printf, 2, 3))) static void tell(const struct tsume_problem *problem, const char *format, ...) {
    va_list args;
    report_write_text(stderr, tsume_problem_source(problem));
    fputs(": ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* ---- Text ---------------------------------------------------------------------------------------------------------- */

static void write_heading(const struct show *s, const struct tsume_problem *problem) {
    const char *id = tsume_problem_id(problem), *title = tsume_problem_title(problem);
    long plies = tsume_problem_stated_plies(problem);
    report_write_text(s->out.file, id);
    if (*title && strcmp(title, id) != 0) {
        fputs("  ", s->out.file);
        report_write_text(s->out.file, title);
    }
    if (plies > 0)
        fprintf(s->out.file, Q_("  %ld ply", "  %ld plies", plies), plies);
    if (tsume_problem_hands_completed(problem))
        fputs(_("  hands completed"), s->out.file);
    fputc('\n', s->out.file);
}

/* All that the heading does not tell. */
static void write_headers(const struct show *s, const struct tsume_problem *problem) {
    const char *key, *value;
    for (size_t i = 0; tsume_problem_header(problem, i, &key, &value); i++) {
        if (strcmp(value, tsume_problem_id(problem)) == 0 || strcmp(value, tsume_problem_title(problem)) == 0 ||
            strcmp(key, "手数") == 0)
            continue;
        report_write_text(s->out.file, key);
        fputs(s->ascii ? ": " : "：", s->out.file);
        report_write_text(s->out.file, value);
        fputc('\n', s->out.file);
    }
}

static void write_last_move(const struct show *s, const struct tsume_problem *problem, const struct stated_line *line) {
    char *move = stated_line_text(problem, line, s->at - 1, s->at, s->picture.notation);
    fprintf(s->out.file, Q_("after %zu ply: %s\n", "after %zu plies: %s\n", s->at), s->at, move);
    free(move);
}

static void write_moves(const struct show *s, const struct tsume_problem *problem, const struct stated_line *line) {
    char *moves = stated_line_text(problem, line, 0, line->length, s->picture.notation);
    fprintf(s->out.file, "  %s\n", moves);
    free(moves);
}

static void write_text(const struct show *s, const struct tsume_problem *problem, const struct tsume_problem *position,
                       const struct stated_line *line) {
    char *board = program_must(tsume_problem_board(position, s->ascii));
    if (s->shown > 0 && !s->out.in_folder)
        fputc('\n', s->out.file);
    write_heading(s, problem);
    write_headers(s, problem);
    if (s->at > 0)
        write_last_move(s, problem, line);
    fputs(board, s->out.file);
    free(board);
    if (s->picture.solution && line->length > 0)
        write_moves(s, problem, line);
}

/* ---- Pictures ------------------------------------------------------------------------------------------------------ */

static void begin_pictures(struct show *s) {
    s->draw = program_module("draw_module");
    const char *trouble = s->draw->find_font(s->font);
    if (!trouble)
        return;
    char message[512];
    snprintf(message, sizeof message,
             _("pictures cannot be drawn: %s; install a Japanese font (on Debian: apt install fonts-ipaexfont-mincho)"),
             trouble);
    program_fail(0, message);
}

/* The time that SOURCE_DATE_EPOCH tells, NULL if it is not set; in static memory. */
static const char *date_of_source(void) {
    static char date[32];
    const char *seconds = getenv("SOURCE_DATE_EPOCH");
    time_t when = seconds ? (time_t)strtoll(seconds, NULL, 10) : 0;
    struct tm parts;
    if (!seconds || !gmtime_r(&when, &parts))
        return NULL;
    return strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts) ? date : NULL;
}

static void add_to_book(struct show *s, const struct draw_diagram *diagram, size_t *missing) {
    if (!s->book) {
        s->pages.date = date_of_source();
        s->book = s->draw->begin_book(s->out.file, s->font, &s->pages);
    }
    s->draw->add_to_book(s->book, diagram, missing);
}

static _Noreturn void fail_drawing(struct show *s, const char *trouble) {
    char message[512];
    snprintf(message, sizeof message, "'%.300s': %s", s->target ? s->target : _("the output"), trouble);
    output_abandon(&s->out);
    program_fail(0, message);
}

static void write_svg(struct show *s, const struct draw_diagram *diagram, size_t *missing) {
    const char *trouble = s->draw->write_svg(s->out.file, s->font, diagram, missing);
    if (trouble)
        fail_drawing(s, trouble);
}

static void draw(struct show *s, const struct tsume_problem *problem, const struct tsume_problem *position,
                 const struct stated_line *line) {
    struct picture picture;
    size_t missing = 0;
    picture_make(&picture, problem, position, line, s->at, &s->picture);
    (s->format == SHOW_PDF ? add_to_book : write_svg)(s, &picture.diagram, &missing);
    picture_free(&picture);
    if (missing > 0)
        tell(problem, _("no font has %zu of its characters: boxes stand for them"), missing);
}

static void end_book(struct show *s) {
    if (!s->book) {
        fputs(_("tsume show: there is no problem to draw, and no PDF file is written\n"), stderr);
        output_abandon(&s->out);
        s->invalid++;
        return;
    }
    const char *trouble = s->draw->end_book(s->book);
    if (trouble)
        fail_drawing(s, trouble);
}

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

/* A picture has no place for a second problem. */
static _Noreturn void fail_on_second(struct show *s, const struct tsume_problem *problem) {
    tell(problem, _("a file of svg holds one problem; write many into a folder with --output DIR/, or as pdf"));
    output_abandon(&s->out);
    exit(STATUS_USAGE);
}

static void write_position(struct show *s, const struct tsume_problem *problem, const struct tsume_problem *position,
                           const struct stated_line *line) {
    static const char *const ENDINGS[] = {".txt", ".svg", ".pdf"};
    if (s->format == SHOW_SVG && !s->out.in_folder && s->shown > 0)
        fail_on_second(s, problem);
    if (s->out.in_folder)
        output_open_numbered(&s->out, ENDINGS[s->format]);
    if (s->format == SHOW_TEXT)
        write_text(s, problem, position, line);
    else
        draw(s, problem, position, line);
    if (s->out.in_folder)
        output_close(&s->out);
    s->shown++;
}

static void show_problem(struct show *s, const struct tsume_problem *problem) {
    struct stated_line line = stated_line_of(problem);
    if (s->at > line.length) {
        tell(problem, _("error: there is no position after %zu plies: the stated solution ends after %zu"), s->at,
             line.length);
        s->invalid++;
    } else {
        struct tsume_problem *position = program_must(tsume_problem_after(problem, line.moves, s->at));
        write_position(s, problem, position, &line);
        tsume_problem_free(position);
    }
    stated_line_free(&line);
}

static void show_all(struct show *s) {
    struct tsume_reader *reader =
        program_must(tsume_reader_new((const char *const *)s->paths, (size_t)s->count, &s->reader));
    for (struct tsume_problem *problem; (problem = tsume_reader_next(reader)); tsume_problem_free(problem)) {
        if (tsume_problem_error(problem)) {
            report_tell_error(problem);
            s->invalid++;
            continue;
        }
        if (tsume_problem_note(problem)) {
            fprintf(stderr, _("%s; the moves end there\n"), tsume_problem_note(problem));
            s->invalid++;
        }
        show_problem(s, problem);
    }
    tsume_reader_free(reader);
}

int cmd_show(int argc, char **argv) {
    struct show s = {.format = NOT_CHOSEN, .notation = NOT_CHOSEN, .pages.per_page = DEFAULT_PER_PAGE};
    set_paper(&s, PAPERS[0]);
    parse(argc, argv, &s);
    if (s.format != SHOW_TEXT)
        begin_pictures(&s);
    output_begin(&s.out, s.target);
    if (s.format == SHOW_PDF && s.out.in_folder) {
        fputs(_("tsume show: a book is one file, not a folder\n"), stderr);
        return STATUS_USAGE;
    }
    show_all(&s);
    if (s.format == SHOW_PDF)
        end_book(&s);
    output_close(&s.out);
    return s.invalid ? STATUS_INVALID : STATUS_DECIDED;
}
