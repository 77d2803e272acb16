/* draw_text.h: writing on a cairo surface by pango, in Japanese. */
#ifndef TSUME_SOLVER_DRAW_TEXT_H
#define TSUME_SOLVER_DRAW_TEXT_H

#include <pango/pangocairo.h>
#include <stdbool.h>

/* What text is written with. */
struct pen {
    cairo_t *cairo;
    PangoLayout *layout; /* of the text being written */
    PangoFontDescription *font;
    size_t missing; /* characters that no font has: boxes were drawn for them */
};

/* A pen for a surface; font as in draw.h. NULL as cairo: for measuring only, nothing is drawn. */
void pen_begin(struct pen *pen, cairo_t *cairo, const char *font);
void pen_end(struct pen *pen);

/* How many of the characters no font has. */
int pen_lacks(struct pen *pen, const char *text);

/* Writes one character in the middle of a square around x, y, upside down if `turned`. */
void pen_character(struct pen *pen, const char *character, double size, double x, double y, bool turned);

/* Writes one line, whose middle is at the height y, within a width from x on, aligned to its left, middle or right. What does not fit becomes "…".
 * Returns the width it takes. */
double pen_line(struct pen *pen, const char *text, double size, double x, double y, double width, PangoAlignment align);

/* Where the next line of a paragraph goes: its left end and its top. It may begin a page, and write with the pen. */
typedef void pen_place(void *context, double *x, double *y);
/* Writes a text in lines of this width, each where `place` says. Its words, parted by spaces, are not broken unless they are longer than a line. */
void pen_paragraph(struct pen *pen, const char *text, double size, double width, pen_place *place, void *context);

#endif
