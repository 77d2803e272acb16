/* api.c: the problems' half of the public header. */
#include "solver/tsume.h"

#include "problems/bod.h"
#include "problems/reader.h"
#include "rules/language.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "solver/diagram.h"
#include "solver/glance.h"
#include "solver/orientation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tsume_version(void) {
    return TSUME_VERSION;
}

const char *tsume_verdict_name(enum tsume_verdict verdict) {
    switch (verdict) {
    case TSUME_MATE:
        return "mate";
    case TSUME_NO_MATE:
        return "nomate";
    case TSUME_UNKNOWN:
        return "unknown";
    case TSUME_INVALID:
        return "invalid";
    }
    return "unknown";
}

/* ---- What is kept with a problem for those who ask ----------------------------------------------------------------- */

struct view {
    struct tsume_error error;
    char sfen[SFEN_SIZE]; /* "" if no position could be read */
    char source[];        /* FILE:LINE */
};

/* Makes the view of a problem; frees the problem and returns NULL when memory is short. */
static struct tsume_problem *with_view(struct tsume_problem *problem) {
    if (!problem)
        return NULL;
    size_t source_size = strlen(problem->file) + 24; /* ':' and any long */
    struct view *view = calloc(1, sizeof *view + source_size);
    if (!view) {
        tsume_problem_free(problem);
        return NULL;
    }
    snprintf(view->source, source_size, "%s:%ld", problem->file, problem->line);
    if (problem->position_is_set)
        sfen_write(&problem->setup, view->sfen);
    view->error.line = problem->error.line;
    view->error.column = problem->error.column;
    snprintf(view->error.message, sizeof view->error.message, "%s", problem->error.message);
    problem->view = view;
    return problem;
}

static const struct view *view_of(const struct tsume_problem *problem) {
    return problem->view;
}

const char *tsume_problem_id(const struct tsume_problem *problem) {
    return problem->id;
}
const char *tsume_problem_source(const struct tsume_problem *problem) {
    return view_of(problem)->source;
}
const char *tsume_problem_title(const struct tsume_problem *problem) {
    return problem->title ? problem->title : "";
}
const char *tsume_problem_sfen(const struct tsume_problem *problem) {
    return view_of(problem)->sfen;
}
const struct tsume_error *tsume_problem_error(const struct tsume_problem *problem) {
    return problem->invalid ? &view_of(problem)->error : NULL;
}
bool tsume_problem_hands_completed(const struct tsume_problem *problem) {
    return problem->hands_completed;
}
char tsume_problem_attacker(const struct tsume_problem *problem) {
    return problem->attacker == BLACK ? 'b' : 'w';
}
bool tsume_problem_defender_first(const struct tsume_problem *problem) {
    return problem->defender_to_move;
}
const char *tsume_problem_note(const struct tsume_problem *problem) {
    return problem->stated_note;
}
struct tsume_problem *tsume_problem_bare(const struct tsume_problem *problem) {
    return with_view(problem_bare(problem));
}
_Static_assert((int)TSUME_SFEN_SIZE == (int)SFEN_SIZE, "room for any position");

bool tsume_problem_canonical(const struct tsume_problem *problem, struct tsume_canonical *canonical) {
    if (problem->invalid)
        return false;
    struct orientation orientation = orientation_of(&problem->setup, problem->attacker, NULL, 0);
    struct setup setup = orientation_setup(orientation, &problem->setup);
    setup.move_number = 1;
    sfen_write(&setup, canonical->sfen);
    canonical->mirrored = orientation.mirrored;
    canonical->reversed = orientation.turned;
    return true;
}
bool tsume_problem_glance(const struct tsume_problem *problem, char text[TSUME_MOVE_SIZE]) {
    if (!problem->position_is_set || setup_fault(&problem->setup, NULL, NULL) != FAULT_NONE)
        return false;
    struct position pos = problem->position;
    move best = glance(&pos);
    if (best != NO_MOVE)
        move_to_usi(best, text);
    return best != NO_MOVE;
}
char *tsume_problem_board(const struct tsume_problem *problem, bool ascii) {
    return problem->position_is_set ? diagram_text(&problem->setup, ascii) : NULL;
}

struct tsume_piece tsume_problem_piece(const struct tsume_problem *problem, int file, int rank) {
    piece p = problem->setup.board[square_make(file - 1, rank - 1)];
    int kind = piece_kind(p);
    if (p == NO_PIECE)
        return (struct tsume_piece){.kanji = ""};
    return (struct tsume_piece){kind_letter(piece_color(p), kind), kind_is_promoted(kind), bod_kanji(kind)};
}

