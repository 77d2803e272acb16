#include "bench/plot.h"

#include "bench/numbers.h"
#include "solver/draw_surface.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Points, of the frame around the curves, and of what stands around it: as wide as the text of an A4 page, so that it can be printed as it is.
 * The legend below takes a line a curve. */
static const double LEFT = 58, RIGHT = 500, TOP = 14, BOTTOM = 300, MARGIN = 20;
static const double AXIS_ROOM = 44, LEGEND_LINE = 16, LEGEND_SAMPLE = 28;
static const double TEXT = 11, TICK = 4;

/* Told apart by the colour-blind (Okabe & Ito 2008), and by their dashes where there is no colour. */
static const double COLORS[][3] = {{0, .45, .70}, {.84, .37, 0},   {0, .62, .45}, {.80, .47, .65},
                                   {.90, .62, 0}, {.34, .71, .91}, {0, 0, 0},     {.55, .55, .35}};
static const double DASHES[][4] = {{1, 0, 1, 0}, {7, 3, 7, 3}, {2, 2, 2, 2}, {9, 3, 2, 3}};
enum { COLOR_COUNT = sizeof COLORS / sizeof *COLORS, DASH_COUNT = sizeof DASHES / sizeof *DASHES };

struct plot {
    cairo_t *cairo;
    double first, last; /* of the axis of time: powers of ten */
    double end;         /* of the curves: the longest time of all, in seconds */
    double problems;    /* the axis of problems goes a little beyond them */
};

static double x_of(const struct plot *plot, double seconds) {
    double share = (log10(seconds) - plot->first) / (plot->last - plot->first);
    return LEFT + fmin(fmax(share, 0), 1) * (RIGHT - LEFT);
}

static double y_of(const struct plot *plot, double solved) {
    return BOTTOM - solved / (1.04 * plot->problems) * (BOTTOM - TOP);
}

/* ---- Axes ---------------------------------------------------------------------------------------------------------- */

static void set_gray(const struct plot *plot, double light) {
    cairo_set_source_rgb(plot->cairo, light, light, light);
}

static void draw_line(const struct plot *plot, double x0, double y0, double x1, double y1) {
    cairo_move_to(plot->cairo, x0, y0);
    cairo_line_to(plot->cairo, x1, y1);
    cairo_stroke(plot->cairo);
}

/* Text at a point: `along` says which share of its width lies left of it. */
static void draw_text(const struct plot *plot, const char *text, double x, double y, double along) {
    cairo_text_extents_t extents;
    cairo_text_extents(plot->cairo, text, &extents);
    cairo_move_to(plot->cairo, x - along * extents.x_advance, y);
    cairo_show_text(plot->cairo, text);
}

/* "0.001", "1", "100" */
static void draw_time(const struct plot *plot, int power) {
    char label[32];
    snprintf(label, sizeof label, "%.*f", power < 0 ? -power : 0, pow(10, power));
    set_gray(plot, .15);
    draw_text(plot, label, x_of(plot, pow(10, power)), BOTTOM + TICK + TEXT + 2, .5);
}

static void draw_time_axis(const struct plot *plot) {
    for (int power = (int)plot->first; power <= (int)plot->last; power++) {
        double x = x_of(plot, pow(10, power));
        cairo_set_line_width(plot->cairo, .5);
        set_gray(plot, .85);
        draw_line(plot, x, TOP, x, BOTTOM);
        set_gray(plot, .3);
        draw_line(plot, x, BOTTOM, x, BOTTOM + TICK);
        for (int digit = 2; digit <= 9 && power < (int)plot->last; digit++) {
            double between = x_of(plot, digit * pow(10, power));
            draw_line(plot, between, BOTTOM, between, BOTTOM + TICK / 2);
        }
        draw_time(plot, power);
    }
    draw_text(plot, "time per problem, seconds", (LEFT + RIGHT) / 2, BOTTOM + 36, .5);
}

/* 1, 2 or 5 times a power of ten, so that there are about five steps. */
static double step_for(double problems) {
    double power = pow(10, floor(log10(problems / 5)));
    double digit = problems / 5 / power;
    return fmax(1, power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10));
}

static void draw_count_axis(const struct plot *plot) {
    double step = step_for(plot->problems);
    for (int i = 0; i * step <= plot->problems; i++) {
        double y = y_of(plot, i * step);
        char label[32];
        snprintf(label, sizeof label, "%.0f", i * step);
        cairo_set_line_width(plot->cairo, .5);
        set_gray(plot, .85);
        draw_line(plot, LEFT, y, RIGHT, y);
        set_gray(plot, .15);
        draw_text(plot, label, LEFT - TICK - 3, y + TEXT * .35, 1);
    }
    cairo_save(plot->cairo);
    cairo_translate(plot->cairo, 16, (TOP + BOTTOM) / 2);
    cairo_rotate(plot->cairo, -M_PI / 2);
    draw_text(plot, "problems solved", 0, 0, .5);
    cairo_restore(plot->cairo);
}

