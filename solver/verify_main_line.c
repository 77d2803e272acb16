/* verify_main_line.c: see verify_main_line.h; the format is in certificate.h. */
#include "solver/verify_main_line.h"

#include "solver/verify_language.h"
#include "solver/verify_proofs.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 1 << 16 /* of a line */ };

/* What becomes of another check than the main line's. */
enum fate { FAILS, REPEATS, RETURNS, FINAL_DUAL, PROMOTION_CHOICE, SQUARE_CHOICE, UNDECIDED };

/* ---- The line ---- */

static bool add_to_line(struct checker *c, const struct vr_move *move, const struct vr_position *after) {
    struct main_line *line = &c->line;
    if (!verify_room(c, &line->moves, line->length, &line->moves_room, sizeof *line->moves) ||
        !verify_room(c, &line->positions, line->length + 1, &line->positions_room, sizeof *line->positions))
        return false;
    line->moves[line->length++] = *move;
    line->positions[line->length] = *after;
    return true;
}

static bool read_line_move(struct checker *c) {
    struct vr_position before = c->line.positions[c->line.length];
    struct vr_move move;
    unsigned word;
    if (!read_legal_move(c, &before, &word, &move))
        return false;
    struct vr_position after = vr_after(&before, &move);
    if (word & MARK)
        return verify_wrong_move(c, &before, &move, _("of the main line has a mark"));
    if (before.side == (int8_t)c->attacker && !vr_in_check(&after))
        return verify_wrong_move(c, &before, &move, _("is no check"));
    return add_to_line(c, &move, &after);
}

/* Are there no answers but drops, which after a check can only be interpositions? */
static bool only_drops_answer(const struct vr_position *checked) {
    struct vr_move moves[VR_MAX_MOVES];
    int count = vr_legal_moves(checked, moves);
    for (int i = 0; i < count; i++)
        if (!moves[i].drop)
            return false;
    return true;
}

bool read_line(struct checker *c, const struct vr_position *first) {
    struct main_line *line = &c->line;
    uint64_t length;
    if (!read_number(c, &length) ||
        !verify_room(c, &line->positions, 0, &line->positions_room, sizeof *line->positions))
        return false;
    if (length > MOST_MOVES || length > (c->length - c->read) / 2)
        return verify_fail(c, VERIFY_WRONG, _("a main line of %llu moves is too long"), (unsigned long long)length);
    line->positions[0] = *first;
    line->first_turn = first->side == (int8_t)c->attacker ? 0 : 1;
    for (uint64_t i = 0; i < length; i++)
        if (!read_line_move(c))
            return false;
    const struct vr_position *end = &line->positions[length];
    line->turns = (uint32_t)((length + 1 - line->first_turn) / 2);
    if (line->turns == 0 || end->side == (int8_t)c->attacker || !only_drops_answer(end))
        return verify_wrong_at(c, end, _("the main line does not end in mate"));
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++)
        c->report->leftover += (unsigned)end->hand[c->attacker][kind];
    c->report->line_length = (unsigned)length;
    return true;
}

bool line_ends_at(const struct checker *c, const struct vr_position *checked) {
    return vr_equal(&c->line.positions[c->line.length], checked);
}

/* By the board first. */
static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct vr_position));
}

static int by_board(const void *a, const void *b) {
    const struct vr_position *x = a, *y = b;
    return memcmp(x->board, y->board, sizeof x->board);
}

/* Puts the attacker's positions of the line and its end in order, to be found quickly. */
static bool sort_line(struct checker *c) {
    struct main_line *line = &c->line;
    line->sorted = malloc((line->turns + (size_t)1) * sizeof *line->sorted);
    if (!line->sorted)
        return verify_out_of_memory(c);
    for (size_t i = 0; i < line->turns; i++)
        line->sorted[i] = line->positions[line->first_turn + 2 * i];
    line->sorted[line->turns] = line->positions[line->length];
    qsort(line->sorted, line->turns + (size_t)1, sizeof *line->sorted, by_bytes);
    return true;
}

static bool find_in_line(const struct checker *c, const struct vr_position *position,
                         int by(const void *, const void *)) {
    const struct main_line *line = &c->line;
    return bsearch(position, line->sorted, line->turns + (size_t)1, sizeof *line->sorted, by) != NULL;
}

