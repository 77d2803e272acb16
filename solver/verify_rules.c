/* verify_rules.c: see verify_rules.h. Clear before quick: every rule is one function, and none knows another's tricks.
 */
#include "solver/verify_rules.h"

#include "solver/verify_language.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The eight directions as Black sees them, clockwise from straight ahead. White's are the same turned by four. */
enum { AHEAD, AHEAD_RIGHT, RIGHT, BACK_RIGHT, BACK, BACK_LEFT, LEFT, AHEAD_LEFT, DIRECTIONS };

static const int row_step[DIRECTIONS] = {-1, -1, 0, 1, 1, 1, 0, -1};
static const int column_step[DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

enum {
    STRAIGHT = 1 << AHEAD | 1 << RIGHT | 1 << BACK | 1 << LEFT,
    DIAGONAL = 1 << AHEAD_RIGHT | 1 << BACK_RIGHT | 1 << BACK_LEFT | 1 << AHEAD_LEFT,
    GOLD_STEPS = STRAIGHT | 1 << AHEAD_LEFT | 1 << AHEAD_RIGHT,
    SILVER_STEPS = DIAGONAL | 1 << AHEAD,
};

/* Directions in which a kind takes one step, and those in which it goes as far as it likes. The knight is apart. */
static const int steps[VR_KINDS] = {
    [VR_PAWN] = 1 << AHEAD,
    [VR_SILVER] = SILVER_STEPS,
    [VR_GOLD] = GOLD_STEPS,
    [VR_KING] = STRAIGHT | DIAGONAL,
    [VR_TOKIN] = GOLD_STEPS,
    [VR_PROMOTED_LANCE] = GOLD_STEPS,
    [VR_PROMOTED_KNIGHT] = GOLD_STEPS,
    [VR_PROMOTED_SILVER] = GOLD_STEPS,
    [VR_HORSE] = STRAIGHT,
    [VR_DRAGON] = DIAGONAL,
};
static const int slides[VR_KINDS] = {
    [VR_LANCE] = 1 << AHEAD, [VR_BISHOP] = DIAGONAL, [VR_ROOK] = STRAIGHT,
    [VR_HORSE] = DIAGONAL,   [VR_DRAGON] = STRAIGHT,
};

static const int set_size[VR_KING + 1] = {0, 18, 4, 4, 4, 2, 2, 4, 2};

/* ---- Small words ---- */

static bool on_board(int row, int column) {
    return row >= 0 && row < 9 && column >= 0 && column < 9;
}

static struct vr_square square_at(int row, int column) {
    return (struct vr_square){row, column};
}

static int kind_of(int piece) {
    return piece < 0 ? -piece : piece;
}

static bool belongs_to(int piece, enum vr_color color) {
    return color == VR_BLACK ? piece > 0 : piece < 0;
}

static int8_t piece_of(int kind, enum vr_color color) {
    return (int8_t)(color == VR_BLACK ? kind : -kind);
}

static enum vr_color side_of(const struct vr_position *position) {
    return (enum vr_color)position->side;
}

/* From the board's directions to the colour's own, and back. */
static int turned(int direction, enum vr_color color) {
    return color == VR_BLACK ? direction : (direction + DIRECTIONS / 2) % DIRECTIONS;
}

static int base_kind(int kind) {
    return kind > VR_KING ? kind - VR_PROMOTION : kind;
}

/* 0 is the far rank of the colour, 8 its own back rank. */
static int rank_from_far(int row, enum vr_color color) {
    return color == VR_BLACK ? row : 8 - row;
}

static bool in_zone(int row, enum vr_color color) {
    return rank_from_far(row, color) < 3;
}

/* A piece that could never move again from that row. */
static bool is_dead(int kind, int row, enum vr_color color) {
    int rank = rank_from_far(row, color);
    return ((kind == VR_PAWN || kind == VR_LANCE) && rank == 0) || (kind == VR_KNIGHT && rank < 2);
}

static bool has_pawn_on_file(const struct vr_position *position, int column, enum vr_color color) {
    for (int row = 0; row < 9; row++)
        if (position->board[row][column] == piece_of(VR_PAWN, color))
            return true;
    return false;
}

/* ---- Attacks ---- */

static bool attacked_by_knight(const struct vr_position *position, struct vr_square square, enum vr_color by) {
    int row = square.row + (by == VR_BLACK ? 2 : -2); /* where the knight would stand */
    for (int column = square.column - 1; column <= square.column + 1; column += 2)
        if (on_board(row, column) && position->board[row][column] == piece_of(VR_KNIGHT, by))
            return true;
    return false;
}

/* Looks from the square in one direction to the first piece: does it attack back along that line? */
static bool attacked_along(const struct vr_position *position, struct vr_square square, enum vr_color by,
                           int direction) {
    int row = square.row, column = square.column, distance = 0;
    do {
        row += row_step[direction];
        column += column_step[direction];
        distance++;
    } while (on_board(row, column) && position->board[row][column] == VR_NONE);
    if (!on_board(row, column) || !belongs_to(position->board[row][column], by))
        return false;
    int kind = kind_of(position->board[row][column]);
    int towards =
        1 << turned((direction + DIRECTIONS / 2) % DIRECTIONS, by); /* from the piece to the square, as `by` sees it */
    return (slides[kind] & towards) != 0 || (distance == 1 && (steps[kind] & towards) != 0);
}

bool vr_attacked(const struct vr_position *position, struct vr_square square, enum vr_color by) {
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (attacked_along(position, square, by, direction))
            return true;
    return attacked_by_knight(position, square, by);
}

bool vr_find_king(const struct vr_position *position, enum vr_color color, struct vr_square *square) {
    const int8_t *board = position->board[0],
                 *king = memchr(board, (uint8_t)piece_of(VR_KING, color), sizeof position->board);
    if (king)
        *square = square_at((int)(king - board) / 9, (int)(king - board) % 9);
    return king != NULL;
}

static bool king_attacked(const struct vr_position *position, enum vr_color color) {
    struct vr_square king;
    return vr_find_king(position, color, &king) && vr_attacked(position, king, vr_other(color));
}

bool vr_in_check(const struct vr_position *position) {
    return king_attacked(position, side_of(position));
}

/* ---- Making a move ---- */

struct vr_position vr_after(const struct vr_position *position, const struct vr_move *move) {
    struct vr_position after = *position;
    enum vr_color side = side_of(position);
    if (move->drop) {
        after.hand[side][move->kind]--;
    } else {
        int captured = kind_of(position->board[move->to.row][move->to.column]);
        if (captured != VR_NONE && captured != VR_KING)
            after.hand[side][base_kind(captured)]++;
        after.board[move->from.row][move->from.column] = VR_NONE;
    }
    after.board[move->to.row][move->to.column] = piece_of(move->kind + (move->promote ? VR_PROMOTION : 0), side);
    after.side = (int8_t)vr_other(side);
    return after;
}

/* ---- Moves as the pieces go, kings left aside ---- */

struct move_list {
    struct vr_move *moves;
    int count;
};

static void add_move(struct move_list *list, struct vr_move move) {
    if (list->count < VR_MAX_MOVES)
        list->moves[list->count++] = move;
}

static void add_board_move(struct move_list *list, const struct vr_position *position, struct vr_square from, int row,
                           int column) {
    enum vr_color side = side_of(position);
    struct vr_move move = {.from = from, .to = square_at(row, column)};
    move.kind = kind_of(position->board[from.row][from.column]);
    if (move.kind <= VR_ROOK && (in_zone(from.row, side) || in_zone(row, side))) {
        move.promote = true;
        add_move(list, move);
    }
    move.promote = false;
    if (!is_dead(move.kind, row, side))
        add_move(list, move);
}

/* Whether a piece of the side to move may go to the square: on the board, and none of his own there. The other king is
 * no piece to take: in a legal position it is never attacked. */
static bool may_enter(const struct vr_position *position, int row, int column) {
    return on_board(row, column) && !belongs_to(position->board[row][column], side_of(position)) &&
           kind_of(position->board[row][column]) != VR_KING;
}

static void add_line(struct move_list *list, const struct vr_position *position, struct vr_square from, int direction,
                     bool slide) {
    int row = from.row, column = from.column;
    do {
        row += row_step[direction];
        column += column_step[direction];
        if (!may_enter(position, row, column))
            return;
        add_board_move(list, position, from, row, column);
    } while (slide && position->board[row][column] == VR_NONE);
}

static void add_moves_of(struct move_list *list, const struct vr_position *position, struct vr_square from) {
    enum vr_color side = side_of(position);
    int kind = kind_of(position->board[from.row][from.column]);
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int as_seen = 1 << turned(direction, side);
        if ((slides[kind] & as_seen) != 0)
            add_line(list, position, from, direction, true);
        else if ((steps[kind] & as_seen) != 0)
            add_line(list, position, from, direction, false);
    }
    if (kind == VR_KNIGHT) {
        int row = from.row + (side == VR_BLACK ? -2 : 2);
        for (int column = from.column - 1; column <= from.column + 1; column += 2)
            if (may_enter(position, row, column))
                add_board_move(list, position, from, row, column);
    }
}

