#include "program_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum tsume_verdict report_verdict(const struct tsume_problem *problem, const struct tsume_answer *answer) {
    if (tsume_problem_error(problem))
        return TSUME_INVALID;
    return answer ? tsume_answer_verdict(answer) : TSUME_UNKNOWN;
}

/* What kept the solver itself from answering, NULL if nothing did. */
static const char *solver_trouble(const struct tsume_answer *answer) {
    return answer ? tsume_answer_error(answer) : "out of memory";
}

/* Nodes and seconds of an answer, 0 without one. */
static uint64_t nodes_of(const struct tsume_answer *answer) {
    return answer ? tsume_answer_nodes(answer) : 0;
}
static double seconds_of(const struct tsume_answer *answer) {
    return answer ? tsume_answer_seconds(answer) : 0;
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

/* How many bytes the UTF-8 character at text takes, 0 if there is none (broken, overlong, surrogate, past U+10FFFF). */
static size_t utf8_length(const unsigned char *text) {
    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xC2 || text[0] > 0xF4)
        return 0;
    size_t length = text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    unsigned char least = text[0] == 0xE0 ? 0xA0 : text[0] == 0xF0 ? 0x90 : 0x80; /* below: overlong */
    unsigned char most = text[0] == 0xED ? 0x9F : text[0] == 0xF4 ? 0x8F : 0xBF;  /* above: surrogate, past the end */
    if (text[1] < least || text[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

json_t *report_json_text(const char *text) {
    json_t *string = json_string(text);
    if (string)
        return string;
    char *clean = malloc(strlen(text) * 3 + 1);
    if (!clean)
        return NULL;
    size_t end = 0;
    for (const unsigned char *from = (const unsigned char *)text; *from;) {
        size_t length = utf8_length(from);
        if (length)
            memcpy(clean + end, from, length);
        else
            memcpy(clean + end, "\xEF\xBF\xBD", 3);
        end += length ? length : 3;
        from += length ? length : 1;
    }
    string = json_stringn(clean, end);
    free(clean);
    return string;
}

/* A number that counts from 1, null for 0. */
static json_t *json_place(long number) {
    return number > 0 ? json_integer(number) : json_null();
}

json_t *report_json_error(const struct tsume_problem *problem, const char *trouble) {
    const struct tsume_error *error = tsume_problem_error(problem);
    if (!error && !trouble)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "message", report_json_text(error ? error->message : trouble), "line",
                     json_place(error ? error->line : 0), "column", json_place(error ? error->column : 0));
}

static json_t *json_line(const struct tsume_answer *answer) {
    json_t *line = json_array();
    size_t length = answer ? tsume_answer_line_length(answer) : 0;
    for (size_t i = 0; i < length; i++) {
        if (json_array_append_new(line, json_string(tsume_answer_line_move(answer, i))) != 0) {
            json_decref(line);
            return NULL;
        }
    }
    return line;
}

bool report_json_set(json_t *object, const char *key, json_t *value) {
    return json_object_set_new(object, key, value) == 0;
}

json_t *report_json_seconds(double seconds) {
    return json_real(round(seconds * 1e6) / 1e6);
}

static bool fill_record(json_t *record, const struct tsume_problem *problem, const struct tsume_answer *answer) {
    enum tsume_verdict verdict = report_verdict(problem, answer);
    bool mate = verdict == TSUME_MATE;
    return report_json_set(record, "id", report_json_text(tsume_problem_id(problem))) &&
           report_json_set(record, "source", report_json_text(tsume_problem_source(problem))) &&
           report_json_set(record, "sfen", report_json_text(tsume_problem_sfen(problem))) &&
           report_json_set(record, "verdict", json_string(tsume_verdict_name(verdict))) &&
           report_json_set(record, "plies", mate ? json_integer(tsume_answer_plies(answer)) : json_null()) &&
           report_json_set(record, "leftover", mate ? json_integer(tsume_answer_leftover(answer)) : json_null()) &&
           report_json_set(record, "exact", json_boolean(answer && tsume_answer_exact(answer))) &&
           report_json_set(record, "line", json_line(answer)) &&
           report_json_set(record, "nodes", json_integer((json_int_t)nodes_of(answer))) &&
           report_json_set(record, "seconds", report_json_seconds(seconds_of(answer))) &&
           report_json_set(record, "error", report_json_error(problem, solver_trouble(answer)));
}

char *report_json_record(json_t *record, size_t *length) {
    char *text = record ? json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(record);
    if (!text)
        return NULL;
    /* json_dumps gives memory of malloc: nothing here sets other allocators. */
    *length = strlen(text);
    char *line = realloc(text, *length + 2);
    if (!line) {
        free(text);
        return NULL;
    }
    line[(*length)++] = '\n';
    line[*length] = '\0';
    return line;
}

static char *json_record(const struct tsume_problem *problem, const struct tsume_answer *answer, size_t *length) {
    json_t *record = json_object();
    if (record && !fill_record(record, problem, answer)) {
        json_decref(record);
        record = NULL;
    }
    return report_json_record(record, length);
}

/* ---- Text ---------------------------------------------------------------------------------------------------------- */

static void write_part(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, out);
    }
}

