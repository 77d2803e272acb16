#include "program_results.h"

#include "program.h"
#include "program_report.h"
#include "rules/language.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- One record ---------------------------------------------------------------------------------------------------- */

static const char *const VERDICTS[] = {"unknown", "undecided", "mate",    "nomate",
                                       "sound",   "blemished", "unsound", "invalid"};
enum { UNDECIDED_VERDICTS = 2, VERDICT_COUNT = sizeof VERDICTS / sizeof VERDICTS[0] };

const char *result_verdict(const struct result *result) {
    return VERDICTS[result->verdict];
}
bool result_is_undecided(const struct result *result) {
    return result->verdict < UNDECIDED_VERDICTS;
}

/* What says which problem it is, in the order of being hashed. */
enum { IDENTITY_PARTS = 3 };
static const char *const IDENTITY[IDENTITY_PARTS] = {"id", "source", "sfen"};

static uint64_t identity_key(const char *const parts[IDENTITY_PARTS]) {
    XXH64_hash_t key = 0;
    for (int i = 0; i < IDENTITY_PARTS; i++)
        key = XXH3_64bits_withSeed(parts[i], strlen(parts[i]), key);
    return key;
}

bool result_is_of(const struct result *result, const struct tsume_problem *problem) {
    const char *parts[IDENTITY_PARTS];
    json_t *texts[IDENTITY_PARTS] = {report_json_text(tsume_problem_id(problem)),
                                     report_json_text(tsume_problem_source(problem)),
                                     report_json_text(tsume_problem_sfen(problem))};
    for (int i = 0; i < IDENTITY_PARTS; i++)
        parts[i] = json_string_value(program_must(texts[i]));
    bool same = result->key == identity_key(parts);
    for (int i = 0; i < IDENTITY_PARTS; i++)
        json_decref(texts[i]);
    return same;
}

/* ---- Reading a record ---------------------------------------------------------------------------------------------- */

struct parsing {
    struct results *results;
    const struct results_file *file;
    uint32_t line;
    uint64_t last; /* number of the record before; 0: this is the first */
};

static bool fault(const struct parsing *p, long column, const char *message) {
    p->results->on_fault(p->results->context, p->file, p->line, column, message);
    return false;
}

static bool parse_identity(const struct parsing *p, const json_t *record, struct result *result) {
    const char *parts[IDENTITY_PARTS];
    for (int i = 0; i < IDENTITY_PARTS; i++) {
        parts[i] = json_string_value(json_object_get(record, IDENTITY[i]));
        if (!parts[i])
            return fault(p, 1, _("no record of a problem: it has no id, source and sfen"));
    }
    result->key = identity_key(parts);
    return true;
}

static bool parse_verdict(const struct parsing *p, const json_t *record, struct result *result) {
    const char *verdict = json_string_value(json_object_get(record, "verdict"));
    const json_t *plies = json_object_get(record, "plies");
    int i = 0;
    while (i < VERDICT_COUNT && verdict && strcmp(verdict, VERDICTS[i]) != 0)
        i++;
    if (!verdict || i == VERDICT_COUNT)
        return fault(p, 1, _("no record of a problem: it has no verdict that is known"));
    result->verdict = (uint8_t)i;
    result->plies = json_is_integer(plies) ? (int32_t)json_integer_value(plies) : -1;
    result->exact = json_is_true(json_object_get(record, "exact"));
    return true;
}

static bool parse_number(const struct parsing *p, const json_t *record, struct result *result) {
    const json_t *number = json_object_get(record, "number");
    if (number && json_integer_value(number) < 1)
        return fault(p, 1, _("the number of the problem is none"));
    if (!number && p->results->step == 0)
        return fault(p, 1, _("the record has no number: it was not written with --shard or --resume"));
    if (number)
        result->number = (uint64_t)json_integer_value(number);
    else
        result->number = p->last ? p->last + p->results->step : p->results->first;
    return true;
}

static bool options_agree(const struct parsing *p, const json_t *record) {
    struct results *results = p->results;
    const char *options = json_string_value(json_object_get(record, "options"));
    if (!options && results->step == 0)
        return fault(p, 1, _("the record has no options: it was not written with --shard or --resume"));
    if (!options) {
        results->unnumbered++;
        return true;
    }
    if (!results->options)
        results->options = results->first_options = program_must(strdup(options));
    if (strcmp(options, results->options) == 0)
        return true;
    char *message;
    if (asprintf(&message, _("written with other options: '%s', not '%s'"), options, results->options) < 0)
        program_fail(ENOMEM, _("results"));
    fault(p, 1, message);
    free(message);
    return false;
}

