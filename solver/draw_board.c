#include "solver/draw_board.h"

#include <math.h>
#include <string.h>

/* All measures are widths of a square of the board, which is a little higher than wide:
 *
 *      name        length
 *        9 8 7 … 2 1
 *     ☖ +-----------+    ☗
 *     持|           |一  持
 *     駒|           |二  駒
 *       +-----------+
 *      caption     author
 */
static const double SQUARE_HEIGHT = 1.08;
static const double HEADING_Y = .5, FILE_Y = 1.28, CAPTION_Y = 12;         /* the middles of lines, */
static const double LEFT_HAND_X = .55, RANK_X = 10.6, RIGHT_HAND_X = 11.4; /* and of columns */
static const double BOARD_LEFT = 1.2, BOARD_TOP = 1.68;
static const double PIECE = .84, LABEL = .52, HAND = .68, HEADING = .72, CAPTION = .56; /* sizes of text */
static const double FRAME = .09, LINE = .028, DOT = .085;
static const double SPACE = .5; /* between words of a line */

const double BOARD_WIDTH = 12, BOARD_HEIGHT = 12.6;

static double board_bottom(void) {
    return BOARD_TOP + DRAW_SIDE * SQUARE_HEIGHT;
}

/* ---- The board ----------------------------------------------------------------------------------------------------- */

/* Where a square begins. */
static double left_of(int square) {
    int column = square % DRAW_SIDE;
    return BOARD_LEFT + column;
}
static double top_of(int square) {
    int row = square / DRAW_SIDE;
    return BOARD_TOP + row * SQUARE_HEIGHT;
}

static void shade_square(cairo_t *cairo, int square) {
    if (square == DRAW_NO_SQUARE)
        return;
    cairo_set_source_rgb(cairo, .8, .8, .8);
    cairo_rectangle(cairo, left_of(square), top_of(square), 1, SQUARE_HEIGHT);
    cairo_fill(cairo);
    cairo_set_source_rgb(cairo, 0, 0, 0);
}

static void draw_lines(cairo_t *cairo) {
    for (int i = 1; i < DRAW_SIDE; i++) {
        cairo_move_to(cairo, BOARD_LEFT + i, BOARD_TOP);
        cairo_line_to(cairo, BOARD_LEFT + i, board_bottom());
        cairo_move_to(cairo, BOARD_LEFT, BOARD_TOP + i * SQUARE_HEIGHT);
        cairo_line_to(cairo, BOARD_LEFT + DRAW_SIDE, BOARD_TOP + i * SQUARE_HEIGHT);
    }
    cairo_set_line_width(cairo, LINE);
    cairo_stroke(cairo);
    cairo_rectangle(cairo, BOARD_LEFT, BOARD_TOP, DRAW_SIDE, DRAW_SIDE * SQUARE_HEIGHT);
    cairo_set_line_width(cairo, FRAME);
    cairo_stroke(cairo);
}

/* Where the promotion zones end. */
static void draw_dots(cairo_t *cairo) {
    for (int column = 3; column <= 6; column += 3) {
        for (int row = 3; row <= 6; row += 3) {
            cairo_arc(cairo, BOARD_LEFT + column, BOARD_TOP + row * SQUARE_HEIGHT, DOT, 0, 2 * M_PI);
            cairo_fill(cairo);
        }
    }
}

static void write_labels(struct pen *pen, bool flipped) {
    static const char *const FILES[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"}, *const RANKS[] = {
                                                                                          "一", "二", "三", "四", "五",
                                                                                          "六", "七", "八", "九"};
    for (int i = 0; i < DRAW_SIDE; i++) {
        int file = flipped ? i : DRAW_SIDE - 1 - i, rank = flipped ? DRAW_SIDE - 1 - i : i;
        pen_character(pen, FILES[file], LABEL, BOARD_LEFT + i + .5, FILE_Y, false);
        pen_character(pen, RANKS[rank], LABEL, RANK_X, BOARD_TOP + (i + .5) * SQUARE_HEIGHT, false);
    }
}

static void write_pieces(struct pen *pen, const struct draw_square *squares) {
    for (int i = 0; i < DRAW_SIDE * DRAW_SIDE; i++)
        if (*squares[i].kanji)
            pen_character(pen, squares[i].kanji, PIECE, left_of(i) + .5, top_of(i) + SQUARE_HEIGHT / 2,
                          squares[i].turned);
}

/* ---- The hands ----------------------------------------------------------------------------------------------------- */

static const char GAP[] = "　";

/* How far the next character is below this one, in sizes of a character. */
static double step_below(const char *character) {
    static const double STEP = 1.06, GAP_STEP = .3;
    return strncmp(character, GAP, strlen(GAP)) == 0 ? GAP_STEP : STEP;
}

static double height_of(const char *text) {
    double height = 0;
    for (; *text; text = g_utf8_next_char(text))
        height += step_below(text);
    return height;
}

/* Writes downwards from the height y; returns where it ends. */
static double write_downwards(struct pen *pen, const char *text, double size, double x, double y) {
    for (; *text; text = g_utf8_next_char(text)) {
        char character[8] = "";
        memcpy(character, text, (size_t)(g_utf8_next_char(text) - text));
        pen_character(pen, character, size, x, y + size / 2, false);
        y += step_below(text) * size;
    }
    return y;
}

/* A full hand is made smaller until it is no longer than the board. */
static void write_hand(struct pen *pen, const struct draw_hand *hand, double x) {
    static const double AFTER_LABEL = .6;
    if (!hand->label)
        return;
    double height = height_of(hand->label) + AFTER_LABEL + height_of(hand->pieces);
    double size = fmin(HAND, DRAW_SIDE * SQUARE_HEIGHT / height);
    double y = write_downwards(pen, hand->label, size, x, BOARD_TOP);
    write_downwards(pen, hand->pieces, size, x, y + AFTER_LABEL * size);
}

/* ---- The words around it ------------------------------------------------------------------------------------------- */

/* Writes words at both ends of a line: these whole, the others in the room that is left. */
static void write_ends(struct pen *pen, const char *whole, PangoAlignment its_end, const char *others, double size,
                       double y) {
    double taken = pen_line(pen, whole, size, BOARD_LEFT, y, DRAW_SIDE, its_end);
    double room = DRAW_SIDE - (taken > 0 ? taken + SPACE : 0);
    if (room < size)
        return;
    if (its_end == PANGO_ALIGN_RIGHT)
        pen_line(pen, others, size, BOARD_LEFT, y, room, PANGO_ALIGN_LEFT);
    else
        pen_line(pen, others, size, BOARD_LEFT + DRAW_SIDE - room, y, room, PANGO_ALIGN_RIGHT);
}

void board_draw(struct pen *pen, const struct draw_diagram *diagram, double x, double y, double square) {
    cairo_save(pen->cairo);
    cairo_translate(pen->cairo, x, y);
    cairo_scale(pen->cairo, square, square);
    shade_square(pen->cairo, diagram->marked);
    draw_lines(pen->cairo);
    draw_dots(pen->cairo);
    write_labels(pen, diagram->flipped);
    write_pieces(pen, diagram->squares);
    write_hand(pen, &diagram->left, LEFT_HAND_X);
    write_hand(pen, &diagram->right, RIGHT_HAND_X);
    write_ends(pen, diagram->length, PANGO_ALIGN_RIGHT, diagram->name, HEADING, HEADING_Y);
    write_ends(pen, diagram->caption, PANGO_ALIGN_LEFT, diagram->author, CAPTION, CAPTION_Y);
    cairo_restore(pen->cairo);
}
