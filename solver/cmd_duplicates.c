/* cmd_duplicates.c: `tsume duplicates`: finds problems that are there twice, also mirrored or with colours reversed. */
#include "program.h"
#include "program_options.h"
#include "program_report.h"
#include "rules/language.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char DOC[] =
    N_("Finds problems that are there twice: the same position, mirrored (left and right exchanged), or with "
       "colours reversed.\v"
       "FILE is a list of SFEN lines, a record in KIF, KI2, BOD, CSA or JKF (JSON), a folder of such files, or - "
       "for standard input. Each group of equal problems is named in the order of the input, and how each is "
       "related to the first of its group.\n"
       "\n"
       "Exit status: 0 no duplicates; 1 some; 2 bad usage; 3 some problems could not be read; 4 no memory, or the "
       "output cannot be written.");

enum { KEY_FORMAT = 256, KEY_QUIET = 'q' };

/* A problem: its hash, and where its texts are. */
struct entry {
    uint64_t hash; /* of the canonical position */
    size_t group;  /* set later: `texts` of the first of its group */
    size_t texts;  /* offset: canonical position, id and source, each ended by NUL; grows with the order of the input */
    bool mirrored, reversed;
};

struct search {
    struct tsume_reader_options reader;
    bool jsonl, quiet;
    const char *const *files; /* points into argv */
    size_t file_count;

    struct entry *list; /* malloc'd */
    size_t count, room;
    char *texts; /* malloc'd */
    size_t texts_size, texts_room;
    unsigned long long invalid, groups;
};

/* ---- The command line ---------------------------------------------------------------------------------------------- */

static const struct argp_option OPTIONS[] = {
    {"format", KEY_FORMAT, "text|jsonl", 0, N_("text for people (the default), or one JSON object a group"), 1},
    {"quiet", KEY_QUIET, NULL, 0, N_("No summary on stderr"), 1},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state) {
    static const char *const FORMATS[] = {"text", "jsonl", NULL};
    struct search *s = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &s->reader;
        return 0;
    case KEY_FORMAT:
        s->jsonl = option_choice(state, "format", text, FORMATS) == 1;
        return 0;
    case KEY_QUIET:
        s->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        s->files = (const char *const *)(state->argv + state->next);
        s->file_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("no file named ('-' reads standard input)"));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

static void add_text(struct search *s, const char *text) {
    size_t size = strlen(text) + 1;
    if (s->texts_room - s->texts_size < size) {
        s->texts_room += s->texts_room / 2 + size + BUFSIZ;
        s->texts = program_must(realloc(s->texts, s->texts_room));
    }
    memcpy(s->texts + s->texts_size, text, size);
    s->texts_size += size;
}

static void add_problem(struct search *s, const struct tsume_problem *problem) {
    struct tsume_canonical canonical;
    if (!tsume_problem_canonical(problem, &canonical)) {
        report_tell_error(problem);
        s->invalid++;
        return;
    }
    if (s->count == s->room) {
        s->room += s->room / 2 + BUFSIZ;
        s->list = program_must(realloc(s->list, s->room * sizeof *s->list));
    }
    s->list[s->count++] = (struct entry){
        .hash = XXH3_64bits(canonical.sfen, strlen(canonical.sfen)),
        .texts = s->texts_size,
        .mirrored = canonical.mirrored,
        .reversed = canonical.reversed,
    };
    add_text(s, canonical.sfen);
    add_text(s, tsume_problem_id(problem));
    add_text(s, tsume_problem_source(problem));
}

static void read_all(struct search *s) {
    struct tsume_reader *reader = program_must(tsume_reader_new(s->files, s->file_count, &s->reader));
    for (struct tsume_problem *problem; (problem = tsume_reader_next(reader)); tsume_problem_free(problem))
        add_problem(s, problem);
    tsume_reader_free(reader);
}

static const char *sfen_of(const struct search *s, const struct entry *e) {
    return s->texts + e->texts;
}
static const char *id_of(const struct search *s, const struct entry *e) {
    const char *sfen = sfen_of(s, e);
    return sfen + strlen(sfen) + 1;
}
static const char *source_of(const struct search *s, const struct entry *e) {
    const char *id = id_of(s, e);
    return id + strlen(id) + 1;
}

/* ---- Groups -------------------------------------------------------------------------------------------------------- */

/* Equal positions side by side, in the order of the input. Equal hashes alone do not make equal positions. */
static int by_position(const void *a, const void *b, void *search) {
    const struct entry *e = a, *f = b;
    if (e->hash != f->hash)
        return e->hash < f->hash ? -1 : 1;
    int order = strcmp(sfen_of(search, e), sfen_of(search, f));
    return order ? order : (e->texts > f->texts) - (e->texts < f->texts);
}