static bool parse_record(const struct parsing *p, const char *line, size_t length, struct result *result) {
    json_error_t error;
    json_t *record = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (!record)
        return fault(p, error.column > 0 ? error.column : 1, error.text);
    bool fine = parse_identity(p, record, result) && parse_verdict(p, record, result) &&
                parse_number(p, record, result) && options_agree(p, record);
    json_decref(record);
    return fine;
}

/* ---- Reading a file ------------------------------------------------------------------------------------------------ */

static void add_result(struct results *results, const struct result *result) {
    if (results->count == results->room) {
        results->room = results->room ? results->room + results->room / 2 : 1024;
        results->list = program_must(realloc(results->list, results->room * sizeof *results->list));
    }
    results->in_order &= results->count == 0 || results->list[results->count - 1].number < result->number;
    results->list[results->count++] = *result;
}

/* A stream of the descriptor's bytes from their start, which leaves it open when closed. */
static FILE *stream_of(int fd) {
    int copy = dup(fd);
    FILE *in = copy >= 0 && lseek(copy, 0, SEEK_SET) == 0 ? fdopen(copy, "r") : NULL;
    if (!in && copy >= 0)
        close(copy);
    return in;
}

static void read_lines(struct results *results, struct results_file *file, FILE *in) {
    struct parsing parsing = {.results = results, .file = file};
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, in)) > 0;) {
        struct result result = {
            .offset = file->whole,
            .length = (uint32_t)length,
            .line = parsing.line = ++file->lines,
            .file = (uint16_t)(file - results->files),
        };
        if (line[length - 1] != '\n') {
            file->torn = (uint64_t)length;
            break;
        }
        file->whole += (uint64_t)length;
        if (!parse_record(&parsing, line, (size_t)length - 1, &result))
            continue;
        parsing.last = result.number;
        add_result(results, &result);
    }
    if (ferror(in))
        results->on_fault(results->context, file, 0, 0, strerror(errno));
    free(line);
}

const struct results_file *results_read(struct results *results, const char *name, int fd) {
    if (results->file_count == 0)
        results->in_order = true;
    if (results->file_count == UINT16_MAX)
        program_fail(0, _("too many files"));
    results->files = program_must(realloc(results->files, (results->file_count + 1) * sizeof *results->files));
    struct results_file *file = &results->files[results->file_count++];
    *file = (struct results_file){.name = name, .fd = fd};
    FILE *in = fd >= 0 ? stream_of(fd) : NULL;
    if (in) {
        read_lines(results, file, in);
        fclose(in);
    } else {
        results->on_fault(results->context, file, 0, 0, strerror(errno));
    }
    return file;
}

/* ---- One record a number ------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    const struct result *r = a, *s = b;
    if (r->number != s->number)
        return r->number < s->number ? -1 : 1;
    if (r->file != s->file)
        return r->file < s->file ? -1 : 1;
    return (r->offset > s->offset) - (r->offset < s->offset);
}

/* Whether the later of two records that agree says more. */
static bool is_better(const struct result *later, const struct result *result) {
    if (result_is_undecided(result))
        return true;
    if (result_is_undecided(later) || result->exact)
        return false;
    return later->exact || (later->plies >= 0 && later->plies < result->plies);
}

/* What two records of one number differ in, though they must not; NULL if they agree. */
static const char *contradiction(const struct result *r, const struct result *s) {
    if (r->key != s->key)
        return _("another problem of this number");
    if (result_is_undecided(r) || result_is_undecided(s))
        return NULL;
    if (r->verdict != s->verdict)
        return _("another verdict");
    const struct result *shorter = r->plies < s->plies ? r : s, *longer = shorter == r ? s : r;
    return shorter->plies < longer->plies && longer->exact ? _("another length") : NULL;
}

