/* program_report.h: a solved problem as text: for people, or as a line of JSON. */
#ifndef TSUME_PROGRAM_REPORT_H
#define TSUME_PROGRAM_REPORT_H

#include "tsume.h"

#include "program_options.h"

/* The verdict to report: that of the answer, or `invalid` for a problem with an error, or `unknown` where there is no answer
 * (NULL: memory was short). */
enum tsume_verdict report_verdict(const struct tsume_problem *problem, const struct tsume_answer *answer);

/* The record of one problem in the format of the options, ending in a newline; malloc'd, its length in *length; NULL when memory is short. Thread safe. */
char *report_record(const struct options *options, const struct tsume_problem *problem,
                    const struct tsume_answer *answer, size_t *length);

#endif
