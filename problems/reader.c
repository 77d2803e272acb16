/* reader.c: which files are read, and as what. */
#define _POSIX_C_SOURCE 200809L
#include "problems/reader.h"

#include "problems/csa.h"
#include "problems/format.h"
#include "problems/jkf.h"
#include "problems/kif.h"
#include "problems/sfen_list.h"
#include "rules/language.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that is being read, and the one it was found in. */
struct folder {
    char *path;
    char **names; /* sorted */
    size_t count, next;
    struct folder *parent;
};

struct reader {
    struct reading reading; /* of the open text, if reading.text is set */
    char *name;             /* of the open text */
    enum format format;     /* of lines that do not tell: what the last one was, or what the name says */
    bool unsure;            /* found in a folder under a name that tells nothing: read only if its content tells */
    bool rejected;          /* the last line was no problem's, and that was reported */

    char **paths;
    size_t count, next;
    struct folder *folder; /* innermost, NULL between paths */
    const void *memory;
    size_t memory_size;
    bool memory_pending;

    unsigned long long done, total;
    bool total_unknown;
};

/* ---- Names ---- */

/* A text file in a folder is meant to be read, whatever it holds. */
static bool name_is_known(const char *name) {
    size_t length = strlen(name);
    return format_of_name(name) != FORMAT_UNKNOWN || (length > 4 && strcasecmp(name + length - 4, ".txt") == 0);
}

static char *join(const char *folder, const char *name) {
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    return path;
}

/* ---- Problems that stand for what could not be read ---- */

static struct tsume_problem *out_of_memory(struct reader *r) {
    r->reading.out_of_memory = true;
    return NULL;
}

static struct tsume_problem *unreadable(struct reader *r, const char *path, const char *what, int error) {
    struct tsume_problem *problem = problem_new(path, 0);
    if (!problem)
        return out_of_memory(r);
    if (!problem_set_id(problem, path))
        r->reading.out_of_memory = true;
    problem_fail(problem, 0, 0, "%s: %s", what, strerror(error));
    return problem;
}

/* ---- Opening texts ---- */

static bool open_text(struct reader *r, const char *name, struct text *text, bool from_folder) {
    r->name = text ? strdup(name) : NULL;
    if (!r->name) {
        text_close(text);
        r->reading.out_of_memory = true;
        return false;
    }
    r->reading.text = text;
    r->reading.file = r->name;
    r->format = format_of_name(name);
    r->unsure = from_folder && !name_is_known(name);
    r->rejected = false;
    return true;
}

static void close_text(struct reader *r) {
    r->done += text_bytes_read(r->reading.text);
    text_close(r->reading.text);
    free(r->name);
    r->reading.text = NULL;
    r->reading.file = r->name = NULL;
}

/* Opens a file; a problem that tells why if it cannot be. */
static struct tsume_problem *open_file(struct reader *r, const char *path, bool from_folder) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return unreadable(r, path, _("cannot be opened"), errno);
    open_text(r, path, text_from_file(fd, true), from_folder);
    return NULL;
}

/* ---- Folders ---- */

static void close_folder(struct reader *r) {
    struct folder *folder = r->folder;
    r->folder = folder->parent;
    for (size_t i = folder->next; i < folder->count; i++)
        free(folder->names[i]);
    free(folder->names);
    free(folder->path);
    free(folder);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds a name to the folder; false when memory is short. */
static bool add_name(struct folder *folder, const char *name, size_t *capacity) {
    if (folder->count == *capacity) {
        size_t more = *capacity ? *capacity * 2 : 16;
        char **names = realloc(folder->names, more * sizeof *names);
        if (!names)
            return false;
        folder->names = names;
        *capacity = more;
    }
    char *copy = strdup(name);
    if (copy)
        folder->names[folder->count++] = copy;
    return copy != NULL;
}

/* The names in a folder, sorted; those that begin with a dot are not meant for us. */
static bool list_names(struct folder *folder, DIR *directory) {
    size_t capacity = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && !add_name(folder, entry->d_name, &capacity))
            return false;
    if (folder->count > 0)
        qsort(folder->names, folder->count, sizeof *folder->names, compare_names);
    return true;
}