static bool contradict(struct results *results, const struct result *r, const struct result *s) {
    const char *difference = contradiction(r, s);
    if (!difference)
        return false;
    char *message;
    if (asprintf(&message, _("problem %llu contradicts %s:%lu, which has %s"), (unsigned long long)s->number,
                 results_file(results, r)->name, (unsigned long)r->line, difference) < 0)
        program_fail(ENOMEM, _("results"));
    results->on_fault(results->context, results_file(results, s), s->line, 1, message);
    free(message);
    return true;
}

/* The one to keep of the records from `first` to before `end`, which have one number; NULL if they contradict each other. */
static const struct result *settle(struct results *results, const struct result *first, const struct result *end) {
    const struct result *kept = first;
    for (const struct result *r = first + 1; r < end; r++) {
        if (contradict(results, kept, r))
            return NULL;
        const struct result *better = is_better(r, kept) ? r : kept;
        const struct result *other = better == r ? kept : r;
        if (results->on_twice && !result_is_undecided(other))
            results->on_twice(results->context, results, better, other);
        kept = better;
    }
    return kept;
}

void results_settle(struct results *results) {
    if (results->in_order)
        return;
    qsort(results->list, results->count, sizeof *results->list, by_number);
    size_t kept = 0;
    for (size_t i = 0, end; i < results->count; i = end) {
        for (end = i + 1; end < results->count && results->list[end].number == results->list[i].number;)
            end++;
        const struct result *one = settle(results, &results->list[i], &results->list[end]);
        if (one)
            results->list[kept++] = *one;
    }
    results->count = kept;
}

/* ---- The records themselves ---------------------------------------------------------------------------------------- */

const struct results_file *results_file(const struct results *results, const struct result *result) {
    return &results->files[result->file];
}

char *results_text(const struct results *results, const struct result *result) {
    char *text = program_must(malloc((size_t)result->length + 1));
    size_t done = 0;
    while (done < result->length) {
        ssize_t count = pread(results_file(results, result)->fd, text + done, result->length - done,
                              (off_t)(result->offset + done));
        if (count <= 0 && !(count < 0 && errno == EINTR))
            program_fail(count < 0 ? errno : 0, _("results that were read before cannot be read again"));
        done += count > 0 ? (size_t)count : 0;
    }
    text[done] = '\0';
    return text;
}

void results_write(const struct results *results, const struct result *result, struct output *output) {
    char *text = results_text(results, result);
    if (fwrite(text, 1, result->length, output->file) != result->length)
        output_fail(output, errno);
    free(text);
}

char *results_difference(const struct results *results, const struct result *result,
                         const struct tsume_problem *problem) {
    char *text = results_text(results, result), *message;
    json_t *record = json_loads(text, 0, NULL);
    const char *id = json_string_value(json_object_get(record, "id"));
    const char *source = json_string_value(json_object_get(record, "source"));
    unsigned long long number = result->number;
    int length;
    if (id && source && strcmp(id, tsume_problem_id(problem)) == 0 &&
        strcmp(source, tsume_problem_source(problem)) == 0)
        length = asprintf(&message, _("the position of problem %llu, '%s' (%s), is another one since this was written"),
                          number, id, source);
    else
        length = asprintf(&message, _("this is of '%s' (%s), but problem %llu of the input is '%s' (%s)"), id ? id : "",
                          source ? source : "", number, tsume_problem_id(problem), tsume_problem_source(problem));
    json_decref(record);
    free(text);
    if (length < 0)
        program_fail(ENOMEM, _("results"));
    return message;
}

char *results_no_problem(uint64_t problems) {
    char *message;
    if (asprintf(&message, _("the input ends with problem %llu"), (unsigned long long)problems) < 0)
        program_fail(ENOMEM, _("results"));
    return message;
}

void results_tell_fault(const struct results_file *file, uint32_t line, long column, const char *message) {
    report_write_text(stderr, file->name);
    if (line > 0)
        fprintf(stderr, ":%lu", (unsigned long)line);
    if (line > 0 && column > 0)
        fprintf(stderr, ":%ld", column);
    fputs(_(": error: "), stderr);
    report_write_text(stderr, message);
    fputc('\n', stderr);
}

void results_free(struct results *results) {
    for (size_t i = 0; i < results->file_count; i++)
        if (results->files[i].fd >= 0)
            close(results->files[i].fd);
    free(results->files);
    free(results->list);
    free(results->first_options);
    *results = (struct results){.list = NULL};
}
