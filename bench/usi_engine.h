/* usi_engine.h: another engine, run as a child process and asked for mates in the USI protocol (`go mate`).
 *
 * Nothing an engine does can hold up or end the caller: every wait has a limit, whatever it writes is read, and one that does not
 * answer is killed, with all processes of its group. It is started when it is first needed, and again when it has died. One thread uses an
 * engine; usi_interrupt may come from any other. */
#ifndef TSUME_BENCH_USI_ENGINE_H
#define TSUME_BENCH_USI_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { USI_OPTIONS = 32 };

/* How to start it: the program and its arguments, quoted as for a shell, and "NAME=VALUE" for each `setoption`. */
struct usi_spec {
    const char *command;
    const char *options[USI_OPTIONS];
    size_t option_count;
    const char *name;    /* to call it by; NULL: what it calls itself */
    bool shows_messages; /* what it writes on stderr is shown, instead of thrown away */
};

struct usi_engine;

/* An engine that is not running yet; the spec is borrowed. NULL when memory is short. */
struct usi_engine *usi_new(const struct usi_spec *spec);
/* Ends the process if it is running: asks it to quit, kills it if it does not. */
void usi_quit(struct usi_engine *engine);
/* Does the same, and frees the engine; NULL is fine. */
void usi_free(struct usi_engine *engine);

/* Starts it if it is not running. False if that failed; then usi_trouble says why. */
bool usi_start(struct usi_engine *engine);
/* Its name: that of the spec, or what it calls itself, or the command. */
const char *usi_name(const struct usi_engine *engine);
/* What went wrong last, a phrase. */
const char *usi_trouble(const struct usi_engine *engine);
/* The most memory that its process had in use, in KiB, once that was ended by a function of this header; 0 if that is not known. */
long usi_peak_kib(const struct usi_engine *engine);

enum usi_verdict {
    USI_MATE,    /* it gave a line */
    USI_NO_MATE, /* it says there is no mate */
    USI_TIMEOUT, /* it gave up, or did not answer in time */
    USI_FAILED,  /* it cannot answer: see usi_trouble */
};
struct usi_answer {
    enum usi_verdict verdict;
    const char *line; /* USI moves parted by spaces; the engine's, until it is used again */
    double seconds;   /* of the clock, from `go` to the answer */
    uint64_t nodes;   /* the last count that it told; 0 if it told none */
};

/* Asks for a mate in the position (SFEN) within so many seconds (0: no limit). An engine that has not answered a little after that is told to stop,
 * and killed if it still does not. Starts it if it is not running. */
struct usi_answer usi_solve(struct usi_engine *engine, const char *sfen, double seconds);

/* Kills it and keeps it from being started again: whoever waits for it goes on at once. Thread safe, but not for signal handlers. */
void usi_interrupt(struct usi_engine *engine);

#endif
