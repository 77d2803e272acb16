/* program_resume.h: the file of --resume: the results of earlier runs, and where this run writes its own.
 *
 * Each record is appended as soon as its problem is finished, whatever problems before it are still in work, so that a process that is
 * killed loses no finished problem. Numbers in the records tell where they belong; when all is done the file is put in the order of the
 * input. What is wrong with the file ends the process with STATUS_INVALID and a message that names file, line and column. */
#ifndef TSUME_PROGRAM_RESUME_H
#define TSUME_PROGRAM_RESUME_H

#include "program_options.h"
#include "program_results.h"

struct resume {
    const struct options *options;
    int fd;
    struct results results; /* of earlier runs */
    size_t next;            /* index: the first record not yet looked for */
    uint64_t last;          /* number of the last record in the file */
    bool in_order;          /* records in the file are in the order of the input, one a problem */
};

/* Opens the file that options->resume names, or makes it, reads what it holds, and cuts off a line that was not finished. No other run can
 * have it open at the same time. Ends the process with STATUS_USAGE where it is in a folder that is read for problems. */
void resume_begin(struct resume *resume, const struct options *options);

/* The record of a problem of the input if there is one that is to be kept, else NULL. To be asked for ascending numbers. */
const struct result *resume_find(struct resume *resume, uint64_t number, const struct tsume_problem *problem);

/* Appends the record of a problem. For one thread at a time; another may be in resume_find. */
void resume_append(struct resume *resume, uint64_t number, const char *record, size_t length);

/* All problems of the input have their record: puts the file in order. problems: how many the input has. */
void resume_complete(struct resume *resume, uint64_t problems);
void resume_end(struct resume *resume);

#endif