/* Steps into a folder; a problem that tells why if that cannot be. */
static struct tsume_problem *open_folder(struct reader *r, const char *path) {
    DIR *directory = opendir(path);
    if (!directory)
        return unreadable(r, path, _("the folder cannot be opened"), errno);
    struct folder *folder = calloc(1, sizeof *folder);
    if (folder) {
        folder->parent = r->folder;
        r->folder = folder;
        folder->path = strdup(path);
        if (!folder->path || !list_names(folder, directory))
            r->reading.out_of_memory = true;
    } else {
        r->reading.out_of_memory = true;
    }
    closedir(directory);
    return NULL;
}

/* Opens what a folder holds: files, links to files, folders, but not links to folders (they may lead back here), nor pipes
 * and devices. */
static struct tsume_problem *open_entry(struct reader *r, const char *path) {
    struct stat status, link;
    if (lstat(path, &link) != 0 || stat(path, &status) != 0)
        return name_is_known(path) || errno != ENOENT ? unreadable(r, path, _("cannot be opened"), errno) : NULL;
    if (S_ISDIR(status.st_mode))
        return S_ISLNK(link.st_mode) ? NULL : open_folder(r, path);
    if (!S_ISREG(status.st_mode))
        return NULL;
    r->total += (unsigned long long)status.st_size;
    return open_file(r, path, true);
}

static struct tsume_problem *open_next_entry(struct reader *r) {
    struct folder *folder = r->folder;
    if (folder->next == folder->count) {
        close_folder(r);
        return NULL;
    }
    char *name = folder->names[folder->next++], *path = join(folder->path, name);
    free(name);
    if (!path)
        return out_of_memory(r);
    struct tsume_problem *problem = open_entry(r, path);
    free(path);
    return problem;
}

/* ---- Paths ---- */

