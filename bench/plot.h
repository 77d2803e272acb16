/* plot.h: how many problems were solved within which time, as a picture: a curve a contestant. */
#ifndef TSUME_BENCH_PLOT_H
#define TSUME_BENCH_PLOT_H

#include <stddef.h>

struct plot_curve {
    const char *name;
    double *seconds; /* of each problem solved; put into order */
    size_t count;
};

/* In the module `tsume-draw.so`, to be had by program_module. */
struct plot_module {
    /* Draws the curves as an SVG file, for `problems` problems in all, on an axis of time that is logarithmic. Returns NULL, or what went wrong. */
    const char *(*write)(const char *path, struct plot_curve *curves, size_t curve_count, size_t problems);
};

extern const struct plot_module plot_module;

#endif
