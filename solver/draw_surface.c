#include "solver/draw_surface.h"

#include <stdio.h>

cairo_status_t surface_write(void *out, const unsigned char *bytes, unsigned int length) {
    return fwrite(bytes, 1, length, out) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

const char *surface_finish(cairo_t *cairo, cairo_surface_t *surface) {
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}
