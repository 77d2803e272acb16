/* kif_moves.h: the stated moves of a record, with variations, resolved to legal moves as they are read.
 *
 * A record goes through its moves once: a main line, then for each variation a line 変化：N手 that goes back to the position before
 * move N of what was read last. So the moves up to the last one read (the path) are kept, and the position after them. Moves
 * that cannot be played end their line; the reason is noted with the problem. */
#ifndef TSUME_PROBLEMS_KIF_MOVES_H
#define TSUME_PROBLEMS_KIF_MOVES_H

#include "problems/kif_words.h"
#include "problems/problem.h"

struct kif_moves {
    struct tsume_problem *problem; /* NULL: moves are skipped, since there is no position */
    struct position position;      /* after the path */
    struct stated_move **path;
    size_t length, capacity;
    int previous_to;   /* target of the move before the first one, NO_SQUARE if not known */
    long first_number; /* the number that the first move bears; 0 before it */
    bool broken;       /* the rest of this line is skipped */
    bool ended;        /* this line has said how it ends */
    size_t moves;
    struct comments comments; /* of the last move */
    bool out_of_memory;
};

/* Begins with the problem's position; previous_to as above; comments as they are when the moves begin. */
void kif_moves_begin(struct kif_moves *moves, struct tsume_problem *problem, int previous_to,
                     const struct comments *comments);
void kif_moves_free(struct kif_moves *moves);

/* Reads a line " 12 ７六歩(77) …" or "▲７六歩 △３四歩 …". */
void kif_moves_numbered(struct kif_moves *moves, const char *line, long line_number);
void kif_moves_marked(struct kif_moves *moves, const char *line, long line_number);
/* Reads "変化：12手" and "まで12手で詰み". */
void kif_moves_variation(struct kif_moves *moves, const char *line, long line_number);
void kif_moves_end(struct kif_moves *moves, const char *line);
/* A comment on the last move. */
void kif_moves_comment(struct kif_moves *moves, const char *text, long line_number);

#endif
