/* writer.c: what the writers of all formats share. */
#define _POSIX_C_SOURCE 200809L
#include "problems/writer.h"

#include "problems/text.h"
#include "problems/writing.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

/* ---- The formats ---- */

static const struct {
    const char *name, *ending, *utf8_ending;
    bool several;
    void (*write)(struct writing *w);
    const char *separator;
} table[FORMATS] = {
    [FORMAT_SFEN] = {"sfen", ".sfen", ".sfen", true, sfen_list_write, ""},
    [FORMAT_KIF] = {"kif", ".kif", ".kifu", true, kif_write, "\n"},
    [FORMAT_KI2] = {"ki2", ".ki2", ".ki2u", true, kif_write, "\n"},
    [FORMAT_BOD] = {"bod", ".bod", ".bod", true, kif_write, "\n"},
    [FORMAT_CSA] = {"csa", ".csa", ".csa", true, csa_write, "/\n"},
    [FORMAT_JKF] = {"jkf", ".jkf", ".jkf", false, jkf_write, ""},
};

bool format_holds_several(enum format format) {
    return table[format].several;
}

const char *format_separator(enum format format) {
    return table[format].separator;
}

const char *format_name(enum format format) {
    return table[format].name;
}

const char *format_ending(enum format format, enum encoding encoding) {
    return encoding == ENCODING_UTF8 ? table[format].utf8_ending : table[format].ending;
}

/* ---- Headers and comments ---- */

void each_header(const struct tsume_problem *problem, header_writer *each, void *context) {
    bool titled = problem->title && strcmp(problem->id, problem->title) == 0;
    if (problem->named && !titled && !problem_header(problem, "作品番号"))
        each(context, "作品番号", problem->id);
    for (const struct problem_header *header = problem->headers; header; header = header->next)
        each(context, header->key, header->value);
    if (problem->stated_plies > 0 && !problem_header(problem, "手数")) {
        char plies[24];
        snprintf(plies, sizeof plies, "%ld", problem->stated_plies);
        each(context, "手数", plies);
    }
}

char *header_line(struct writing *w, const char *before, const char *key, const char *between, const char *value) {
    size_t size = strlen(before) + strlen(key) + strlen(between) + strlen(value) + 1;
    char *line = malloc(size);
    w->out_of_memory |= !line;
    if (line)
        snprintf(line, size, "%s%s%s%s", before, key, between, value);
    if (line && text_keeps(line))
        return line;
    free(line);
    return NULL;
}

void write_header_line(struct writing *w, char *line, header_reader *reads, const char *key, const char *value) {
    if (line && reads(line, key, value))
        fprintf(w->out, "%s\n", line);
    else
        w->lost |= LOST_HEADERS;
    free(line);
}

void each_comment_line(const char *comment, comment_writer *each, void *context) {
    for (const char *line = comment; line;) {
        const char *end = strchr(line, '\n');
        each(context, line, end ? (size_t)(end - line) : strlen(line));
        line = end ? end + 1 : NULL;
    }
}

unsigned lost_variations(const struct tsume_problem *problem) {
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        if (m->variation)
            return LOST_VARIATIONS;
    return 0;
}

/* ---- Encodings ---- */

/* Takes a character of UTF-8 that could not be converted; writes 〓 for it. */
static void replace_character(iconv_t converter, char **in, size_t *left, char **out, size_t *room) {
    char geta[] = "〓", *from = geta;
    size_t length = strlen(geta);
    do {
        ++*in;
        --*left;
    } while (*left > 0 && ((unsigned char)**in & 0xC0) == 0x80);
    iconv(converter, &from, &length, out, room);
}

/* The text in Shift-JIS as Windows writes it, malloc'd; NULL when memory is short. The text given is freed. */
static char *to_shift_jis(char *text, size_t *length, size_t *replaced) {
    iconv_t converter = iconv_open("CP932", "UTF-8");
    size_t left = *length, room = *length + 16; /* no character is longer than in UTF-8 */
    char *encoded = converter == (iconv_t)-1 ? NULL : malloc(room), *in = text, *out = encoded;
    while (encoded && left > 0 && iconv(converter, &in, &left, &out, &room) == (size_t)-1) {
        replace_character(converter, &in, &left, &out, &room);
        ++*replaced;
    }
    if (converter != (iconv_t)-1)
        iconv_close(converter);
    free(text);
    if (encoded) {
        *length = (size_t)(out - encoded);
        *out = '\0';
    }
    return encoded;
}

char *problem_text(const struct tsume_problem *problem, const struct writer_options *options, size_t *length,
                   unsigned *lost, size_t *replaced) {
    char *text = NULL;
    struct writing w = {.problem = problem, .options = options, .out = open_memstream(&text, length)};
    *lost = 0;
    *replaced = 0;
    if (!w.out)
        return NULL;
    table[options->format].write(&w);
    bool failed = ferror(w.out) != 0 || w.out_of_memory;
    if (fclose(w.out) != 0 || failed) {
        free(text);
        return NULL;
    }
    *lost = w.lost;
    return options->encoding == ENCODING_SHIFT_JIS ? to_shift_jis(text, length, replaced) : text;
}
