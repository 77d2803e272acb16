#include "program_certificates.h"

#include "program.h"
#include "rules/language.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 200 };

static const char ENDING[] = ".cert", UNFINISHED[] = ".part";

/* Names given in this run: those of all problems read so far, whatever became of them. */
static void *names;

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static _Noreturn void fail_at(int error, const char *path) {
    char message[512];
    snprintf(message, sizeof message, _("certificates: '%s'"), path);
    program_fail(error, message);
}

void certificates_begin(const char *folder) {
    char *path = strdup(folder);
    if (!path)
        program_fail(errno, _("certificates"));
    for (char *end = path + 1; path[0] && *end; end++) {
        if (*end != '/')
            continue;
        *end = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            fail_at(errno, path);
        *end = '/';
    }
    struct stat status;
    if (mkdir(path, 0777) != 0 && (errno != EEXIST || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)))
        fail_at(errno, path);
    free(path);
}

/* Gives the name to the caller, unless another problem of this run has it. */
static bool claim(const char *name) {
    char *kept = strdup(name);
    void *found = kept ? tsearch(kept, &names, by_text) : NULL;
    bool claimed = found && *(char **)found == kept;
    if (!found)
        program_fail(ENOMEM, _("certificates"));
    if (!claimed)
        free(kept);
    return claimed;
}

/* A name from the identifier: letters, digits, '-', '_', '.' (not in front) and all of UTF-8 beyond ASCII stay. */
static void plain_name(const char *id, char name[LONGEST_NAME]) {
    size_t length = 0;
    for (; *id && length < LONGEST_NAME - 24; id++) {
        unsigned char c = (unsigned char)*id;
        bool stays = c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     c == '-' || c == '_' || (c == '.' && length > 0);
        name[length++] = (char)(stays ? c : '_');
    }
    name[length] = '\0';
}

/* A name that no other problem of this run has. */
static void choose_name(const char *id, char name[LONGEST_NAME]) {
    plain_name(id, name);
    size_t length = strlen(name);
    for (unsigned number = 2; !claim(name); number++)
        snprintf(name + length, LONGEST_NAME - length, "-%u", number);
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file)
        fail_at(errno, path);
    bool written = fwrite(bytes, 1, size, file) == size;
    int error = errno;
    if (fclose(file) != 0 || !written) {
        error = written ? errno : error;
        unlink(path);
        fail_at(error, path);
    }
}

char *certificates_path(const char *folder, const struct tsume_problem *problem) {
    char name[LONGEST_NAME], *path;
    choose_name(tsume_problem_id(problem), name);
    if (asprintf(&path, "%s/%s%s", folder, name, ENDING) < 0)
        program_fail(ENOMEM, _("certificates"));
    return path;
}

bool certificates_write(const char *path, const struct tsume_problem *problem, const void *bytes, size_t size,
                        const char *why) {
    char *unfinished;
    if (!bytes) {
        fprintf(stderr, _("tsume: %s: no certificate: %s\n"), tsume_problem_id(problem),
                why ? why : _("it is not decided"));
        return false;
    }
    if (asprintf(&unfinished, "%s%s", path, UNFINISHED) < 0)
        program_fail(ENOMEM, _("certificates"));
    write_file(unfinished, bytes, size);
    if (rename(unfinished, path) != 0)
        fail_at(errno, path);
    free(unfinished);
    return true;
}
