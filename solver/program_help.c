#include "program_help.h"

#include "program_language.h"
#include "program_width.h"
#include "rules/language.h"
#include "tsume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns: those of a line, and those left of the description of an option. */
enum { LINE_WIDTH = 79, OPTION_INDENT = 29 };

/* ---- Filling lines ------------------------------------------------------------------------------------------------- */

/* May the line break before this character, behind one that is `before_wide`? Never before what ends a clause. */
static bool may_break_before(const char *text, bool before_wide) {
    static const char *const NEVER_FIRST[] = {"、", "。", "，", "」", "』", "）", "：", "；", "・", "ー", "々", "っ",
                                              "ゃ", "ゅ", "ょ", "ッ", "ャ", "ュ", "ョ", "ァ", "ィ", "ェ", "ォ"};
    if (!char_is_wide(text) && !before_wide)
        return false;
    for (size_t i = 0; i < sizeof NEVER_FIRST / sizeof *NEVER_FIRST; i++)
        if (strncmp(text, NEVER_FIRST[i], strlen(NEVER_FIRST[i])) == 0)
            return false;
    return true;
}

/* Is this a character that a line must not end with? */
static bool never_last(const char *text) {
    return strncmp(text, "（", 3) == 0 || strncmp(text, "「", 3) == 0 || strncmp(text, "『", 3) == 0;
}

/* Up to where the text can go on one line of this width: bytes; *next: where the next line begins. */
static size_t line_end(const char *text, int width, size_t *next) {
    size_t end = 0, at = 0;
    int column = 0;
    bool wide = false, breakable = true;
    *next = 0;
    while (text[at] && text[at] != '\n') {
        if (text[at] == ' ') {
            end = at;
            *next = at + 1;
        } else if (at > 0 && breakable && text[at - 1] != ' ' && may_break_before(text + at, wide)) {
            end = *next = at;
        }
        wide = char_is_wide(text + at);
        breakable = !never_last(text + at);
        column += 1 + wide;
        if (column > width && *next > 0 && text[at] != ' ')
            return end;
        at += char_length(text + at);
    }
    *next = at + (text[at] == '\n');
    return at;
}

/* The text in lines of this width, malloc'd; NULL when memory is short. */
static char *filled(const char *text, int width) {
    char *lines = NULL;
    size_t size;
    FILE *out = open_memstream(&lines, &size);
    if (!out)
        return NULL;
    while (*text) {
        size_t next, length = line_end(text, width, &next);
        fprintf(out, "%.*s%s", (int)length, text, text[next] || text[next - 1] == '\n' ? "\n" : "");
        text += next;
    }
    return fclose(out) == 0 ? lines : NULL;
}

/* argp asks this for all its texts. */
static char *fill(int key, const char *text, void *input) {
    (void)input;
    bool narrow = key != ARGP_KEY_HELP_PRE_DOC && key != ARGP_KEY_HELP_POST_DOC && key != ARGP_KEY_HELP_DUP_ARGS_NOTE;
    if (!text || key == ARGP_KEY_HELP_HEADER || key == ARGP_KEY_HELP_ARGS_DOC)
        return (char *)text;
    char *lines = filled(text, narrow ? LINE_WIDTH - OPTION_INDENT : LINE_WIDTH);
    return lines ? lines : (char *)text;
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
    N_("Mandatory or optional arguments to long options are also mandatory or optional for any corresponding short "
       "options."),
};

static void print_help(struct argp_state *state) {
    if (language_is_foreign())
        setenv("ARGP_HELP_FMT", "rmargin=1000", 0); /* lines are filled already */
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
}

static error_t parse_common_option(int key, char *text, struct argp_state *state) {
    switch (key) {
    case KEY_HELP:
    case KEY_SHORT_HELP:
        print_help(state);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case KEY_VERSION:
        printf("tsume %s\n", tsume_version());
        exit(EXIT_SUCCESS);
    case KEY_LANGUAGE: /* language_begin has seen it, unless it was abbreviated */
        if (!language_choose(text))
            argp_error(state, _("--lang knows no language '%s'"), text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp COMMON = {.options = COMMON_OPTIONS, .parser = parse_common_option};

/* ---- Parsers whose texts are filled -------------------------------------------------------------------------------- */

static size_t child_count(const struct argp *argp) {
    size_t count = 0;
    while (argp->children && argp->children[count].argp)
        count++;
    return count;
}

static void free_copy(struct argp *copy) {
    for (size_t i = 0; copy && i < child_count(copy); i++)
        free_copy((struct argp *)copy->children[i].argp);
    if (copy)
        free((void *)copy->children);
    free(copy);
}

/* A copy of the parser and of its children that fills its texts, with one child more if that is not NULL. NULL when memory is short. */
static struct argp *copy_filled(const struct argp *argp, const struct argp *child) {
    size_t count = child_count(argp);
    struct argp *copy = malloc(sizeof *copy);
    struct argp_child *children = calloc(count + 2, sizeof *children);
    if (!copy || !children) {
        free(copy);
        free(children);
        return NULL;
    }
    *copy = *argp;
    copy->children = children;
    copy->doc = argp->doc ? _(argp->doc) : NULL;
    copy->help_filter = language_is_foreign() ? fill : NULL;
    bool fine = true;
    for (size_t i = 0; i < count + (child != NULL) && fine; i++) {
        children[i] = i < count ? argp->children[i] : (struct argp_child){.argp = child};
        children[i].argp = copy_filled(children[i].argp, NULL);
        fine = children[i].argp != NULL;
    }
    if (fine)
        return copy;
    free_copy(copy);
    return NULL;
}

error_t help_parse(int argc, char **argv, const struct argp *argp, void *input) {
    struct argp *copy = copy_filled(argp, &COMMON);
    if (!copy)
        return ENOMEM;
    error_t error = argp_parse(copy, argc, argv, ARGP_NO_HELP, NULL, input);
    free_copy(copy);
    return error;
}
