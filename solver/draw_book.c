#include "solver/draw_book.h"

#include "solver/draw_board.h"
#include "solver/draw_surface.h"

#include <cairo-pdf.h>
#include <glib.h>
#include <math.h>

/* Points. */
static const double MARGIN = 40, FOOT = 24, GUTTER = 14, GAP = 16; /* around the page, for its number, between cells */
static const double TEXT = 8.5, LEADING = 12.5, PARAGRAPH_GAP = 5; /* of solutions */
static const double LARGEST_SQUARE = 34;
static const double SOLUTION_SHARE = .24; /* of a cell, kept free for the solution below the diagram */
static const double LEAST_COLUMN = 180;   /* width, for solutions at the end */

struct area {
    double x, y, width, height;
};

struct draw_book {
    const struct draw_pages *pages;
    cairo_surface_t *surface;
    cairo_t *cairo;
    struct pen pen;
    int columns, rows;    /* of cells on a page */
    double square;        /* of a board */
    int page;             /* from 1, 0 before the first */
    int cell;             /* the next cell or column on the page */
    GPtrArray *solutions; /* texts to be set at the end */

    /* Text flows through columns: */
    int flow_columns;  /* on a page */
    struct area area;  /* the column */
    double y;          /* of the next line */
    double next_row_y; /* a diagram that follows goes no higher */
};

/* ---- Pages --------------------------------------------------------------------------------------------------------- */

static void end_page(struct draw_book *book) {
    char number[16];
    if (book->page == 0)
        return;
    g_snprintf(number, sizeof number, "%d", book->page);
    pen_line(&book->pen, number, TEXT, 0, book->pages->height - MARGIN, book->pages->width, PANGO_ALIGN_CENTER);
    cairo_show_page(book->cairo);
}

static void begin_page(struct draw_book *book) {
    end_page(book);
    book->page++;
    book->cell = 0;
}

/* What lies in one of the columns and rows that the page is divided into. */
static struct area divide(const struct draw_book *book, int columns, int rows, int cell) {
    double width = book->pages->width - 2 * MARGIN, height = book->pages->height - 2 * MARGIN - FOOT;
    struct area area = {.width = (width - (columns - 1) * GUTTER) / columns,
                        .height = (height - (rows - 1) * GAP) / rows};
    area.x = MARGIN + cell % columns * (area.width + GUTTER);
    area.y = MARGIN + cell / columns % rows * (area.height + GAP);
    return area;
}

static void turn_page_when_full(struct draw_book *book, int cells) {
    if (book->page == 0 || book->cell == cells)
        begin_page(book);
}

/* ---- A grid of diagrams -------------------------------------------------------------------------------------------- */

/* The largest square with which a diagram fits in a cell of the grid, of whose height it may take a share. */
static double square_for(const struct draw_book *book, int columns, int rows, double share) {
    struct area area = divide(book, columns, rows, 0);
    return fmin(fmin(area.width / BOARD_WIDTH, area.height * share / BOARD_HEIGHT), LARGEST_SQUARE);
}

/* As many columns as make the diagrams largest. */
static void choose_grid(struct draw_book *book) {
    bool flows = book->pages->solutions == DRAW_SOLUTIONS_BELOW;
    int count = book->pages->per_page;
    for (int columns = 1; columns <= count; columns++) {
        int rows = (count + columns - 1) / columns;
        double square = square_for(book, columns, rows, 1);
        if (square <= book->square)
            continue;
        book->square = square;
        book->columns = columns;
        book->rows = rows;
    }
    book->flow_columns = book->columns;
    if (flows)
        book->square = square_for(book, book->columns, book->rows, 1 - SOLUTION_SHARE);
}

static struct area next_cell(struct draw_book *book) {
    turn_page_when_full(book, book->columns * book->rows);
    return divide(book, book->columns, book->rows, book->cell++);
}

/* ---- Columns of text ----------------------------------------------------------------------------------------------- */

static void next_column(struct draw_book *book) {
    turn_page_when_full(book, book->flow_columns);
    book->area = divide(book, book->flow_columns, 1, book->cell++);
    book->y = book->next_row_y = book->area.y;
}