bool line_has(const struct checker *c, const struct vr_position *position) {
    return find_in_line(c, position, by_bytes);
}

bool line_has_board(const struct checker *c, const struct vr_position *position) {
    return find_in_line(c, position, by_board);
}

/* ---- Choices ---- */

static bool same_square(struct vr_square a, struct vr_square b) {
    return a.row == b.row && a.column == b.column;
}

static bool differs_in_promotion(const struct vr_move *a, const struct vr_move *b) {
    return !a->drop && !b->drop && same_square(a->from, b->from) && same_square(a->to, b->to) &&
           a->promote != b->promote;
}

static int sign(int number) {
    return (number > 0) - (number < 0);
}

/* Both squares are in line with the king, by rank, file or diagonal: in the same direction from him? */
static bool same_direction(struct vr_square king, struct vr_square a, struct vr_square b) {
    return sign(a.row - king.row) == sign(b.row - king.row) &&
           sign(a.column - king.column) == sign(b.column - king.column);
}

/* Do both checks drop a lance, bishop or rook on one line with the king? */
static bool drops_on_one_line(const struct checker *c, const struct vr_position *position, const struct vr_move *a,
                              const struct vr_move *b) {
    struct vr_square king;
    return a->drop && b->drop && a->kind == b->kind &&
           (a->kind == VR_LANCE || a->kind == VR_BISHOP || a->kind == VR_ROOK) &&
           vr_find_king(position, vr_other(c->attacker), &king) && same_direction(king, a->to, b->to);
}

/* Plays the main line on from turn `at` with the drop on another square. Can all of it be played? *end: where that leads. */
static bool play_on(const struct checker *c, size_t at, const struct vr_move *drop, struct vr_position *end) {
    const struct main_line *line = &c->line;
    struct vr_square square = line->moves[at].to;
    bool still_there = true;
    *end = vr_after(&line->positions[at], drop);
    for (size_t i = at + 1; i < line->length; i++) {
        struct vr_move move = line->moves[i];
        if (still_there && same_square(move.to, drop->to))
            return false;
        if (still_there && !move.drop && same_square(move.from, square)) {
            move.from = drop->to;
            still_there = false;
        } else if (still_there && same_square(move.to, square)) {
            move.to = drop->to;
            still_there = false;
        }
        if (!vr_is_legal(end, &move))
            return false;
        *end = vr_after(end, &move);
        if (end->side != (int8_t)c->attacker && !vr_in_check(end))
            return false;
    }
    return true;
}

/* Does the check at turn `at` differ from the line's in distance only? *end: where the line leads with it. */
static bool differs_in_distance(const struct checker *c, size_t at, const struct vr_move *check,
                                struct vr_position *end) {
    return drops_on_one_line(c, &c->line.positions[at], &c->line.moves[at], check) && play_on(c, at, check, end);
}

/* ---- Alternatives ---- */

/* Is the check at turn `at` one that composers tolerate, as the certificate says? If so, counts it. */
static bool tolerated(struct checker *c, size_t at, const struct vr_move *check, unsigned fate) {
    const struct main_line *line = &c->line;
    struct vr_position end;
    bool true_to_name = false;
    if (fate == FINAL_DUAL)
        true_to_name = at + 1 == line->length;
    else if (fate == PROMOTION_CHOICE)
        true_to_name = differs_in_promotion(&line->moves[at], check);
    else if (fate == SQUARE_CHOICE)
        true_to_name = differs_in_distance(c, at, check, &end) && only_drops_answer(&end);
    c->report->final_duals += fate == FINAL_DUAL;
    c->report->promotion_choices += fate == PROMOTION_CHOICE;
    c->report->square_choices += fate == SQUARE_CHOICE;
    return true_to_name ||
           verify_wrong_move(c, &line->positions[at], check, _("is not the choice that it is said to be"));
}

/* Counts a check of which nothing is said. */
static bool left_open(struct checker *c, size_t at, const struct vr_move *check) {
    c->report->undecided++;
    return c->report->leftover > 0 ||
           verify_wrong_move(c, &c->line.positions[at], check, _("is left undecided where no pieces are left over"));
}

