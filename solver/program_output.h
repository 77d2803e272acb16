/* program_output.h: where a command writes the files that it makes: to standard output, to a file, or to a folder, one numbered file a
 * problem.
 *
 * A file appears under its name once it is complete, so that it may be one of those that are read. All functions end the process
 * with STATUS_FAILED where memory is short or the output cannot be written; an unfinished file is then removed. For one thread. */
#ifndef TSUME_PROGRAM_OUTPUT_H
#define TSUME_PROGRAM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *file;     /* what is written to now; NULL between the files of a folder */
    bool in_folder; /* each problem has a file of its own */
    /* private: */
    const char *target; /* NULL: standard output */
    unsigned long made; /* files of the folder */
    char *path;         /* where the file will be, and where it is until it is complete; NULL for standard output */
    char *unfinished;
};

/* Begins writing to a target, which must outlive the output: NULL for standard output; a folder (DIR/, which is made if need be, or one that
 * is there); a file. Has SIGPIPE ignored, so that a reader who goes away is a write error. */
void output_begin(struct output *output, const char *target);
/* Opens the next numbered file of the folder, with this ending (".kif"). */
void output_open_numbered(struct output *output, const char *ending);
/* Completes the file, if one is open. */
void output_close(struct output *output);
/* Removes the file, if one is open, instead of completing it. */
void output_abandon(struct output *output);
/* The output cannot be written, for this errno (0: not known). */
_Noreturn void output_fail(struct output *output, int error);

/* Does the text end so? */
bool text_ends_with(const char *text, const char *ending);

#endif