void report_write_text(FILE *out, const char *text) {
    write_part(out, text, strlen(text));
}

static const char *verdict_color(enum tsume_verdict verdict) {
    static const char *const COLOR[] = {[TSUME_MATE] = "\033[1;32m",
                                        [TSUME_NO_MATE] = "\033[1;34m",
                                        [TSUME_UNKNOWN] = "\033[1;33m",
                                        [TSUME_INVALID] = "\033[1;31m"};
    return COLOR[verdict];
}

static void write_verdict(FILE *out, enum tsume_verdict verdict, const struct tsume_answer *answer) {
    switch (verdict) {
    case TSUME_MATE: {
        int plies = tsume_answer_plies(answer), leftover = tsume_answer_leftover(answer);
        fprintf(out, "mate in %s%d %s", tsume_answer_exact(answer) ? "" : "at most ", plies,
                plies == 1 ? "ply" : "plies");
        if (leftover > 0)
            fprintf(out, ", %d left over", leftover);
        break;
    }
    case TSUME_NO_MATE:
        fputs("no mate", out);
        break;
    case TSUME_UNKNOWN:
        fputs("unknown", out);
        break;
    case TSUME_INVALID:
        fputs("invalid", out);
        break;
    }
}

void report_write_error(FILE *out, const struct tsume_problem *problem, const struct tsume_error *error) {
    const char *source = tsume_problem_source(problem), *colon = strrchr(source, ':');
    write_part(out, source, colon ? (size_t)(colon - source) : strlen(source));
    if (error->line > 0)
        fprintf(out, ":%ld", error->line);
    if (error->line > 0 && error->column > 0)
        fprintf(out, ":%ld", error->column);
    fputs(": error: ", out);
    report_write_text(out, error->message);
}

static void write_line(FILE *out, const struct tsume_answer *answer) {
    size_t length = tsume_answer_line_length(answer);
    for (size_t i = 0; i < length; i++)
        fprintf(out, "%s%s", i ? " " : "  ", tsume_answer_line_move(answer, i));
    if (length)
        fputc('\n', out);
}

void report_write_board(FILE *out, const struct options *options, const struct tsume_problem *problem) {
    bool shown = options->board && *tsume_problem_sfen(problem);
    char *board = shown ? tsume_problem_board(problem, options->ascii) : NULL;
    if (board)
        fputs(board, out);
    free(board);
}

char *report_text_record(FILE *out, char **text) {
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(*text);
        return NULL;
    }
    return *text;
}

static char *text_record(const struct options *options, const struct tsume_problem *problem,
                         const struct tsume_answer *answer, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    enum tsume_verdict verdict = report_verdict(problem, answer);
    report_write_text(out, tsume_problem_id(problem));
    fprintf(out, "  %s", options->color ? verdict_color(verdict) : "");
    write_verdict(out, verdict, answer);
    if (options->color)
        fputs("\033[0m", out);
    if (verdict == TSUME_INVALID) {
        fputs("  ", out);
        report_write_error(out, problem, tsume_problem_error(problem));
    } else {
        fprintf(out, "  %.3f s  %llu nodes", seconds_of(answer), (unsigned long long)nodes_of(answer));
        if (tsume_problem_hands_completed(problem))
            fputs("  hands completed", out);
        if (solver_trouble(answer))
            fprintf(out, "  error: %s", solver_trouble(answer));
    }
    fputc('\n', out);
    report_write_board(out, options, problem);
    if (answer)
        write_line(out, answer);
    return report_text_record(out, &text);
}

char *report_record(const struct options *options, const struct tsume_problem *problem,
                    const struct tsume_answer *answer, size_t *length) {
    return options->format == FORMAT_JSONL ? json_record(problem, answer, length)
                                           : text_record(options, problem, answer, length);
}
