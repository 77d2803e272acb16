/* play_end.c: the words for ends. */
#include "problems/play_end.h"

#include <string.h>

static const struct ending {
    enum play_end end;
    const char *kif, *csa; /* NULL: no word */
} endings[] = {
    /* Where an end has several words the first is the one to write; a word stands before those that it begins with. */
    {END_MATE, "詰み", "TSUMI"},
    {END_MATE, "詰", NULL},
    {END_NO_MATE, "不詰", "FUZUMI"},
    {END_RESIGNED, "投了", "TORYO"},
    {END_INTERRUPTED, "中断", "CHUDAN"},
    {END_REPETITION, "千日手", "SENNICHITE"},
    {END_IMPASSE, "持将棋", "JISHOGI"},
    {END_TIME_UP, "切れ負け", "TIME_UP"},
    {END_TIME_UP, "時間切れ", NULL},
    {END_ILLEGAL_MOVE, "反則負け", "ILLEGAL_MOVE"},
    {END_BLACK_FOUL, NULL, "+ILLEGAL_ACTION"},
    {END_WHITE_FOUL, NULL, "-ILLEGAL_ACTION"},
    {END_DECLARED, "入玉勝ち", "KACHI"},
    {END_DECLARED, "勝ち宣言", NULL},
    {END_DRAW, "引き分け", "HIKIWAKE"},
    {END_DRAW, "引分", NULL},
    {END_TAKEN_BACK, "待った", "MATTA"},
    {END_MAX_MOVES, "最大手数", "MAX_MOVES"},
    {END_ERROR, "エラー", "ERROR"},
    {END_DEFAULT_LOSS, "不戦敗", NULL},
    {END_DEFAULT_WIN, "不戦勝", NULL},
    {END_SEALED, "封じ手", NULL},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const char foul_win[] = "反則勝ち";

/* The other side did what is not allowed. */
static enum play_end foul_of_other(enum color side) {
    return side == BLACK ? END_WHITE_FOUL : END_BLACK_FOUL;
}

enum play_end play_end_of_kif(const char *text, enum color side, size_t *length) {
    *length = strlen(foul_win);
    if (strncmp(text, foul_win, *length) == 0)
        return foul_of_other(side);
    for (int i = 0; i < ENDINGS; i++) {
        const struct ending *e = &endings[i];
        *length = e->kif ? strlen(e->kif) : 0;
        if (*length > 0 && strncmp(text, e->kif, *length) == 0)
            return e->end;
    }
    return END_UNSTATED;
}

const char *play_end_kif(enum play_end end, enum color side) {
    if (end == foul_of_other(side))
        return foul_win;
    if (end == END_BLACK_FOUL || end == END_WHITE_FOUL)
        end = END_ILLEGAL_MOVE;
    for (int i = 0; i < ENDINGS; i++)
        if (endings[i].end == end)
            return endings[i].kif;
    return "";
}

enum play_end play_end_of_summary(const char *line, enum color side) {
    if (strstr(line, foul_win))
        return foul_of_other(side);
    enum play_end found = END_UNSTATED;
    size_t longest = 0;
    for (int i = 0; i < ENDINGS; i++) { /* 不詰 holds 詰 */
        const struct ending *e = &endings[i];
        if (e->kif && strlen(e->kif) > longest && strstr(line, e->kif)) {
            found = e->end;
            longest = strlen(e->kif);
        }
    }
    return found == END_UNSTATED && strstr(line, "勝ち") ? END_RESIGNED : found;
}

enum play_end play_end_of_csa(const char *name) {
    for (int i = 0; i < ENDINGS; i++)
        if (endings[i].csa && strcmp(name, endings[i].csa) == 0)
            return endings[i].end;
    return END_UNSTATED;
}

const char *play_end_csa(enum play_end end) {
    for (int i = 0; i < ENDINGS; i++)
        if (endings[i].end == end)
            return endings[i].csa;
    return NULL;
}
