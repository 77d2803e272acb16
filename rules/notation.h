/* notation.h: a move as people write it: in Japanese, in the Western way, and in CSA's. (USI is in move.h.)
 *
 *              Japanese        Western   CSA
 *     move     ▲７六歩         P-7f      +7776FU
 *     capture  △同銀成         Sx3c+     -2233NG     同: on the square of the move before
 *     drop     ▲５五角打       B*5e      +0055KA     打: only where a piece on the board could go there too
 *     declined ▲３三銀不成     S-3c=     +4433GI
 *     two can  ▲５二金左上     G6c-5b    +6352KI
 *
 * Where several pieces of the kind can go to the square, by the way they move and pinned or not, Japanese tells them
 * apart by the rules that the Japan Shogi Association publishes (棋譜の表記方法), Western (Hodges's) by the origin. All
 * functions are pure and thread safe; text is UTF-8 and ends with NUL. */
#ifndef TSUME_RULES_NOTATION_H
#define TSUME_RULES_NOTATION_H

#include "rules/position.h"

enum notation { NOTATION_USI, NOTATION_JAPANESE, NOTATION_WESTERN, NOTATION_CSA };
enum { NOTATION_SIZE = 32 }; /* bytes that are always enough for a move */

/* Writes a legal move of the position. previous_to: the square that the move before went to, NO_SQUARE if there is
 * none. */
void notation_write(const struct position *pos, move m, int previous_to, enum notation notation,
                    char text[NOTATION_SIZE]);

/* What tells a piece apart from others of its kind, as its player sees it. */
enum relation {
    RELATION_LEFT = 1,     /* 左 */
    RELATION_STRAIGHT = 2, /* 直: one step straight ahead */
    RELATION_RIGHT = 4,    /* 右 */
    RELATION_UP = 8,       /* 上 */
    RELATION_SIDE = 16,    /* 寄 */
    RELATION_BACK = 32,    /* 引 */
    RELATION_DROP = 64,    /* 打 */
};
/* The words that are needed for a legal move, as bits; 0 where there is nothing to tell apart. */
unsigned notation_relation(const struct position *pos, move m);
/* Are all these words true of a move on the board, needed or not? */
bool notation_fits(const struct position *pos, move m, unsigned relation);
/* Does the legal move keep its piece from promoting (不成)? */
bool notation_declines(const struct position *pos, move m);

/* The name of a kind in moves (成銀), the two letters that CSA has for it, and the kind of two letters (NO_KIND if they
 * are none). */
const char *notation_kanji(int kind);
const char *notation_csa_kind(int kind);
int notation_kind_of_csa(const char *text);

/* The square as Japanese records write it: ７六. */
enum { NOTATION_SQUARE_SIZE = 8 };
void notation_kanji_square(int sq, char text[NOTATION_SQUARE_SIZE]);

#endif
