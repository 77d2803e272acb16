/* replay.h: a line that another engine claims to mate, played by the rules. */
#ifndef TSUME_BENCH_REPLAY_H
#define TSUME_BENCH_REPLAY_H

#include "rules/sfen.h"
#include "solver/tsume.h"

enum replay_outcome {
    REPLAY_MATE, /* no answer is left */
    REPLAY_DROPS_LEFT, /* the line stops at a check with no answer but interposing drops: a mate if they are all futile (無駄合) */
    REPLAY_WRONG, /* no mate: see fault */
};

struct replay {
    enum replay_outcome outcome;
    size_t plies;
    char fault[256];      /* what is wrong, and at which ply */
    char sfen[SFEN_SIZE]; /* the position at the end, for REPLAY_DROPS_LEFT */
};

/* Plays the line (USI moves parted by spaces) from a legal problem: every move must be legal, every attacker's move a check, and the last one
 * must mate. */
struct replay replay_line(const struct tsume_problem *problem, const char *line);

#endif
