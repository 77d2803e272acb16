/* bundled.h: the problem lists of problems/, for tests. */
#ifndef TSUME_TESTS_BUNDLED_H
#define TSUME_TESTS_BUNDLED_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Opens a list by the name of its file; the caller closes it. */
static inline FILE *open_bundled(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/problems/%s", TSUME_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    return file;
}

enum { BUNDLED_LINE = 4096 }; /* bytes that are enough for any line of a list */

/* A problem of Shogi Zuko as the list writes it. */
static inline void read_zuko(int number, char line[BUNDLED_LINE]) {
    FILE *list = open_bundled("zukou.tsv");
    char id[24];
    snprintf(id, sizeof id, "\tzukou-%03d\t", number);
    do
        cr_assert_not_null(fgets(line, BUNDLED_LINE, list));
    while (!strstr(line, id));
    line[strcspn(line, "\n")] = '\0';
    fclose(list);
}

#endif
