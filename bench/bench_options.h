/* bench_options.h: the command line of `tsume bench`. */
#ifndef TSUME_BENCH_BENCH_OPTIONS_H
#define TSUME_BENCH_BENCH_OPTIONS_H

#include "bench/sheet.h"
#include "bench/usi_engine.h"
#include "solver/program_options.h"

enum { BENCH_THREAD_COUNTS = 16, BENCH_ENGINES = 8, BENCH_MAX_REPEAT = 1000 };

struct bench_options {
    struct options
        search; /* file_count 0: the suite. For the suite alone there is no limit of time unless one was asked for */
    int threads[BENCH_THREAD_COUNTS];
    size_t thread_counts; /* 1 or more */
    size_t repeat;        /* 1 or more */
    enum sheet_format format;
    bool by_group;    /* a row a group in the text, not a row a problem */
    const char *plot; /* file to draw to, NULL for none; points into argv */
    struct usi_spec engines[BENCH_ENGINES];
    size_t engine_count;
};

/* Reads the command line into *options, defaults included. doc: what the command does, for --help. Ends the process as options_parse does. */
void bench_options_parse(int argc, char **argv, const char *doc, struct bench_options *options);

#endif