static bool has_room(const struct draw_book *book, double y, double height) {
    static const double TOLERANCE = .01;
    return book->page > 0 && y + height <= book->area.y + book->area.height + TOLERANCE;
}

static void place_line(void *context, double *x, double *y) {
    struct draw_book *book = context;
    if (!has_room(book, book->y, LEADING))
        next_column(book);
    *x = book->area.x;
    *y = book->y;
    book->y += LEADING;
}

static void write_paragraph(struct draw_book *book, const char *text) {
    pen_paragraph(&book->pen, text, TEXT, book->area.width, place_line, book);
}

/* A place for a diagram and some lines below it. Where solutions are short, diagrams stand in rows. */
static struct area next_in_column(struct draw_book *book) {
    double height = BOARD_HEIGHT * book->square,
           y = fmax(book->y + (book->y > book->area.y ? GAP : 0), book->next_row_y);
    if (has_room(book, y, height + 2 * LEADING))
        book->y = y;
    else
        next_column(book);
    struct area place = {book->area.x, book->y, book->area.width, height};
    book->next_row_y = book->y + (book->area.height + GAP) / book->rows;
    book->y += height;
    return place;
}

/* ---- Solutions at the end ------------------------------------------------------------------------------------------ */

static void keep_solution(struct draw_book *book, const struct draw_diagram *diagram) {
    g_ptr_array_add(book->solutions, g_strdup_printf("【%s】%s %s", diagram->name, diagram->length, diagram->solution));
}

static void write_solutions(struct draw_book *book) {
    if (book->solutions->len == 0)
        return;
    book->flow_columns = (int)fmax(1, floor((book->pages->width - 2 * MARGIN) / LEAST_COLUMN));
    begin_page(book);
    next_column(book);
    for (guint i = 0; i < book->solutions->len; i++) {
        write_paragraph(book, g_ptr_array_index(book->solutions, i));
        book->y += PARAGRAPH_GAP;
    }
}

/* ---- Diagrams ------------------------------------------------------------------------------------------------------ */

/* In the list of contents that viewers show. */
static void add_to_contents(struct draw_book *book, const struct draw_diagram *diagram, struct area place) {
    char where[64];
    char *name = g_utf8_make_valid(diagram->name, -1);
    g_snprintf(where, sizeof where, "page=%d pos=[%d %d]", book->page, (int)place.x, (int)place.y);
    cairo_pdf_surface_add_outline(book->surface, CAIRO_PDF_OUTLINE_ROOT, name, where, 0);
    g_free(name);
}

void book_add(struct draw_book *book, const struct draw_diagram *diagram, size_t *missing) {
    bool flows = book->pages->solutions == DRAW_SOLUTIONS_BELOW;
    struct area place = flows ? next_in_column(book) : next_cell(book);
    double left = (place.width - BOARD_WIDTH * book->square) / 2;
    book->pen.missing = 0;
    add_to_contents(book, diagram, place);
    board_draw(&book->pen, diagram, place.x + left, place.y, book->square);
    if (*diagram->solution && flows)
        write_paragraph(book, diagram->solution);
    if (*diagram->solution && book->pages->solutions == DRAW_SOLUTIONS_AT_END)
        keep_solution(book, diagram);
    *missing = book->pen.missing;
}

/* ---- The book ------------------------------------------------------------------------------------------------------ */

struct draw_book *book_begin(FILE *out, const char *font, const struct draw_pages *pages) {
    struct draw_book *book = g_new0(struct draw_book, 1);
    book->pages = pages;
    book->surface = cairo_pdf_surface_create_for_stream(surface_write, out, pages->width, pages->height);
    cairo_pdf_surface_set_metadata(book->surface, CAIRO_PDF_METADATA_CREATE_DATE, pages->date);
    book->cairo = cairo_create(book->surface);
    pen_begin(&book->pen, book->cairo, font);
    book->solutions = g_ptr_array_new_with_free_func(g_free);
    choose_grid(book);
    return book;
}

const char *book_end(struct draw_book *book) {
    write_solutions(book);
    end_page(book);
    const char *trouble = surface_finish(book->cairo, book->surface);
    pen_end(&book->pen);
    g_ptr_array_unref(book->solutions);
    g_free(book);
    return trouble;
}
