/* program_options.h: the options of the commands that read problems and search them. */
#ifndef TSUME_PROGRAM_OPTIONS_H
#define TSUME_PROGRAM_OPTIONS_H

#include "tsume.h"

#include <argp.h>
#include <stdio.h>

/* KIF and JKF: a record that other programs show on a board. */
enum output_format { FORMAT_TEXT, FORMAT_JSONL, FORMAT_KIF, FORMAT_JKF };

struct options {
    int threads;     /* 1 or more */
    size_t hash_mib; /* 0: the library's default */
    struct tsume_limits limits;
    const char *certificates; /* folder to write certificates to, NULL for none; points into argv */
    struct tsume_reader_options reader;
    struct tsume_check_options check; /* only after options_parse_check */
    enum output_format format;
    enum tsume_notation notation; /* of moves in text */
    bool color;                   /* asked for, or on a terminal that can (NO_COLOR unset, TERM not "dumb") */
    bool board, ascii, quiet;
    const char *const *files; /* points into argv */
    size_t file_count;        /* 1 or more */
};

/* Reads the command line into *options, defaults included. doc: what the command does, for --help. Ends the process after
 * --help and --version, and with STATUS_USAGE and a message where the command line makes no sense. */
void options_parse(int argc, char **argv, const char *doc, struct options *options);
/* The same for `tsume check`, with the options that only it has. */
void options_parse_check(int argc, char **argv, const char *doc, struct options *options);

/* ---- Parts of command lines that commands share ------------------------------------------------------------------- */

/* How problems are read; its input is a struct tsume_reader_options. */
extern const struct argp OPTIONS_READER;
/* Which of the words, a list that ends with NULL, the text of an option is; ends the process with STATUS_USAGE if it is
 * none. */
int options_choice(struct argp_state *state, const char *option, const char *text, const char *const *words);
/* argp's hook for --version. */
void options_print_version(FILE *out, struct argp_state *state);

#endif
