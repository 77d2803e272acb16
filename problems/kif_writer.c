/* kif_writer.c: problems as records in KIF and KI2, and as diagrams (BOD). */
#include "problems/bod.h"
#include "problems/handicap.h"
#include "problems/kif.h"
#include "problems/writing.h"
#include "rules/notation.h"

#include <stdlib.h>
#include <string.h>

enum { MOVES_PER_LINE = 6, MOVE_WIDTH = 12 /* columns */ };

/* The walk through the tree of moves: the path to the move that was written last, and the position after it. */
struct step {
    const struct stated_move *move;
    int64_t total_ms; /* that this player has used up */
};
struct walk {
    struct writing *w;
    struct position position;
    struct step *path;
    size_t length, capacity;
    int in_line;           /* moves in the line that KI2 is writing */
    bool begins_variation; /* the next move is the first of one */
};

/* ---- Before the moves ---- */

static void write_header(void *context, const char *key, const char *value) {
    struct writing *w = context;
    write_header_line(w, header_line(w, "", key, "：", value), kif_reads_header, key, value);
}

/* A handicap is named only where moves follow, since a record is known by its board or its moves. */
static void write_position(struct writing *w) {
    const struct setup *setup = &w->problem->setup;
    int handicap = w->problem->stated && w->options->format != FORMAT_BOD ? handicap_of(setup) : -1;
    if (handicap >= 0)
        fprintf(w->out, "手合割：%s\n", handicaps[handicap].kif);
    else
        bod_write(w->out, setup);
}

static void write_comment(void *context, const char *line, size_t length) {
    const struct writing *w = context;
    fprintf(w->out, "*%.*s\n", (int)length, line);
}

/* ---- Moves ---- */

static bool push(struct walk *walk, const struct stated_move *m) {
    if (walk->length == walk->capacity) {
        size_t capacity = walk->capacity ? walk->capacity * 2 : 64;
        struct step *path = realloc(walk->path, capacity * sizeof *path);
        if (!path)
            return false;
        walk->path = path;
        walk->capacity = capacity;
    }
    int64_t before = walk->length >= 2 ? walk->path[walk->length - 2].total_ms : 0;
    walk->path[walk->length++] = (struct step){m, time_total(before, m->time_ms)};
    return true;
}

static int previous_to(const struct walk *walk) {
    return walk->length > 0 ? move_to(walk->path[walk->length - 1].move->move) : NO_SQUARE;
}

static void write_time(FILE *out, int32_t time_ms, int64_t total_ms) {
    long now = time_ms / 1000, total = (long)(total_ms / 1000);
    if (time_ms != TIME_UNSTATED)
        fprintf(out, "   (%2ld:%02ld/%02ld:%02ld:%02ld)", now / 60, now % 60, total / 3600, total / 60 % 60,
                total % 60);
}

/* "  12 ７六歩(77)"; the walk has not made the move yet. */
static void write_kif_move(struct walk *walk, move m) {
    char target[NOTATION_SQUARE_SIZE] = "同　";
    FILE *out = walk->w->out;
    int from = move_from(m);
    if (move_to(m) != previous_to(walk))
        notation_kanji_square(move_to(m), target);
    fprintf(out, "%4zu %s%s%s", walk->length + 1, target, notation_kanji(move_kind(m)), move_promotes(m) ? "成" : "");
    if (move_is_drop(m))
        fputs("打", out);
    else
        fprintf(out, "(%d%d)", square_file(from) + 1, square_rank(from) + 1);
}

/* Several moves a line, in columns. A variation begins with the square: the move that 同 would refer to stands
 * elsewhere. */
static void write_ki2_move(struct walk *walk, const struct stated_move *m) {
    char text[NOTATION_SIZE];
    FILE *out = walk->w->out;
    int same = walk->begins_variation ? NO_SQUARE : previous_to(walk);
    walk->begins_variation = false;
    notation_write(&walk->position, m->move, same, NOTATION_JAPANESE, text);
    fputs(text, out);
    bool last = !m->next || m->comment || ++walk->in_line == MOVES_PER_LINE;
    int width = (int)strlen(text) / 3 * 2; /* of characters with three bytes */
    if (last) {
        fputc('\n', out);
        walk->in_line = 0;
    } else {
        fprintf(out, "%*s", width < MOVE_WIDTH ? MOVE_WIDTH - width : 1, "");
    }
}

