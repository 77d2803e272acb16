/* jkf_writer.c: problems as JSON (see jkf.h), one object in one line. */
#include "problems/handicap.h"
#include "problems/jkf.h"
#include "problems/writing.h"
#include "rules/notation.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Sets a member; takes the value over, and notes when memory was short. */
static void set(struct writing *w, json_t *object, const char *key, json_t *value) {
    w->out_of_memory |= json_object_set_new(object, key, value) != 0;
}

static void append(struct writing *w, json_t *array, json_t *value) {
    w->out_of_memory |= json_array_append_new(array, value) != 0;
}

/* ---- Before the moves ---- */

/* A text that is being put into an array or an object. */
struct part {
    struct writing *w;
    json_t *json;
};

/* A key can be there once: its values are collected. */
static void add_header(void *context, const char *key, const char *value) {
    struct part *part = context;
    json_t *values = json_object_get(part->json, key);
    if (!values) {
        set(part->w, part->json, key, json_array());
        values = json_object_get(part->json, key);
    }
    append(part->w, values, json_string(value));
}

/* The strings as lines of one. */
static json_t *joined(struct writing *w, const json_t *strings) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    w->out_of_memory |= !out;
    for (size_t i = 0; out && i < json_array_size(strings); i++)
        fprintf(out, "%s%s", i > 0 ? "\n" : "", json_string_value(json_array_get(strings, i)));
    w->out_of_memory |= out && fclose(out) != 0;
    json_t *lines = text ? json_stringn(text, length) : NULL;
    free(text);
    return lines;
}

static json_t *header_of(struct writing *w) {
    struct part header = {w, json_object()};
    each_header(w->problem, add_header, &header);
    for (void *at = json_object_iter(header.json); at; at = json_object_iter_next(header.json, at))
        w->out_of_memory |= json_object_iter_set_new(header.json, at, joined(w, json_object_iter_value(at))) != 0;
    return header.json;
}

static void add_comment_line(void *context, const char *line, size_t length) {
    struct part *part = context;
    append(part->w, part->json, json_stringn(line, length));
}

static void set_comments(struct writing *w, json_t *object, const char *comment) {
    if (!comment)
        return;
    struct part part = {w, json_array()};
    each_comment_line(comment, add_comment_line, &part);
    set(w, object, "comments", part.json);
}

static json_t *board_of(struct writing *w) {
    json_t *board = json_array();
    for (int file = 0; file < FILES; file++) {
        json_t *column = json_array();
        for (int rank = 0; rank < RANKS; rank++) {
            piece p = w->problem->setup.board[square_make(file, rank)];
            append(w, column,
                   p == NO_PIECE ? json_object()
                                 : json_pack("{s:i, s:s}", "color", (int)piece_color(p), "kind",
                                             notation_csa_kind(piece_kind(p))));
        }
        append(w, board, column);
    }
    return board;
}

static json_t *hand_of(struct writing *w, enum color color) {
    json_t *hand = json_object();
    for (int kind = PAWN; kind <= GOLD; kind++)
        set(w, hand, notation_csa_kind(kind), json_integer(w->problem->setup.hand[color][kind]));
    return hand;
}

static json_t *initial_of(struct writing *w) {
    const struct setup *setup = &w->problem->setup;
    int handicap = handicap_of(setup);
    if (handicap >= 0)
        return json_pack("{s:s}", "preset", handicaps[handicap].jkf);
    return json_pack("{s:s, s:{s:i, s:o, s:[o, o]}}", "preset", "OTHER", "data", "color", (int)setup->side, "board",
                     board_of(w), "hands", hand_of(w, BLACK), hand_of(w, WHITE));
}

/* ---- Moves ---- */

/* The line of play that is being written. */
struct line {
    struct writing *w;
    struct position position; /* before the move that is written */
    int previous_to;
    int64_t total_ms[2]; /* used up by each colour */
    int deep;            /* forks around it */
};

static json_t *place(int sq) {
    return json_pack("{s:i, s:i}", "x", square_file(sq) + 1, "y", square_rank(sq) + 1);
}

static json_t *relation_of(const struct position *pos, move m) {
    static const char letters[] = "LCRUMDH";
    char text[sizeof letters] = "";
    unsigned relation = notation_relation(pos, m);
    for (size_t i = 0, length = 0; i < strlen(letters); i++)
        if (relation & 1u << i)
            text[length++] = letters[i];
    return json_string(text);
}

