/* bod.c: writing diagrams. */
#include "problems/bod.h"

static const char *const KANJI[KINDS] = {
    [PAWN] = "歩",       [LANCE] = "香",      [KNIGHT] = "桂", [SILVER] = "銀",   [BISHOP] = "角",
    [ROOK] = "飛",       [GOLD] = "金",       [KING] = "玉",   [PRO_PAWN] = "と", [PRO_LANCE] = "杏",
    [PRO_KNIGHT] = "圭", [PRO_SILVER] = "全", [HORSE] = "馬",  [DRAGON] = "龍",
};
static const char *const KANJI_NUMBER[] = {"",   "一",   "二",   "三",   "四",   "五",   "六",   "七",   "八",  "九",
                                           "十", "十一", "十二", "十三", "十四", "十五", "十六", "十七", "十八"};

const char *bod_kanji(int kind) {
    return KANJI[kind];
}

void bod_write_hand(FILE *out, const struct setup *setup, enum color c) {
    bool none = true;
    for (int i = 0; i < HELD_KINDS; i++) {
        int kind = kind_by_worth(i), count = setup->hand[c][kind];
        if (count == 0)
            continue;
        fprintf(out, "%s%s", none ? "" : "　", KANJI[kind]);
        if (count > kind_set_size(PAWN)) /* only in a setup with a fault */
            fprintf(out, "%d", count);
        else if (count > 1)
            fputs(KANJI_NUMBER[count], out);
        none = false;
    }
    if (none)
        fputs("なし", out);
}

static void write_hand_line(FILE *out, const struct setup *setup, enum color c) {
    fputs(c == BLACK ? "先手の持駒：" : "後手の持駒：", out);
    bod_write_hand(out, setup, c);
    fputc('\n', out);
}

static void write_board(FILE *out, const struct setup *setup) {
    static const char EDGE[] = "+---------------------------+\n";

    fputs("  ９ ８ ７ ６ ５ ４ ３ ２ １\n", out);
    fputs(EDGE, out);
    for (int rank = 0; rank < RANKS; rank++) {
        fputc('|', out);
        for (int file = FILES - 1; file >= 0; file--) {
            piece p = setup->board[square_make(file, rank)];
            if (p == NO_PIECE)
                fputs(" ・", out);
            else
                fprintf(out, "%c%s", piece_color(p) == WHITE ? 'v' : ' ', KANJI[piece_kind(p)]);
        }
        fprintf(out, "|%s\n", KANJI_NUMBER[rank + 1]);
    }
    fputs(EDGE, out);
}

void bod_write(FILE *out, const struct setup *setup) {
    write_hand_line(out, setup, WHITE);
    write_board(out, setup);
    write_hand_line(out, setup, BLACK);
    if (setup->side == WHITE)
        fputs("後手番\n", out);
}
