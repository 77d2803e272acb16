#include "bench/numbers.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void numbers_sort(double *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, by_size);
}

double numbers_median(double *numbers, size_t count) {
    numbers_sort(numbers, count);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}
