/* move.c: USI notation of a move. */
#include "rules/move.h"

static void square_to_usi(int sq, char *text) {
    text[0] = (char)('1' + square_file(sq));
    text[1] = (char)('a' + square_rank(sq));
}

void move_to_usi(move m, char text[USI_MOVE_SIZE]) {
    if (move_is_drop(m)) {
        text[0] = kind_letter(BLACK, move_kind(m));
        text[1] = '*';
    } else {
        square_to_usi(move_from(m), text);
    }
    square_to_usi(move_to(m), text + 2);
    text[4] = move_promotes(m) ? '+' : '\0';
    text[5] = '\0';
}

static int usi_square(const char *text) {
    if (text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i')
        return NO_SQUARE;
    return square_make(text[0] - '1', text[1] - 'a');
}

int usi_parse_move(const char *text, int *from, int *to, int *kind, bool *promotes) {
    if (text[0] == '\0' || text[1] == '\0' || text[2] == '\0')
        return 0;
    *kind = NO_KIND;
    *promotes = false;
    *to = usi_square(text + 2);
    if (*to == NO_SQUARE)
        return 0;
    if (text[1] == '*') {
        *from = NO_SQUARE;
        *kind = kind_of_letter(text[0]);
        return *kind == NO_KIND || *kind == KING ? 0 : 4;
    }
    *from = usi_square(text);
    if (*from == NO_SQUARE)
        return 0;
    *promotes = text[4] == '+';
    return *promotes ? 5 : 4;
}
