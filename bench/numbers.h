/* numbers.h: series of measurements. */
#ifndef TSUME_BENCH_NUMBERS_H
#define TSUME_BENCH_NUMBERS_H

#include <stddef.h>

/* Puts the numbers into ascending order. */
void numbers_sort(double *numbers, size_t count);
/* The median of at least one number; puts them into order. */
double numbers_median(double *numbers, size_t count);

#endif
