/* csa_writer.c: problems as games of CSA (see csa.h). */
#include "problems/csa.h"
#include "problems/writing.h"
#include "rules/notation.h"

#include <string.h>

static const char black_key[] = "先手", white_key[] = "後手";

static void write_header(void *context, const char *key, const char *value) {
    struct writing *w = context;
    if (strcmp(key, black_key) != 0 && strcmp(key, white_key) != 0)
        write_header_line(w, header_line(w, "$", csa_header_of_kif(key), ":", value), csa_reads_header, key, value);
}

static void write_players(struct writing *w, const char *key, const char *statement) {
    for (const struct problem_header *header = w->problem->headers; header; header = header->next)
        if (strcmp(header->key, key) == 0)
            write_header_line(w, header_line(w, statement, "", "", header->value), csa_reads_header, key,
                              header->value);
}

static char sign_of(enum color color) {
    return color == BLACK ? '+' : '-';
}

static void write_position(struct writing *w) {
    const struct setup *setup = &w->problem->setup;
    for (int rank = 0; rank < RANKS; rank++) {
        fprintf(w->out, "P%d", rank + 1);
        for (int file = FILES - 1; file >= 0; file--) {
            piece p = setup->board[square_make(file, rank)];
            if (p == NO_PIECE)
                fputs(" * ", w->out);
            else
                fprintf(w->out, "%c%s", sign_of(piece_color(p)), notation_csa_kind(piece_kind(p)));
        }
        fputc('\n', w->out);
    }
    for (int color = BLACK; color <= WHITE; color++) {
        fprintf(w->out, "P%c", sign_of((enum color)color));
        for (int i = 0; i < HELD_KINDS; i++)
            for (int n = setup->hand[color][kind_by_worth(i)]; n > 0; n--)
                fprintf(w->out, "00%s", notation_csa_kind(kind_by_worth(i)));
        fputc('\n', w->out);
    }
    fprintf(w->out, "%c\n", sign_of(setup->side));
}

/* Comments that programs are meant to read; before V3 it is a comment as any other. */
static void write_comment(void *context, const char *line, size_t length) {
    const struct writing *w = context;
    fprintf(w->out, "'*%.*s\n", (int)length, line);
}

static void write_time(struct writing *w, int32_t time_ms) {
    if (time_ms == TIME_UNSTATED)
        return;
    fprintf(w->out, "T%d", (int)(time_ms / 1000));
    if (time_ms % 1000 != 0)
        fprintf(w->out, ".%03d", (int)(time_ms % 1000));
    fputc('\n', w->out);
}

static void write_end(struct writing *w, enum play_end end, int32_t time_ms) {
    const char *name = play_end_csa(end);
    if (name) {
        fprintf(w->out, "%%%s\n", name);
        write_time(w, time_ms);
    } else if (end != END_UNSTATED) {
        w->lost |= LOST_ENDS;
    }
}

static void write_moves(struct writing *w) {
    struct position pos = w->problem->position;
    char text[NOTATION_SIZE];
    for (const struct stated_move *m = w->problem->stated; m; m = m->next) {
        notation_write(&pos, m->move, NO_SQUARE, NOTATION_CSA, text);
        fprintf(w->out, "%s\n", text);
        write_time(w, m->time_ms);
        each_comment_line(m->comment, write_comment, w);
        write_end(w, stated_move_end(m), m->end_time_ms);
        position_do(&pos, m->move);
    }
    if (!w->problem->stated)
        write_end(w, w->problem->end, TIME_UNSTATED);
}

/* Fractions of seconds came with V3. */
static bool has_fractions(const struct tsume_problem *problem) {
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        if (m->time_ms % 1000 > 0 || m->end_time_ms % 1000 > 0)
            return true;
    return false;
}

/* The version stands once in a file. V2.2 is what most programs read; that the encoding is named is a comment to it. */
void csa_write(struct writing *w) {
    if (!w->options->more)
        fprintf(w->out, "'CSA encoding=%s\nV%s\n", w->options->encoding == ENCODING_SHIFT_JIS ? "SHIFT_JIS" : "UTF-8",
                has_fractions(w->problem) ? "3.0" : "2.2");
    w->lost |= lost_variations(w->problem);
    write_players(w, black_key, "N+"); /* before all else, Black first */
    write_players(w, white_key, "N-");
    each_header(w->problem, write_header, w);
    write_position(w);
    each_comment_line(w->problem->comment, write_comment, w);
    write_moves(w);
}
