/* program_lines.h: lines of a descriptor, of any length, waited for no longer than told. */
#ifndef TSUME_PROGRAM_LINES_H
#define TSUME_PROGRAM_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Only `fd` is set by the caller; the rest is 0 at first. */
struct lines {
    int fd;
    /* private: */
    char *bytes;                       /* malloc'd */
    size_t begin, searched, end, room; /* what is not yet given begins at `begin`; no newline before `searched` */
    bool ended;
};

enum lines_event { LINES_LINE, LINES_TIMEOUT, LINES_END };

/* The next line, without its newline and a carriage return before it, valid until the next call; or that none came until the deadline, in
 * seconds of progress_clock (INFINITY: none), or that the input has ended, or cannot be read. A last line without a newline counts.
 * Ends the process with STATUS_FAILED when memory is short. */
enum lines_event lines_next(struct lines *lines, double deadline, char **line);
void lines_free(struct lines *lines);

#endif
