#include "program_help.h"

#include "program.h"
#include "program_language.h"
#include "program_width.h"
#include "rules/language.h"
#include "tsume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns: those of a line, where descriptions of options go on, and how far behind a blank no word is parted. */
enum { LINE_WIDTH = 79, OPTION_INDENT = 29, CLOSE = 12 };

enum { MOST_CHILDREN = 8 }; /* that a parser of a command has */

/* ---- Filling lines ------------------------------------------------------------------------------------------------- */

static bool begins_with_any(const char *text, const char *const *beginnings) {
    for (; *beginnings; beginnings++)
        if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

/* May a line of Japanese end between two characters? One of them at least is wide; some must not begin a line, some not end it (禁則). */
static bool may_part(const char *before, const char *after) {
    static const char *const NEVER_FIRST[] = {"、", "。", "，", "」", "』", "）", "：", "；", "・", "ー", "々", "っ",
                                              "ゃ", "ゅ", "ょ", "ッ", "ャ", "ュ", "ョ", "ァ", "ィ", "ェ", "ォ", NULL};
    static const char *const NEVER_LAST[] = {"（", "「", "『", "▲", "△", NULL};
    return (char_is_wide(before) || char_is_wide(after)) && *before != ' ' && *after != ' ' &&
           !begins_with_any(after, NEVER_FIRST) && !begins_with_any(before, NEVER_LAST);
}

/* How many bytes of the text fit on a line of this width; *next: where the text goes on behind them. */
static size_t part_that_fits(const char *text, int width, size_t *next) {
    size_t end = 0, before = 0;
    int column = 0, blank = -CLOSE;
    *next = 0;
    for (size_t at = 0; text[at]; before = at, at += char_length(text + at)) {
        if (text[at] == ' ' && text[before] != ' ') {
            end = at;
            *next = at + strspn(text + at, " ");
            blank = column;
        } else if (at > 0 && column - blank >= CLOSE && may_part(text + before, text + at)) {
            end = *next = at;
        }
        column += 1 + char_is_wide(text + at);
        if (column > width && *next > 0 && text[at] != ' ')
            return end;
    }
    return *next = strlen(text);
}

/* A line of argp's, as several where it is too long for one. */
static void print_filled(const char *line) {
    size_t margin = strspn(line, " "), next;
    int indent = line[margin] == '-' ? OPTION_INDENT : (int)margin;
    size_t length = margin + part_that_fits(line + margin, LINE_WIDTH - (int)margin, &next);
    printf("%.*s\n", (int)length, line);
    for (line += margin + next; *line; line += next) {
        length = part_that_fits(line, LINE_WIDTH - indent, &next);
        printf("%*s%.*s\n", indent, "", (int)length, line);
    }
}

static _Noreturn void print_help(const struct argp_state *state) {
    char *text = NULL, *rest, *line;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        program_fail(errno, _("help"));
    setenv("ARGP_HELP_FMT", "rmargin=10000", 1); /* lines are filled here */
    argp_state_help(state, out, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
    if (fclose(out) != 0)
        program_fail(errno, _("help"));
    for (rest = text; (line = strsep(&rest, "\n")) && (rest || *line);)
        print_filled(line);
    free(text);
    exit(EXIT_SUCCESS);
}

/* ---- What all commands have in common ------------------------------------------------------------------------------ */

enum { KEY_HELP = '?', KEY_SHORT_HELP = 'h', KEY_VERSION = 'V', KEY_USAGE = 2000, KEY_LANGUAGE };

static const struct argp_option COMMON_OPTIONS[] = {
    {"lang", KEY_LANGUAGE, "LANG", 0, N_("Speak this language, as ja or ru (default: that of the locale)"), -1},
    {"help", KEY_HELP, NULL, 0, N_("Give this help list"), -1},
    {NULL, KEY_SHORT_HELP, NULL, OPTION_HIDDEN, NULL, -1},
    {"usage", KEY_USAGE, NULL, 0, N_("Give a short usage message"), -1},
    {"version", KEY_VERSION, NULL, 0, N_("Print program version"), -1},
    {0},
};

/* What argp itself says, and looks up in the catalogue of the program. */
__attribute__((unused)) static const char *const WORDS_OF_ARGP[] = {
    N_("Usage:"),
    N_("  or: "),
    N_(" [OPTION...]"),
    N_("Try `%s --help' or `%s --usage' for more information.\n"),
    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): it is one */
    N_("Mandatory or optional arguments to long options are also mandatory or optional for any corresponding short "
       "options."),
};

static error_t parse_common_option(int key, char *text, struct argp_state *state) {
    switch (key) {
    case KEY_HELP:
    case KEY_SHORT_HELP:
        print_help(state);
    case KEY_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case KEY_VERSION:
        printf("tsume %s\n", tsume_version());
        exit(EXIT_SUCCESS);
    case KEY_LANGUAGE: /* language_begin has seen it, unless it was abbreviated */
        if (!language_choose(text))
            argp_error(state, _("there is no language '%s'"), text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t help_parse(int argc, char **argv, const struct argp *argp, void *input) {
    static const struct argp COMMON = {.options = COMMON_OPTIONS, .parser = parse_common_option};
    struct argp_child children[MOST_CHILDREN + 2] = {{0}};
    struct argp whole = *argp;
    size_t count = 0;
    while (argp->children && argp->children[count].argp && count < MOST_CHILDREN) {
        children[count] = argp->children[count];
        count++;
    }
    children[count].argp = &COMMON;
    whole.children = children;
    whole.doc = argp->doc ? _(argp->doc) : NULL;
    return argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, input);
}
