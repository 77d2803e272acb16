/* jkf.c: reading JSON Kifu Format. */
#define _POSIX_C_SOURCE 200809L
#include "problems/jkf.h"

#include "problems/format.h"
#include "problems/handicap.h"
#include "rules/language.h"
#include "rules/movegen.h"
#include "rules/notation.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one record may be: a file that holds more is none. */
enum { RECORD_BYTES_MAX = 1 << 26 };

bool jkf_recognizes(const char *line) {
    line += strspn(line, " \t");
    if (*line != '{')
        return false;
    line += 1 + strspn(line + 1, " \t");
    return *line == '\0' || *line == '"' || *line == '}';
}

/* ---- The text of an object ---- */

/* One object, line by line, until its braces are closed. */
struct object_text {
    char *bytes;
    size_t length, capacity;
    long depth; /* braces open */
    bool in_string, escaped;
    bool too_long;
};

static bool append(struct object_text *object, const char *bytes, size_t length) {
    if (object->length + length + 2 > object->capacity) {
        size_t capacity = (object->length + length + 2) * 2;
        char *grown = realloc(object->bytes, capacity);
        if (!grown)
            return false;
        object->bytes = grown;
        object->capacity = capacity;
    }
    memcpy(object->bytes + object->length, bytes, length);
    object->length += length;
    object->bytes[object->length++] = '\n';
    object->bytes[object->length] = '\0';
    return true;
}

/* Follows the braces through a line. */
static void follow_braces(struct object_text *object, const char *line) {
    for (; *line; line++) {
        if (object->escaped) {
            object->escaped = false;
        } else if (object->in_string) {
            object->escaped = *line == '\\';
            object->in_string = *line != '"';
        } else {
            object->in_string = *line == '"';
            object->depth += (*line == '{') - (*line == '}');
        }
    }
    object->in_string = object->escaped = false; /* a string ends with its line at the latest */
}

/* ---- A record ---- */

struct jkf {
    struct reading *reading;
    struct tsume_problem *problem;
    struct position position; /* where the move is made that is being read */
    struct comments comments;
    bool out_of_memory;
    int forks_deep;
};

/* A JSON value is not what it must be. JSON tells no lines of values, so the place is the record's. */
__attribute__((format(printf, 2, 3))) static void fail(struct jkf *j, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    problem_fail(j->problem, j->problem->line, 1, "%s", message);
}

/* A whole number in a range; `otherwise` if it is none. */
static long number_in(const json_t *object, const char *key, long least, long most, long otherwise) {
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= least && number <= most ? (long)number : otherwise;
}

static const char *string_at(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static int kind_at(const json_t *object, const char *key) {
    const char *text = string_at(object, key);
    return strlen(text) == 2 ? notation_kind_of_csa(text) : NO_KIND;
}

/* ---- The position ---- */

static bool read_board(struct jkf *j, const json_t *board, struct setup *setup) {
    for (int sq = 0; sq < SQUARES; sq++) {
        const json_t *cell = json_array_get(json_array_get(board, (size_t)square_file(sq)), (size_t)square_rank(sq));
        const json_t *kind_value = json_object_get(cell, "kind");
        if (json_is_object(cell) && (!kind_value || json_is_null(kind_value)))
            continue;
        int kind = kind_at(cell, "kind");
        long color = number_in(cell, "color", 0, 1, -1);
        if (kind == NO_KIND || color < 0) {
            fail(j, _("board[%d][%d] is no piece {\"color\": 0|1, \"kind\": \"FU\" …}, nor {}"), square_file(sq),
                 square_rank(sq));
            return false;
        }
        setup->board[sq] = piece_make((enum color)color, kind);
    }
    return true;
}

static bool read_hand(struct jkf *j, const json_t *hand, uint8_t counts[HAND_KINDS]) {
    json_t *object = (json_t *)hand; /* which iterating leaves as it is */
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        const json_t *value = json_object_iter_value(at);
        int kind = strlen(key) == 2 ? notation_kind_of_csa(key) : NO_KIND;
        json_int_t count = json_integer_value(value);
        if (kind == NO_KIND || !json_is_integer(value) || count < 0 || count > 99 || (kind >= KING && count > 0)) {
            fail(j, _("a hand holds \"%.20s\": expected a number of FU, KY, KE, GI, KI, KA or HI"), key);
            return false;
        }
        if (kind < KING)
            counts[kind] = (uint8_t)count;
    }
    return true;
}

static bool read_data(struct jkf *j, const json_t *data, struct setup *setup) {
    const json_t *hands = json_object_get(data, "hands");
    memset(setup, 0, sizeof *setup);
    if (!json_is_object(data)) {
        fail(j, _("initial has the preset OTHER, but no data"));
        return false;
    }
    setup->side = number_in(data, "color", 0, 1, 0) ? WHITE : BLACK;
    return read_board(j, json_object_get(data, "board"), setup) &&
           read_hand(j, json_array_get(hands, BLACK), setup->hand[BLACK]) &&
           read_hand(j, json_array_get(hands, WHITE), setup->hand[WHITE]);
}

