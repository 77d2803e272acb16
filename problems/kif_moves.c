/* kif_moves.c: stated moves of a record. */
#include "problems/kif_moves.h"

#include "rules/language.h"
#include "rules/movegen.h"
#include "rules/notation.h"

#include <stdlib.h>
#include <string.h>

/* What one problem may state: a file that states more is not a problem's record. */
enum { MOVES_MAX = 1 << 20 };

/* A move as it is spoken. */
struct spoken {
    int to, kind;
    int from; /* NO_SQUARE: not stated */
    bool promotes, drops;
    unsigned relation; /* what tells it apart from others */
};

void kif_moves_begin(struct kif_moves *moves, struct tsume_problem *problem, int previous_to,
                     const struct comments *comments) {
    memset(moves, 0, sizeof *moves);
    moves->problem = problem;
    moves->comments = *comments;
    moves->previous_to = previous_to;
    moves->position = problem->position;
}

void kif_moves_free(struct kif_moves *moves) {
    free(moves->path);
}

/* ---- Reading a move ---- */

static int previous_to(const struct kif_moves *moves) {
    return moves->length > 0 ? move_to(moves->path[moves->length - 1]->move) : moves->previous_to;
}

/* The square a move begins with, or 同, the square of the move before. NULL, or what was expected. */
static const char *read_target(const struct kif_moves *moves, struct words *w, struct spoken *spoken) {
    if (words_accept(w, "同")) {
        words_skip_spaces(w);
        spoken->to = previous_to(moves);
        return spoken->to == NO_SQUARE ? _("a square (there is no move before 同)") : NULL;
    }
    spoken->to = words_square(w);
    words_skip_spaces(w);
    return spoken->to == NO_SQUARE ? _("a move (a square or 同, then a piece)") : NULL;
}

/* Promotion, drop, and the words that tell pieces apart (右, 直, …). */
static void read_manner(struct words *w, struct spoken *spoken) {
    static const char *const manners[] = {"不成", "生", "成", "打", "右", "左", "上",
                                          "引",   "寄", "直", "行", "入", NULL};
    static const unsigned relations[] = {0,
                                         0,
                                         0,
                                         0,
                                         RELATION_RIGHT,
                                         RELATION_LEFT,
                                         RELATION_UP,
                                         RELATION_BACK,
                                         RELATION_SIDE,
                                         RELATION_STRAIGHT,
                                         RELATION_UP,
                                         RELATION_UP};
    for (int found; (found = words_accept_any(w, manners)) >= 0;) {
        spoken->promotes = spoken->promotes || found == 2;
        spoken->drops = spoken->drops || found == 3;
        spoken->relation |= relations[found];
    }
}

/* The origin, "(77)". A drop may have "(00)". */
static const char *read_origin(struct words *w, struct spoken *spoken) {
    static const char *const opening[] = {"(", "（", NULL}, *const closing[] = {")", "）", NULL};
    struct words start = *w;
    if (words_accept_any(w, opening) < 0)
        return NULL;
    int file = words_digit(w), rank = words_digit(w);
    if (file < 0) {
        *w = start; /* times, as in "( 0:01/00:00:01)" */
        return NULL;
    }
    if (rank < 0 || words_accept_any(w, closing) < 0)
        return _("the origin of the move, as in (77)");
    if (file == 0 && rank == 0)
        spoken->drops = true;
    else if (file == 0 || rank == 0)
        return _("the origin of the move, as in (77)");
    else
        spoken->from = square_make(file - 1, rank - 1);
    return NULL;
}

static const char *read_spoken(const struct kif_moves *moves, struct words *w, struct spoken *spoken) {
    *spoken = (struct spoken){.from = NO_SQUARE};
    const char *expected = read_target(moves, w, spoken);
    if (expected)
        return expected;
    spoken->kind = words_piece(w);
    if (spoken->kind == NO_KIND)
        return _("a piece");
    read_manner(w, spoken);
    return read_origin(w, spoken);
}

/* ---- From words to a legal move ---- */

static const char *resolve_from(struct position *pos, const struct spoken *spoken, move *found) {
    piece p = pos->board[spoken->from];
    if (p == NO_PIECE || piece_color(p) != (enum color)pos->side)
        return _("the side to move has no piece on its origin");
    if (piece_kind(p) != spoken->kind)
        return _("another piece stands on its origin");
    *found = move_complete(pos, spoken->from, spoken->to, NO_KIND, spoken->promotes);
    return *found == NO_MOVE ? _("it is not legal here") : NULL;
}

