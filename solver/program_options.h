/* program_options.h: the options of the commands that read problems and search them. */
#ifndef TSUME_PROGRAM_OPTIONS_H
#define TSUME_PROGRAM_OPTIONS_H

#include "tsume.h"

#include <argp.h>

/* KIF and JKF: a record that other programs show on a board. */
enum output_format { FORMAT_TEXT, FORMAT_JSONL, FORMAT_KIF, FORMAT_JKF, FORMAT_NOT_SAID };

enum { OPTION_SETTINGS_SIZE = 160 };

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
    const char *resume;     /* the file of results to go on with, NULL for none; points into argv */
    bool retry;             /* solve again those of its problems that are not settled */
    unsigned shard, shards; /* only the problems whose number, from 1, is `shard` modulo `shards` */
    bool numbered; /* records in JSON tell the number of the problem and the settings: with --resume or --shard */
    const char *const *files; /* points into argv */
    size_t file_count;        /* 1 or more */

    /* The command and those of its options that answers depend on, but for limits, as a command line: what results must
     * have in common to be put together. */
    char settings[OPTION_SETTINGS_SIZE];
};

/* Reads the command line into *options, defaults included. doc: what the command does, for --help. Ends the process after
 * --help and --version, and with STATUS_USAGE and a message where the command line makes no sense. */
void options_parse(int argc, char **argv, const char *doc, struct options *options);
/* The same for `tsume check`, with the options that only it has. */
void options_parse_check(int argc, char **argv, const char *doc, struct options *options);

/* Is the problem with this number in the input, from 1, one of the shard? */
bool options_shard_has(const struct options *options, uint64_t number);

/* ---- For commands whose command line is their own ------------------------------------------------------------------ */

/* How problems are read (--hands, --attacker), as a child parser whose input is a struct tsume_reader_options. */
extern const struct argp options_reader;
/* The options of searching (--time, --nodes, --order, --any, --futile), of reading and --quiet, as a child parser
 * whose input is a struct options. */
extern const struct argp options_search;

/* Sets the defaults before the command line is read, and fills in afterwards what depends on several options. In between limits.seconds is
 * negative until the user gives one. */
void options_begin(struct options *options);
void options_end(struct options *options);

/* Reads a command line. Ends the process after --help and --version, with STATUS_USAGE where it makes no sense, with STATUS_FAILED when
 * memory is short. */
void options_read(int argc, char **argv, const struct argp *argp, void *input);

/* The value of an option; ends the process with a message where the text is none: a whole number from least to most, seconds, which of
 * the words, a list that ends with NULL (by its index). */
enum { OPTION_MAX_THREADS = 1024, OPTION_MAX_HASH_MIB = 1 << 24, OPTION_MAX_SHARDS = 1000000 };
unsigned long long option_number(struct argp_state *state, const char *option, const char *text,
                                 unsigned long long least, unsigned long long most);
double option_seconds(struct argp_state *state, const char *option, const char *text);
int option_choice(struct argp_state *state, const char *option, const char *text, const char *const *words);

#endif
