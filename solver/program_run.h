/* program_run.h: all problems of the files named, through one solver, by many threads, reported in the order of the input.
 *
 * Each thread takes the next problem, works on it and hands in its record. Records wait in a ring for the ones before them,
 * so that memory is bounded by the ring, however long the input. A thread that would get too far ahead of the oldest
 * problem still searched, or finds no problem left, lends itself to the searches of the others. */
#ifndef TSUME_PROGRAM_RUN_H
#define TSUME_PROGRAM_RUN_H

#include "program.h"
#include "program_options.h"

/* What became of one problem. */
struct run_result {
    char *record; /* what to print, malloc'd, whole lines; NULL when memory is short */
    size_t length;
    int outcome;      /* index into the outcomes that the command knows */
    bool uncertified; /* a certificate was asked for, and there is none: the exit status is STATUS_UNKNOWN at least */
    uint64_t nodes;
};

/* What can become of a problem: the verdict in its record, its name in the summary, and what the command's exit status is then. The worst of all
 * counts: invalid, then unknown, then decided. */
struct run_outcome {
    const char *verdict;
    const char *name;
    enum exit_status status;
};
enum { RUN_OUTCOMES = 8 }; /* a command has at most so many */

/* A problem of the input. */
struct run_task {
    struct tsume_problem *problem;
    uint64_t number;   /* in the input, from 1 */
    char *certificate; /* the file for its certificate, NULL where none is asked for */
};

/* Decides one problem; called by many threads at once. */
typedef struct run_result run_work(struct tsume_solver *solver, const struct options *options,
                                   const struct run_task *task);

/* Runs it all: shards, --resume, progress, summary and signals included. Returns the exit status; on SIGINT and SIGTERM it ends the process with
 * 128 + the signal's number once the running searches have stopped and their records are written; when the output
 * cannot be written it ends the process with STATUS_FAILED. */
int run_problems(const struct options *options, run_work *work, const struct run_outcome *outcomes, int outcome_count);

#endif