static void add_drops_on(struct move_list *list, const struct vr_position *position, int row, int column) {
    enum vr_color side = side_of(position);
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++) {
        if (position->hand[side][kind] == 0 || is_dead(kind, row, side))
            continue;
        if (kind == VR_PAWN && has_pawn_on_file(position, column, side))
            continue; /* nifu */
        add_move(list, (struct vr_move){.to = square_at(row, column), .kind = kind, .drop = true});
    }
}

/* Is the square in one line with the king of that colour, or a knight's jump away? Only there can a drop stop a check, or give one. */
static bool concerns_king(const struct vr_position *position, enum vr_color color, int row, int column) {
    struct vr_square king;
    if (!vr_find_king(position, color, &king))
        return false;
    int rows = abs(row - king.row), columns = abs(column - king.column);
    return rows == 0 || columns == 0 || rows == columns || (rows == 2 && columns == 1);
}

/* Would a piece dropped on the empty square, whatever its kind, end all checks to the side to move? Most drops in check
 * are no answer, and this tells for all kinds at once. */
static bool shields_king(const struct vr_position *position, int row, int column) {
    if (!concerns_king(position, side_of(position), row, column))
        return false;
    struct vr_position with_piece = *position;
    with_piece.board[row][column] = piece_of(VR_GOLD, side_of(position));
    return !king_attacked(&with_piece, side_of(position));
}

