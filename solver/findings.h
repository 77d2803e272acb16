/* findings.h: what an examination of a problem found, while it is being collected. */
#ifndef TSUME_SOLVER_FINDINGS_H
#define TSUME_SOLVER_FINDINGS_H

#include "solver/tsume.h"

#include "solver/exact.h"
#include "solver/line.h"

/* A move, and what follows it by best play. */
struct variation {
    int plies, leftover; /* of the whole line; −1 if not known */
    bool exact;
    struct line line; /* begins with the move; owned */
};

struct finding {
    enum tsume_finding_kind kind;
    int ply;   /* from 1; 0: the problem as a whole */
    move move; /* NO_MOVE: none in particular */
    struct variation variation;
};

struct findings {
    struct finding *items;
    size_t count, room;
    bool out_of_memory;
};

extern const struct variation no_variation;

/* Adds a finding; takes the variation over. */
void findings_add(struct findings *findings, enum tsume_finding_kind kind, int ply, move m, struct variation variation);
void findings_free(struct findings *findings);

/* Gives a search that has proved a mate something more for building its line, whatever it has used: a few seconds if it was limited
 * in time, some nodes if in nodes. */
void search_grant_line(struct search *search);

/* The variation of a move that led to the worker's position, which is mate by this value; its line is empty where it could not be built,
 * and `outcome` says why. */
struct variation variation_build(struct worker *worker, move m, const struct mate *mate, enum line_outcome *outcome);

#endif
