#include "program_watch.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* The signals of the watch; SIGUSR1 only wakes it. */
static void watched_signals(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGUSR1);
}

static void *watch_thread(void *argument) {
    static const struct timespec TICK = {.tv_nsec = 100 * 1000 * 1000};

    struct watch *watch = argument;
    sigset_t set;
    watched_signals(&set);
    while (!atomic_load(&watch->ended)) {
        int signal = sigtimedwait(&set, NULL, &TICK);
        if (signal == SIGINT || signal == SIGTERM)
            watch->on_signal(watch->context, signal);
        else if (signal < 0)
            watch->on_tick(watch->context);
    }
    return NULL;
}

void watch_hold_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    sigset_t set;
    watched_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int watch_begin(struct watch *watch) {
    atomic_init(&watch->ended, false);
    return pthread_create(&watch->thread, NULL, watch_thread, watch);
}

void watch_end(struct watch *watch) {
    atomic_store(&watch->ended, true);
    pthread_kill(watch->thread, SIGUSR1);
    pthread_join(watch->thread, NULL);
}