static bool are_equal(const struct search *s, const struct entry *e, const struct entry *f) {
    return e->hash == f->hash && strcmp(sfen_of(s, e), sfen_of(s, f)) == 0;
}

static int by_group(const void *a, const void *b) {
    const struct entry *e = a, *f = b;
    if (e->group != f->group)
        return e->group < f->group ? -1 : 1;
    return (e->texts > f->texts) - (e->texts < f->texts);
}

/* Leaves of the list the groups of two or more, in the order of the input. */
static void find_groups(struct search *s) {
    size_t kept = 0;
    qsort_r(s->list, s->count, sizeof *s->list, by_position, s);
    for (size_t i = 0, end; i < s->count; i = end) {
        for (end = i + 1; end < s->count && are_equal(s, &s->list[i], &s->list[end]);)
            end++;
        if (end == i + 1)
            continue;
        for (size_t group = s->list[i].texts; i < end; i++) {
            s->list[i].group = group;
            s->list[kept++] = s->list[i];
        }
    }
    s->count = kept;
    qsort(s->list, s->count, sizeof *s->list, by_group);
}

/* ---- Writing ------------------------------------------------------------------------------------------------------- */

static void write_text(const struct search *s, const struct entry *first, size_t count) {
    static const char *const RELATION[2][2] = {{N_(", the same"), N_(", mirrored")},
                                               {N_(", colours reversed"), N_(", mirrored, colours reversed")}};
    for (const struct entry *e = first; e < first + count; e++) {
        const char *relation = RELATION[e->reversed != first->reversed][e->mirrored != first->mirrored];
        fputs(e == first ? "" : "  ", stdout);
        report_write_text(stdout, id_of(s, e));
        fputs(" (", stdout);
        report_write_text(stdout, source_of(s, e));
        printf(")%s\n", e == first ? "" : _(relation));
    }
}

static json_t *json_problem(const struct search *s, const struct entry *e, const struct entry *first) {
    return json_pack("{s:o, s:o, s:b, s:b}", "id", report_json_text(id_of(s, e)), "source",
                     report_json_text(source_of(s, e)), "mirrored", e->mirrored != first->mirrored, "reversed",
                     e->reversed != first->reversed);
}

static void write_json(const struct search *s, const struct entry *first, size_t count) {
    json_t *problems = program_must(json_array());
    for (const struct entry *e = first; e < first + count; e++)
        if (json_array_append_new(problems, json_problem(s, e, first)) != 0)
            program_fail(ENOMEM, _("duplicates"));
    size_t length;
    char *record =
        report_json_record(json_pack("{s:s, s:o}", "sfen", sfen_of(s, first), "problems", problems), &length);
    fwrite(program_must(record), 1, length, stdout);
    free(record);
}

static void write_groups(struct search *s) {
    for (size_t i = 0, end; i < s->count; i = end) {
        for (end = i + 1; end < s->count && s->list[end].group == s->list[i].group;)
            end++;
        (s->jsonl ? write_json : write_text)(s, &s->list[i], end - i);
        s->groups++;
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        program_fail(errno, _("cannot write the output"));
}

static void print_summary(const struct search *s, size_t problems) {
    size_t duplicates = s->count - (size_t)s->groups;
    fprintf(stderr, Q_("%zu problem: ", "%zu problems: ", problems), problems);
    fprintf(stderr, Q_("%zu duplicate", "%zu duplicates", duplicates), duplicates);
    fprintf(stderr, Q_(" in %llu group", " in %llu groups", s->groups), s->groups);
    if (s->invalid)
        fprintf(stderr, _(", %llu invalid"), s->invalid);
    fputc('\n', stderr);
}

int cmd_duplicates(int argc, char **argv) {
    static const struct argp_child CHILDREN[] = {{.argp = &options_reader}, {0}};
    static const struct argp ARGP = {
        .options = OPTIONS, .parser = parse_option, .args_doc = "FILE...", .doc = DOC, .children = CHILDREN};
    struct search s = {.jsonl = false};
    options_read(argc, argv, &ARGP, &s);
    signal(SIGPIPE, SIG_IGN); /* a reader who goes away is a write error */
    read_all(&s);
    size_t problems = s.count;
    find_groups(&s);
    write_groups(&s);
    if (!s.quiet)
        print_summary(&s, problems);
    free(s.list);
    free(s.texts);
    return s.invalid ? STATUS_INVALID : s.groups ? STATUS_UNKNOWN : STATUS_DECIDED;
}
