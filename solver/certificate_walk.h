/* certificate_walk.h: what the walks that build certificates share, private to certificate*.c. */
#ifndef TSUME_SOLVER_CERTIFICATE_WALK_H
#define TSUME_SOLVER_CERTIFICATE_WALK_H

#include "solver/certificate_file.h"

/* A certificate while it is built. */
struct builder {
    struct worker *worker;             /* the one at work */
    enum color attacker;               /* as the search sees it */
    enum certificate_outcome outcome;  /* what has gone wrong, if it is not CERTIFICATE_BUILT */
    const struct certified_line *line; /* NULL where there is none */
    struct orientation orientation;    /* of all positions and moves; the file shows them as they were before */
    struct payload payload;
    uint32_t *heads;   /* chains of positions with the same board */
    uint64_t numbered; /* positions that have a number */
    size_t positions;  /* attacker's positions described */
    uint64_t nodes;    /* searched by what asker_close has closed */
    /* a second search that counts every interposition, for bounded questions; opened when first needed */
    struct search counting;
    struct worker *counter;
};

static const uint32_t NONE = UINT32_MAX; /* no position */

/* Notes what has gone wrong. Always false. */
bool builder_fail(struct builder *b, enum certificate_outcome outcome);
/* Notes why a question that had to be answered one way was not. Always false. */
bool builder_wonders(struct builder *b, enum outcome outcome);
struct position *builder_position(struct builder *b);
/* The first of the positions with this board. */
uint32_t *builder_head(struct builder *b, uint64_t key);
/* Forgets all positions. */
void builder_forget(struct builder *b);
/* Makes room for `more` items behind those in use. */
bool builder_room(struct builder *b, void *array, size_t used, size_t more, size_t *room, size_t size);
/* The word of a move, the moves in the order of their words, as the problem's own orientation has them. */
unsigned builder_word(const struct builder *b, move m);
void builder_sort(const struct builder *b, move *moves, int count);

/* One of several searches that a walk asks in turn, each with a worker of its own. */
struct asker {
    struct search search;
    struct worker *worker; /* NULL: not open */
    bool own;              /* the search is not shared with the caller's */
};

/* Opens an asker within the line's limits and puts it to work. It shares what `with` knows; where that is NULL it begins anew, knows the
 * forbidden positions only, and counts every interposition. No other worker of this thread may be at work: the table would wait for it. */
bool asker_open(struct builder *b, struct asker *asker, const struct search *with, const struct forbidden *forbidden);
/* Closes an asker that is at work; does nothing where it is not open. */
void asker_close(struct builder *b, struct asker *asker);

/* Writes a mate from the worker's position within the limit. *plies: in how many it mates. */
bool put_mate(struct builder *b, int limit, int *plies);
/* The same along the line, from its beginning. */
bool put_line_mate(struct builder *b, int *plies);
/* Writes a mate that begins with this check in place of the line's at that turn, and never comes back to the line. */
bool put_cook(struct builder *b, size_t turn, move check);
/* Writes a closed set from the worker's position. */
bool put_escapes(struct builder *b);
/* Writes what becomes of all other checks along the line. */
bool put_alternatives(struct builder *b);

#endif
