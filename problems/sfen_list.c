/* sfen_list.c: reading lists of SFEN. */
#include "problems/sfen_list.h"

#include "problems/format.h"
#include "problems/kif_words.h"
#include "rules/language.h"
#include "rules/movegen.h"
#include "rules/sfen.h"

#include <stdlib.h>
#include <string.h>

/* The entry that is being read. */
struct entry {
    struct reading *reading;
    struct tsume_problem *problem;
    const struct text_line *line;
};

static bool is_space(char ch) {
    return ch == ' ' || ch == '\t';
}

static const char *skip_spaces(const char *text) {
    while (is_space(*text))
        text++;
    return text;
}

static size_t token_length(const char *text) {
    size_t length = 0;
    while (text[length] != '\0' && !is_space(text[length]))
        length++;
    return length;
}

/* Skips the word if the text begins with it. */
static bool accept_word(const char **text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0 || token_length(*text) != length)
        return false;
    *text = skip_spaces(*text + length);
    return true;
}

/* A board has eight slashes; fewer may be one that was cut off. Addresses and dates have other characters or fewer. */
static bool looks_like_board(const char *text) {
    size_t length = token_length(text);
    int slashes = 0;
    for (size_t i = 0; i < length; i++) {
        char ch = text[i];
        bool of_board = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '+';
        if (ch == '/')
            slashes++;
        else if (!of_board)
            return false;
    }
    return slashes >= 4;
}

bool sfen_list_recognizes(const char *line) {
    line = skip_spaces(line);
    const char *rest = line;
    return accept_word(&rest, "position") || accept_word(&rest, "sfen") || accept_word(&rest, "startpos") ||
           looks_like_board(line);
}

static long column_of(const struct entry *e, const char *at) {
    return text_column(e->line->bytes, (size_t)(at - e->line->bytes));
}

/* The part of a token that an error message can hold. */
static int shown_length(const char *token) {
    size_t length = token_length(token);
    if (length > 40)
        for (length = 40; length > 0 && ((unsigned char)token[length] & 0xC0) == 0x80;)
            length--;
    return (int)length;
}

static const char *move_complaint(const char *token) {
    int from, to, kind;
    bool promotes;
    size_t length = (size_t)usi_parse_move(token, &from, &to, &kind, &promotes);
    return length > 0 && length == token_length(token) ? _("is not legal here") : _("is not a move in USI notation");
}

/* ---- The position ---- */

static bool parse_setup(struct entry *e, const char **text, struct setup *setup) {
    struct sfen_error error;
    accept_word(text, "position");
    if (accept_word(text, "startpos"))
        return sfen_parse(SFEN_OPENING, setup, &error) > 0;
    accept_word(text, "sfen");
    size_t length = sfen_parse(*text, setup, &error);
    if (length == 0)
        problem_fail(e->problem, e->line->number, column_of(e, *text + error.column), "%s", error.message);
    *text += length;
    return length > 0;
}

/* Plays the moves that lead to the problem. */
static bool play_moves(struct entry *e, const char *text, struct position *pos, int *count) {
    for (*count = 0; *text != '\0'; text = skip_spaces(text + token_length(text))) {
        move m = move_from_usi(pos, text);
        if (m == NO_MOVE) {
            problem_fail(e->problem, e->line->number, column_of(e, text), _("move %d, '%.*s', %s"), *count + 1,
                         shown_length(text), text, move_complaint(text));
            return false;
        }
        position_do(pos, m);
        ++*count;
    }
    return true;
}

/* The problem that the moves lead to from the setup. */
static void set_after_moves(struct entry *e, struct setup *setup, const char *moves) {
    const struct reader_options *options = &e->reading->options;
    bool completed = options->hands == HANDS_COMPLETE && setup_complete_hands(setup);
    if (setup_fault(setup, NULL, NULL) == FAULT_NONE) {
        int count, first = setup->move_number;
        struct position pos;
        position_set(&pos, setup);
        if (!play_moves(e, moves, &pos, &count))
            return;
        position_get(&pos, setup);
        setup->move_number = count < MOVE_NUMBER_MAX - first ? first + count : MOVE_NUMBER_MAX;
    }
    problem_from_setup(e->problem, setup, options->hands, options->attacker);
    e->problem->hands_completed |= completed;
}

static void parse_position(struct entry *e, const char *text) {
    struct setup setup;
    text = skip_spaces(text);
    const char *start = text;
    if (!parse_setup(e, &text, &setup))
        return;
    if (accept_word(&text, "moves")) {
        set_after_moves(e, &setup, text);
    } else if (*text != '\0') {
        problem_fail(e->problem, e->line->number, column_of(e, text),
                     _("expected 'moves', a tab or the end of the line, found '%.*s'"), shown_length(text), text);
        return;
    } else {
        problem_from_setup(e->problem, &setup, e->reading->options.hands, e->reading->options.attacker);
    }
    if (e->problem->invalid && e->problem->error.column == 0)
        e->problem->error.column = column_of(e, start);
}

/* ---- The other columns ---- */

