#include "bench/results.h"

#include "bench/numbers.h"
#include "rules/language.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_if(bool shown, const char *text) {
    return shown ? text : NULL;
}

/* ---- Totals -------------------------------------------------------------------------------------------------------- */

/* Of one contestant, over all problems or those of one group. */
struct total {
    size_t problems, solved, mates, no_mates, exact, wrong, failed;
    uint64_t nodes;
    struct contest_times times;
};

static bool in_group(const struct suite_item *item, const char *group) {
    return !group || item->group == group;
}

static void count(struct total *total, const struct contest_result *result) {
    total->problems += result->verdict != CONTEST_NOT_RUN;
    total->solved += contest_solved(result);
    total->mates += result->verdict == CONTEST_MATE;
    total->no_mates += result->verdict == CONTEST_NO_MATE;
    total->exact += contest_solved(result) && (result->exact || result->verdict == CONTEST_NO_MATE);
    total->wrong += result->verdict == CONTEST_WRONG;
    total->failed += result->verdict == CONTEST_FAILED;
    total->nodes += result->nodes;
}

/* group NULL: all. */
static struct total total_of(const struct contest *contest, const struct contestant *who, const char *group) {
    struct total total = {0};
    double sums[BENCH_MAX_REPEAT] = {0};
    size_t runs = contest->options->repeat;
    for (size_t p = 0; p < contest->suite->count; p++) {
        const struct contest_result *result = &who->results[p];
        if (!in_group(&contest->suite->items[p], group))
            continue;
        count(&total, result);
        for (size_t r = 0; r < result->runs; r++)
            sums[r] += result->seconds[r];
        if (result->runs > 0 && result->runs < runs)
            runs = result->runs; /* interrupted: only the rounds that all took part in */
    }
    total.times = contest_times(sums, runs);
    return total;
}

/* Nodes, and nodes a second, of contestants that tell them. */
static struct cell nodes_cell(const struct contestant *who, uint64_t nodes) {
    return nodes > 0 || who->threads > 0 ? cell_count(nodes) : cell_none();
}
static struct cell speed_cell(uint64_t nodes, double seconds) {
    return nodes > 0 && seconds > 0 ? cell_count((uint64_t)((double)nodes / seconds)) : cell_none();
}

/* ---- The problems -------------------------------------------------------------------------------------------------- */

enum { SHORT_SIZE = 64 };

/* As people read it: "mate 21", "mate ≤ 45", "no mate" … */
static void short_result(const struct contestant *who, const struct contest_result *result, char text[SHORT_SIZE]) {
    static const char *const WORDS[] = {[CONTEST_NOT_RUN] = "-",
                                        [CONTEST_NO_MATE] = N_("no mate"),
                                        [CONTEST_UNKNOWN] = N_("unknown"),
                                        [CONTEST_FAILED] = N_("failed"),
                                        [CONTEST_WRONG] = N_("wrong")};
    if (result->verdict == CONTEST_MATE)
        snprintf(text, SHORT_SIZE, who->threads > 0 && !result->exact ? _("mate ≤ %d") : _("mate %d"), result->plies);
    else
        snprintf(text, SHORT_SIZE, "%s", _(WORDS[result->verdict]));
}

static void add_problem(struct sheet *sheet, const struct suite_item *item, const struct contestant *who,
                        const struct contest_result *result) {
    struct contest_times times = {NAN, NAN, NAN};
    if (result->runs > 0)
        times = contest_times(result->seconds, result->runs);
    char shown[SHORT_SIZE];
    short_result(who, result, shown);
    const struct cell cells[] = {
        cell_text(item->group),
        cell_text(tsume_problem_id(item->problem)),
        cell_text(who->name),
        who->threads > 0 ? cell_count((uint64_t)who->threads) : cell_none(),
        cell_text(shown),
        cell_text(contest_verdict_name(result->verdict)),
        result->verdict == CONTEST_MATE ? cell_count((uint64_t)result->plies) : cell_none(),
        who->threads > 0 ? cell_truth(result->exact) : cell_none(),
        nodes_cell(who, result->nodes),
        speed_cell(result->nodes, times.median),
        cell_real(times.median),
        cell_real(times.least),
        cell_real(times.most),
        cell_text(result->fault),
    };
    sheet_row(sheet, cells);
}

