#include "solver/diagram.h"

#include "problems/bod.h"

#include <stdio.h>
#include <stdlib.h>

static void letter_hand(FILE *out, const struct setup *setup, enum color c) {
    fputs(c == BLACK ? "Black in hand:" : "White in hand:", out);
    bool none = true;
    for (int i = 0; i < HELD_KINDS; i++) {
        int kind = kind_by_worth(i), count = setup->hand[c][kind];
        if (count == 0)
            continue;
        fprintf(out, " %c", kind_letter(c, kind));
        if (count > 1)
            fprintf(out, "%d", count);
        none = false;
    }
    fputs(none ? " nothing\n" : "\n", out);
}

static void letter_board(FILE *out, const struct setup *setup) {
    static const char EDGE[] = "+----------------------------+\n";

    fputs("   9  8  7  6  5  4  3  2  1\n", out);
    fputs(EDGE, out);
    for (int rank = 0; rank < RANKS; rank++) {
        fputc('|', out);
        for (int file = FILES - 1; file >= 0; file--) {
            piece p = setup->board[square_make(file, rank)];
            if (p == NO_PIECE)
                fputs("  .", out);
            else
                fprintf(out, " %c%c", kind_is_promoted(piece_kind(p)) ? '+' : ' ',
                        kind_letter(piece_color(p), piece_kind(p)));
        }
        fprintf(out, " |%c\n", 'a' + rank);
    }
    fputs(EDGE, out);
}

static void write_letters(FILE *out, const struct setup *setup) {
    letter_hand(out, setup, WHITE);
    letter_board(out, setup);
    letter_hand(out, setup, BLACK);
    if (setup->side == WHITE)
        fputs("White to move\n", out);
}

char *diagram_text(const struct setup *setup, bool ascii) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    (ascii ? write_letters : bod_write)(out, setup);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