/* Without `initial` it is the opening position. */
static bool read_initial(struct jkf *j, const json_t *initial, struct setup *setup) {
    const char *preset = json_is_object(initial) ? string_at(initial, "preset") : handicaps[0].jkf;
    if (strcmp(preset, "OTHER") == 0)
        return read_data(j, json_object_get(initial, "data"), setup);
    for (int i = 0; i < HANDICAPS; i++)
        if (strcmp(preset, handicaps[i].jkf) == 0) {
            handicap_setup(i, setup);
            return true;
        }
    fail(j, _("the preset '%.40s' is none of HIRATE, KY … 10, OTHER"), preset);
    return false;
}

/* ---- Moves ---- */

static void take_comments(struct jkf *j, const json_t *lines, char **at) {
    comments_turn_to(&j->comments, at);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        j->out_of_memory |= line && !comments_add(&j->comments, line, j->problem, j->problem->line);
    }
}

static int32_t time_of(const json_t *node) {
    const json_t *now = json_object_get(json_object_get(node, "time"), "now");
    long hours = number_in(now, "h", 0, 500, 0), minutes = number_in(now, "m", 0, 30000, -1),
         seconds = number_in(now, "s", 0, 60, -1);
    return minutes < 0 || seconds < 0 ? TIME_UNSTATED : stated_time((hours * 60 + minutes) * 60 + seconds);
}

static int square_at(const json_t *object, const char *key) {
    const json_t *place = json_object_get(object, key);
    long x = number_in(place, "x", 1, 9, 0), y = number_in(place, "y", 1, 9, 0);
    return x && y ? square_make((int)x - 1, (int)y - 1) : NO_SQUARE;
}

/* Is there no origin because there is none? Where others stand by it is only left out, as in KI2. */
static bool is_drop(const json_t *stated) {
    const json_t *origin = json_object_get(stated, "from");
    const char *relative = string_at(stated, "relative");
    return (!origin || json_is_null(origin)) && (*relative == '\0' || strcmp(relative, "H") == 0);
}

/* The legal move that a "move" states, after one that went to previous_to; NO_MOVE if it is none. */
static move resolve(struct jkf *j, const json_t *stated, int previous_to) {
    int to = square_at(stated, "to"), from = square_at(stated, "from"), kind = kind_at(stated, "piece");
    if (to == NO_SQUARE && json_is_true(json_object_get(stated, "same")))
        to = previous_to;
    if (to == NO_SQUARE)
        return NO_MOVE;
    if (from == NO_SQUARE)
        return is_drop(stated) && kind != NO_KIND && kind <= GOLD
                   ? move_complete(&j->position, NO_SQUARE, to, kind, false)
                   : NO_MOVE;
    if (kind != NO_KIND && kind != piece_kind(j->position.board[from]))
        return NO_MOVE;
    return move_complete(&j->position, from, to, NO_KIND, json_is_true(json_object_get(stated, "promote")));
}

static void take_special(struct jkf *j, const json_t *node, struct stated_move *last) {
    enum play_end end = play_end_of_csa(string_at(node, "special"));
    if (end == END_UNSTATED)
        return;
    *(last ? &last->end : &j->problem->end) = end;
    if (last)
        last->end_time_ms = time_of(node);
    const json_t *comments = json_object_get(node, "comments");
    if (comments)
        take_comments(j, comments, last ? &last->comment : &j->problem->comment);
}

static void read_moves(struct jkf *j, const json_t *moves, size_t begin, struct stated_move **first,
                       struct stated_move *before, int previous_to);

/* Other moves in place of the one that has these forks; the position is the one before it. */
static void read_forks(struct jkf *j, const json_t *forks, struct stated_move **first, struct stated_move *before,
                       int previous_to) {
    if (json_array_size(forks) > 0 && j->forks_deep == JKF_FORKS_DEEP) {
        problem_note(j->problem, j->problem->line, 1, _("forks are nested too deep"));
        return;
    }
    j->forks_deep++;
    for (size_t i = 0; i < json_array_size(forks); i++)
        read_moves(j, json_array_get(forks, i), 0, first, before, previous_to);
    j->forks_deep--;
}

