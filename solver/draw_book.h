/* draw_book.h: many diagrams on the pages of a PDF file: what draw_module says of books. */
#ifndef TSUME_SOLVER_DRAW_BOOK_H
#define TSUME_SOLVER_DRAW_BOOK_H

#include "solver/draw.h"

struct draw_book *book_begin(FILE *out, const char *font, const struct draw_pages *pages);
void book_add(struct draw_book *book, const struct draw_diagram *diagram, size_t *missing);
const char *book_end(struct draw_book *book);

#endif