/* checks_only: drops that cannot give check may be left out. */
static int list_moves(const struct vr_position *position, struct vr_move moves[VR_MAX_MOVES], bool checks_only) {
    struct move_list list = {moves, 0};
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            if (belongs_to(position->board[row][column], side_of(position)))
                add_moves_of(&list, position, square_at(row, column));
    bool in_check = vr_in_check(position);
    enum vr_color other = vr_other(side_of(position));
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            if (position->board[row][column] == VR_NONE &&
                (!checks_only || concerns_king(position, other, row, column)) &&
                (!in_check || shields_king(position, row, column)))
                add_drops_on(&list, position, row, column);
    return list.count;
}

/* ---- Legality ---- */

/* Of a move that a piece can make, with the position after it: the mover's king is safe, and it is no pawn drop that
 * mates at once (uchifuzume). */
static bool allowed(const struct vr_position *position, const struct vr_move *move, const struct vr_position *after) {
    if (king_attacked(after, side_of(position)))
        return false;
    return !(move->drop && move->kind == VR_PAWN && vr_is_mate(after));
}

bool vr_is_mate(const struct vr_position *position) {
    return vr_in_check(position) && !vr_has_legal_move(position);
}

bool vr_has_legal_move(const struct vr_position *position) {
    struct vr_move moves[VR_MAX_MOVES];
    int count = list_moves(position, moves, false);
    for (int i = 0; i < count; i++) {
        struct vr_position after = vr_after(position, &moves[i]);
        if (allowed(position, &moves[i], &after))
            return true;
    }
    return false;
}

static int list_allowed(const struct vr_position *position, struct vr_move moves[VR_MAX_MOVES], bool checks_only) {
    int count = list_moves(position, moves, checks_only), kept = 0;
    for (int i = 0; i < count; i++) {
        struct vr_position after = vr_after(position, &moves[i]);
        if ((!checks_only || vr_in_check(&after)) && allowed(position, &moves[i], &after))
            moves[kept++] = moves[i];
    }
    return kept;
}

int vr_legal_moves(const struct vr_position *position, struct vr_move moves[VR_MAX_MOVES]) {
    return list_allowed(position, moves, false);
}

int vr_checking_moves(const struct vr_position *position, struct vr_move moves[VR_MAX_MOVES]) {
    return list_allowed(position, moves, true);
}

bool vr_is_legal(const struct vr_position *position, const struct vr_move *move) {
    struct vr_move moves[VR_MAX_MOVES];
    int count = list_moves(position, moves, false);
    for (int i = 0; i < count; i++)
        if (vr_move_equal(&moves[i], move)) {
            struct vr_position after = vr_after(position, move);
            return allowed(position, move, &after);
        }
    return false;
}

bool vr_gives_check(const struct vr_position *position, const struct vr_move *move) {
    struct vr_position after = vr_after(position, move);
    return vr_in_check(&after);
}

