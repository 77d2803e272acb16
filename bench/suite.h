/* suite.h: the problems that are measured: those of files, or the suite that the program brings along. */
#ifndef TSUME_BENCH_SUITE_H
#define TSUME_BENCH_SUITE_H

#include "bench/bench_options.h"

struct suite_item {
    struct tsume_problem *problem;
    const char *group; /* of the suite, or the file */
    struct tsume_limits limits;
};

struct suite {
    struct suite_item *items;
    size_t count;
    size_t invalid; /* so many more were no legal problems; each was reported on stderr */
    char **groups;  /* their names, in order */
    size_t group_count;
};

/* Reads the files of the options, or the suite where they name none. Its limits of nodes hold unless the options set one, or other engines,
 * which know no such limits, take part. Ends the process when memory is short. */
void suite_read(struct suite *suite, const struct bench_options *options);
void suite_free(struct suite *suite);

#endif
