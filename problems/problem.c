/* problem.c: what makes a setup a tsume problem. */
#define _POSIX_C_SOURCE 200809L
#include "problems/problem.h"

#include "problems/kif_words.h"
#include "rules/language.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life ---- */

struct tsume_problem *problem_new(const char *file, long line) {
    struct tsume_problem *problem = calloc(1, sizeof *problem);
    if (!problem)
        return NULL;
    size_t id_size = strlen(file) + 24;
    problem->line = line;
    problem->file = strdup(file);
    problem->id = malloc(id_size);
    if (!problem->file || !problem->id) {
        tsume_problem_free(problem);
        return NULL;
    }
    snprintf(problem->id, id_size, "%s:%ld", file, line);
    return problem;
}

/* Frees a tree of moves without recursion (it may be thousands deep): variations are rotated into the `next` line first. */
static void free_moves(struct stated_move *m) {
    while (m) {
        struct stated_move *variation = m->variation;
        if (variation) {
            m->variation = variation->next;
            variation->next = m;
            m = variation;
        } else {
            struct stated_move *next = m->next;
            free(m->comment);
            free(m);
            m = next;
        }
    }
}

static void free_headers(struct problem_header *header) {
    while (header) {
        struct problem_header *next = header->next;
        free(header->key);
        free(header->value);
        free(header);
        header = next;
    }
}

void tsume_problem_free(struct tsume_problem *problem) {
    if (!problem)
        return;
    free_headers(problem->headers);
    free(problem->comment);
    free(problem->id);
    free(problem->title);
    free(problem->file);
    free(problem->error.file);
    free(problem->stated_note);
    free(problem->view);
    free_moves(problem->stated);
    free(problem);
}

static const char *const spaces[] = {" ", "\t", "\xE3\x80\x80" /* ideographic */};

/* Length of the white space that text begins with, or (at its end) ends with; 0 if it does not. */
static size_t space_at(const char *text, size_t length, bool at_end) {
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        size_t width = strlen(spaces[i]);
        if (width <= length && memcmp(at_end ? text + length - width : text, spaces[i], width) == 0)
            return width;
    }
    return 0;
}

static bool is_control(char ch) {
    return (unsigned char)ch < ' ' || ch == 127;
}

/* A copy of the text as it fits into one line: spaces in place of control characters, and none around it. NULL when memory
 * is short. */
static char *one_line(const char *utf8) {
    char *line = strdup(utf8);
    for (char *c = line; c && *c; c++)
        if (is_control(*c))
            *c = ' ';
    return line;
}
static char *trimmed(const char *text) {
    char *line = one_line(text), *utf8 = line;
    if (!line)
        return NULL;
    size_t length = strlen(utf8), width;
    while ((width = space_at(utf8, length, false)) > 0) {
        utf8 += width;
        length -= width;
    }
    while ((width = space_at(utf8, length, true)) > 0)
        length -= width;
    memmove(line, utf8, length);
    line[length] = '\0';
    return line;
}

/* *set becomes true if there was anything to set. */
static bool set_trimmed(char **field, const char *utf8, bool *set) {
    char *copy = trimmed(utf8);
    if (!copy)
        return false;
    if (*copy == '\0') {
        free(copy);
        return true;
    }
    free(*field);
    *field = copy;
    *set = true;
    return true;
}

bool problem_set_id(struct tsume_problem *problem, const char *utf8) {
    return set_trimmed(&problem->id, utf8, &problem->named);
}
bool problem_set_title(struct tsume_problem *problem, const char *utf8) {
    bool set;
    return set_trimmed(&problem->title, utf8, &set);
}

/* ---- Headers ---- */

/* The headers that say something to us. Each may be stated once, and so may the last three together, or a record in KIF
 * would be taken for two. */
static const char *const telling_keys[] = {"作品番号", "手数", "作品名", "表題", "題名", "title"};
enum { KEY_ID, KEY_LENGTH, FIRST_TITLE_KEY, KEY_HEADING, TELLING_KEYS = sizeof telling_keys / sizeof *telling_keys };
static const char note_key[] = "備考";

