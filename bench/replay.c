#include "bench/replay.h"

#include "problems/problem.h"
#include "rules/language.h"
#include "rules/movegen.h"

#include <stdio.h>
#include <string.h>

static const char WHITE_SPACE[] = " \t\r";

/* Plays one move; false, with the fault told, if it is none or gives no check. */
static bool play(struct position *pos, enum color attacker, const char *text, int length, struct replay *replay) {
    move m = move_from_usi(pos, text);
    const char *fault = m == NO_MOVE                                         ? _("ply %zu: %.*s is not legal")
                        : pos->side == attacker && !move_gives_check(pos, m) ? _("ply %zu: %.*s gives no check")
                                                                             : NULL;
    if (fault) {
        snprintf(replay->fault, sizeof replay->fault, fault, replay->plies, length < 12 ? length : 12, text);
        return false;
    }
    position_do(pos, m);
    return true;
}

/* What the position at the end is. */
static enum replay_outcome judge_end(struct position *pos, enum color attacker, struct replay *replay) {
    enum answers answers = pos->side == attacker ? ANSWERS_MOVES : find_answers(pos);
    if (answers == ANSWERS_NONE)
        return REPLAY_MATE;
    if (answers == ANSWERS_DROPS) {
        position_to_sfen(pos, replay->sfen);
        return REPLAY_DROPS_LEFT;
    }
    snprintf(replay->fault, sizeof replay->fault, _("no mate after ply %zu"), replay->plies);
    return REPLAY_WRONG;
}

struct replay replay_line(const struct tsume_problem *problem, const char *line) {
    struct replay replay = {.outcome = REPLAY_WRONG};
    struct position pos = problem->position;
    for (line += strspn(line, WHITE_SPACE); *line;) {
        size_t length = strcspn(line, WHITE_SPACE);
        replay.plies++;
        if (!play(&pos, problem->attacker, line, (int)length, &replay))
            return replay;
        line += length;
        line += strspn(line, WHITE_SPACE);
    }
    replay.outcome = judge_end(&pos, problem->attacker, &replay);
    return replay;
}
