#include "program_report.h"

#include "rules/language.h"

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
    return answer ? tsume_answer_error(answer) : _("out of memory");
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

bool report_json_place(json_t *record, const struct options *options, uint64_t number) {
    return !options->numbered || (report_json_set(record, "number", json_integer((json_int_t)number)) &&
                                  report_json_set(record, "options", json_string(options->settings)));
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

static char *json_record(const struct options *options, const struct tsume_problem *problem, uint64_t number,
                         const struct tsume_answer *answer, size_t *length) {
    json_t *record = json_object();
    if (record && !(fill_record(record, problem, answer) && report_json_place(record, options, number))) {
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

void report_write_value(FILE *out, int plies, int leftover, bool exact) {
    fprintf(out,
            exact ? Q_("mate in %d ply", "mate in %d plies", plies)
                  : Q_("mate in at most %d ply", "mate in at most %d plies", plies),
            plies);
    if (leftover > 0)
        /* translators: how many pieces are in the attacker's hand at the end (駒余り); behind "mate in 9 plies" */
        fprintf(out, Q_(", %d left over", ", %d left over", leftover), leftover);
}

static void write_verdict(FILE *out, enum tsume_verdict verdict, const struct tsume_answer *answer) {
    switch (verdict) {
    case TSUME_MATE:
        report_write_value(out, tsume_answer_plies(answer), tsume_answer_leftover(answer), tsume_answer_exact(answer));
        break;
    case TSUME_NO_MATE:
        fputs(_("no mate"), out);
        break;
    case TSUME_UNKNOWN:
        fputs(_("unknown"), out);
        break;
    case TSUME_INVALID:
        fputs(_("invalid"), out);
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
    fputs(_(": error: "), out);
    report_write_text(out, error->message);
}

void report_write_effort(FILE *out, const struct tsume_problem *problem, double seconds, uint64_t nodes,
                         const char *trouble) {
    fprintf(out, _("  %.3f s  %llu nodes"), seconds, (unsigned long long)nodes);
    if (tsume_problem_hands_completed(problem))
        fputs(_("  hands completed"), out);
    if (trouble)
        fprintf(out, _("  error: %s"), trouble);
}

void report_tell_error(const struct tsume_problem *problem) {
    report_write_error(stderr, problem, tsume_problem_error(problem));
    fputc('\n', stderr);
}

struct report_line report_answer_line(const struct tsume_answer *answer) {
    struct report_line line = {.length = answer ? tsume_answer_line_length(answer) : 0};
    line.moves = malloc((line.length + 1) * sizeof *line.moves);
    if (!line.moves)
        line.length = 0;
    for (size_t i = 0; i < line.length; i++)
        line.moves[i] = tsume_answer_line_move(answer, i);
    return line;
}

/* The first `before` moves of a line and the moves that are played after them; malloc'd. NULL where the line is not so
 * long, or when memory is short. */
static const char **join_moves(const struct report_line *line, size_t before, const char *const *moves, size_t count) {
    const char **all = before <= line->length ? malloc((before + count + 1) * sizeof *all) : NULL;
    for (size_t i = 0; all && i < before; i++)
        all[i] = line->moves[i];
    for (size_t i = 0; all && i < count; i++)
        all[before + i] = moves[i];
    return all;
}

void report_write_moves(FILE *out, const struct options *options, const struct tsume_problem *problem,
                        const struct report_line *line, size_t before, const char *const *moves, size_t count) {
    const char **all = options->notation == TSUME_USI ? NULL : join_moves(line, before, moves, count);
    char *text = all ? tsume_moves_text(problem, all, before + count, before, options->notation) : NULL;
    if (text)
        fputs(text, out);
    for (size_t i = 0; !text && i < count; i++)
        fprintf(out, "%s%s", i ? " " : "", moves[i]);
    free(text);
    free(all);
}

static void write_line(FILE *out, const struct options *options, const struct tsume_problem *problem,
                       const struct tsume_answer *answer) {
    struct report_line line = report_answer_line(answer);
    if (line.length) {
        fputs("  ", out);
        report_write_moves(out, options, problem, &line, 0, line.moves, line.length);
        fputc('\n', out);
    }
    free(line.moves);
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
        report_write_effort(out, problem, seconds_of(answer), nodes_of(answer), solver_trouble(answer));
    }
    fputc('\n', out);
    report_write_board(out, options, problem);
    if (answer)
        write_line(out, options, problem, answer);
    return report_text_record(out, &text);
}

/* ---- Records of play ----------------------------------------------------------------------------------------------- */

bool report_state(struct tsume_problem *play, const struct report_line *line, size_t before, const char *const *moves,
                  size_t count, size_t at, const char *comment, bool mates) {
    const char **all = join_moves(line, before, moves, count);
    bool stated = all && tsume_problem_state(play, all, before + count, at, comment, mates);
    free(all);
    return stated;
}

char *report_play_record(const struct options *options, struct tsume_problem *play, size_t *length) {
    struct tsume_writing writing = {.format = options->format == FORMAT_JKF ? TSUME_JKF : TSUME_KIF};
    const char *separator = tsume_format_separator(writing.format);
    char *text = play ? tsume_problem_text(play, &writing, length) : NULL;
    char *record = text ? realloc(text, *length + strlen(separator) + 1) : NULL;
    tsume_problem_free(play);
    if (!record) {
        free(text);
        return NULL;
    }
    strcpy(record + *length, separator);
    *length += strlen(separator);
    return record;
}

char *report_no_play(const struct tsume_problem *problem, size_t *length) {
    report_tell_error(problem);
    *length = 0;
    return strdup("");
}

/* The verdict in words, malloc'd; NULL when memory is short. */
static char *verdict_text(const struct tsume_problem *problem, const struct tsume_answer *answer) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    write_verdict(out, report_verdict(problem, answer), answer);
    return report_text_record(out, &text);
}

/* The main line as moves, what was found as a comment before them. */
static char *play_record(const struct options *options, const struct tsume_problem *problem,
                         const struct tsume_answer *answer, size_t *length) {
    if (tsume_problem_error(problem))
        return report_no_play(problem, length);
    struct tsume_problem *play = tsume_problem_bare(problem);
    struct report_line line = report_answer_line(answer);
    char *verdict = verdict_text(problem, answer);
    bool stated = play && verdict && report_state(play, &line, 0, line.moves, line.length, 0, verdict, line.length > 0);
    free(verdict);
    free(line.moves);
    if (stated)
        return report_play_record(options, play, length);
    tsume_problem_free(play);
    return NULL;
}

char *report_record(const struct options *options, const struct tsume_problem *problem, uint64_t number,
                    const struct tsume_answer *answer, size_t *length) {
    switch (options->format) {
    case FORMAT_JSONL:
        return json_record(options, problem, number, answer, length);
    case FORMAT_KIF:
    case FORMAT_JKF:
        return play_record(options, problem, answer, length);
    case FORMAT_TEXT:
    case FORMAT_NOT_SAID:
        break;
    }
    return text_record(options, problem, answer, length);
}