static int find_key(const char *const *keys, int count, const char *key) {
    for (int i = 0; i < count; i++)
        if (strcmp(key, keys[i]) == 0)
            return i;
    return -1;
}

static bool is_of_position(const char *key) {
    static const char *const keys[] = {"手合割", "手番", "先手の持駒", "後手の持駒", "下手の持駒", "上手の持駒"};
    return find_key(keys, sizeof keys / sizeof *keys, key) >= 0;
}

/* Takes over what a header says. The first title counts. */
static bool take_header(struct tsume_problem *problem, int key, const char *value) {
    if (key == KEY_ID)
        return problem_set_id(problem, value);
    if (key >= FIRST_TITLE_KEY && !problem->title)
        return problem_set_title(problem, value) && (problem->named || problem_set_id(problem, value));
    if (key == KEY_LENGTH) {
        struct words w = words_of(value);
        long plies = words_number(&w);
        if (plies > 0)
            problem->stated_plies = plies;
    }
    return true;
}

/* Puts a header behind the others. */
static bool append_header(struct tsume_problem *problem, const char *key, const char *value) {
    struct problem_header *header = calloc(1, sizeof *header);
    if (!header)
        return false;
    *(problem->last_header ? &problem->last_header->next : &problem->headers) = header;
    problem->last_header = header;
    header->key = strdup(key);
    header->value = strdup(value);
    return header->key && header->value;
}

/* Adds a header whose key and value are fit for it. */
static bool add_clean_header(struct tsume_problem *problem, const char *key, const char *value) {
    int telling = find_key(telling_keys, TELLING_KEYS, key);
    if (telling < 0)
        return append_header(problem, *key ? key : note_key, value);
    if (*value == '\0')
        return true;
    unsigned bit = 1u << (telling < KEY_HEADING ? telling : KEY_HEADING);
    if (problem->stated_once & bit)
        return append_header(problem, note_key, value);
    problem->stated_once |= bit;
    return append_header(problem, key, value) && take_header(problem, telling, value);
}

bool problem_add_header(struct tsume_problem *problem, const char *key, const char *value) {
    char *clean_key = trimmed(key), *clean_value = trimmed(value);
    bool fine =
        clean_key && clean_value && (is_of_position(clean_key) || add_clean_header(problem, clean_key, clean_value));
    free(clean_key);
    free(clean_value);
    return fine;
}

struct tsume_problem *problem_bare(const struct tsume_problem *problem) {
    struct tsume_problem *bare = problem_new(problem->file, problem->line);
    bool fine =
        bare && problem_set_id(bare, problem->id) && (!problem->title || problem_set_title(bare, problem->title));
    for (const struct problem_header *header = problem->headers; fine && header; header = header->next)
        if (strcmp(header->key, telling_keys[KEY_LENGTH]) != 0)
            fine = problem_add_header(bare, header->key, header->value);
    if (!fine) {
        tsume_problem_free(bare);
        return NULL;
    }
    bare->named = problem->named;
    bare->setup = problem->setup;
    bare->position = problem->position;
    bare->position_is_set = problem->position_is_set;
    bare->hands_completed = problem->hands_completed;
    bare->attacker = problem->attacker;
    bare->defender_to_move = problem->defender_to_move;
    return bare;
}

const char *problem_header(const struct tsume_problem *problem, const char *key) {
    for (const struct problem_header *header = problem->headers; header; header = header->next)
        if (strcmp(header->key, key) == 0)
            return header->value;
    return NULL;
}

/* ---- Comments ---- */

enum { COMMENT_BYTES_MAX = 1 << 20 };

void comments_turn_to(struct comments *comments, char **at) {
    comments->at = at;
    comments->length = *at ? strlen(*at) : 0;
}

