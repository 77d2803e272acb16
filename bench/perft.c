/* perft.c: counts the leaves of the legal move tree, depth by depth: a check of the rules and a measure of their speed.
 *
 *     tsume-perft [DEPTH [SFEN]]
 *
 * Without an SFEN from the opening. Prints a line a depth: depth, leaves, seconds, leaves a second. */
#include "rules/movegen.h"
#include "rules/sfen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEFAULT_DEPTH = 5, MAX_DEPTH = 20 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    long depth = argc > 1 ? strtol(argv[1], NULL, 10) : DEFAULT_DEPTH;
    if (argc > 3 || depth < 1 || depth > MAX_DEPTH) {
        fprintf(stderr, "usage: tsume-perft [DEPTH [SFEN]]   (depth 1 to %d, default %d)\n", MAX_DEPTH, DEFAULT_DEPTH);
        return 2;
    }
    const char *sfen = argc > 2 ? argv[2] : SFEN_OPENING;
    struct setup setup;
    struct sfen_error error;
    if (sfen_parse(sfen, &setup, &error) == 0) {
        fprintf(stderr, "tsume-perft: the SFEN, at column %zu: %s\n", error.column + 1, error.message);
        return 2;
    }
    if (setup_fault(&setup, NULL, NULL) != FAULT_NONE) {
        fprintf(stderr, "tsume-perft: no legal position\n");
        return 2;
    }
    struct position pos;
    position_set(&pos, &setup);
    for (int i = 1; i <= (int)depth; i++) {
        double start = now();
        uint64_t leaves = perft(&pos, i);
        double spent = now() - start;
        printf("%2d %15" PRIu64 " %9.3f s %13.0f /s\n", i, leaves, spent, spent > 0 ? (double)leaves / spent : 0.0);
        fflush(stdout);
    }
    return 0;
}
