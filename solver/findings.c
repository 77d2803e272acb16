/* findings.c: collecting findings. */
#include "solver/findings.h"

#include <stdlib.h>
#include <string.h>

const struct variation no_variation = {.plies = -1, .leftover = -1};

void findings_add(struct findings *findings, enum tsume_finding_kind kind, int ply, move m,
                  struct variation variation) {
    if (findings->count == findings->room) {
        size_t room = findings->room ? findings->room * 2 : 16;
        struct finding *items = realloc(findings->items, room * sizeof *items);
        if (!items) {
            findings->out_of_memory = true;
            free(variation.line.moves);
            return;
        }
        findings->items = items;
        findings->room = room;
    }
    findings->items[findings->count++] = (struct finding){kind, ply, m, variation};
}

void findings_free(struct findings *findings) {
    for (size_t i = 0; i < findings->count; i++)
        free(findings->items[i].variation.line.moves);
    free(findings->items);
    *findings = (struct findings){0};
}

static bool prepend(struct line *line, move m) {
    if (!line_append(line, m))
        return false;
    memmove(line->moves + 1, line->moves, (line->length - 1) * sizeof *line->moves);
    line->moves[0] = m;
    return true;
}

void search_grant_line(struct search *search) {
    static const double LINE_SECONDS = 2;
    enum { LINE_NODES = 1000000 };
    search_limit(search, search->deadline > 0 ? clock_seconds() + LINE_SECONDS : 0,
                 search->node_limit ? atomic_load(&search->nodes) + LINE_NODES : 0);
}

struct variation variation_build(struct worker *worker, move m, const struct mate *mate, enum line_outcome *outcome) {
    const struct search *search = worker_search(worker);
    hand attackers = worker_position(worker)->hand[search->attacker];
    struct variation v = {.plies = code_plies(mate->value) + 1,
                          .leftover = hand_total(attackers) - code_spent(mate->value),
                          .exact = mate->exact};
    *outcome = line_build(worker, mate->value, mate->exact, &v.line);
    if (*outcome != LINE_BUILT)
        return v;
    v.leftover = v.line.leftover;
    if (!prepend(&v.line, m)) {
        free(v.line.moves);
        v.line = (struct line){0};
        *outcome = LINE_NO_MEMORY;
    }
    return v;
}
