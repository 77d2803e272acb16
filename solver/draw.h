/* draw.h: diagrams as pictures, as magazines print them: SVG for one, PDF for books of them.
 *
 * All that needs cairo and pango is a module of its own, `tsume-draw.so`, which program_module.h loads when a picture is wanted: some
 * thirty libraries come with them, and loading those takes longer than deciding a small problem. The module knows nothing of the game: it gets
 * characters and draws them. It is reached through its one object `draw_module`.
 *
 * Text is UTF-8, from files: it may be of any length and hold anything. Lengths are points (1/72 inch). */
#ifndef TSUME_SOLVER_DRAW_H
#define TSUME_SOLVER_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { DRAW_SIDE = 9, DRAW_NO_SQUARE = -1 }; /* squares in a row and in a column */

struct draw_square {
    const char *kanji; /* "" on an empty square */
    bool turned;       /* upside down */
};

/* A hand, written downwards. */
struct draw_hand {
    const char *label;  /* "☗持駒"; NULL: the hand is left out */
    const char *pieces; /* "飛　金二　歩十八": a gap where there is an ideographic space */
};

/* Any text may be "". Nothing is kept after a call. */
struct draw_diagram {
    const char *name, *author, *length;                /* above the board, "7手詰" at the right */
    const char *caption;                               /* beneath it: "3手目 ▲５二金 まで" */
    const char *solution;                              /* moves parted by spaces */
    struct draw_square squares[DRAW_SIDE * DRAW_SIDE]; /* by rows, from the upper left corner */
    int marked;                                        /* square that is shaded, DRAW_NO_SQUARE for none */
    bool flipped;                                      /* files are counted from the left, ranks from below */
    struct draw_hand left, right;
};

enum draw_solutions { DRAW_NO_SOLUTIONS, DRAW_SOLUTIONS_BELOW, DRAW_SOLUTIONS_AT_END };

struct draw_pages {
    double width, height; /* of the paper */
    int per_page;         /* diagrams, 1 or more */
    enum draw_solutions solutions;
    const char *date; /* when it was made, in ISO 8601, NULL: the file does not say */
};

struct draw_book;

struct draw_module {
    /* Can Japanese be written with the fonts there are? Returns NULL, or what is missing. font: families, parted by commas, that are taken before the usual
     * ones; NULL: none. */
    const char *(*find_font)(const char *font);
    /* Writes one diagram, its solution beneath it, as SVG. Returns NULL, or what went wrong. *missing: how many characters no font has; boxes stand for
     * them. */
    const char *(*write_svg)(FILE *out, const char *font, const struct draw_diagram *diagram, size_t *missing);
    /* Begins a book, adds a diagram to it, completes it; out, font and pages must live until then. Never NULL (glib ends the process when memory is
     * short). Only the last tells what went wrong; it frees the book. */
    struct draw_book *(*begin_book)(FILE *out, const char *font, const struct draw_pages *pages);
    void (*add_to_book)(struct draw_book *book, const struct draw_diagram *diagram, size_t *missing);
    const char *(*end_book)(struct draw_book *book);
};

extern const struct draw_module draw_module;

#endif
