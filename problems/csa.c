/* csa.c: reading records of CSA. */
#define _POSIX_C_SOURCE 200809L
#include "problems/csa.h"

#include "problems/format.h"
#include "problems/handicap.h"
#include "problems/kif_words.h"
#include "problems/sfen_list.h"
#include "rules/language.h"
#include "rules/movegen.h"
#include "rules/notation.h"

#include <stdlib.h>
#include <string.h>

/* ---- Kinds of statement ---- */

enum statement {
    STATEMENT_BLANK,
    STATEMENT_COMMENT,
    STATEMENT_VERSION,
    STATEMENT_PLAYER,  /* N+ N- */
    STATEMENT_HEADER,  /* $KEY:value */
    STATEMENT_OPENING, /* PI */
    STATEMENT_RANK,    /* P1 … P9 */
    STATEMENT_PIECES,  /* P+ P- */
    STATEMENT_SIDE,    /* + - */
    STATEMENT_MOVE,
    STATEMENT_END, /* %TORYO */
    STATEMENT_TIME,
    STATEMENT_SEPARATOR,
    STATEMENT_NONE, /* anything else */
};

static bool is_sign(char ch) {
    return ch == '+' || ch == '-';
}

static bool are_digits(const char *text, int count) {
    for (int i = 0; i < count; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return true;
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t")] == '\0';
}

static enum statement classify_position(const char *text) {
    if (text[1] == 'I')
        return STATEMENT_OPENING;
    if (is_sign(text[1]))
        return STATEMENT_PIECES;
    return text[1] >= '1' && text[1] <= '9' && text[2] && strchr("+- *", text[2]) ? STATEMENT_RANK : STATEMENT_NONE;
}

static enum statement classify(const char *text) {
    switch (text[0]) {
    case '\'':
        return STATEMENT_COMMENT;
    case 'V':
        return are_digits(text + 1, 1) && strspn(text + 1, "0123456789. ") == strlen(text + 1) ? STATEMENT_VERSION
                                                                                               : STATEMENT_NONE;
    case 'N':
        return is_sign(text[1]) ? STATEMENT_PLAYER : STATEMENT_NONE;
    case '$':
        return strchr(text, ':') ? STATEMENT_HEADER : STATEMENT_NONE;
    case 'P':
        return classify_position(text);
    case '+':
    case '-':
        return are_digits(text + 1, 4) ? STATEMENT_MOVE : is_blank(text + 1) ? STATEMENT_SIDE : STATEMENT_NONE;
    case '%':
        return STATEMENT_END;
    case 'T':
        return are_digits(text + 1, 1) ? STATEMENT_TIME : STATEMENT_NONE;
    case '/':
        return is_blank(text + 1) ? STATEMENT_SEPARATOR : STATEMENT_NONE;
    default:
        return is_blank(text) ? STATEMENT_BLANK : STATEMENT_NONE;
    }
}

/* Does a header's key look like those that CSA itself has? Others are too much like what may stand anywhere. */
static bool is_official(const char *key) {
    size_t length = strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return length > 1 && key[length] == ':';
}

static const char encoding_comment[] = "'CSA encoding=";

bool csa_recognizes(const char *line) {
    enum statement kind = classify(line);
    if (kind == STATEMENT_COMMENT)
        return strncmp(line, encoding_comment, strlen(encoding_comment)) == 0;
    if (kind == STATEMENT_HEADER)
        return is_official(line + 1);
    return (kind >= STATEMENT_VERSION && kind <= STATEMENT_PIECES) || kind == STATEMENT_MOVE;
}

/* ---- Headers ---- */

static const char *const header_names[][2] = {
    {"EVENT", "棋戦"},          {"SITE", "場所"},    {"START_TIME", "開始日時"}, {"END_TIME", "終了日時"},
    {"TIME_LIMIT", "持ち時間"}, {"OPENING", "戦型"}, {"NOTE", "備考"},           {"MAX_MOVES", "最大手数"},
};

static const char *translate(const char *key, int from) {
    for (size_t i = 0; i < sizeof header_names / sizeof *header_names; i++)
        if (strcmp(key, header_names[i][from]) == 0)
            return header_names[i][1 - from];
    return key;
}

const char *csa_header_of_kif(const char *key) {
    return translate(key, 1);
}

/* The key, in the words of KIF, and the value of a line that is a header or names a player; false if it is no such line, or the
 * key is missing. The line is cut up. */
static bool split_header(char *line, const char **key, const char **value) {
    enum statement kind = classify(line);
    char *colon = kind == STATEMENT_HEADER ? strchr(line, ':') : NULL;
    if (kind == STATEMENT_PLAYER) {
        *key = line[1] == '+' ? "先手" : "後手";
        *value = line + 2;
    } else if (colon) {
        *colon = '\0';
        *key = translate(line + 1, 0);
        *value = colon + 1;
    }
    return kind == STATEMENT_PLAYER || (colon && colon > line + 1);
}

bool csa_reads_header(const char *line, const char *key, const char *value) {
    char *copy = strdup(line);
    const char *found_key, *found_value;
    bool same = copy && !sfen_list_recognizes(line) && split_header(copy, &found_key, &found_value) &&
                strcmp(found_key, key) == 0 && strcmp(found_value, value) == 0;
    free(copy);
    return same;
}

/* ---- A game ---- */

struct game {
    struct reading *reading;
    struct tsume_problem *problem; /* NULL before the first statement */
    struct text_line line;         /* being read */
    struct setup setup;
    bool placed;         /* there was a statement of the position */
    unsigned ranks;      /* bits of those that were stated; all of them by PI */
    bool rest_of_set[2]; /* AL in this hand */
    bool settled;        /* setup is complete, the moves begin */
    struct position position;
    struct stated_move *last; /* the last move read, NULL before the first */
    long moves;
    bool ended, broken; /* no more moves: the game has an end, or one could not be played */
    struct comments comments;
};

static long column_of(const struct game *g, const char *at) {
    return text_column(g->line.bytes, (size_t)(at - g->line.bytes));
}

/* What is wrong at a place: with bad bytes in the line, they are. */
static void fail_at(struct game *g, const char *at, const char *message) {
    if (g->line.fault != TEXT_FINE)
        problem_fail(g->problem, g->line.number, g->line.fault_column, "%s", g->line.fault_message);
    else
        problem_fail(g->problem, g->line.number, column_of(g, at), "%s", message);
}

/* Notes why the moves end here. */
static void break_off(struct game *g, const char *at, const char *reason) {
    struct words w = words_of(at);
    char shown[WORDS_SHOWN_SIZE];
    /* translators: the number of the move, what stands there, and what is wrong with it */
    problem_note(g->problem, g->line.number, column_of(g, at), _("move %ld, %s, %s"), g->moves + 1,
                 words_shown(&w, shown), reason);
    g->broken = true;
}

/* ---- The position ---- */

/* Was anything stated of the board, or (a rank from 0) of this part of it? */
static bool is_stated(const struct game *g, int rank) {
    bool stated = rank < 0 ? g->ranks != 0 : g->ranks >> rank & 1;
    for (int sq = 0; sq < SQUARES; sq++)
        stated |= (rank < 0 || square_rank(sq) == rank) && g->setup.board[sq] != NO_PIECE;
    return stated;
}

static void read_opening(struct game *g, const char *text) {
    if (is_stated(g, -1)) {
        fail_at(g, text, _("the board was stated already"));
        return;
    }
    handicap_setup(0, &g->setup);
    g->ranks = (1u << RANKS) - 1;
    for (text += 2; !is_blank(text); text += 4) {
        int file = text[0] - '1', rank = text[0] ? text[1] - '1' : -1;
        if (file < 0 || file >= FILES || rank < 0 || rank >= RANKS || !text[2] || !text[3]) {
            fail_at(g, text, _("expected a piece to leave out, as in PI82HI22KA"));
            return;
        }
        int sq = square_make(file, rank), kind = notation_kind_of_csa(text + 2);
        if (g->setup.board[sq] == NO_PIECE || piece_kind(g->setup.board[sq]) != kind) {
            fail_at(g, text, _("the opening position has no such piece on this square"));
            return;
        }
        g->setup.board[sq] = NO_PIECE;
    }
}

/* One square of a rank: "-FU", "+KI" or " * ", where spaces may have been lost. False (and a fault) if it is none. */
static bool read_cell(struct game *g, const char **text, piece *p) {
    const char *start = *text;
    int kind = is_sign(start[0]) && start[1] ? notation_kind_of_csa(start + 1) : NO_KIND;
    if (kind != NO_KIND) {
        *p = piece_make(start[0] == '+' ? BLACK : WHITE, kind);
        *text += 3;
        return true;
    }
    *text += strspn(start, " ");
    *p = NO_PIECE;
    if (**text != '*') {
        fail_at(g, *text, _("expected a piece (+FU, -OU …) or ' * '"));
        return false;
    }
    *text += 1 + ((*text)[1] == ' ');
    return true;
}

static void read_rank(struct game *g, const char *text) {
    int rank = text[1] - '1';
    if (is_stated(g, rank)) {
        fail_at(g, text, _("this rank, or a piece on it, was stated already"));
        return;
    }
    g->ranks |= 1u << rank;
    text += 2;
    for (int file = FILES - 1; file >= 0; file--)
        if (!read_cell(g, &text, &g->setup.board[square_make(file, rank)]))
            return;
    if (!is_blank(text))
        fail_at(g, text, _("the rank has more than 9 squares"));
}

static int square_of(const char *digits) {
    return digits[0] == '0' || digits[1] == '0' ? NO_SQUARE : square_make(digits[0] - '1', digits[1] - '1');
}

static const char NO_PLACED_PIECE[] = N_("expected a square and a piece, as in 11OU, or a piece in hand, as in 00FU");

/* Puts a piece, or all that are nowhere else, into a hand; NULL, or what is wrong with that. */
static const char *add_to_hand(struct game *g, const char *name, enum color color) {
    int kind = notation_kind_of_csa(name);
    bool rest = strncmp(name, "AL", 2) == 0;
    if (rest && g->rest_of_set[color_other(color)])
        return _("the other hand has all that is left");
    g->rest_of_set[color] |= rest;
    if (rest)
        return NULL;
    if (kind == NO_KIND)
        return _(NO_PLACED_PIECE);
    if (kind >= KING)
        return _("this piece cannot be in a hand");
    if (g->setup.hand[color][kind] >= 99)
        return _("a hand cannot hold so many of a piece");
    g->setup.hand[color][kind]++;
    return NULL;
}

/* Puts a piece, "11OU", on the board; NULL, or what is wrong with that. */
static const char *put_on_board(struct game *g, const char *text, enum color color) {
    int sq = square_of(text), kind = notation_kind_of_csa(text + 2);
    if (sq == NO_SQUARE || kind == NO_KIND)
        return _(NO_PLACED_PIECE);
    if (g->setup.board[sq] != NO_PIECE)
        return _("there is a piece on this square already");
    g->setup.board[sq] = piece_make(color, kind);
    return NULL;
}

static void read_pieces(struct game *g, const char *text) {
    enum color color = text[1] == '+' ? BLACK : WHITE;
    for (text += 2; !is_blank(text); text += 4) {
        const char *wrong = !are_digits(text, 2) || !text[2] || !text[3] ? NO_PLACED_PIECE
                            : strncmp(text, "00", 2) == 0                ? add_to_hand(g, text + 2, color)
                                                                         : put_on_board(g, text, color);
        if (wrong) {
            fail_at(g, text, wrong);
            return;
        }
    }
}

/* The position is known, and this side moves first: makes the problem of it. */
static void settle(struct game *g, enum color side) {
    if (g->settled)
        return;
    g->settled = true;
    if (!g->placed)
        handicap_setup(0, &g->setup);
    g->setup.side = side;
    g->setup.move_number = 1;
    for (int color = BLACK; color <= WHITE; color++)
        if (g->rest_of_set[color])
            setup_give_rest(&g->setup, (enum color)color);
    if (!g->problem->invalid)
        problem_from_setup(g->problem, &g->setup, g->reading->options.hands, g->reading->options.attacker);
    g->position = g->problem->position;
    g->broken = g->problem->invalid;
}

/* ---- Moves ---- */

/* The legal move of "+7776FU"; NO_MOVE, and why. */
static move resolve(struct game *g, const char *text, const char **why) {
    int from = square_of(text + 1), to = square_of(text + 3), kind = text[5] ? notation_kind_of_csa(text + 5) : NO_KIND;
    if (kind == NO_KIND || to == NO_SQUARE || !is_blank(text + 7)) {
        *why = _("is not a move, as in +7776FU");
        return NO_MOVE;
    }
    *why = _("cannot be played: it is not the turn of that side");
    if ((text[0] == '+') != (g->position.side == BLACK))
        return NO_MOVE;
    *why = _("cannot be played: it is not legal here");
    if (from == NO_SQUARE)
        return strncmp(text + 1, "00", 2) == 0 && kind <= GOLD ? move_complete(&g->position, NO_SQUARE, to, kind, false)
                                                               : NO_MOVE;
    int before = piece_kind(g->position.board[from]);
    bool promotes = kind_can_promote(before) && before + PROMOTED == kind;
    if (before != kind && !promotes) {
        *why = _("cannot be played: another piece stands on its origin");
        return NO_MOVE;
    }
    return move_complete(&g->position, from, to, NO_KIND, promotes);
}

static void read_move(struct game *g, const char *text) {
    const char *why;
    if (g->broken)
        return;
    if (g->ended) {
        break_off(g, text, _("comes after the end of the game"));
        return;
    }
    move m = resolve(g, text, &why);
    if (m == NO_MOVE) {
        break_off(g, text, why);
        return;
    }
    struct stated_move *stated = stated_move_add(g->last ? &g->last->next : &g->problem->stated, m);
    if (!stated) {
        g->reading->out_of_memory = true;
        return;
    }
    g->last = stated;
    g->moves++;
    comments_turn_to(&g->comments, &stated->comment);
    position_do(&g->position, m);
}

static void read_end(struct game *g, const char *text) {
    char name[32];
    size_t length = strcspn(text + 1, " \t");
    if (g->broken || g->ended)
        return;
    memcpy(name, text + 1, length < sizeof name ? length : 0);
    name[length < sizeof name ? length : 0] = '\0';
    enum play_end end = play_end_of_csa(name);
    if (end == END_UNSTATED) {
        struct words w = words_of(text);
        char shown[WORDS_SHOWN_SIZE];
        problem_note(g->problem, g->line.number, column_of(g, text), _("%s… is no end of a game that CSA knows"),
                     words_shown(&w, shown));
    }
    *(g->last ? &g->last->end : &g->problem->end) = end;
    g->ended = true;
}

/* Seconds in digits, perhaps with a fraction, as milliseconds. (strtod would ask the locale for the point.) */
static int32_t milliseconds_of(const char *text) {
    char *end;
    int32_t time_ms = stated_time(strtol(text, &end, 10));
    if (time_ms == TIME_UNSTATED || *end != '.')
        return time_ms;
    for (int worth = 100; worth > 0 && are_digits(++end, 1); worth /= 10)
        time_ms += (*end - '0') * worth;
    return time_ms;
}

/* The time of the last move, or of the end. */
static void read_time(struct game *g, const char *text) {
    if (g->last && !g->broken)
        *(g->ended ? &g->last->end_time_ms : &g->last->time_ms) = milliseconds_of(text + 1);
}

/* ---- Text ---- */

static void read_comment(struct game *g, const char *text) {
    if (strncmp(text, encoding_comment, strlen(encoding_comment)) == 0)
        return;
    text += text[1] == '*' ? 2 : 1;
    g->reading->out_of_memory |= !comments_add(&g->comments, text, g->problem, g->line.number);
}

static void read_header(struct game *g, char *text) {
    const char *key, *value;
    if (split_header(text, &key, &value))
        g->reading->out_of_memory |= !problem_add_header(g->problem, key, value);
}

/* ---- Statement by statement ---- */

/* A statement of the position, which must stand before the moves. */
static void read_position(struct game *g, enum statement kind, const char *text) {
    if (g->settled) {
        if (!g->broken)
            break_off(g, text, _("changes the position after the side to move was stated"));
        return;
    }
    g->placed = true;
    if (g->problem->invalid)
        return;
    if (kind == STATEMENT_OPENING)
        read_opening(g, text);
    else if (kind == STATEMENT_RANK)
        read_rank(g, text);
    else
        read_pieces(g, text);
}

static void read_statement(struct game *g, char *text) {
    enum statement kind = classify(text);
    switch (kind) {
    case STATEMENT_COMMENT:
        read_comment(g, text);
        break;
    case STATEMENT_PLAYER:
    case STATEMENT_HEADER:
        read_header(g, text);
        break;
    case STATEMENT_OPENING:
    case STATEMENT_RANK:
    case STATEMENT_PIECES:
        read_position(g, kind, text);
        break;
    case STATEMENT_SIDE:
        settle(g, text[0] == '+' ? BLACK : WHITE);
        break;
    case STATEMENT_MOVE:
        settle(g, text[0] == '+' ? BLACK : WHITE);
        read_move(g, text);
        break;
    case STATEMENT_END:
        settle(g, BLACK);
        read_end(g, text);
        break;
    case STATEMENT_TIME:
        read_time(g, text);
        break;
    case STATEMENT_NONE:
        if (!g->settled)
            fail_at(g, text, _("this is no statement of CSA"));
        else if (!g->broken)
            break_off(g, text, _("is no statement of CSA"));
        break;
    case STATEMENT_BLANK:
    case STATEMENT_VERSION:
    case STATEMENT_SEPARATOR:
        break;
    }
}

/* Text is whole; other lines may hold several statements. */
static void read_line(struct game *g) {
    char *at = g->line.bytes;
    bool whole = *at && strchr("'N$", *at);
    if (g->line.fault == TEXT_TOO_LONG)
        fail_at(g, at, "");
    while (at) {
        char *comma = whole ? NULL : strchr(at, ',');
        if (comma)
            *comma = '\0';
        read_statement(g, at);
        at = comma ? comma + 1 : NULL;
    }
}

/* Does this line, in the middle of a game, begin another without a separator? */
static bool begins_next(const struct game *g, enum statement kind) {
    if (kind == STATEMENT_NONE || kind == STATEMENT_COMMENT)
        return format_changes(FORMAT_CSA, g->line.bytes);
    if (kind == STATEMENT_PLAYER) /* as a board it would have a knight that can never move */
        return false;
    return (kind == STATEMENT_VERSION && (g->placed || g->settled)) || format_of_line(g->line.bytes) == FORMAT_SFEN;
}

static bool begin_problem(struct game *g) {
    if (g->problem)
        return true;
    g->problem = problem_new(g->reading->file, g->line.number);
    if (g->problem)
        comments_turn_to(&g->comments, &g->problem->comment);
    return g->problem != NULL;
}

/* Is there more than a version and comments? */
static bool has_content(const struct game *g) {
    return g->placed || g->settled || g->problem->invalid || g->problem->headers;
}

/* Reads up to the separator or the end; false when memory is short. */
static bool read_game(struct game *g) {
    struct text *text = g->reading->text;
    while (text_next(text, &g->line)) {
        enum statement kind = classify(g->line.bytes);
        if (kind == STATEMENT_BLANK)
            continue;
        if (kind == STATEMENT_SEPARATOR && (!g->problem || !has_content(g)))
            continue;
        if (kind == STATEMENT_SEPARATOR)
            return true;
        if (begins_next(g, kind)) {
            text_unread(text);
            return true;
        }
        if (!begin_problem(g))
            return false;
        read_line(g);
        if (g->reading->out_of_memory)
            return false;
    }
    return true;
}

/* A text that ends with a separator, or has nothing but a version, is no game more. */
static struct tsume_problem *finish(struct game *g) {
    struct tsume_problem *problem = g->problem;
    if (problem && !has_content(g)) {
        tsume_problem_free(problem);
        return NULL;
    }
    if (problem && !g->placed && !g->settled)
        problem_fail(problem, problem->line, 1, _("there is no position: expected PI, P1 … P9, P+ or P-"));
    if (problem)
        settle(g, BLACK);
    return problem;
}

struct tsume_problem *csa_next(struct reading *reading) {
    struct game *g = calloc(1, sizeof *g);
    if (!g) {
        reading->out_of_memory = true;
        return NULL;
    }
    g->reading = reading;
    bool fine = read_game(g);
    struct tsume_problem *problem = fine ? finish(g) : NULL;
    if (!fine) {
        reading->out_of_memory = true;
        tsume_problem_free(g->problem);
    }
    free(g);
    return problem;
}
