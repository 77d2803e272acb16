#include "program_lines.h"

#include "program.h"
#include "program_progress.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_ROOM = 1 << 16 };

/* Makes room for more bytes, and one for a NUL behind them. */
static void make_room(struct lines *lines) {
    size_t kept = lines->end - lines->begin;
    if (lines->begin > 0)
        memmove(lines->bytes, lines->bytes + lines->begin, kept);
    lines->searched -= lines->begin;
    lines->begin = 0;
    lines->end = kept;
    if (lines->room - kept > LEAST_ROOM / 2)
        return;
    lines->room = lines->room ? lines->room * 2 : LEAST_ROOM;
    lines->bytes = program_must(realloc(lines->bytes, lines->room));
}

/* Ends the line at `end` and steps over it, newline included. */
static char *cut_line(struct lines *lines, size_t end) {
    char *line = lines->bytes + lines->begin;
    size_t length = end - lines->begin;
    lines->begin = end < lines->end ? end + 1 : end;
    lines->searched = lines->begin;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    line[length] = '\0';
    return line;
}

/* The next line among the bytes read, NULL if there is none yet. */
static char *next_line(struct lines *lines) {
    if (lines->searched == lines->end)
        return NULL;
    char *newline = memchr(lines->bytes + lines->searched, '\n', lines->end - lines->searched);
    lines->searched = lines->end;
    return newline ? cut_line(lines, (size_t)(newline - lines->bytes)) : NULL;
}

/* Waits for bytes until the deadline; false if none came. */
static bool await_bytes(int fd, double deadline) {
    struct pollfd descriptor = {.fd = fd, .events = POLLIN};
    double left = deadline - progress_clock();
    int ready = poll(&descriptor, 1, left <= 0 ? 0 : left < 1e6 ? (int)ceil(left * 1000) : -1);
    return ready > 0;
}

static void read_more(struct lines *lines) {
    make_room(lines);
    ssize_t count = read(lines->fd, lines->bytes + lines->end, lines->room - lines->end - 1);
    if (count > 0)
        lines->end += (size_t)count;
    else if (count == 0 || errno != EINTR)
        lines->ended = true;
}

enum lines_event lines_next(struct lines *lines, double deadline, char **line) {
    while (!(*line = next_line(lines))) {
        if (lines->ended && lines->begin == lines->end)
            return LINES_END;
        if (lines->ended) {
            *line = cut_line(lines, lines->end);
            break;
        }
        if (await_bytes(lines->fd, deadline))
            read_more(lines);
        else if (progress_clock() >= deadline)
            return LINES_TIMEOUT;
    }
    return LINES_LINE;
}

void lines_free(struct lines *lines) {
    free(lines->bytes);
    *lines = (struct lines){.fd = lines->fd};
}