static const char *resolve_drop(struct position *pos, const struct spoken *spoken, move *found) {
    if (spoken->promotes || spoken->kind > GOLD)
        return _("only an unpromoted piece can be dropped");
    *found = move_complete(pos, NO_SQUARE, spoken->to, spoken->kind, false);
    return *found == NO_MOVE ? _("it is not legal here") : NULL;
}

/* Can the piece on the board make the move, as far as that was said? */
static bool matches(move m, const struct spoken *spoken) {
    return !move_is_drop(m) && move_to(m) == spoken->to && move_kind(m) == spoken->kind &&
           move_promotes(m) == spoken->promotes;
}

/* Without an origin: the one piece that can make the move, or the one of them that what is said tells apart; else a
 * drop. */
static const char *resolve_unstated(struct position *pos, const struct spoken *spoken, move *found) {
    move legal[MAX_MOVES];
    int count = generate_legal(pos, legal), matching = 0, fitting = 0;
    move fit = NO_MOVE;
    for (int i = 0; i < count; i++) {
        if (!matches(legal[i], spoken))
            continue;
        *found = legal[i];
        matching++;
        if (notation_fits(pos, legal[i], spoken->relation)) {
            fit = legal[i];
            fitting++;
        }
    }
    if (matching > 1)
        *found = fit;
    if (matching > 1 && fitting != 1)
        return fitting ? _("several pieces can make it (state its origin, as in (77))")
                       : _("no piece that can make it stands so (state its origin, as in (77))");
    return matching > 0 ? NULL : resolve_drop(pos, spoken, found);
}

static const char *resolve(struct position *pos, const struct spoken *spoken, move *found) {
    *found = NO_MOVE;
    if (spoken->drops)
        return resolve_drop(pos, spoken, found);
    return spoken->from != NO_SQUARE ? resolve_from(pos, spoken, found) : resolve_unstated(pos, spoken, found);
}

/* ---- The path ---- */

static bool path_grow(struct kif_moves *moves) {
    if (moves->length < moves->capacity)
        return true;
    size_t capacity = moves->capacity ? moves->capacity * 2 : 64;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    struct stated_move **path = realloc(moves->path, capacity * sizeof moves->path[0]);
    if (!path)
        return false;
    moves->path = path;
    moves->capacity = capacity;
    return true;
}

/* Plays a legal move at the end of the path. */
static void path_append(struct kif_moves *moves, move m) {
    struct stated_move **first = moves->length ? &moves->path[moves->length - 1]->next : &moves->problem->stated;
    struct stated_move *stated = path_grow(moves) ? stated_move_add(first, m) : NULL;
    if (!stated) {
        moves->out_of_memory = true;
        moves->broken = true;
        return;
    }
    moves->path[moves->length++] = stated;
    moves->moves++;
    comments_turn_to(&moves->comments, &stated->comment);
    position_do(&moves->position, m);
}

static void path_cut(struct kif_moves *moves, size_t length) {
    while (moves->length > length)
        position_undo(&moves->position, moves->path[--moves->length]->move);
}

static void break_off(struct kif_moves *moves) {
    moves->broken = true;
}

/* The number that the next move should bear. */
static long next_number(const struct kif_moves *moves) {
    return moves->first_number + (long)moves->length;
}

/* Reads and plays one move; notes why that cannot be done. */
static void take_move(struct kif_moves *moves, struct words *w, long line_number) {
    struct words start = *w;
    struct spoken spoken;
    char shown[WORDS_SHOWN_SIZE];
    const char *expected = read_spoken(moves, w, &spoken), *reason;
    move m;
    if (expected) {
        problem_note(moves->problem, line_number, words_column(w), _("move %ld: expected %s, found %s"),
                     next_number(moves), expected, words_shown(w, shown));
        break_off(moves);
    } else if (moves->ended || moves->moves >= MOVES_MAX) {
        problem_note(moves->problem, line_number, words_column(&start),
                     moves->ended ? _("move %ld comes after the end of the line of play")
                                  : _("move %ld is one too many: it is left out"),
                     next_number(moves));
        break_off(moves);
    } else if ((reason = resolve(&moves->position, &spoken, &m))) {
        problem_note(moves->problem, line_number, words_column(&start), _("move %ld, %s, cannot be played: %s"),
                     next_number(moves), words_shown(&start, shown), reason);
        break_off(moves);
    } else {
        path_append(moves, m);
    }
}

