/* program_progress.h: the progress bar on stderr: how much is done, how fast, how long it will take.
 *
 * Only one thread at a time may call these for one bar. */
#ifndef TSUME_PROGRAM_PROGRESS_H
#define TSUME_PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool enabled;   /* stderr is a terminal, and the user did not ask for quiet */
    bool shares;    /* stdout is a terminal as well: the bar makes way for output */
    bool drawn;     /* the bar is on the screen now */
    double started; /* seconds of the monotonic clock */
    double next;    /* not to be drawn before */
};

/* What is done: problems written, and where the last of them ends in the input, of its length in bytes (0: not known). */
struct progress_state {
    uint64_t problems;
    unsigned long long bytes_done, bytes_total;
};

/* Seconds of the monotonic clock. */
double progress_clock(void);

void progress_begin(struct progress *bar, bool quiet);
/* Draws the bar anew, at most ten times a second. Does nothing where it is not enabled. */
void progress_draw(struct progress *bar, const struct progress_state *state);
/* Makes way for a line of output on a shared terminal. */
void progress_make_way(struct progress *bar);
/* Takes the bar off the screen for good. */
void progress_end(struct progress *bar);

#endif