static void draw_frame(const struct plot *plot) {
    set_gray(plot, .3);
    cairo_set_line_width(plot->cairo, .8);
    cairo_rectangle(plot->cairo, LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
    cairo_stroke(plot->cairo);
}

/* ---- Curves -------------------------------------------------------------------------------------------------------- */

static void set_pen(const struct plot *plot, size_t curve) {
    const double *color = COLORS[curve % COLOR_COUNT];
    cairo_set_source_rgb(plot->cairo, color[0], color[1], color[2]);
    cairo_set_line_width(plot->cairo, 1.6);
    cairo_set_dash(plot->cairo, DASHES[curve % DASH_COUNT], curve % DASH_COUNT ? 4 : 0, 0);
}

static void draw_curve(const struct plot *plot, const struct plot_curve *curve, size_t number) {
    if (curve->count == 0)
        return;
    set_pen(plot, number);
    cairo_move_to(plot->cairo, x_of(plot, curve->seconds[0]), y_of(plot, 0));
    for (size_t i = 0; i < curve->count; i++) {
        double x = x_of(plot, curve->seconds[i]);
        cairo_line_to(plot->cairo, x, y_of(plot, (double)i));
        cairo_line_to(plot->cairo, x, y_of(plot, (double)i + 1));
    }
    cairo_line_to(plot->cairo, x_of(plot, plot->end), y_of(plot, (double)curve->count));
    cairo_stroke(plot->cairo);
}

/* A line a curve: how it is drawn, its name, how many problems it solved. */
static void draw_legend(const struct plot *plot, const struct plot_curve *curves, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char label[128];
        double y = BOTTOM + AXIS_ROOM + ((double)i + .5) * LEGEND_LINE;
        snprintf(label, sizeof label, "%s: %zu solved", curves[i].name, curves[i].count);
        set_pen(plot, i);
        draw_line(plot, LEFT, y, LEFT + LEGEND_SAMPLE, y);
        set_gray(plot, .15);
        draw_text(plot, label, LEFT + LEGEND_SAMPLE + 6, y + TEXT * .35, 0);
    }
}

/* ---- The picture --------------------------------------------------------------------------------------------------- */

/* The powers of ten around all times; never less than one step. */
static void fit_time(struct plot *plot, const struct plot_curve *curves, size_t count) {
    static const double LEAST = 1e-4; /* seconds: below it is all one */
    double least = 1, most = LEAST;
    for (size_t i = 0; i < count; i++) {
        if (curves[i].count == 0)
            continue;
        least = fmin(least, curves[i].seconds[0]);
        most = fmax(most, curves[i].seconds[curves[i].count - 1]);
    }
    plot->end = most;
    plot->first = floor(log10(fmax(least, LEAST)));
    plot->last = fmax(ceil(log10(most)), plot->first + 1);
}

static void draw(const struct plot *plot, const struct plot_curve *curves, size_t count) {
    set_gray(plot, 1);
    cairo_paint(plot->cairo);
    cairo_select_font_face(plot->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(plot->cairo, TEXT);
    cairo_set_line_join(plot->cairo, CAIRO_LINE_JOIN_ROUND);
    draw_count_axis(plot);
    draw_time_axis(plot);
    draw_frame(plot);
    for (size_t i = count; i-- > 0;)
        draw_curve(plot, &curves[i], i); /* the first one on top */
    draw_legend(plot, curves, count);
}

static const char *plot_write(const char *path, struct plot_curve *curves, size_t curve_count, size_t problems) {
    for (size_t i = 0; i < curve_count; i++)
        numbers_sort(curves[i].seconds, curves[i].count);
    double height = BOTTOM + AXIS_ROOM + (double)curve_count * LEGEND_LINE + MARGIN / 2;
    cairo_surface_t *surface = cairo_svg_surface_create(path, RIGHT + MARGIN, height);
    struct plot plot = {.cairo = cairo_create(surface), .problems = problems > 0 ? (double)problems : 1};
    fit_time(&plot, curves, curve_count);
    draw(&plot, curves, curve_count);
    const char *trouble = surface_finish(plot.cairo, surface);
    cairo_debug_reset_static_data(); /* the fonts that it keeps */
    return trouble;
}

const struct plot_module plot_module = {plot_write};
