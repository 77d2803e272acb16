#include "program_resume.h"

#include "program.h"
#include "program_output.h"
#include "rules/language.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void fail_at(const struct resume *resume, int error, const char *what) {
    char message[512];
    /* translators: a file, and "cannot be opened" or the like */
    snprintf(message, sizeof message, _("'%s' %s"), resume->options->resume, what);
    program_fail(error, message);
}

/* ---- What is there ------------------------------------------------------------------------------------------------- */

static _Noreturn void on_fault(void *context, const struct results_file *file, uint32_t line, long column,
                               const char *message) {
    (void)context;
    results_tell_fault(file, line, column, message);
    fputs(_("tsume: --resume wants a file of results of the same problems with the same options\n"), stderr);
    _exit(STATUS_INVALID);
}

static _Noreturn void fail_on(const struct resume *resume, const struct result *result, const char *message) {
    on_fault(NULL, results_file(&resume->results, result), result->line, 1, message);
}

static const struct results_file *read_results(struct resume *resume) {
    const struct options *options = resume->options;
    resume->results = (struct results){
        .first = options->shard,
        .step = options->shards,
        .options = options->settings,
        .on_fault = on_fault,
    };
    const struct results_file *file = results_read(&resume->results, options->resume, resume->fd);
    resume->in_order = resume->results.in_order;
    resume->last = resume->results.count ? resume->results.list[resume->results.count - 1].number : 0;
    return file;
}

/* Whether bytes that end without a newline can be the beginning of a record: another file is not to be cut. */
static bool begins_record(const struct resume *resume, const struct results_file *file) {
    static const char BEGINNING[] = "{\"id\":\"";
    char bytes[sizeof BEGINNING - 1];
    size_t length = file->torn < sizeof bytes ? (size_t)file->torn : sizeof bytes;
    return pread(resume->fd, bytes, length, (off_t)file->whole) == (ssize_t)length &&
           memcmp(bytes, BEGINNING, length) == 0;
}

static void cut_torn_line(struct resume *resume, const struct results_file *file) {
    if (file->torn == 0)
        return;
    if (!begins_record(resume, file))
        on_fault(NULL, file, file->lines, 1, _("no record of a problem"));
    if (ftruncate(resume->fd, (off_t)file->whole) != 0)
        fail_at(resume, errno, _("cannot be written"));
    if (!resume->options->quiet)
        fprintf(stderr, _("tsume: %s:%lu: the last line was cut off; its problem is solved again\n"), file->name,
                (unsigned long)file->lines);
}

/* The records must be of this shard. */
static void check_shard(const struct resume *resume) {
    for (size_t i = 0; i < resume->results.count; i++)
        if (!options_shard_has(resume->options, resume->results.list[i].number))
            fail_on(resume, &resume->results.list[i], _("the problem is not one of this shard"));
}

static void tell_unnumbered(const struct resume *resume) {
    if (resume->results.unnumbered && !resume->options->quiet)
        fprintf(stderr,
                Q_("tsume: %s: %zu record does not tell with which options; taken as it is\n",
                   "tsume: %s: %zu records do not tell with which options; taken as they are\n",
                   resume->results.unnumbered),
                resume->options->resume, resume->results.unnumbered);
}

/* One run at a time, where the file system has locks. A file that another run has just put in order is no longer the one that was opened. */
static void lock(const struct resume *resume) {
    struct stat opened, named;
    if (flock(resume->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        fail_at(resume, 0, _("is being written by another run"));
    if (fstat(resume->fd, &opened) != 0 || stat(resume->options->resume, &named) != 0)
        fail_at(resume, errno, _("cannot be opened"));
    if (opened.st_ino != named.st_ino || opened.st_dev != named.st_dev)
        fail_at(resume, 0, _("has just been written by another run"));
    if (!S_ISREG(opened.st_mode))
        fail_at(resume, 0, _("is no file"));
}

/* Is the folder this one, or inside it? Both as realpath gives them. */
static bool lies_in(const char *folder, const char *outer) {
    size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    return strncmp(folder, outer, length) == 0 && (folder[length] == '/' || folder[length] == '\0');
}

/* Results in a folder that is read would be read as problems, which give results … */
static void refuse_folder_that_is_read(const struct options *options) {
    char *copy = program_must(strdup(options->resume)), *folder = realpath(dirname(copy), NULL);
    for (size_t i = 0; folder && i < options->file_count; i++) {
        char *input = realpath(options->files[i], NULL);
        if (input && lies_in(folder, input)) {
            fprintf(stderr, _("tsume: '%s' is in the folder '%s', which is read for problems\n"), options->resume,
                    options->files[i]);
            _exit(STATUS_USAGE);
        }
        free(input);
    }
    free(folder);
    free(copy);
}

void resume_begin(struct resume *resume, const struct options *options) {
    *resume = (struct resume){.options = options};
    refuse_folder_that_is_read(options);
    resume->fd = open(options->resume, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (resume->fd < 0)
        fail_at(resume, errno, _("cannot be opened"));
    lock(resume);
    const struct results_file *file = read_results(resume);
    check_shard(resume);
    cut_torn_line(resume, file);
    tell_unnumbered(resume);
    results_settle(&resume->results);
}

/* ---- Going on ------------------------------------------------------------------------------------------------------ */

/* Is there nothing left to be found out? With --order any lengths are not looked into. */
static bool is_settled(const struct resume *resume, const struct result *result) {
    bool has_length = result->plies < 0 || result->exact || resume->options->limits.any;
    return !result_is_undecided(result) && has_length;
}

const struct result *resume_find(struct resume *resume, uint64_t number, const struct tsume_problem *problem) {
    struct results *results = &resume->results;
    while (resume->next < results->count && results->list[resume->next].number < number)
        resume->next++;
    if (resume->next == results->count || results->list[resume->next].number != number)
        return NULL;
    const struct result *result = &results->list[resume->next];
    if (!result_is_of(result, problem))
        fail_on(resume, result, results_difference(results, result, problem));
    return resume->options->retry && !is_settled(resume, result) ? NULL : result;
}

void resume_append(struct resume *resume, uint64_t number, const char *record, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t count = write(resume->fd, record + done, length - done);
        if (count < 0 && errno != EINTR)
            fail_at(resume, errno, _("cannot be written"));
        done += count > 0 ? (size_t)count : 0;
    }
    resume->in_order &= number > resume->last;
    resume->last = number;
}

/* ---- The end ------------------------------------------------------------------------------------------------------- */

/* Writes the records in order to a new file that takes the place of the old one. */
static void put_in_order(struct resume *resume) {
    struct output output;
    char *path = realpath(resume->options->resume, NULL); /* a link stays one */
    int fd = dup(resume->fd);                             /* keeps the lock */
    if (fd < 0 || !path)
        fail_at(resume, errno, _("cannot be read again"));
    results_free(&resume->results);
    resume->fd = fd;
    read_results(resume);
    results_settle(&resume->results);
    output_begin(&output, path);
    for (size_t i = 0; i < resume->results.count; i++)
        results_write(&resume->results, &resume->results.list[i], &output);
    output_close(&output);
    free(path);
}

void resume_complete(struct resume *resume, uint64_t problems) {
    struct results *results = &resume->results;
    if (results->count && results->list[results->count - 1].number > problems)
        fail_on(resume, &results->list[results->count - 1], results_no_problem(problems));
    if (!resume->in_order)
        put_in_order(resume);
}

void resume_end(struct resume *resume) {
    results_free(&resume->results);
}