/* A row a problem and contestant: for programs, and for people where there is one contestant only. */
static bool print_problems(const struct contest *contest, FILE *out) {
    bool repeated = contest->options->repeat > 1;
    const struct column columns[] = {{"group", NULL, 0},
                                     {"id", _("problem"), 0},
                                     {"contestant", NULL, 0},
                                     {"threads", NULL, 0},
                                     {NULL, _("result"), 0},
                                     {"verdict", NULL, 0},
                                     {"plies", NULL, 0},
                                     {"exact", NULL, 0},
                                     {"nodes", _("nodes"), 0},
                                     {"nodes_per_second", _("nodes/s"), 0},
                                     {"seconds", repeated ? _("median s") : _("s"), 3},
                                     {"seconds_min", text_if(repeated, _("least s")), 3},
                                     {"seconds_max", text_if(repeated, _("most s")), 3},
                                     {"fault", "", 0}};
    struct sheet sheet;
    sheet_begin(&sheet, out, contest->options->format, "problems", columns, sizeof columns / sizeof *columns);
    for (size_t p = 0; p < contest->suite->count; p++) {
        for (size_t c = 0; c < contest->contestant_count; c++) {
            const struct contestant *who = &contest->contestants[c];
            if (who->results[p].verdict != CONTEST_NOT_RUN)
                add_problem(&sheet, &contest->suite->items[p], who, &who->results[p]);
        }
    }
    return sheet_end(&sheet);
}

/* For people: a row a problem, and two columns a contestant. */
static bool print_side_by_side(const struct contest *contest, FILE *out) {
    struct column columns[SHEET_COLUMNS] = {{"id", _("problem"), 0}};
    size_t count = 1;
    for (size_t c = 0; c < contest->contestant_count; c++) {
        columns[count++] = (struct column){NULL, contest->contestants[c].name, 0};
        columns[count++] = (struct column){NULL, _("s"), 3};
    }
    struct sheet sheet;
    sheet_begin(&sheet, out, SHEET_TEXT, "problems", columns, count);
    for (size_t p = 0; p < contest->suite->count; p++) {
        struct cell cells[SHEET_COLUMNS] = {cell_text(tsume_problem_id(contest->suite->items[p].problem))};
        char shown[BENCH_THREAD_COUNTS + BENCH_ENGINES][SHORT_SIZE];
        for (size_t c = 0; c < contest->contestant_count; c++) {
            const struct contest_result *result = &contest->contestants[c].results[p];
            short_result(&contest->contestants[c], result, shown[c]);
            cells[1 + 2 * c] = cell_text(shown[c]);
            cells[2 + 2 * c] =
                result->runs > 0 ? cell_real(contest_times(result->seconds, result->runs).median) : cell_none();
        }
        sheet_row(&sheet, cells);
    }
    return sheet_end(&sheet);
}

/* ---- The groups ---------------------------------------------------------------------------------------------------- */

static void add_group(struct sheet *sheet, const struct contest *contest, const struct contestant *who,
                      const char *group, const char *shown) {
    struct total total = total_of(contest, who, group);
    const struct cell cells[] = {cell_text(shown),
                                 cell_text(who->name),
                                 cell_count(total.problems),
                                 cell_count(total.solved),
                                 who->threads > 0 ? cell_count(total.exact) : cell_none(),
                                 nodes_cell(who, total.nodes),
                                 speed_cell(total.nodes, total.times.median),
                                 cell_real(total.times.median),
                                 cell_real(total.times.least),
                                 cell_real(total.times.most)};
    sheet_row(sheet, cells);
}

