/* bundled.h: the problem lists of problems/, for tests. */
#ifndef TSUME_TESTS_BUNDLED_H
#define TSUME_TESTS_BUNDLED_H

#include <criterion/criterion.h>
#include <stdio.h>

/* Opens a list by the name of its file; the caller closes it. */
static inline FILE *open_bundled(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/problems/%s", TSUME_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    return file;
}

#endif
