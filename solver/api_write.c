/* api_write.c: the writers' half of the public header. */
#include "solver/tsume.h"

#include "problems/writer.h"
#include "rules/movegen.h"
#include "rules/notation.h"

#include <stdlib.h>
#include <string.h>

/* ---- Formats ---- */

_Static_assert((int)FORMAT_SFEN == (int)TSUME_SFEN + 1 && (int)FORMAT_JKF == (int)TSUME_JKF + 1,
               "the formats inside follow FORMAT_UNKNOWN in the same order");
_Static_assert((int)LOST_MOVES == (int)TSUME_LOST_MOVES && (int)LOST_ENDS == (int)TSUME_LOST_ENDS, "the same bits");
_Static_assert((int)NOTATION_USI == (int)TSUME_USI && (int)NOTATION_CSA == (int)TSUME_CSA_MOVES, "the same order");

static enum format inner_format(enum tsume_format format) {
    return (enum format)((int)format + 1);
}

static enum encoding inner_encoding(bool shift_jis) {
    return shift_jis ? ENCODING_SHIFT_JIS : ENCODING_UTF8;
}

const char *tsume_format_name(enum tsume_format format) {
    return format_name(inner_format(format));
}
const char *tsume_format_ending(enum tsume_format format, bool shift_jis) {
    return format_ending(inner_format(format), inner_encoding(shift_jis));
}
const char *tsume_format_separator(enum tsume_format format) {
    return format_separator(inner_format(format));
}
bool tsume_format_holds_several(enum tsume_format format) {
    return format_holds_several(inner_format(format));
}

char *tsume_problem_text(const struct tsume_problem *problem, struct tsume_writing *writing, size_t *length) {
    struct writer_options options = {inner_format(writing->format), inner_encoding(writing->shift_jis), writing->more};
    return problem_text(problem, &options, length, &writing->lost, &writing->replaced);
}

/* ---- Lines of play ---- */

static bool add_comment(struct tsume_problem *problem, char **comment, const char *text) {
    struct comments comments = {0};
    comments_turn_to(&comments, comment);
    return comments_add(&comments, text, problem, problem->line);
}

bool tsume_problem_state(struct tsume_problem *problem, const char *const *moves, size_t count, size_t at,
                         const char *comment, bool mates) {
    struct position pos = problem->position;
    struct stated_move **next = &problem->stated, *last = NULL;
    if (comment && at == 0 && !add_comment(problem, &problem->comment, comment))
        return false;
    for (size_t i = 0; i < count; i++) {
        move m = move_from_usi(&pos, moves[i]);
        last = m == NO_MOVE ? NULL : stated_move_add(next, m);
        if (!last || (comment && at == i + 1 && !add_comment(problem, &last->comment, comment)))
            return false;
        position_do(&pos, m);
        next = &last->next;
    }
    if (mates && last)
        last->end = END_MATE;
    return true;
}

char *tsume_moves_text(const struct tsume_problem *problem, const char *const *moves, size_t count, size_t from,
                       enum tsume_notation notation) {
    struct position pos = problem->position;
    int previous_to = NO_SQUARE;
    char *text = malloc((count > from ? count - from : 0) * NOTATION_SIZE + 1), *end = text;
    if (!text)
        return NULL;
    *end = '\0';
    for (size_t i = 0; i < count; i++) {
        move m = move_from_usi(&pos, moves[i]);
        if (m == NO_MOVE) {
            free(text);
            return NULL;
        }
        if (i >= from) {
            if (i > from)
                *end++ = ' ';
            notation_write(&pos, m, previous_to, (enum notation)notation, end);
            end += strlen(end);
        }
        position_do(&pos, m);
        previous_to = move_to(m);
    }
    return text;
}