/* A row a group and contestant; in text with a total below if there is but one contestant. */
static bool print_groups(const struct contest *contest, FILE *out, enum sheet_format format, bool rows) {
    bool repeated = contest->options->repeat > 1, several = contest->contestant_count > 1;
    const struct column columns[] = {{"group", rows ? _("group") : "", 0},
                                     {"contestant", text_if(several, _("contestant")), 0},
                                     {"problems", _("problems"), 0},
                                     {"solved", _("solved"), 0},
                                     {"exact", _("exact"), 0},
                                     {"nodes", _("nodes"), 0},
                                     {"nodes_per_second", _("nodes/s"), 0},
                                     {"seconds", repeated ? _("median s") : _("s"), 3},
                                     {"seconds_min", text_if(repeated, _("least s")), 3},
                                     {"seconds_max", text_if(repeated, _("most s")), 3}};
    struct sheet sheet;
    sheet_begin(&sheet, out, format, "groups", columns, sizeof columns / sizeof *columns);
    for (size_t g = 0; rows && g < contest->suite->group_count; g++)
        for (size_t c = 0; c < contest->contestant_count; c++)
            add_group(&sheet, contest, &contest->contestants[c], contest->suite->groups[g], contest->suite->groups[g]);
    if (format == SHEET_TEXT && !several)
        add_group(&sheet, contest, &contest->contestants[0], NULL, _("total"));
    return sheet_end(&sheet);
}

/* ---- The contestants ----------------------------------------------------------------------------------------------- */

/* Times against the first contestant's, over the problems that both solved. */
struct comparison {
    size_t both;
    double median, geometric_mean; /* of the ratios of times */
    double total;                  /* the ratio of their sums */
};

static double median_seconds(const struct contest_result *result) {
    static const double LEAST = 1e-6; /* a ratio of times too short to be measured says nothing */
    double seconds = contest_times(result->seconds, result->runs).median;
    return seconds > LEAST ? seconds : LEAST;
}

/* The ratios come into `ratios`, which has room for one a problem. */
static struct comparison compare(const struct contest *contest, const struct contestant *who, double *ratios) {
    const struct contestant *first = &contest->contestants[0];
    struct comparison comparison = {.median = NAN, .geometric_mean = NAN, .total = NAN};
    double logarithms = 0, own = 0, other = 0;
    for (size_t p = 0; p < contest->suite->count; p++) {
        if (!contest_solved(&who->results[p]) || !contest_solved(&first->results[p]))
            continue;
        double a = median_seconds(&who->results[p]), b = median_seconds(&first->results[p]);
        ratios[comparison.both++] = a / b;
        logarithms += log(a / b);
        own += a;
        other += b;
    }
    if (comparison.both == 0)
        return comparison;
    comparison.median = numbers_median(ratios, comparison.both);
    comparison.geometric_mean = exp(logarithms / (double)comparison.both);
    comparison.total = own / other;
    return comparison;
}

/* The sum of all nodes, if it depends on nothing but the search: one thread, all done, and no limit of time reached. */
static bool has_signature(const struct contest *contest, const struct contestant *who) {
    if (who->threads != 1 || contest->signal)
        return false;
    for (size_t p = 0; p < contest->suite->count; p++) {
        double limit = contest->suite->items[p].limits.seconds;
        for (size_t r = 0; limit > 0 && r < who->results[p].runs; r++)
            if (who->results[p].seconds[r] >= 0.99 * limit)
                return false;
    }
    return true;
}

static void add_contestant(struct sheet *sheet, const struct contest *contest, const struct contestant *who,
                           double *ratios) {
    struct total total = total_of(contest, who, NULL);
    struct comparison comparison = compare(contest, who, ratios);
    bool timed = total.times.median > 0;
    bool scaling = who->threads > 0 && contest->options->thread_counts > 1;
    const struct cell cells[] = {cell_text(who->name),
                                 who->threads > 0 ? cell_count((uint64_t)who->threads) : cell_none(),
                                 cell_count(total.problems),
                                 cell_count(total.solved),
                                 cell_count(total.mates),
                                 cell_count(total.no_mates),
                                 cell_count(total.wrong),
                                 cell_count(total.failed),
                                 nodes_cell(who, total.nodes),
                                 speed_cell(total.nodes, total.times.median),
                                 timed ? cell_real(total.times.median) : cell_none(),
                                 timed ? cell_real(total.times.least) : cell_none(),
                                 timed ? cell_real(total.times.most) : cell_none(),
                                 cell_count(comparison.both),
                                 cell_real(comparison.median),
                                 cell_real(comparison.geometric_mean),
                                 cell_real(comparison.total),
                                 scaling ? cell_real(1 / comparison.total) : cell_none(),
                                 who->peak_kib > 0 ? cell_real((double)who->peak_kib / 1024) : cell_none(),
                                 has_signature(contest, who) ? cell_count(total.nodes) : cell_none()};
    sheet_row(sheet, cells);
}