/* "まで12手で先手の勝ち". */
static void write_summary(struct walk *walk, enum play_end end) {
    static const char *const sides[] = {"先手", "後手"};
    enum color side = (enum color)walk->position.side;
    const char *mine = sides[side], *others = sides[color_other(side)], *word = play_end_kif(end, side);
    FILE *out = walk->w->out;
    fprintf(out, "まで%zu手で", walk->length);
    if (end == END_RESIGNED)
        fprintf(out, "%sの勝ち\n", others);
    else if (end == END_TIME_UP)
        fprintf(out, "時間切れにより%sの勝ち\n", others);
    else if (end == END_ILLEGAL_MOVE || end == END_DECLARED || end == END_BLACK_FOUL || end == END_WHITE_FOUL)
        fprintf(out, "%sの%s\n", mine, word);
    else
        fprintf(out, "%s\n", word);
}

/* Does KIF have a word of its own for this end? A foul of the side to move is called as an illegal move of his is. */
static bool has_word(enum play_end end, enum color side) {
    size_t length;
    return play_end_of_kif(play_end_kif(end, side), side, &length) == end;
}

/* How the line ends after the last move of the walk. */
static void write_end(struct walk *walk, enum play_end end, int32_t time_ms) {
    FILE *out = walk->w->out;
    if (end == END_UNSTATED)
        return;
    if (!has_word(end, (enum color)walk->position.side))
        walk->w->lost |= LOST_ENDS;
    if (walk->w->options->format == FORMAT_KI2) {
        write_summary(walk, end);
        return;
    }
    int64_t before = walk->length >= 2 ? walk->path[walk->length - 2].total_ms : 0;
    fprintf(out, "%4zu %s", walk->length + 1, play_end_kif(end, (enum color)walk->position.side));
    write_time(out, time_ms, time_total(before, time_ms));
    fputc('\n', out);
}

/* A move with its time and comment; makes it. */
static bool write_move(struct walk *walk, const struct stated_move *m) {
    bool ki2 = walk->w->options->format == FORMAT_KI2;
    if (ki2)
        write_ki2_move(walk, m);
    else
        write_kif_move(walk, m->move);
    if (!push(walk, m))
        return false;
    if (!ki2) {
        write_time(walk->w->out, m->time_ms, walk->path[walk->length - 1].total_ms);
        fputs(m->variation ? "+\n" : "\n", walk->w->out);
    }
    position_do(&walk->position, m->move);
    each_comment_line(m->comment, write_comment, walk->w);
    write_end(walk, stated_move_end(m), m->end_time_ms);
    return true;
}

static bool write_line(struct walk *walk, const struct stated_move *first) {
    for (const struct stated_move *m = first; m; m = m->next)
        if (!write_move(walk, m))
            return false;
    return true;
}

/* The line of play, then its variations from the last to the first. Their own variations come the same way, without
 * recursion: they may be nested as deep as there are moves. */
static bool write_moves(struct walk *walk) {
    bool fine = write_line(walk, walk->w->problem->stated);
    while (fine && walk->length > 0) {
        const struct stated_move *m = walk->path[--walk->length].move;
        position_undo(&walk->position, m->move);
        if (!m->variation)
            continue;
        fprintf(walk->w->out, "\n変化：%zu手\n", walk->length + 1);
        walk->begins_variation = true;
        fine = write_line(walk, m->variation);
    }
    return fine;
}

static void write_record(struct writing *w) {
    struct walk walk = {.w = w, .position = w->problem->position};
    if (w->options->format == FORMAT_KIF)
        fputs("手数----指手---------消費時間--\n", w->out);
    each_comment_line(w->problem->comment, write_comment, w);
    if (!w->problem->stated)
        write_end(&walk, w->problem->end, TIME_UNSTATED);
    w->out_of_memory |= !write_moves(&walk);
    free(walk.path);
}

/* ---- Diagrams ---- */

/* How many moves were made before the position; who moves next needs saying where that would tell otherwise. */
static void write_ply(struct writing *w) {
    const struct setup *setup = &w->problem->setup;
    int made = setup->move_number - 1;
    if (made % 2 && setup->side == BLACK)
        fputs("先手番\n", w->out);
    if (made > 0)
        fprintf(w->out, "手数＝%d　まで\n", made);
}

/* The position goes first: it is what tells that another record begins. */
void kif_write(struct writing *w) {
    enum format format = w->options->format;
    if (format == FORMAT_KIF && !w->options->more)
        fprintf(w->out, "#KIF version=2.0 encoding=%s\n",
                w->options->encoding == ENCODING_SHIFT_JIS ? "Shift_JIS" : "UTF-8");
    write_position(w);
    if (format == FORMAT_BOD)
        write_ply(w);
    each_header(w->problem, write_header, w);
    if (format != FORMAT_BOD) {
        write_record(w);
        return;
    }
    each_comment_line(w->problem->comment, write_comment, w);
    w->lost |= w->problem->stated ? LOST_MOVES : w->problem->end != END_UNSTATED ? LOST_ENDS : 0;
}