bool vr_equal(const struct vr_position *a, const struct vr_position *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- Legal positions ---- */

static bool too_many_pieces(const struct vr_position *position) {
    int count[VR_KING + 1] = {0};
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            count[base_kind(kind_of(position->board[row][column]))]++;
    for (int kind = VR_PAWN; kind <= VR_KING; kind++) {
        if (kind < VR_KING)
            count[kind] += position->hand[VR_BLACK][kind] + position->hand[VR_WHITE][kind];
        if (count[kind] > set_size[kind])
            return true;
    }
    return false;
}

static int count_on_board(const struct vr_position *position, int piece) {
    int count = 0;
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            count += position->board[row][column] == piece;
    return count;
}

static bool has_nifu(const struct vr_position *position) {
    for (int column = 0; column < 9; column++) {
        int pawns[2] = {0, 0};
        for (int row = 0; row < 9; row++)
            if (kind_of(position->board[row][column]) == VR_PAWN)
                pawns[position->board[row][column] < 0]++;
        if (pawns[VR_BLACK] > 1 || pawns[VR_WHITE] > 1)
            return true;
    }
    return false;
}

static bool has_dead_piece(const struct vr_position *position) {
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++) {
            int8_t piece = position->board[row][column];
            if (is_dead(kind_of(piece), row, piece < 0 ? VR_WHITE : VR_BLACK))
                return true;
        }
    return false;
}

const char *vr_position_fault(const struct vr_position *position) {
    int black_kings = count_on_board(position, VR_KING), white_kings = count_on_board(position, -VR_KING);
    if (black_kings > 1 || white_kings > 1)
        return _("two kings of one side");
    if (black_kings + white_kings == 0)
        return _("no king");
    if (too_many_pieces(position))
        return _("more pieces than a set has");
    if (has_nifu(position))
        return _("two unpromoted pawns of one side on a file");
    if (has_dead_piece(position))
        return _("a piece that could never move");
    if (king_attacked(position, vr_other(side_of(position))))
        return _("the side not to move is in check");
    return NULL;
}

/* ---- Notation ---- */

/* Index by kind; a space where a kind has no letter of its own. */
static const char letters[] = " PLNSBRGK";