static bool print_contestants(const struct contest *contest, FILE *out, enum sheet_format format) {
    bool repeated = contest->options->repeat > 1;
    const struct column columns[] = {{"contestant", _("contestant"), 0},
                                     {"threads", NULL, 0},
                                     {"problems", NULL, 0},
                                     {"solved", _("solved"), 0},
                                     {"mates", _("mates"), 0},
                                     {"no_mates", _("no mates"), 0},
                                     {"wrong", _("wrong"), 0},
                                     {"failed", _("failed"), 0},
                                     {"nodes", _("nodes"), 0},
                                     {"nodes_per_second", _("nodes/s"), 0},
                                     {"seconds", repeated ? _("median s") : _("s"), 3},
                                     {"seconds_min", text_if(repeated, _("least s")), 3},
                                     {"seconds_max", text_if(repeated, _("most s")), 3},
                                     {"both_solved", _("both"), 0},
                                     {"ratio_median", _("ratio: median"), 2},
                                     {"ratio_geometric_mean", _("geom. mean"), 2},
                                     {"ratio_total", _("total"), 2},
                                     {"speedup", _("speedup"), 2},
                                     {"peak_mib", "MiB", 0},
                                     {"signature", NULL, 0}};
    double *ratios = malloc((contest->suite->count + 1) * sizeof *ratios);
    if (!ratios)
        return false;
    struct sheet sheet;
    sheet_begin(&sheet, out, format, "contestants", columns, sizeof columns / sizeof *columns);
    for (size_t c = 0; c < contest->contestant_count; c++)
        add_contestant(&sheet, contest, &contest->contestants[c], ratios);
    free(ratios);
    return sheet_end(&sheet);
}

/* ---- The differences ----------------------------------------------------------------------------------------------- */

static void add_difference(struct sheet *sheet, const char *id, const char *what, const struct contestant *who,
                           const struct contestant *other, const char *detail) {
    const struct cell cells[] = {cell_text(id), cell_text(what), cell_text(who->name),
                                 cell_text(other ? other->name : NULL), cell_text(detail)};
    sheet_row(sheet, cells);
}

/* One contestant and the first, on one problem. */
static void add_pair(struct sheet *sheet, const char *id, const struct contestant *first, const struct contestant *who,
                     size_t p) {
    const struct contest_result *a = &first->results[p], *b = &who->results[p];
    bool comparable = a->runs > 0 && b->runs > 0;
    if (comparable && contest_solved(a) != contest_solved(b))
        add_difference(sheet, id, _("solved"), contest_solved(a) ? first : who, contest_solved(a) ? who : first, NULL);
    if (a->verdict != CONTEST_MATE || b->verdict != CONTEST_MATE || a->plies == b->plies)
        return;
    char detail[96];
    snprintf(detail, sizeof detail, _("%d plies against %d"), a->plies > b->plies ? a->plies : b->plies,
             a->plies > b->plies ? b->plies : a->plies);
    add_difference(sheet, id, _("longer line"), a->plies > b->plies ? first : who, a->plies > b->plies ? who : first,
                   detail);
}