bool comments_add(struct comments *comments, const char *text, struct tsume_problem *problem, long line) {
    size_t length = strlen(text), size = comments->length + length + 2;
    if (comments->total + length + 1 > COMMENT_BYTES_MAX) {
        problem_note(problem, line, 1, _("the comments are longer than %d bytes"), COMMENT_BYTES_MAX);
        return true;
    }
    bool first = *comments->at == NULL;
    char *all = realloc(*comments->at, size);
    if (!all)
        return false;
    if (!first)
        all[comments->length++] = '\n';
    memcpy(all + comments->length, text, length + 1);
    for (char *c = all + comments->length; *c; c++) /* JSON may hold any */
        if (is_control(*c) && *c != '\n' && *c != '\t')
            *c = ' ';
    *comments->at = all;
    comments->length += length;
    comments->total += length + 1;
    return true;
}

/* ---- Faults and notes ---- */

void problem_fail(struct tsume_problem *problem, long line, long column, const char *format, ...) {
    if (problem->invalid)
        return;
    problem->invalid = true;
    problem->error.line = line;
    problem->error.column = column;
    problem->error.file = strdup(problem->file);
    va_list args;
    va_start(args, format);
    vsnprintf(problem->error.message, sizeof problem->error.message, format, args);
    va_end(args);
}

void problem_note(struct tsume_problem *problem, long line, long column, const char *format, ...) {
    if (problem->stated_note)
        return;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t size = strlen(problem->file) + sizeof text + 48;
    problem->stated_note = malloc(size);
    if (problem->stated_note)
        snprintf(problem->stated_note, size, "%s:%ld:%ld: %s", problem->file, line, column, text);
}

int32_t stated_time(long seconds) {
    return seconds >= 0 && seconds <= TIME_MAX_S ? (int32_t)seconds * 1000 : TIME_UNSTATED;
}

struct stated_move *stated_move_add(struct stated_move **first, move m) {
    for (; *first; first = &(*first)->variation)
        if ((*first)->move == m)
            return *first;
    *first = calloc(1, sizeof **first);
    if (*first)
        **first = (struct stated_move){.move = m, .time_ms = TIME_UNSTATED, .end_time_ms = TIME_UNSTATED};
    return *first;
}

bool stated_line_mates(const struct tsume_problem *problem) {
    const struct stated_move *last = problem->stated;
    while (last && last->next)
        last = last->next;
    return last && last->end == END_MATE;
}

/* ---- Kings and hands ---- */

static void count_kings(const struct setup *setup, int kings[2]) {
    kings[BLACK] = kings[WHITE] = 0;
    for (int sq = 0; sq < SQUARES; sq++)
        if (piece_kind(setup->board[sq]) == KING)
            kings[piece_color(setup->board[sq])]++;
}

/* How many of each base kind are on the board and in the hands. */
static void count_pieces(const struct setup *setup, int count[HAND_KINDS]) {
    for (int kind = PAWN; kind <= GOLD; kind++)
        count[kind] = setup->hand[BLACK][kind] + setup->hand[WHITE][kind];
    for (int sq = 0; sq < SQUARES; sq++) {
        int kind = kind_base(piece_kind(setup->board[sq]));
        if (kind != NO_KIND && kind != KING)
            count[kind]++;
    }
}

bool setup_give_rest(struct setup *setup, enum color color) {
    int count[HAND_KINDS];
    count_pieces(setup, count);
    bool given = false;
    for (int kind = PAWN; kind <= GOLD; kind++) {
        int missing = kind_set_size(kind) - count[kind];
        if (missing <= 0)
            continue;
        setup->hand[color][kind] = (uint8_t)(setup->hand[color][kind] + missing);
        given = true;
    }
    return given;
}

bool setup_complete_hands(struct setup *setup) {
    int kings[2];
    count_kings(setup, kings);
    return kings[BLACK] + kings[WHITE] == 1 && setup_give_rest(setup, kings[BLACK] ? BLACK : WHITE);
}

/* ---- Legality ---- */

static const char *const color_names[] = {N_("Black"), N_("White")};
static const char *const kind_names[HAND_KINDS] = {
    "", N_("pawns"), N_("lances"), N_("knights"), N_("silvers"), N_("bishops"), N_("rooks"), N_("golds")};
static const char *const singular_names[] = {N_("piece"), N_("pawn"), N_("lance"), N_("knight")};

