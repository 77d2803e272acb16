/* move.h: a move in 24 bits, and its USI notation.
 *
 *   bit 0–6 to   7–13 from (0 for a drop)   14–17 kind before moving   18–21 kind captured (as it stood on the board, may be
 *   promoted)   22 promotes   23 drop
 *
 * It carries the moved and the captured kind, so a position takes a move back without an undo stack. 0 is no move.
 * All functions are pure and thread safe. */
#ifndef TSUME_RULES_MOVE_H
#define TSUME_RULES_MOVE_H

#include "rules/piece.h"

typedef uint32_t move;
enum { NO_MOVE = 0 };

static inline move move_make(int from, int to, int kind, int captured, bool promotes) {
    return (move)to | (move)from << 7 | (move)kind << 14 | (move)captured << 18 | (move)promotes << 22;
}
static inline move move_drop(int kind, int to) {
    return (move)to | (move)kind << 14 | (move)1 << 23;
}

static inline int move_to(move m) {
    return (int)(m & 127);
}
static inline int move_from(move m) {
    return (int)(m >> 7 & 127);
}
static inline int move_kind(move m) {
    return (int)(m >> 14 & 15);
}
static inline int move_captured(move m) {
    return (int)(m >> 18 & 15);
}
static inline bool move_promotes(move m) {
    return (m >> 22 & 1) != 0;
}
static inline bool move_is_drop(move m) {
    return (m >> 23 & 1) != 0;
}
/* The kind that stands on the target square afterwards. */
static inline int move_kind_after(move m) {
    return move_kind(m) + (move_promotes(m) ? PROMOTED : 0);
}

/* USI notation of the move ("7g7f", "8h2b+", "P*5e") into text, NUL ended. */
enum { USI_MOVE_SIZE = 6 };
void move_to_usi(move m, char text[USI_MOVE_SIZE]);

/* Two squares, or kind letter and square, read from USI notation. Says nothing of legality. Returns the number of
 * characters read (4 or 5), 0 if the text is no USI move. `from` is NO_SQUARE and `kind` the dropped kind for a drop; `kind` is
 * NO_KIND otherwise. */
int usi_parse_move(const char *text, int *from, int *to, int *kind, bool *promotes);

#endif
