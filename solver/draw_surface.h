/* draw_surface.h: how a surface of cairo becomes a file. */
#ifndef TSUME_SOLVER_DRAW_SURFACE_H
#define TSUME_SOLVER_DRAW_SURFACE_H

#include <cairo.h>

/* Writes for a surface to the FILE `out`. */
cairo_status_t surface_write(void *out, const unsigned char *bytes, unsigned int length);
/* Completes the file, frees both. Returns NULL, or what went wrong on the way. */
const char *surface_finish(cairo_t *cairo, cairo_surface_t *surface);

#endif