static const char *color_name(enum color color) {
    return _(color_names[color]);
}

static void fail_on_kings(struct tsume_problem *problem) {
    int kings[2];
    count_kings(&problem->setup, kings);
    if (kings[BLACK] + kings[WHITE] == 0)
        problem_fail(problem, problem->line, 0, _("there is no king to mate"));
    else
        problem_fail(problem, problem->line, 0, _("%s has %d kings"), color_name(kings[BLACK] > 1 ? BLACK : WHITE),
                     kings[BLACK] > 1 ? kings[BLACK] : kings[WHITE]);
}

static void fail_on_count(struct tsume_problem *problem, int kind) {
    int count[HAND_KINDS];
    count_pieces(&problem->setup, count);
    problem_fail(problem, problem->line, 0, _("there are %d %s, a set has %d"), count[kind], _(kind_names[kind]),
                 kind_set_size(kind));
}

static void fail_on_square(struct tsume_problem *problem, enum fault fault, int sq) {
    piece p = problem->setup.board[sq];
    const char *owner = color_name(piece_color(p));
    if (fault == FAULT_NIFU)
        problem_fail(problem, problem->line, 0, _("%s has two unpromoted pawns on file %d (nifu)"), owner,
                     square_file(sq) + 1);
    else
        problem_fail(problem, problem->line, 0, _("%s's %s on %d%c could never move"), owner,
                     _(singular_names[piece_kind(p) <= KNIGHT ? piece_kind(p) : 0]), square_file(sq) + 1,
                     'a' + square_rank(sq));
}

/* Says why the setup is no legal position; false if it is one. */
static bool fail_on_fault(struct tsume_problem *problem) {
    int square, kind;
    enum fault fault = setup_fault(&problem->setup, &square, &kind);
    switch (fault) {
    case FAULT_NONE:
        return false;
    case FAULT_KINGS:
        fail_on_kings(problem);
        break;
    case FAULT_TOO_MANY_PIECES:
        fail_on_count(problem, kind);
        break;
    case FAULT_NIFU:
    case FAULT_DEAD_PIECE:
        fail_on_square(problem, fault, square);
        break;
    case FAULT_IN_CHECK:
        problem_fail(problem, problem->line, 0, _("%s's king is already in check with %s to move"),
                     color_name(color_other(problem->setup.side)), color_name(problem->setup.side));
        break;
    }
    return true;
}

/* ---- Attacker and defender ---- */

/* The attacker: who is asked for; else the side without a king; else the side to move, or the other where that is in check. */
static enum color find_attacker(const struct position *pos, enum attacker_rule rule) {
    if (rule != ATTACKER_AUTO)
        return rule == ATTACKER_BLACK ? BLACK : WHITE;
    if (pos->king[BLACK] == NO_SQUARE)
        return BLACK;
    if (pos->king[WHITE] == NO_SQUARE)
        return WHITE;
    enum color side = (enum color)pos->side;
    return position_in_check(pos) ? color_other(side) : side;
}

void problem_from_setup(struct tsume_problem *problem, const struct setup *setup, enum hands_rule hands,
                        enum attacker_rule attacker) {
    problem->setup = *setup;
    problem->position_is_set = true;
    if (fail_on_fault(problem))
        return;
    if (hands == HANDS_COMPLETE && setup_complete_hands(&problem->setup))
        problem->hands_completed = true;
    struct position *pos = &problem->position;
    position_set(pos, &problem->setup);
    problem->attacker = find_attacker(pos, attacker);
    enum color defender = color_other(problem->attacker);
    problem->defender_to_move = pos->side == (uint8_t)defender;
    if (pos->king[defender] == NO_SQUARE)
        problem_fail(problem, problem->line, 0, _("%s is to be the attacker, but %s has no king to mate"),
                     color_name(problem->attacker), color_name(defender));
    else if (problem->defender_to_move && !position_in_check(pos))
        problem_fail(problem, problem->line, 0, _("%s is the defender and to move, but is not in check"),
                     color_name(defender));
}
