/* movegen.h: the legal moves.
 *
 * All generators give strictly legal moves: own king safe, nifu, dead pieces and uchifuzume (a pawn drop that mates at once)
 * observed for both sides. None allocates; each writes at most MAX_MOVES moves to `out` and returns how many. All take
 * a position by const pointer except those that must try a move; those restore it. Thread safe for different positions. */
#ifndef TSUME_RULES_MOVEGEN_H
#define TSUME_RULES_MOVEGEN_H

#include "rules/position.h"

enum { MAX_MOVES = 600 }; /* 593 is the most that any position has */

/* Every legal move of the side to move. */
int generate_legal(struct position *pos, move *out);
/* The legal moves that give check to the other king (which must exist). When the side to move is itself in check, those that
 * also answer it. */
int generate_checks(struct position *pos, move *out);
/* The legal moves of a side in check: king moves, captures of the checker, interpositions by move, then by drop from the
 * king outwards and cheapest piece first. */
int generate_evasions(struct position *pos, move *out);

/* Does the side to move, in check, have any legal answer? */
bool has_evasion(struct position *pos);
/* What answers it has: none, only interposing drops, or others too. */
enum answers { ANSWERS_NONE, ANSWERS_DROPS, ANSWERS_MOVES };
enum answers find_answers(struct position *pos);
/* Is the move legal? It need not come from a generator: any 24-bit value is judged. */
bool move_is_legal(struct position *pos, move m);
/* Does the legal move give check? */
bool move_gives_check(const struct position *pos, move m);

/* Completes what a notation says into a legal move: from (NO_SQUARE for a drop of `kind`), to, promotes. NO_MOVE if that is no
 * legal move here. */
move move_complete(struct position *pos, int from, int to, int kind, bool promotes);
/* The same from USI text that must end after the move (at NUL or white space). */
move move_from_usi(struct position *pos, const char *text);

/* What looking for a mate in one also finds. */
struct mate_scan {
    int checks; /* when none mates: how many checks there are. 0 only if there is none at all; a pawn drop counts even where
                           uchifuzume forbids it */
    bool but_for_drops; /* some check leaves only interposing drops */
};

/* A check that mates at once, NO_MOVE if there is none: found without making most moves. The value's order is kept: a capture that mates
 * is preferred to a plain move, and that to a drop. scan may be NULL. */
move mate_in_one(struct position *pos, struct mate_scan *scan);

/* The squares next to the king of the side not to move that he could step to if he were to move now: not his own, not attacked by the
 * side to move once he has left his square. */
bitboard king_outlets(const struct position *pos);

/* The squares between king and checker when the side to move is in check by one piece from a distance; else none. */
bitboard interposition_squares(const struct position *pos);

/* For reasoning about other hands than the present one, as masks of hand fields:
 * kinds that the side to move could drop with check if it had them (uchifuzume apart); */
hand kinds_that_check_by_drop(const struct position *pos);
/* kinds that the side to move, in check, could drop between checker and king if it had them (uchifuzume apart). */
hand kinds_that_interpose(const struct position *pos);

/* Number of leaf nodes of the legal move tree, depth plies deep. */
uint64_t perft(struct position *pos, int depth);

#endif
