/* handicap.c: the table of handicaps. */
#include "problems/handicap.h"

#include "rules/sfen.h"

#include <stdio.h>
#include <string.h>

const struct handicap handicaps[HANDICAPS] = {
    {"平手", "HIRATE", "lnsgkgsnl/1r5b1"}, {"香落ち", "KY", "lnsgkgsn1/1r5b1"}, {"右香落ち", "KY_R", "1nsgkgsnl/1r5b1"},
    {"角落ち", "KA", "lnsgkgsnl/1r7"},     {"飛車落ち", "HI", "lnsgkgsnl/7b1"}, {"飛落ち", "HI", "lnsgkgsnl/7b1"},
    {"飛香落ち", "HIKY", "lnsgkgsn1/7b1"}, {"二枚落ち", "2", "lnsgkgsnl/9"},    {"三枚落ち", "3", "lnsgkgsn1/9"},
    {"四枚落ち", "4", "1nsgkgsn1/9"},      {"五枚落ち", "5", "2sgkgsn1/9"},     {"左五枚落ち", "5_L", "1nsgkgs2/9"},
    {"六枚落ち", "6", "2sgkgs2/9"},        {"左七枚落ち", "7_L", "2sgkg3/9"},   {"右七枚落ち", "7_R", "3gkgs2/9"},
    {"八枚落ち", "8", "3gkg3/9"},          {"十枚落ち", "10", "4k4/9"},
};

void handicap_setup(int i, struct setup *setup) {
    char sfen[SFEN_SIZE];
    struct sfen_error error;
    snprintf(sfen, sizeof sfen, "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL %c - 1", handicaps[i].ranks,
             i > 0 ? 'w' : 'b');
    sfen_parse(sfen, setup, &error);
}

int handicap_of(const struct setup *setup) {
    if (setup->board[square_make(FILES - 1, RANKS - 1)] != piece_make(BLACK, LANCE))
        return -1; /* soon told of most */
    for (int i = 0; i < HANDICAPS; i++) {
        struct setup named;
        handicap_setup(i, &named);
        if (memcmp(named.board, setup->board, sizeof named.board) == 0 &&
            memcmp(named.hand, setup->hand, sizeof named.hand) == 0 && named.side == setup->side)
            return i;
    }
    return -1;
}
