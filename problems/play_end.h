/* play_end.h: how a line of play ends, other than by being broken off: in the words of KIF and in those of CSA, which
 * JKF shares. */
#ifndef TSUME_PROBLEMS_PLAY_END_H
#define TSUME_PROBLEMS_PLAY_END_H

#include "rules/piece.h"

#include <stddef.h>

enum play_end {
    END_UNSTATED,
    END_MATE,         /* 詰み */
    END_NO_MATE,      /* 不詰 */
    END_RESIGNED,     /* 投了 */
    END_INTERRUPTED,  /* 中断 */
    END_REPETITION,   /* 千日手 */
    END_IMPASSE,      /* 持将棋 */
    END_TIME_UP,      /* 切れ負け */
    END_ILLEGAL_MOVE, /* 反則負け: by the side to move */
    END_BLACK_FOUL, /* Black or White did what is not allowed: 反則勝ち or 反則負け, depending on who is to move */
    END_WHITE_FOUL,
    END_DECLARED,     /* 入玉勝ち */
    END_DRAW,         /* 引き分け */
    END_TAKEN_BACK,   /* 待った */
    END_MAX_MOVES,    /* 最大手数 */
    END_ERROR,        /* エラー */
    END_DEFAULT_LOSS, /* 不戦敗 */
    END_DEFAULT_WIN,  /* 不戦勝 */
    END_SEALED,       /* 封じ手 */
    PLAY_ENDS
};

/* The end that the text begins with in KIF's words, side being to move, and how many bytes they are; END_UNSTATED if
 * there is none. */
enum play_end play_end_of_kif(const char *text, enum color side, size_t *length);
/* What KIF calls an end other than END_UNSTATED. */
const char *play_end_kif(enum play_end end, enum color side);
/* The end that a line "まで12手で先手の勝ち" tells, side being to move after the moves; END_UNSTATED if it tells none. */
enum play_end play_end_of_summary(const char *line, enum color side);

/* The end that CSA calls so ("TSUMI", without the %); END_UNSTATED if it knows no such word. */
enum play_end play_end_of_csa(const char *name);
/* What CSA calls an end; NULL where it has no word. */
const char *play_end_csa(enum play_end end);

#endif
