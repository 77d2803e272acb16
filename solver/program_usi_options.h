/* program_usi_options.h: the options of the USI engine, as `usi` lists them and `setoption` sets them. */
#ifndef TSUME_PROGRAM_USI_OPTIONS_H
#define TSUME_PROGRAM_USI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

struct usi_options {
    int hash_mib, threads;
    int multipv;       /* lines to show: the best and other first moves that mate */
    int pv_interval;   /* milliseconds between lines of information; 0: with every mate found */
    bool ponder;       /* the GUI may let the engine ponder: bestmove names the move expected */
    bool any;          /* content with the first mate instead of the shortest */
    bool count_futile; /* every interposition counts */
};

/* The defaults, with this size of the table. */
struct usi_options usi_options_defaults(int hash_mib);
/* Writes the `option` lines. */
void usi_options_list(const struct usi_options *defaults, FILE *out);
/* Sets what follows `setoption`: "name NAME value VALUE". Capitals do not matter. Returns NULL, or what is wrong with it, and then
 * nothing has changed. The text is cut up. */
const char *usi_options_set(struct usi_options *options, char *text);

#endif
