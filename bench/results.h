/* results.h: what a contest came to, as tables. */
#ifndef TSUME_BENCH_RESULTS_H
#define TSUME_BENCH_RESULTS_H

#include "bench/contest.h"

/* Prints it on stdout in the format of the options. Text: the problems or groups, then totals; with several contestants also how they compare,
 * and where they differ. JSON lines: the tables `problems`, `groups`, `contestants`, `differences`. CSV: the problems; the totals then go to
 * stderr, unless the options ask for quiet. False if memory was short or the output could not be written. */
bool results_print(const struct contest *contest);

#endif