static bool print_differences(const struct contest *contest, FILE *out, enum sheet_format format) {
    const struct column columns[] = {{"id", _("problem"), 0},
                                     {"difference", _("difference"), 0},
                                     {"contestant", _("contestant"), 0},
                                     {"other", _("against"), 0},
                                     {"detail", "", 0}};
    struct sheet sheet;
    sheet_begin(&sheet, out, format, "differences", columns, sizeof columns / sizeof *columns);
    for (size_t p = 0; p < contest->suite->count; p++) {
        const char *id = tsume_problem_id(contest->suite->items[p].problem);
        for (size_t c = 0; c < contest->contestant_count; c++) {
            const struct contestant *who = &contest->contestants[c];
            if (c > 0)
                add_pair(&sheet, id, &contest->contestants[0], who, p);
            if (who->results[p].fault)
                add_difference(&sheet, id, _(contest_verdict_name(who->results[p].verdict)), who, NULL,
                               who->results[p].fault);
        }
    }
    if (sheet.cell_count > 0) /* it is text, and yet to be written */
        fputc('\n', out);
    return sheet_end(&sheet);
}

/* ---- Everything ---------------------------------------------------------------------------------------------------- */

/* What was measured, so that a table that is passed on explains itself. */
static void print_headline(const struct contest *contest, FILE *out) {
    const struct bench_options *options = contest->options;
    const struct tsume_limits *limits = &options->search.limits;
    size_t problems = contest->suite->count;
    char threads[BENCH_THREAD_COUNTS * 8] = "";
    for (size_t i = 0, length = 0; i < options->thread_counts; i++)
        length +=
            (size_t)snprintf(threads + length, sizeof threads - length, "%s%d", i ? "," : "", options->threads[i]);
    fprintf(out,
            options->search.file_count
                ? Q_("tsume %s: %zu problem, ", "tsume %s: %zu problems, ", problems)
                : Q_("tsume %s: %zu problem of the suite, ", "tsume %s: %zu problems of the suite, ", problems),
            tsume_version(), problems);
    /* translators: numbers of threads, as in "1,2,4" */
    fprintf(out, Q_("%s thread, %zu MiB", "%s threads, %zu MiB", options->thread_counts > 1 ? 2 : options->threads[0]),
            threads, options->search.hash_mib);
    if (limits->seconds > 0)
        fprintf(out, _(", %g s a problem"), limits->seconds);
    if (limits->nodes > 0)
        fprintf(out, _(", %llu nodes a problem"), (unsigned long long)limits->nodes);
    if (options->repeat > 1)
        fprintf(out, Q_(", %zu time", ", %zu times", options->repeat), options->repeat);
    if (contest->signal)
        fputs(_(", interrupted"), out);
    fputs("\n\n", out);
}

static void print_last_words(const struct contest *contest, FILE *out) {
    const struct contestant *who = &contest->contestants[0];
    fprintf(out, _("\npeak memory %.0f MiB\n"), (double)who->peak_kib / 1024);
    if (has_signature(contest, who))
        fprintf(out, _("signature %llu\n"), (unsigned long long)total_of(contest, who, NULL).nodes);
}

static bool print_totals(const struct contest *contest, FILE *out) {
    bool fine = contest->contestant_count > 1
                    ? print_contestants(contest, out, SHEET_TEXT) && print_differences(contest, out, SHEET_TEXT)
                    : print_groups(contest, out, SHEET_TEXT, contest->options->by_group);
    print_last_words(contest, out);
    return fine;
}

static bool print_text(const struct contest *contest) {
    bool several = contest->contestant_count > 1, by_group = contest->options->by_group, fine = true;
    print_headline(contest, stdout);
    if (!by_group)
        fine = several ? print_side_by_side(contest, stdout) : print_problems(contest, stdout);
    else if (several)
        fine = print_groups(contest, stdout, SHEET_TEXT, true);
    if (!by_group || several)
        fputc('\n', stdout);
    return fine && print_totals(contest, stdout) && fflush(stdout) == 0;
}

bool results_print(const struct contest *contest) {
    switch (contest->options->format) {
    case SHEET_TEXT:
        return print_text(contest);
    case SHEET_JSONL:
        return print_problems(contest, stdout) && print_groups(contest, stdout, SHEET_JSONL, true) &&
               print_contestants(contest, stdout, SHEET_JSONL) && print_differences(contest, stdout, SHEET_JSONL);
    case SHEET_CSV:
        return print_problems(contest, stdout) && (contest->options->search.quiet || print_totals(contest, stderr));
    }
    return false;
}