/* A line of play from the position: moves[begin] is the first. `before` is the move that led here, NULL if none did. */
static void read_moves(struct jkf *j, const json_t *moves, size_t begin, struct stated_move **first,
                       struct stated_move *before, int previous_to) {
    struct position start = j->position;
    for (size_t i = begin; i < json_array_size(moves) && !j->out_of_memory; i++) {
        const json_t *node = json_array_get(moves, i), *stated = json_object_get(node, "move");
        if (!json_is_object(stated)) {
            take_special(j, node, before);
            break;
        }
        move m = resolve(j, stated, previous_to);
        if (m == NO_MOVE) {
            problem_note(j->problem, j->problem->line, 1,
                         j->forks_deep ? _("moves[%zu] of a fork is not legal there; the line ends before it")
                                       : _("moves[%zu] is not legal there; the line ends before it"),
                         i);
            break;
        }
        struct stated_move *added = stated_move_add(first, m);
        if (!added) {
            j->out_of_memory = true;
            break;
        }
        added->time_ms = time_of(node);
        take_comments(j, json_object_get(node, "comments"), &added->comment);
        read_forks(j, json_object_get(node, "forks"), first, before, previous_to);
        position_do(&j->position, m);
        before = added;
        previous_to = move_to(m);
        first = &added->next;
    }
    j->position = start;
}

/* ---- The whole ---- */

/* Each line of the value is a header: a key is there only once. */
static void read_values(struct jkf *j, const char *key, const char *lines) {
    for (const char *end; lines; lines = *end ? end + 1 : NULL) {
        end = strchrnul(lines, '\n');
        char *value = strndup(lines, (size_t)(end - lines));
        j->out_of_memory |= !value || !problem_add_header(j->problem, key, value);
        free(value);
    }
}

static void read_header(struct jkf *j, const json_t *header) {
    json_t *object = (json_t *)header;
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
        read_values(j, json_object_iter_key(at), json_string_value(json_object_iter_value(at)));
}

static void read_record(struct jkf *j, const json_t *record) {
    const json_t *moves = json_object_get(record, "moves"), *first = json_array_get(moves, 0);
    struct setup setup;
    if (!json_is_object(json_object_get(record, "header")) && !json_is_array(moves)) {
        fail(j, _("the JSON object is no record: it has neither header nor moves"));
        return;
    }
    read_header(j, json_object_get(record, "header"));
    if (!read_initial(j, json_object_get(record, "initial"), &setup))
        return;
    setup.move_number = 1;
    problem_from_setup(j->problem, &setup, j->reading->options.hands, j->reading->options.attacker);
    if (j->problem->invalid)
        return;
    j->position = j->problem->position;
    /* the first entry has the comments on the position, and no move unless a program was careless */
    bool headless = json_is_object(json_object_get(first, "move"));
    if (!headless)
        take_comments(j, json_object_get(first, "comments"), &j->problem->comment);
    read_moves(j, moves, headless ? 0 : 1, &j->problem->stated, NULL, NO_SQUARE);
}

static void read_text(struct jkf *j, const struct object_text *object) {
    json_error_t error;
    json_t *record = json_loadb(object->bytes, object->length, JSON_REJECT_DUPLICATES, &error);
    if (record)
        read_record(j, record);
    else
        problem_fail(j->problem, j->problem->line + error.line - 1, error.column > 0 ? error.column : 1, "JSON: %s",
                     error.text);
    json_decref(record);
}

/* Does a record begin here although the one before it is not closed? */
static bool begins_record(const char *line) {
    static const char *const beginnings[] = {"{\"header\"", "{\"initial\"", "{\"moves\""};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* Collects the lines of an object; false when memory is short. */
static bool collect(struct jkf *j, struct object_text *object) {
    struct text_line line;
    do {
        if (!text_next(j->reading->text, &line))
            return true; /* the object is cut off: JSON will say so */
        if (j->problem && (begins_record(line.bytes) || format_changes(FORMAT_JKF, line.bytes))) {
            text_unread(j->reading->text);
            return true; /* likewise */
        }
        if (!j->problem && !(j->problem = problem_new(j->reading->file, line.number)))
            return false;
        if (line.fault != TEXT_FINE)
            problem_fail(j->problem, line.number, line.fault_column, "%s", line.fault_message);
        object->too_long |= object->length + line.length > RECORD_BYTES_MAX;
        if (!object->too_long && !append(object, line.bytes, line.length))
            return false;
        follow_braces(object, line.bytes);
    } while (object->depth > 0);
    return true;
}

struct tsume_problem *jkf_next(struct reading *reading) {
    struct jkf *j = calloc(1, sizeof *j);
    struct object_text object = {0};
    bool fine = j != NULL;
    if (fine) {
        j->reading = reading;
        fine = collect(j, &object);
    }
    struct tsume_problem *problem = j ? j->problem : NULL;
    if (fine && problem && object.too_long)
        problem_fail(problem, problem->line, 1, _("the record is longer than %d bytes"), RECORD_BYTES_MAX);
    if (fine && problem && !problem->invalid)
        read_text(j, &object);
    if (!fine || j->out_of_memory) {
        reading->out_of_memory = true;
        tsume_problem_free(problem);
        problem = NULL;
    }
    free(object.bytes);
    free(j);
    return problem;
}
