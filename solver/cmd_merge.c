/* cmd_merge.c: `tsume merge`: puts the results of shards together. */
#include "program.h"
#include "program_options.h"
#include "program_output.h"
#include "program_report.h"
#include "program_results.h"
#include "rules/language.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char DOC[] =
    N_("Puts results together that `tsume solve' or `tsume check' wrote with --shard or --resume: one record of "
       "each problem, in the order of the input.\v"
       "FILE is a file of JSON lines. Of several records of a problem the decided one is kept, or the one whose "
       "length is proved; records that contradict each other are errors, and so are lines that are no records. "
       "Errors are named with file, line and column, and the rest is merged. That no problem is missing behind the "
       "last one can only be told with --input.\n"
       "\n"
       "Exit status: 0 every problem has its record; 1 some are missing; 2 bad usage; 3 some lines are no records, "
       "contradict each other, or do not belong to the input; 4 no memory, or the output cannot be written.");

enum { KEY_OUTPUT = 'o', KEY_QUIET = 'q', KEY_INPUT = 256 };
enum { SHOWN = 10 }; /* of missing problems, or of those that are there twice, so many are named */

struct merging {
    struct tsume_reader_options reader;
    const char *output; /* NULL: stdout */
    bool quiet;
    char **files; /* points into argv */
    int count;
    const char **inputs; /* malloc'd */
    size_t input_count;

    struct results results;
    unsigned long long faults, twice, missing;
};

/* ---- The command line ---------------------------------------------------------------------------------------------- */

static const struct argp_option OPTIONS[] = {
    {"output", KEY_OUTPUT, "FILE", 0, N_("Write to this file instead of standard output"), 1},
    {"input", KEY_INPUT, "FILE|DIR", 0,
     N_("The problems: see that each has its record, and that none has changed since (may be given several times, in "
        "the "
        "order in which they were given to `tsume solve')"),
     1},
    {"quiet", KEY_QUIET, NULL, 0, N_("No summary on stderr"), 1},
    {0},
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's type */
static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct merging *m = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &m->reader;
        return 0;
    case KEY_OUTPUT:
        m->output = text;
        return 0;
    case KEY_INPUT:
        m->inputs = program_must(realloc(m->inputs, (m->input_count + 1) * sizeof *m->inputs));
        m->inputs[m->input_count++] = text;
        return 0;
    case KEY_QUIET:
        m->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        m->files = state->argv + state->next;
        m->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, _("no file of results named"));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

static void on_fault(void *context, const struct results_file *file, uint32_t line, long column, const char *message) {
    struct merging *m = context;
    m->faults++;
    results_tell_fault(file, line, column, message);
}

static void on_twice(void *context, const struct results *results, const struct result *kept,
                     const struct result *other) {
    struct merging *m = context;
    if (++m->twice <= SHOWN && !m->quiet)
        fprintf(stderr, _("%s:%lu: problem %llu is there twice, see %s:%lu\n"), results_file(results, other)->name,
                (unsigned long)other->line, (unsigned long long)other->number, results_file(results, kept)->name,
                (unsigned long)kept->line);
}

static void read_files(struct merging *m) {
    m->results = (struct results){.on_fault = on_fault, .on_twice = on_twice, .context = m};
    for (int i = 0; i < m->count; i++) {
        int fd = open(m->files[i], O_RDONLY | O_CLOEXEC);
        const struct results_file *file = results_read(&m->results, m->files[i], fd);
        if (file->torn > 0)
            on_fault(m, file, file->lines, 1, _("the line is cut off"));
    }
    results_settle(&m->results);
}

/* ---- What is missing ----------------------------------------------------------------------------------------------- */

/* Problems from first to last have no record. */
static void tell_missing(struct merging *m, uint64_t first, uint64_t last) {
    if (m->missing < SHOWN && first == last)
        fprintf(stderr, _("missing: problem %llu\n"), (unsigned long long)first);
    else if (m->missing < SHOWN)
        fprintf(stderr, _("missing: problems %llu to %llu\n"), (unsigned long long)first, (unsigned long long)last);
    m->missing += last - first + 1;
}

static void find_gaps(struct merging *m) {
    uint64_t next = 1;
    for (size_t i = 0; i < m->results.count; i++) {
        uint64_t number = m->results.list[i].number;
        if (number > next)
            tell_missing(m, next, number - 1);
        next = number + 1;
    }
}

static void tell_missing_problem(struct merging *m, const struct tsume_problem *problem) {
    if (m->missing++ < SHOWN) {
        fputs(_("missing: "), stderr);
        report_write_text(stderr, tsume_problem_id(problem));
        fputs(" (", stderr);
        report_write_text(stderr, tsume_problem_source(problem));
        fputs(")\n", stderr);
    }
}

static void tell_stranger(struct merging *m, const struct result *result, char *message) {
    on_fault(m, results_file(&m->results, result), result->line, 1, message);
    free(message);
}

/* Leaves of the records those that are of problems of the input. */
static void compare_with_input(struct merging *m) {
    struct results *results = &m->results;
    struct tsume_reader *reader = program_must(tsume_reader_new(m->inputs, m->input_count, &m->reader));
    size_t i = 0, kept = 0;
    uint64_t number = 1;
    for (struct tsume_problem *problem; (problem = tsume_reader_next(reader)); tsume_problem_free(problem), number++) {
        if (i == results->count || results->list[i].number != number) {
            tell_missing_problem(m, problem);
            continue;
        }
        const struct result *result = &results->list[i++];
        if (result_is_of(result, problem))
            results->list[kept++] = *result;
        else
            tell_stranger(m, result, results_difference(results, result, problem));
    }
    for (; i < results->count; i++)
        tell_stranger(m, &results->list[i], results_no_problem(number - 1));
    results->count = kept;
    tsume_reader_free(reader);
}

/* ---- Everything ---------------------------------------------------------------------------------------------------- */

static void write_all(struct merging *m) {
    struct output output;
    output_begin(&output, m->output);
    for (size_t i = 0; i < m->results.count; i++)
        results_write(&m->results, &m->results.list[i], &output);
    output_close(&output);
}

static void print_summary(const struct merging *m) {
    if (m->missing > SHOWN)
        fputs(_("missing: …\n"), stderr);
    fprintf(stderr, Q_("%zu record merged", "%zu records merged", m->results.count), m->results.count);
    if (m->missing)
        fprintf(stderr, _(", %llu missing"), m->missing);
    if (m->twice)
        fprintf(stderr, _(", %llu there twice"), m->twice);
    if (m->faults)
        fprintf(stderr, Q_(", %llu error", ", %llu errors", m->faults), m->faults);
    fputc('\n', stderr);
}

int cmd_merge(int argc, char **argv) {
    static const struct argp_child CHILDREN[] = {{.argp = &options_reader}, {0}};
    static const struct argp ARGP = {
        .options = OPTIONS, .parser = parse_option, .args_doc = "FILE...", .doc = DOC, .children = CHILDREN};
    struct merging m = {.output = NULL};
    options_read(argc, argv, &ARGP, &m);
    read_files(&m);
    if (m.input_count)
        compare_with_input(&m);
    else
        find_gaps(&m);
    write_all(&m);
    if (!m.quiet)
        print_summary(&m);
    results_free(&m.results);
    free(m.inputs);
    return m.faults ? STATUS_INVALID : m.missing ? STATUS_UNKNOWN : STATUS_DECIDED;
}
