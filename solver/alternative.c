/* alternative.c: promotion, distance, order. */
#include "solver/alternative.h"

bool differs_in_promotion(move a, move b) {
    return !move_is_drop(a) && !move_is_drop(b) && move_from(a) == move_from(b) && move_to(a) == move_to(b) &&
           move_promotes(a) != move_promotes(b);
}

/* ---- Distance ---- */

static bool is_slider(int kind) {
    return kind == LANCE || kind == BISHOP || kind == ROOK;
}

/* Both drops check: so they stand on one line if one stands between the king and the other. */
static bool drops_on_one_line(const struct position *pos, move a, move b) {
    int king = pos->king[color_other((enum color)pos->side)];
    return move_is_drop(a) && move_is_drop(b) && move_kind(a) == move_kind(b) && is_slider(move_kind(a)) &&
           (bb_has(bb_between(king, move_to(a)), move_to(b)) || bb_has(bb_between(king, move_to(b)), move_to(a)));
}

/* The move of the main line with the dropped slider on another square, NO_MOVE where it cannot be played so. */
static move transfer(struct position *pos, move m, int square, int other_square, bool *still_there) {
    int from = move_is_drop(m) ? NO_SQUARE : move_from(m), to = move_to(m);
    if (*still_there && to == other_square)
        return NO_MOVE;
    if (*still_there && from == square) {
        from = other_square;
        *still_there = false;
    } else if (*still_there && to == square) {
        to = other_square;
        *still_there = false;
    }
    return move_complete(pos, from, to, move_kind(m), move_promotes(m));
}

bool differs_in_distance(const struct played_line *line, size_t i, move other, struct position *end) {
    *end = line->positions[i];
    if (!drops_on_one_line(end, line->moves[i], other))
        return false;
    bool still_there = true;
    position_do(end, other);
    for (size_t j = i + 1; j < line->length; j++) {
        move m = transfer(end, line->moves[j], move_to(line->moves[i]), move_to(other), &still_there);
        if (m == NO_MOVE || (end->side == line->attacker && !move_gives_check(end, m)))
            return false;
        position_do(end, m);
    }
    return true;
}

/* ---- Order ---- */

/* Longer ones are not looked for: they would be hard to see for people too. */
enum { MOST_REORDERED = 6, MOST_POSITIONS = 200000 };

/* A search for an order of the attacker's moves. */
struct ordering {
    const struct played_line *line;
    size_t first;  /* the turn in question */
    int count;     /* how many attacker's moves are put in another order */
    unsigned used; /* bit n: the n-th of them has been played */
    int played;    /* moves since the turn, of both sides */
    int positions; /* looked at so far */
};

static bool same_move(move a, move b) {
    return move_to(a) == move_to(b) && move_kind(a) == move_kind(b) && move_is_drop(a) == move_is_drop(b) &&
           (move_is_drop(a) || (move_from(a) == move_from(b) && move_promotes(a) == move_promotes(b)));
}

static move nth_attack(const struct ordering *o, int n) {
    return o->line->moves[o->first + 2 * (size_t)n];
}

/* Has the main line's position been reached, at the end or before the attacker's next turn? */
static bool arrived(const struct ordering *o, const struct position *pos) {
    size_t at = o->first + (size_t)o->played;
    if (o->used != (1u << o->count) - 1 || at > o->line->length)
        return false;
    return (pos->side == o->line->attacker || at == o->line->length) && position_equal(pos, &o->line->positions[at]);
}

static bool order_attack(struct ordering *o, struct position *pos);

static bool order_defence(struct ordering *o, struct position *pos) {
    move answers[MAX_MOVES];
    if (arrived(o, pos))
        return true;
    int count = generate_evasions(pos, answers);
    bool found = false;
    o->played++;
    for (int i = 0; i < count && !found && o->positions < MOST_POSITIONS; i++) {
        o->positions++;
        position_do(pos, answers[i]);
        found = order_attack(o, pos);
        position_undo(pos, answers[i]);
    }
    o->played--;
    return found;
}

static bool order_attack(struct ordering *o, struct position *pos) {
    bool found = arrived(o, pos);
    for (int n = 0; n < o->count && !found && o->positions < MOST_POSITIONS; n++) {
        move m = nth_attack(o, n);
        if (o->used & 1u << n)
            continue;
        m = move_complete(pos, move_is_drop(m) ? NO_SQUARE : move_from(m), move_to(m), move_kind(m), move_promotes(m));
        if (m == NO_MOVE || !same_move(m, nth_attack(o, n)) || !move_gives_check(pos, m))
            continue;
        o->used |= 1u << n;
        o->played++;
        position_do(pos, m);
        found = order_defence(o, pos);
        position_undo(pos, m);
        o->played--;
        o->used &= ~(1u << n);
    }
    return found;
}

bool reorders(const struct played_line *line, size_t i, move other) {
    struct ordering o = {.line = line, .first = i};
    for (o.count = 2; o.count <= MOST_REORDERED && i + 2 * (size_t)o.count - 1 <= line->length; o.count++) {
        for (int n = 1; n < o.count; n++) {
            if (!same_move(other, nth_attack(&o, n)))
                continue;
            struct position pos = line->positions[i];
            o.used = 1u << n;
            o.played = 1;
            position_do(&pos, other);
            if (order_defence(&o, &pos))
                return true;
            break;
        }
    }
    return false;
}
