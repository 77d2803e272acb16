/* reader.h: problems out of files, folders and standard input, one at a time.
 *
 * A reader holds one block of text at a time: memory does not grow with the length of a list. The format is found by content
 * first, by name second, as format.h tells. */
#ifndef TSUME_PROBLEMS_READER_H
#define TSUME_PROBLEMS_READER_H

#include "problems/problem.h"

struct reader_options {
    enum hands_rule hands;
    enum attacker_rule attacker;
};

struct reader;

/* A reader of the named files, folders (read in order of name, all files below that hold problems) and "-" for standard input.
 * Copies what it needs; options may be NULL. NULL when out of memory. Not thread safe: one thread at a time may call reader_next. */
struct reader *reader_new(const char *const *paths, size_t path_count, const struct reader_options *options);
/* A reader of one text in memory, which must stay as it is until reader_free. The name stands in ids and errors; its ending may
 * hint at the format. */
struct reader *reader_new_memory(const char *name, const void *data, size_t size, const struct reader_options *options);

/* The next problem in order, owned by the caller; NULL at the end of all input. A file that cannot be opened, or a block
 * that cannot be understood, comes as an invalid problem with its error. */
struct tsume_problem *reader_next(struct reader *reader);
/* Whether reading ended early because memory was short. */
bool reader_out_of_memory(const struct reader *reader);

/* How far the reading is: bytes read and bytes in all of the files named so far (0 where a size cannot be known, as for a
 * pipe). For progress displays. */
void reader_progress(const struct reader *reader, unsigned long long *done, unsigned long long *total);

void reader_free(struct reader *reader);

#endif