/* Reads what becomes of another check at the turn with this number. */
static bool read_alternative(struct checker *c, uint32_t turn, const struct vr_move *check) {
    size_t at = c->line.first_turn + 2 * (size_t)turn;
    unsigned fate;
    if (!read_byte(c, &fate))
        return false;
    if (fate == UNDECIDED)
        return left_open(c, at, check);
    if (fate > RETURNS)
        return tolerated(c, at, check, fate);
    c->report->returns += fate == RETURNS;
    c->report->repeats += fate == REPEATS;
    uint32_t back_to = fate == FAILS ? 0 : fate == REPEATS ? turn + 1 : c->line.turns + 1;
    struct vr_position checked = vr_after(&c->line.positions[at], check);
    if (fate == RETURNS && line_ends_at(c, &checked))
        return true;
    return read_answer(c, &checked, back_to);
}

static bool read_turn(struct checker *c, uint32_t turn) {
    size_t at = c->line.first_turn + 2 * (size_t)turn;
    struct vr_move moves[VR_MAX_MOVES];
    struct listed list[VR_MAX_MOVES];
    int count = vr_checking_moves(&c->line.positions[at], moves);
    put_in_order(moves, count, list);
    c->report->positions++;
    for (int i = 0; i < count; i++)
        if (!vr_move_equal(&list[i].move, &c->line.moves[at]) && !read_alternative(c, turn, &list[i].move))
            return false;
    return true;
}

/* Reads which other answers are said to hold out as long. They are blemishes, so that there is nothing to prove. */
static bool read_equal_variations(struct checker *c) {
    uint64_t count, at;
    if (!read_number(c, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct vr_move move;
        unsigned word;
        if (!read_number(c, &at))
            return false;
        if (at >= c->line.length || c->line.positions[at].side == (int8_t)c->attacker)
            return verify_fail(c, VERIFY_WRONG, _("an equal variation where there is no answer of the defender"));
        if (!read_legal_move(c, &c->line.positions[at], &word, &move))
            return false;
        if (vr_move_equal(&move, &c->line.moves[at]))
            return verify_wrong_move(c, &c->line.positions[at], &move, _("is the main line's own"));
    }
    c->report->equal_variations = (unsigned)count;
    return true;
}

bool read_alternatives(struct checker *c) {
    if (!read_equal_variations(c))
        return false;
    number_anew(c);
    for (uint32_t turn = 0; turn < c->line.turns; turn++) {
        if (!number_position(c, &c->line.positions[c->line.first_turn + 2 * (size_t)turn]))
            return false;
        c->known[turn].back_to = turn + 1;
    }
    for (uint32_t turn = 0; turn < c->line.turns; turn++)
        if (!read_turn(c, turn))
            return false;
    for (size_t i = c->line.turns; i < c->known_count; i++)
        if (!read_answers(c, i))
            return false;
    return true;
}

/* ---- A cook ---- */

/* Is the check at turn `at` none that composers tolerate? A drop at another distance is one beyond doubt only if the line ends in mate with it:
 * interpositions need not be futile. */
static bool may_be_cook(const struct checker *c, size_t at, const struct vr_move *check) {
    const struct vr_move *played = &c->line.moves[at];
    struct vr_position end;
    return !vr_move_equal(check, played) && !differs_in_promotion(check, played) &&
           !(differs_in_distance(c, at, check, &end) && vr_is_mate(&end));
}

bool read_cook_of_line(struct checker *c) {
    const struct main_line *line = &c->line;
    uint64_t at;
    unsigned word;
    struct vr_move cook;
    if (!read_number(c, &at))
        return false;
    if (at + 1 >= line->length || line->positions[at].side != (int8_t)c->attacker)
        return verify_fail(c, VERIFY_WRONG, _("a cook at no turn of the attacker before the last"));
    const struct vr_position *position = &line->positions[at];
    if (!read_legal_move(c, position, &word, &cook))
        return false;
    if (!may_be_cook(c, at, &cook))
        return verify_wrong_move(c, position, &cook, _("is no cook"));
    number_anew(c);
    c->report->cook_ply = (unsigned)at + 1;
    vr_write_move(&cook, c->report->cook);
    return sort_line(c) && read_cook(c, position, word, &c->report->cook_plies);
}
