/* cmd_bench.c: `tsume bench`: how fast, and how much of it is solved; also against other engines. */
#include "bench/contest.h"
#include "bench/plot.h"
#include "bench/results.h"
#include "rules/language.h"
#include "solver/program.h"
#include "solver/program_language.h"
#include "solver/program_module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char DOC[] =
    N_("Measures how fast problems are solved: without FILE the suite that the program brings along, with limits of "
       "nodes, so that all but the times is the same on every machine. Its signature, the sum of all nodes, changes "
       "only when the search does.\v"
       "Problems are solved one after the other. With other engines, all take turns problem by problem; every line "
       "they give is replayed by the rules before it counts, and ratios are times against tsume's, over the "
       "problems that both solved: above 1, tsume is faster.\n"
       "\n"
       "Exit status: 0 measured; 1 an engine failed or was wrong; 2 bad usage; 3 some problems are invalid; 4 no "
       "memory, or the output cannot be written; 130 or 143 stopped by SIGINT or SIGTERM.");

static void draw(const struct contest *contest, const struct plot_module *plot, const char *path) {
    size_t problems = contest->suite->count, count = contest->contestant_count;
    struct plot_curve *curves = program_must(calloc(count, sizeof *curves));
    double *seconds = program_must(malloc((count * problems + 1) * sizeof *seconds));
    for (size_t c = 0; c < count; c++) {
        const struct contestant *who = &contest->contestants[c];
        curves[c] = (struct plot_curve){.name = who->name, .seconds = seconds + c * problems};
        for (size_t p = 0; p < problems; p++) {
            const struct contest_result *result = &who->results[p];
            if (contest_solved(result))
                curves[c].seconds[curves[c].count++] = contest_times(result->seconds, result->runs).median;
        }
    }
    const char *trouble = plot->write(path, curves, count, problems);
    free(curves);
    free(seconds);
    if (trouble) {
        char message[512];
        snprintf(message, sizeof message, "'%.300s': %s", path, trouble);
        program_fail(0, message);
    }
}

int cmd_bench(int argc, char **argv) {
    struct bench_options options;
    struct suite suite;
    struct contest contest;
    bench_options_parse(argc, argv, DOC, &options);
    language_english(options.format != SHEET_TEXT);
    const struct plot_module *plot = options.plot ? program_module("plot_module") : NULL;
    suite_read(&suite, &options);
    contest_run(&contest, &options, &suite);
    if (!results_print(&contest))
        program_fail(errno, _("the output could not be written"));
    if (plot)
        draw(&contest, plot, options.plot);
    int status = contest.signal                  ? 128 + contest.signal
                 : suite.invalid > 0             ? STATUS_INVALID
                 : contest_has_trouble(&contest) ? STATUS_UNKNOWN
                                                 : STATUS_DECIDED;
    contest_free(&contest);
    suite_free(&suite);
    return status;
}
