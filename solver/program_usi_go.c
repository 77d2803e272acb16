#include "program_usi_go.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds as they were stated; −1: not stated. */
struct clocks {
    double time, increment, byoyomi, move_time;
};

/* Seconds. What an answer may take on its way, and what there is for a move where clocks with no time at all stand for none. */
static const double ON_THE_WAY = 0.1, WITHOUT_CLOCKS = 1;
enum { MOVES_TO_COME = 20 }; /* the time left is to last for so many */

static double stated(double milliseconds) {
    return milliseconds > 0 ? milliseconds / 1000 : 0;
}

/* What remains of a time when the answer's way is taken off: half of it at least. */
static double in_time(double seconds) {
    return seconds > 2 * ON_THE_WAY ? seconds - ON_THE_WAY : seconds / 2;
}

/* The seconds for this move; 0 where no clock was stated. */
static double budget(const struct clocks *c) {
    if (c->move_time > 0)
        return in_time(stated(c->move_time));
    if (c->time < 0 && c->byoyomi < 0 && c->increment < 0 && c->move_time < 0)
        return 0;
    double at_once = stated(c->byoyomi) + stated(c->increment);
    double all = stated(c->time) + at_once;
    return all > 0 ? in_time(at_once + stated(c->time) / MOVES_TO_COME) : WITHOUT_CLOCKS;
}

/* A number behind a word, not negative; false if there is none. */
static bool read_number(char **rest, double *number) {
    char *word = strtok_r(NULL, " \t", rest), *end;
    if (!word)
        return false;
    *number = strtod(word, &end);
    if (end == word || *end != '\0')
        return false;
    if (!(*number > 0))
        *number = 0;
    return true;
}

static void read_mate(struct usi_go *go, char **rest) {
    double milliseconds;
    go->mate = true;
    if (read_number(rest, &milliseconds)) /* else: infinite */
        go->seconds = milliseconds > 0 ? milliseconds / 1000 : 1e-3;
}

/* Where the number behind a word of clocks goes, NULL for other words. */
static double *clock_named(struct clocks *c, const char *word, char side) {
    const struct {
        const char *word;
        double *clock;
    } names[] = {
        {side == 'b' ? "btime" : "wtime", &c->time},
        {side == 'b' ? "binc" : "winc", &c->increment},
        {"byoyomi", &c->byoyomi},
        {"movetime", &c->move_time},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].word, word) == 0)
            return names[i].clock;
    return NULL;
}

static bool is_other_clock(const char *word) {
    return strcmp(word, "btime") == 0 || strcmp(word, "wtime") == 0 || strcmp(word, "binc") == 0 ||
           strcmp(word, "winc") == 0;
}

/* Reads one word with what belongs to it; false if it is not understood. */
static bool read_word(struct usi_go *go, struct clocks *clocks, const char *word, char **rest, char side) {
    double number = 0, *clock = clock_named(clocks, word, side);
    if (clock || is_other_clock(word))
        return read_number(rest, clock ? clock : &number);
    if (strcmp(word, "mate") == 0)
        read_mate(go, rest);
    else if (strcmp(word, "ponder") == 0)
        go->ponder = true;
    else if (strcmp(word, "infinite") == 0)
        go->infinite = true;
    else if (strcmp(word, "nodes") == 0 && read_number(rest, &number))
        go->nodes = number < 1 ? 1 : number < 1e18 ? (uint64_t)number : 0;
    else if (strcmp(word, "depth") == 0 && read_number(rest, &number))
        go->plies = number < 1 ? 1 : number < 100000 ? (int)number : 0;
    else
        return false;
    return true;
}

const char *usi_go_read(struct usi_go *go, char *text, char side) {
    struct clocks clocks = {-1, -1, -1, -1};
    const char *unknown = NULL;
    char *rest = NULL;
    *go = (struct usi_go){.mate = false};
    for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        if (!read_word(go, &clocks, word, &rest, side) && !unknown)
            unknown = word;
    if (!go->mate)
        go->seconds = budget(&clocks);
    return unknown;
}