static bool is_solution(const char *text) {
    int from, to, kind;
    bool promotes;
    text = skip_spaces(text);
    size_t length = (size_t)usi_parse_move(text, &from, &to, &kind, &promotes);
    return length > 0 && length == token_length(text);
}

/* Takes the moves of the solution into the problem, up to one that is not legal. */
static void parse_solution(struct entry *e, const char *text) {
    if (e->problem->invalid || e->problem->stated)
        return;
    struct position pos = e->problem->position;
    struct stated_move **end = &e->problem->stated, *last = NULL;
    long count = 0;
    for (text = skip_spaces(text); *text != '\0'; text = skip_spaces(text + token_length(text))) {
        move m = move_from_usi(&pos, text);
        if (m == NO_MOVE) {
            problem_note(e->problem, e->line->number, column_of(e, text), _("stated move %ld, '%.*s', %s"), count + 1,
                         shown_length(text), text, move_complaint(text));
            return;
        }
        struct stated_move *stated = stated_move_add(end, m);
        if (!stated) {
            e->reading->out_of_memory = true;
            return;
        }
        last = stated;
        end = &last->next;
        position_do(&pos, m);
        count++;
    }
    if (last && count == e->problem->stated_plies)
        last->end = END_MATE;
}

/* The length of the solution, if that is what the column holds: as long as numbers in records may be. */
static bool parse_plies(struct entry *e, const char *text) {
    char *end;
    text = skip_spaces(text);
    if (*text < '0' || *text > '9')
        return false;
    long plies = strtol(text, &end, 10);
    if (*skip_spaces(end) != '\0' || plies > WORDS_NUMBER_MAX)
        return false;
    e->problem->stated_plies = plies;
    return true;
}

static bool says_nothing(const char *text) {
    return *skip_spaces(text) == '\0' || strcmp(text, "-") == 0;
}

/* A remark in the manner of KIF, "key：value", is a header: the value, and how long the key is. 0: it is a note. */
static const char *split_remark(const char *text, size_t *key_length) {
    static const char colon[] = "：";
    const char *found = strstr(text, colon);
    *key_length = found ? (size_t)(found - text) : 0;
    return *key_length > 0 ? found + strlen(colon) : text;
}

static void parse_remark(struct entry *e, const char *text) {
    size_t key_length;
    const char *value = split_remark(text, &key_length);
    if (says_nothing(text))
        return;
    char *key = key_length > 0 ? strndup(text, key_length) : strdup("備考");
    e->reading->out_of_memory |= !key || !problem_add_header(e->problem, key, value);
    free(key);
}

bool sfen_list_reads_remark(const char *column, const char *key, const char *value) {
    size_t key_length;
    const char *found = split_remark(column, &key_length);
    bool same_key =
        key_length > 0 ? strlen(key) == key_length && strncmp(column, key, key_length) == 0 : strcmp(key, "備考") == 0;
    return same_key && strcmp(found, value) == 0 && !says_nothing(column) && !is_solution(column);
}

static void parse_column(struct entry *e, int number, const char *text) {
    if (number == 1)
        parse_position(e, text);
    else if (number == 2)
        e->reading->out_of_memory |= !problem_set_id(e->problem, text);
    else if (is_solution(text))
        parse_solution(e, text);
    else if (number > 3 || !parse_plies(e, text))
        parse_remark(e, text);
}

/* White space before the position is no column. */
static size_t indent_of(const char *line) {
    return strspn(line, " \t");
}

static void parse_columns(struct entry *e) {
    char *at = e->line->bytes + indent_of(e->line->bytes);
    for (int number = 1; at; number++) {
        char *tab = strchr(at, '\t');
        if (tab)
            *tab = '\0';
        parse_column(e, number, at);
        at = tab ? tab + 1 : NULL;
    }
}

/* ---- The list ---- */

/* Bad bytes matter in the position; a remark may have them, and a solution with them is noted as no legal one. */
static bool fault_matters(const struct text_line *line) {
    size_t indent = indent_of(line->bytes), length = strcspn(line->bytes + indent, "\t");
    return line->fault == TEXT_TOO_LONG ||
           (line->fault == TEXT_BAD_BYTES && line->fault_column < text_column(line->bytes, indent + length));
}

static struct tsume_problem *read_entry(struct reading *reading, struct text_line *line) {
    struct entry e = {reading, problem_new(reading->file, line->number), line};
    if (!e.problem) {
        reading->out_of_memory = true;
        return NULL;
    }
    if (fault_matters(line))
        problem_fail(e.problem, line->number, line->fault_column, "%s", line->fault_message);
    parse_columns(&e);
    return e.problem;
}

static bool is_blank(const char *text) {
    return *skip_spaces(text) == '\0';
}

struct tsume_problem *sfen_list_next(struct reading *reading) {
    struct text_line line;
    while (text_next(reading->text, &line)) {
        if (is_blank(line.bytes) || *skip_spaces(line.bytes) == '#')
            continue;
        if (format_changes(FORMAT_SFEN, line.bytes)) {
            text_unread(reading->text);
            return NULL;
        }
        return read_entry(reading, &line);
    }
    return NULL;
}
