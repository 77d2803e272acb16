/* program_watch.h: a thread that waits for SIGINT and SIGTERM, and ticks meanwhile.
 *
 * Signals are taken by sigtimedwait in a thread of their own instead of a handler: what follows may lock, print and wait, and
 * works as well when every other thread is held up reading standard input. */
#ifndef TSUME_PROGRAM_WATCH_H
#define TSUME_PROGRAM_WATCH_H

#include <pthread.h>
#include <stdatomic.h>

struct watch {
    void (*on_tick)(void *context);               /* called about ten times a second */
    void (*on_signal)(void *context, int signal); /* SIGINT or SIGTERM came */
    void *context;
    /* private: */
    pthread_t thread;
    atomic_bool ended;
};

/* Keeps the signals for the watch, which may begin later, and has SIGPIPE ignored, so that a reader who goes away is a write
 * error. To be called before any thread is started: threads inherit that the signals are not for them. */
void watch_hold_signals(void);
/* Starts watching. The first three members are set by the caller. Returns 0, or an errno. */
int watch_begin(struct watch *watch);
/* Ends the thread; a call to on_signal under way is waited for. */
void watch_end(struct watch *watch);

#endif
