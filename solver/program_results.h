/* program_results.h: files of results: the records in JSON lines that `tsume solve` and `tsume check` write with --resume or --shard.
 *
 * What is kept in memory is an index of some forty bytes a record; the records themselves stay in their files. */
#ifndef TSUME_PROGRAM_RESULTS_H
#define TSUME_PROGRAM_RESULTS_H

#include "tsume.h"

#include "program_output.h"

#include <stdint.h>

/* One record. */
struct result {
    uint64_t number; /* of the problem in the input, from 1 */
    uint64_t key;    /* hash of id, source and position */
    uint64_t offset; /* where it begins in its file, bytes */
    uint32_t length; /* bytes, newline included */
    uint32_t line;   /* in its file, from 1 */
    int32_t plies;   /* −1 without a mate */
    uint16_t file;   /* index */
    uint8_t verdict; /* see result_verdict */
    bool exact;      /* plies is proved */
};

struct results_file {
    const char *name; /* points to what the caller gave */
    int fd;           /* −1 where it could not be opened; closed by results_free */
    uint32_t lines;   /* the torn one included */
    uint64_t whole;   /* bytes up to the end of the last line that has one */
    uint64_t torn;    /* bytes behind that: a line that was cut off */
};

struct results {
    struct result *list; /* in the order of reading; after results_settle in that of numbers, each number once */
    size_t count;

    /* Set by the caller: what records without a number are taken for: the first is `first`, each other one is `step` more
     * than the one before it; 0: they are faulty. And what the options of all have to be; NULL: those of the first. Records that do
     * not tell their options are taken as they are, where those without a number are. */
    uint64_t first, step;
    const char *options;
    /* Called for each fault; the message is valid during the call. column: 0 where there is none. */
    void (*on_fault)(void *context, const struct results_file *file, uint32_t line, long column, const char *message);
    /* Called for a record of a number that another one has too, which is kept. Not called for undecided ones. */
    void (*on_twice)(void *context, const struct results *results, const struct result *kept,
                     const struct result *other);
    void *context;

    size_t unnumbered; /* records without a number, or options, taken as they are */
    bool in_order;     /* as read: numbers only grow */

    /* private: */
    struct results_file *files;
    size_t file_count, room;
    char *first_options; /* malloc'd */
};

/* Reads a file to its end; the descriptor (−1: not open) goes over to the results. Faulty lines are left out. Ends the process with
 * STATUS_FAILED when memory is short. */
const struct results_file *results_read(struct results *results, const char *name, int fd);

/* Sorts the records and leaves one of each number: the decided one, the one with the proved length, the shorter mate, the first; of
 * undecided ones the last. Where two contradict each other, or are of different problems, that is a fault, and neither is left. */
void results_settle(struct results *results);

/* The record with its newline, malloc'd. Ends the process with STATUS_FAILED where it cannot be read. */
char *results_text(const struct results *results, const struct result *result);
/* Writes it to the file of the output. */
void results_write(const struct results *results, const struct result *result, struct output *output);
const struct results_file *results_file(const struct results *results, const struct result *result);

/* "mate", "nomate", "sound" …, and whether it leaves the problem undecided. */
const char *result_verdict(const struct result *result);
bool result_is_undecided(const struct result *result);

/* Is it the record of this problem? */
bool result_is_of(const struct result *result, const struct tsume_problem *problem);
/* And if not, the difference in words, or that the input has so many problems only; malloc'd. */
char *results_difference(const struct results *results, const struct result *result,
                         const struct tsume_problem *problem);
char *results_no_problem(uint64_t problems);

/* NAME:LINE:COLUMN: error: MESSAGE on stderr. */
void results_tell_fault(const struct results_file *file, uint32_t line, long column, const char *message);

/* Closes the files. */
void results_free(struct results *results);

#endif