char *tsume_problem_hand(const struct tsume_problem *problem, char player, int *count) {
    enum color color = player == 'w' ? WHITE : BLACK;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    bod_write_hand(out, &problem->setup, color);
    for (int kind = PAWN; count && kind <= GOLD; kind++)
        *count = (kind == PAWN ? 0 : *count) + problem->setup.hand[color][kind];
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- What a file states of a problem ------------------------------------------------------------------------------- */

bool tsume_problem_header(const struct tsume_problem *problem, size_t i, const char **key, const char **value) {
    const struct problem_header *header = problem->headers;
    while (header && i-- > 0)
        header = header->next;
    if (header) {
        *key = header->key;
        *value = header->value;
    }
    return header;
}

size_t tsume_problem_stated(const struct tsume_problem *problem, char (*moves)[TSUME_MOVE_SIZE], size_t room) {
    size_t count = 0;
    for (const struct stated_move *m = problem->stated; m; m = m->next, count++)
        if (count < room)
            move_to_usi(m->move, moves[count]);
    return count;
}

long tsume_problem_stated_plies(const struct tsume_problem *problem) {
    if (problem->stated_plies > 0 || !stated_line_mates(problem))
        return problem->stated_plies;
    return (long)tsume_problem_stated(problem, NULL, 0);
}

struct tsume_problem *tsume_problem_after(const struct tsume_problem *problem, const char *const *moves, size_t count) {
    struct tsume_problem *after = problem_bare(problem);
    for (size_t i = 0; after && i < count; i++) {
        move m = move_from_usi(&after->position, moves[i]);
        if (m == NO_MOVE) {
            tsume_problem_free(after);
            return NULL;
        }
        position_do(&after->position, m);
        after->defender_to_move = !after->defender_to_move;
    }
    if (after)
        position_get(&after->position, &after->setup);
    return with_view(after);
}

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

struct tsume_reader {
    struct reader *reader;
    bool told_trouble; /* that reading ended for want of memory */
};

/* A problem that says what is wrong; NULL when memory is short. */
static struct tsume_problem *problem_of_trouble(const char *file, long line, const char *message) {
    struct tsume_problem *problem = problem_new(file, line);
    if (problem)
        problem_fail(problem, line, 0, "%s", message);
    return problem;
}

static struct reader_options reader_options_of(const struct tsume_reader_options *options) {
    struct reader_options inner = {.hands = HANDS_COMPLETE, .attacker = ATTACKER_AUTO};
    if (options && options->hands_as_given)
        inner.hands = HANDS_AS_GIVEN;
    if (options && options->attacker == 'b')
        inner.attacker = ATTACKER_BLACK;
    if (options && options->attacker == 'w')
        inner.attacker = ATTACKER_WHITE;
    return inner;
}

struct tsume_reader *tsume_reader_new(const char *const *paths, size_t count,
                                      const struct tsume_reader_options *options) {
    struct tsume_reader *outer = malloc(sizeof *outer);
    if (!outer)
        return NULL;
    struct reader_options inner = reader_options_of(options);
    outer->told_trouble = false;
    outer->reader = reader_new(paths, count, &inner);
    if (!outer->reader) {
        free(outer);
        return NULL;
    }
    return outer;
}

struct tsume_problem *tsume_reader_next(struct tsume_reader *reader) {
    struct tsume_problem *problem = reader_next(reader->reader);
    if (!problem && reader_out_of_memory(reader->reader) && !reader->told_trouble) {
        reader->told_trouble = true;
        problem = problem_of_trouble("-", 0, _("out of memory: the rest of the input was not read"));
    }
    return with_view(problem);
}

void tsume_reader_progress(const struct tsume_reader *reader, unsigned long long *done, unsigned long long *total) {
    reader_progress(reader->reader, done, total);
}

void tsume_reader_free(struct tsume_reader *reader) {
    if (!reader)
        return;
    reader_free(reader->reader);
    free(reader);
}

/* ---- A problem from a line ----------------------------------------------------------------------------------------- */

struct tsume_problem *tsume_problem_from_sfen(const char *sfen, const struct tsume_reader_options *options) {
    struct reader_options inner = reader_options_of(options);
    struct reader *reader = reader_new_memory("sfen", sfen, strlen(sfen), &inner);
    if (!reader)
        return NULL;
    struct tsume_problem *problem = reader_next(reader);
    if (!problem && !reader_out_of_memory(reader))
        problem = problem_of_trouble("sfen", 1, _("the text is empty"));
    reader_free(reader);
    return with_view(problem);
}