static int kind_of_letter(char letter) {
    const char *found = letter != '\0' && letter != ' ' ? strchr(letters, toupper((unsigned char)letter)) : NULL;
    return found ? (int)(found - letters) : VR_NONE;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_blanks(const char *text) {
    while (is_blank(*text))
        text++;
    return text;
}

/* One piece with its + and letter; NULL if there is none. */
static const char *read_piece(const char *text, int8_t *piece) {
    bool promoted = *text == '+';
    text += promoted;
    int kind = kind_of_letter(*text);
    if (kind == VR_NONE || (promoted && kind > VR_ROOK))
        return NULL;
    *piece = piece_of(kind + (promoted ? VR_PROMOTION : 0), isupper((unsigned char)*text) ? VR_BLACK : VR_WHITE);
    return text + 1;
}

static const char *read_row(const char *text, int8_t row[9]) {
    for (int column = 0; column < 9;) {
        if (*text >= '1' && *text <= '9') {
            column += *text++ - '0'; /* the squares are empty already */
            if (column > 9)
                return NULL;
        } else {
            text = read_piece(text, &row[column++]);
            if (!text)
                return NULL;
        }
    }
    return text;
}

static const char *read_board(const char *text, struct vr_position *position) {
    for (int row = 0; row < 9; row++) {
        if (row > 0 && *text++ != '/')
            return NULL;
        text = read_row(text, position->board[row]);
        if (!text)
            return NULL;
    }
    return text;
}

static const char *read_hands(const char *text, struct vr_position *position) {
    if (*text == '-')
        return text + 1;
    do {
        int number = 0;
        bool counted = *text >= '0' && *text <= '9';
        while (*text >= '0' && *text <= '9' && number < 100)
            number = number * 10 + (*text++ - '0');
        int kind = kind_of_letter(*text);
        if (kind == VR_NONE || kind == VR_KING || (counted && number == 0))
            return NULL;
        int8_t *count = &position->hand[isupper((unsigned char)*text) ? VR_BLACK : VR_WHITE][kind];
        int sum = *count + (counted ? number : 1);
        if (sum > 18)
            return NULL;
        *count = (int8_t)sum;
        text++;
    } while (*text != '\0' && !is_blank(*text));
    return text;
}

size_t vr_read_sfen(const char *text, struct vr_position *position) {
    const char *start = text;
    memset(position, 0, sizeof *position);
    text = read_board(skip_blanks(text), position);
    if (!text || !is_blank(*text))
        return 0;
    text = skip_blanks(text);
    if (*text != 'b' && *text != 'w')
        return 0;
    position->side = (int8_t)(*text == 'b' ? VR_BLACK : VR_WHITE);
    if (!is_blank(text[1]))
        return 0;
    text = read_hands(skip_blanks(text + 1), position);
    if (!text || (*text != '\0' && !is_blank(*text)))
        return 0;
    text = skip_blanks(text);
    const char *number = text;
    while (*text >= '0' && *text <= '9')
        text++;
    if (*text != '\0' && !is_blank(*text))
        text = number; /* not a number: left to the caller */
    return (size_t)(skip_blanks(text) - start);
}

static char *write_piece(char *out, int piece) {
    int kind = kind_of(piece);
    if (kind > VR_KING)
        *out++ = '+';
    char letter = letters[base_kind(kind)];
    *out++ = piece < 0 ? (char)tolower((unsigned char)letter) : letter;
    return out;
}

static char *write_row(char *out, const int8_t row[9]) {
    for (int column = 0; column < 9;) {
        int empty = 0;
        while (column < 9 && row[column] == VR_NONE)
            empty++, column++;
        if (empty > 0)
            *out++ = (char)('0' + empty);
        if (column < 9)
            out = write_piece(out, row[column++]);
    }
    return out;
}

static char *write_hand(char *out, const struct vr_position *position, enum vr_color color) {
    static const int order[] = {VR_ROOK, VR_BISHOP, VR_GOLD, VR_SILVER, VR_KNIGHT, VR_LANCE, VR_PAWN};
    for (int i = 0; i < 7; i++) {
        int8_t count = position->hand[color][order[i]];
        if (count >= 10)
            *out++ = (char)('0' + count / 10 % 10);
        if (count > 1)
            *out++ = (char)('0' + count % 10);
        if (count > 0)
            out = write_piece(out, piece_of(order[i], color));
    }
    return out;
}

void vr_write_sfen(const struct vr_position *position, char text[VR_SFEN_SIZE]) {
    char *out = text;
    for (int row = 0; row < 9; row++) {
        if (row > 0)
            *out++ = '/';
        out = write_row(out, position->board[row]);
    }
    *out++ = ' ';
    *out++ = position->side == VR_BLACK ? 'b' : 'w';
    *out++ = ' ';
    char *hands = out;
    out = write_hand(out, position, VR_BLACK);
    out = write_hand(out, position, VR_WHITE);
    if (out == hands)
        *out++ = '-';
    memcpy(out, " 1", 3);
}

bool vr_move_equal(const struct vr_move *a, const struct vr_move *b) {
    return a->from.row == b->from.row && a->from.column == b->from.column && a->to.row == b->to.row &&
           a->to.column == b->to.column && a->kind == b->kind && a->drop == b->drop && a->promote == b->promote;
}

static bool read_square(const char *text, struct vr_square *square) {
    if (text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i')
        return false;
    *square = square_at(text[1] - 'a', '9' - text[0]);
    return true;
}

size_t vr_read_move(const char *text, const struct vr_position *position, struct vr_move *move) {
    memset(move, 0, sizeof *move);
    if (text[0] != '\0' && text[1] == '*') {
        int kind = isupper((unsigned char)text[0]) ? kind_of_letter(text[0]) : VR_NONE;
        if (kind == VR_NONE || kind == VR_KING || !read_square(text + 2, &move->to))
            return 0;
        move->kind = kind;
        move->drop = true;
        return 4;
    }
    if (!read_square(text, &move->from) || !read_square(text + 2, &move->to))
        return 0;
    move->kind = kind_of(position->board[move->from.row][move->from.column]);
    if (move->kind == VR_NONE)
        return 0;
    move->promote = text[4] == '+';
    return move->promote ? 5 : 4;
}

void vr_write_move(const struct vr_move *move, char text[VR_MOVE_SIZE]) {
    char from[3] = {letters[base_kind(move->kind)], '*', '\0'};
    if (!move->drop) {
        from[0] = (char)('9' - move->from.column);
        from[1] = (char)('a' + move->from.row);
    }
    text[0] = from[0];
    text[1] = from[1];
    text[2] = (char)('9' - move->to.column);
    text[3] = (char)('a' + move->to.row);
    text[4] = move->promote ? '+' : '\0';
    text[5] = '\0';
}