static struct tsume_problem *open_path(struct reader *r, const char *path) {
    struct stat status;
    if (strcmp(path, "-") == 0) {
        open_text(r, path, text_from_file(STDIN_FILENO, false), false);
        return NULL;
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return open_folder(r, path);
    return open_file(r, path, false);
}

/* Opens what comes next: a text or a folder, or gives a problem that tells why not. *end is set when nothing is left. */
static struct tsume_problem *open_next(struct reader *r, bool *end) {
    if (r->memory_pending) {
        r->memory_pending = false;
        open_text(r, r->paths[0], text_from_memory(r->memory, r->memory_size), false);
        return NULL;
    }
    if (r->folder)
        return open_next_entry(r);
    *end = r->next == r->count;
    return *end ? NULL : open_path(r, r->paths[r->next++]);
}

/* ---- Problems of a text ---- */

/* Blank lines, and comments of the line-wise formats. */
static bool says_nothing(const char *line, enum format format) {
    static const char ideographic[] = "\xE3\x80\x80";
    while (*line == ' ' || *line == '\t' || strncmp(line, ideographic, 3) == 0)
        line += *line == ' ' || *line == '\t' ? 1 : 3;
    return *line == '\0' || strchr(format == FORMAT_CSA ? "#*&" : "#*&'", *line);
}

/* A line that is no problem's in a text whose format is not known. The lines like it that follow are not reported again. */
static struct tsume_problem *reject(struct reader *r, const struct text_line *line) {
    if (r->rejected)
        return NULL;
    r->rejected = true;
    struct tsume_problem *problem = problem_new(r->name, line->number);
    if (!problem)
        return out_of_memory(r);
    if (line->fault != TEXT_FINE)
        problem_fail(problem, line->number, line->fault_column,
                     _("%s; nothing up to the next problem can be read either"), line->fault_message);
    else
        problem_fail(
            problem, line->number, 1,
            _("expected a position in SFEN, or a record in KIF, KI2, BOD, CSA or JKF; skipped up to the next one"));
    return problem;
}

static struct tsume_problem *read_as(struct reader *r, enum format format) {
    r->format = format;
    r->unsure = r->rejected = false;
    text_unread(r->reading.text);
    switch (format) {
    case FORMAT_SFEN:
        return sfen_list_next(&r->reading);
    case FORMAT_CSA:
        return csa_next(&r->reading);
    case FORMAT_JKF:
        return jkf_next(&r->reading);
    default:
        return kif_next(&r->reading);
    }
}

/* The next problem of the open text, NULL at its end. */
static struct tsume_problem *next_of_text(struct reader *r) {
    struct text_line line;
    while (!r->reading.out_of_memory && text_next(r->reading.text, &line)) {
        if (says_nothing(line.bytes, r->format))
            continue;
        enum format format = format_of_line(line.bytes);
        if (format == FORMAT_UNKNOWN)
            format = r->format;
        if (format == FORMAT_UNKNOWN && r->unsure)
            return NULL;
        struct tsume_problem *problem = format == FORMAT_UNKNOWN ? reject(r, &line) : read_as(r, format);
        if (problem)
            return problem;
    }
    return NULL;
}

/* Ends a text; a problem if it ended before its time. */
static struct tsume_problem *finish_text(struct reader *r) {
    int error = text_error(r->reading.text);
    struct tsume_problem *problem = NULL;
    if (error == ENOMEM)
        r->reading.out_of_memory = true;
    else if (error != 0)
        problem = unreadable(r, r->name, _("reading failed"), error);
    close_text(r);
    return problem;
}

struct tsume_problem *reader_next(struct reader *r) {
    bool end = false;
    while (!end && !r->reading.out_of_memory) {
        struct tsume_problem *problem;
        if (!r->reading.text)
            problem = open_next(r, &end);
        else if (!(problem = next_of_text(r)))
            problem = finish_text(r);
        if (problem)
            return problem;
    }
    return NULL;
}

bool reader_out_of_memory(const struct reader *r) {
    return r->reading.out_of_memory;
}

/* ---- Life and progress ---- */

/* The size of a path named by the user, if it can be known. */
static void add_size(struct reader *r, const char *path) {
    struct stat status;
    int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &status) : stat(path, &status);
    if (failed != 0 || S_ISDIR(status.st_mode))
        return;
    if (S_ISREG(status.st_mode))
        r->total += (unsigned long long)status.st_size;
    else
        r->total_unknown = true;
}

static struct reader *reader_alloc(size_t path_count, const struct reader_options *options) {
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    if (options)
        r->reading.options = *options;
    r->paths = calloc(path_count ? path_count : 1, sizeof *r->paths);
    if (!r->paths) {
        free(r);
        return NULL;
    }
    return r;
}

struct reader *reader_new(const char *const *paths, size_t path_count, const struct reader_options *options) {
    struct reader *r = reader_alloc(path_count, options);
    for (; r && r->count < path_count; r->count++) {
        r->paths[r->count] = strdup(paths[r->count]);
        if (!r->paths[r->count]) {
            reader_free(r);
            return NULL;
        }
        add_size(r, paths[r->count]);
    }
    return r;
}

struct reader *reader_new_memory(const char *name, const void *data, size_t size,
                                 const struct reader_options *options) {
    struct reader *r = reader_new(&name, 1, options);
    if (!r)
        return NULL;
    r->next = 1;
    r->memory = data;
    r->memory_size = size;
    r->memory_pending = true;
    r->total = size;
    r->total_unknown = false;
    return r;
}

void reader_progress(const struct reader *r, unsigned long long *done, unsigned long long *total) {
    *done = r->done + (r->reading.text ? text_bytes_read(r->reading.text) : 0);
    *total = r->total_unknown ? 0 : r->total;
}

void reader_free(struct reader *r) {
    if (!r)
        return;
    if (r->reading.text)
        close_text(r);
    while (r->folder)
        close_folder(r);
    for (size_t i = 0; i < r->count; i++)
        free(r->paths[i]);
    free(r->paths);
    free(r);
}
