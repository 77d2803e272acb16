#include "tests/random_tree.h"

#include "rules/movegen.h"

#include <stdlib.h>
#include <string.h>

static const char *const remarks[] = {"詰み筋", "二行\n目", "☆星", "", "comment, with \"quotes\" and 'comma'",
                                      "a'",     "\n"};
enum { REMARKS = sizeof remarks / sizeof *remarks };

static void decorate(struct random_source *random, struct stated_move *m) {
    if (random_percent(random, 30) && !m->comment)
        m->comment = strdup(remarks[random_below(random, REMARKS)]);
    if (random_percent(random, 60))
        m->time_ms = random_below(random, 4000) * 1000;
}

static void grow(struct random_source *random, const struct position *start, struct stated_move **first, int plies,
                 int deep) {
    struct position pos = *start;
    for (int ply = 0; ply < plies; ply++) {
        move moves[MAX_MOVES];
        int count = generate_legal(&pos, moves);
        struct stated_move *m = count > 0 ? stated_move_add(first, moves[random_below(random, count)]) : NULL;
        if (!m)
            return;
        decorate(random, m);
        if (deep > 0 && random_percent(random, 40))
            grow(random, &pos, first, 1 + random_below(random, plies), deep - 1);
        position_do(&pos, m->move);
        first = &m->next;
    }
}

/* Puts ends where lines end. */
static void put_ends(struct random_source *random, struct stated_move *first, enum color side,
                     const enum play_end *ends, int end_count) {
    for (struct stated_move *m = first; m; m = m->next) {
        if (m->variation)
            put_ends(random, m->variation, side, ends, end_count);
        side = color_other(side);
        if (m->next || random_percent(random, 30))
            continue;
        m->end = ends[random_below(random, end_count)];
        if (m->end == (side == BLACK ? END_BLACK_FOUL : END_WHITE_FOUL))
            m->end = END_ILLEGAL_MOVE;
    }
}

void random_tree_grow(struct random_source *random, struct tsume_problem *problem, int most_plies,
                      const enum play_end *ends, int end_count) {
    grow(random, &problem->position, &problem->stated, 1 + random_below(random, most_plies), 3);
    put_ends(random, problem->stated, (enum color)problem->position.side, ends, end_count);
}