static json_t *move_of(struct line *line, move m) {
    struct writing *w = line->w;
    json_t *object = json_object();
    set(w, object, "color", json_integer(line->position.side));
    if (!move_is_drop(m))
        set(w, object, "from", place(move_from(m)));
    set(w, object, "to", place(move_to(m)));
    set(w, object, "piece", json_string(notation_csa_kind(move_kind(m))));
    if (move_to(m) == line->previous_to)
        set(w, object, "same", json_true());
    if (move_promotes(m) || notation_declines(&line->position, m))
        set(w, object, "promote", json_boolean(move_promotes(m)));
    if (move_captured(m))
        set(w, object, "capture", json_string(notation_csa_kind(move_captured(m))));
    if (notation_relation(&line->position, m))
        set(w, object, "relative", relation_of(&line->position, m));
    return object;
}

static void set_time(struct writing *w, json_t *object, int32_t time_ms, int64_t total_ms) {
    int now = (int)(time_ms / 1000), total = (int)(total_ms / 1000);
    if (time_ms != TIME_UNSTATED)
        set(w, object, "time",
            json_pack("{s:{s:i, s:i}, s:{s:i, s:i, s:i}}", "now", "m", now / 60, "s", now % 60, "total", "h",
                      total / 3600, "m", total / 60 % 60, "s", total % 60));
}

/* The entry for how a line ends, if that is stated. */
static void append_end(struct line *line, json_t *moves, enum play_end end, int32_t time_ms) {
    struct writing *w = line->w;
    const char *name = play_end_csa(end);
    if (!name) {
        w->lost |= end == END_UNSTATED ? 0 : LOST_ENDS;
        return;
    }
    json_t *entry = json_object();
    set(w, entry, "special", json_string(name));
    set_time(w, entry, time_ms, time_total(line->total_ms[line->position.side], time_ms));
    append(w, moves, entry);
}

static void append_line(struct line *line, json_t *moves, const struct stated_move *first, bool is_fork);

/* The other moves in place of one, each with the line that follows it. */
static void set_forks(const struct line *line, json_t *entry, const struct stated_move *variation) {
    if (line->deep == JKF_FORKS_DEEP) {
        line->w->lost |= LOST_VARIATIONS;
        return;
    }
    json_t *forks = json_array();
    for (const struct stated_move *v = variation; v; v = v->variation) {
        struct line fork = *line;
        json_t *moves = json_array();
        fork.deep++;
        append_line(&fork, moves, v, true);
        append(line->w, forks, moves);
    }
    set(line->w, entry, "forks", forks);
}

/* A line of play. The variations of a fork's first move stand with the move that the fork replaces. */
static void append_line(struct line *line, json_t *moves, const struct stated_move *first, bool is_fork) {
    struct writing *w = line->w;
    for (const struct stated_move *m = first; m && !w->out_of_memory; m = m->next) {
        json_t *entry = json_object();
        int64_t *total = &line->total_ms[line->position.side];
        set(w, entry, "move", move_of(line, m->move));
        set_comments(w, entry, m->comment);
        if (m->variation && !(is_fork && m == first))
            set_forks(line, entry, m->variation);
        *total = time_total(*total, m->time_ms);
        set_time(w, entry, m->time_ms, *total);
        append(w, moves, entry);
        position_do(&line->position, m->move);
        line->previous_to = move_to(m->move);
        append_end(line, moves, stated_move_end(m), m->end_time_ms);
    }
}

static json_t *moves_of(struct writing *w) {
    struct line line = {.w = w, .position = w->problem->position, .previous_to = NO_SQUARE};
    json_t *moves = json_array(), *start = json_object();
    set_comments(w, start, w->problem->comment);
    append(w, moves, start);
    append_line(&line, moves, w->problem->stated, false);
    if (!w->problem->stated)
        append_end(&line, moves, w->problem->end, TIME_UNSTATED);
    return moves;
}

void jkf_write(struct writing *w) {
    json_t *record = json_object();
    set(w, record, "header", header_of(w));
    set(w, record, "initial", initial_of(w));
    set(w, record, "moves", moves_of(w));
    w->out_of_memory |= json_dumpf(record, w->out, JSON_COMPACT) != 0;
    fputc('\n', w->out);
    json_decref(record);
}
