#include "solver/draw.h"

#include "rules/language.h"
#include "solver/draw_board.h"
#include "solver/draw_book.h"
#include "solver/draw_surface.h"

#include <cairo-svg.h>

/* ---- Fonts --------------------------------------------------------------------------------------------------------- */

/* Everything that a diagram and a move are made of. */
static const char NEEDED[] =
    "歩香桂銀角飛金玉と杏圭全馬龍一二三四五六七八九十☗☖持駒なし残り全部▲△同成不打左右直上寄引手詰目まで攻方受先【】";

static const char *find_font(const char *font) {
    struct pen pen;
    pen_begin(&pen, NULL, font);
    bool lacks = pen_lacks(&pen, NEEDED) > 0;
    pen_end(&pen);
    return lacks ? _("no font has all the Japanese characters needed") : NULL;
}

/* ---- SVG ----------------------------------------------------------------------------------------------------------- */

/* Points. */
static const double SQUARE = 30, TEXT = 14, LEADING = 22, MARGIN = 14;

static void place_line(void *context, double *x, double *y) {
    double *next_y = context;
    *x = MARGIN;
    *y = *next_y;
    *next_y += LEADING;
}

/* Writes the solution from the height y on; returns where it ends. */
static double write_solution(struct pen *pen, const char *solution, double y) {
    if (*solution)
        pen_paragraph(pen, solution, TEXT, BOARD_WIDTH * SQUARE, place_line, &y);
    return y;
}

static double height_for(const struct draw_diagram *diagram, const char *font) {
    struct pen pen;
    pen_begin(&pen, NULL, font);
    double height = write_solution(&pen, diagram->solution, MARGIN + BOARD_HEIGHT * SQUARE) + MARGIN;
    pen_end(&pen);
    return height;
}

static size_t draw_single(cairo_t *cairo, const char *font, const struct draw_diagram *diagram) {
    struct pen pen;
    pen_begin(&pen, cairo, font);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_set_source_rgb(cairo, 0, 0, 0);
    board_draw(&pen, diagram, MARGIN, MARGIN, SQUARE);
    write_solution(&pen, diagram->solution, MARGIN + BOARD_HEIGHT * SQUARE);
    pen_end(&pen);
    return pen.missing;
}

static const char *write_svg(FILE *out, const char *font, const struct draw_diagram *diagram, size_t *missing) {
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(
        surface_write, out, BOARD_WIDTH * SQUARE + 2 * MARGIN, height_for(diagram, font));
    cairo_t *cairo = cairo_create(surface);
    *missing = draw_single(cairo, font, diagram);
    return surface_finish(cairo, surface);
}

const struct draw_module draw_module = {find_font, write_svg, book_begin, book_add, book_end};
