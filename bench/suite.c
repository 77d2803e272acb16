#include "bench/suite.h"

#include "solver/program.h"
#include "solver/program_report.h"

#include <stdlib.h>
#include <string.h>

/* suite.tsv, as the build makes it. */
extern const char suite_text[];

/* The group of this name: the last one, or a new one. */
static const char *enter_group(struct suite *suite, const char *name, size_t length) {
    if (suite->group_count > 0) {
        const char *last = suite->groups[suite->group_count - 1];
        if (strlen(last) == length && memcmp(last, name, length) == 0)
            return last;
    }
    suite->groups = program_must(realloc(suite->groups, (suite->group_count + 1) * sizeof *suite->groups));
    return suite->groups[suite->group_count++] = program_must(strndup(name, length));
}

/* Takes a problem over; one that is not legal is reported instead. */
static void add(struct suite *suite, struct tsume_problem *problem, const char *group, struct tsume_limits limits) {
    const struct tsume_error *error = tsume_problem_error(problem);
    if (error) {
        report_write_error(stderr, problem, error);
        fputc('\n', stderr);
        tsume_problem_free(problem);
        suite->invalid++;
        return;
    }
    if ((suite->count & (suite->count - 1)) == 0)
        suite->items = program_must(realloc(suite->items, (2 * suite->count + 1) * sizeof *suite->items));
    suite->items[suite->count++] = (struct suite_item){problem, group, limits};
}

/* ---- The suite ----------------------------------------------------------------------------------------------------- */

/* `# group<TAB>NAME<TAB>shortest|any<TAB>NODES` */
static bool read_heading(struct suite *suite, const char *line, const char **group, struct tsume_limits *limits) {
    static const char GROUP[] = "# group\t";
    if (strncmp(line, GROUP, sizeof GROUP - 1) != 0)
        return false;
    const char *name = line + sizeof GROUP - 1, *order = strchr(name, '\t') + 1, *nodes = strchr(order, '\t') + 1;
    *group = enter_group(suite, name, (size_t)(order - 1 - name));
    limits->any = strncmp(order, "any\t", 4) == 0;
    limits->nodes = strtoull(nodes, NULL, 10);
    return true;
}

static void read_bundled(struct suite *suite, const struct bench_options *options) {
    const struct tsume_limits *asked = &options->search.limits;
    const char *group = NULL;
    struct tsume_limits own = {0};
    for (const char *line = suite_text, *end; (end = strchr(line, '\n')); line = end + 1) {
        if (read_heading(suite, line, &group, &own) || *line == '#')
            continue;
        struct tsume_limits limits = *asked;
        limits.any |= own.any;
        if (limits.nodes == 0 && options->engine_count == 0)
            limits.nodes = own.nodes;
        char *copy = program_must(strndup(line, (size_t)(end - line)));
        add(suite, program_must(tsume_problem_from_sfen(copy, &options->search.reader)), group, limits);
        free(copy);
    }
}

/* ---- Files --------------------------------------------------------------------------------------------------------- */

static void read_files(struct suite *suite, const struct options *options) {
    struct tsume_reader *reader = program_must(tsume_reader_new(options->files, options->file_count, &options->reader));
    for (struct tsume_problem *problem; (problem = tsume_reader_next(reader));) {
        const char *source = tsume_problem_source(problem), *colon = strrchr(source, ':');
        const char *group = enter_group(suite, source, colon ? (size_t)(colon - source) : strlen(source));
        add(suite, problem, group, options->limits);
    }
    tsume_reader_free(reader);
}

void suite_read(struct suite *suite, const struct bench_options *options) {
    *suite = (struct suite){0};
    if (options->search.file_count > 0)
        read_files(suite, &options->search);
    else
        read_bundled(suite, options);
}

void suite_free(struct suite *suite) {
    for (size_t i = 0; i < suite->count; i++)
        tsume_problem_free(suite->items[i].problem);
    for (size_t i = 0; i < suite->group_count; i++)
        free(suite->groups[i]);
    free(suite->items);
    free(suite->groups);
}