/* ---- Lines ---- */

/* The last move read, NULL before the first. */
static struct stated_move *last_move(const struct kif_moves *moves) {
    return moves->length > 0 ? moves->path[moves->length - 1] : NULL;
}

/* What was said first of how a line ends, counts. */
static void end_line(struct kif_moves *moves, enum play_end end) {
    struct stated_move *last = last_move(moves);
    if (!moves->ended && !moves->broken)
        *(last ? &last->end : &moves->problem->end) = end;
    moves->ended = true;
}

/* A word for the end of a line of play, if one stands here. */
static bool accept_end(struct kif_moves *moves, struct words *w) {
    size_t length;
    enum play_end end = play_end_of_kif(w->at, (enum color)moves->position.side, &length);
    if (end == END_UNSTATED)
        return false;
    w->at += length;
    end_line(moves, end);
    return true;
}

/* The time spent, as in "( 0:01/00:00:01)", in milliseconds; TIME_UNSTATED if none stands here. */
static int32_t read_time(struct words *w) {
    words_skip_spaces(w);
    if (!words_accept(w, "("))
        return TIME_UNSTATED;
    words_skip_spaces(w);
    long minutes = words_number(w);
    if (minutes < 0 || minutes > 30000 || !words_accept(w, ":"))
        return TIME_UNSTATED;
    long seconds = words_number(w);
    return seconds < 0 || seconds > 60 ? TIME_UNSTATED : stated_time(minutes * 60 + seconds);
}

void kif_moves_numbered(struct kif_moves *moves, const char *line, long line_number) {
    struct words w = words_of(line);
    if (!moves->problem || moves->broken)
        return;
    words_skip_spaces(&w);
    struct words start = w;
    long number = words_number(&w);
    words_skip_spaces(&w);
    words_mark(&w);
    if (accept_end(moves, &w)) {
        struct stated_move *last = last_move(moves);
        if (last)
            last->end_time_ms = read_time(&w);
        return;
    }
    if (moves->first_number == 0)
        moves->first_number = number > 0 ? number : 1;
    if (number != next_number(moves)) {
        problem_note(moves->problem, line_number, words_column(&start), _("expected move %ld, found move %ld"),
                     next_number(moves), number);
        break_off(moves);
        return;
    }
    take_move(moves, &w, line_number);
    if (!moves->broken)
        last_move(moves)->time_ms = read_time(&w);
}

void kif_moves_marked(struct kif_moves *moves, const char *line, long line_number) {
    struct words w = words_of(line);
    if (!moves->problem)
        return;
    if (moves->first_number == 0)
        moves->first_number = 1;
    while (words_skip_spaces(&w), !words_at_end(&w) && !moves->broken) {
        struct words start = w;
        int mark = words_mark(&w);
        if (accept_end(moves, &w))
            return;
        if (mark != moves->position.side) {
            char shown[WORDS_SHOWN_SIZE];
            problem_note(moves->problem, line_number, words_column(&start), _("move %ld: expected %s, found %s"),
                         next_number(moves), moves->position.side == BLACK ? "▲" : "△", words_shown(&start, shown));
            break_off(moves);
            return;
        }
        take_move(moves, &w, line_number);
    }
}

void kif_moves_variation(struct kif_moves *moves, const char *line, long line_number) {
    struct words w = words_of(line);
    if (!moves->problem)
        return;
    words_skip_spaces(&w);
    words_accept(&w, "変化");
    if (!words_accept(&w, "："))
        words_accept(&w, ":");
    words_skip_spaces(&w);
    struct words start = w;
    long number = words_number(&w), first = moves->first_number ? moves->first_number : 1;
    moves->first_number = first;
    moves->ended = false;
    moves->broken = number < first || number > first + (long)moves->length;
    if (moves->broken)
        problem_note(moves->problem, line_number, words_column(&start),
                     _("a variation at move %ld, but no such move was read before it"), number);
    else
        path_cut(moves, (size_t)(number - first));
}

void kif_moves_end(struct kif_moves *moves, const char *line) {
    if (moves->problem)
        end_line(moves, play_end_of_summary(line, (enum color)moves->position.side));
}

void kif_moves_comment(struct kif_moves *moves, const char *text, long line_number) {
    if (moves->problem && !moves->broken)
        moves->out_of_memory |= !comments_add(&moves->comments, text, moves->problem, line_number);
}
