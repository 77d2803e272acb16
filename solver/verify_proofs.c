/* verify_proofs.c: see verify_proofs.h; the format is in certificate.h. */
#include "solver/verify_proofs.h"

#include "solver/verify_language.h"
#include "solver/verify_main_line.h"

enum { MOST_DEPTH = 1 << 15 /* attacker's moves in a line */ };

static const size_t OFF_LINE = SIZE_MAX;

/* Mate: a defender's position whose answers are being described. */
struct level {
    struct vr_position before; /* the attacker's, before his move */
    struct vr_position position;
    size_t first; /* answers: in the array of all, from `first` on */
    int count, next;
    uint32_t longest; /* plies from here, by the answers described so far */
    bool numbered;
    bool meets_line; /* as in struct known; so far */
    size_t moves;    /* of the main line that lead here, OFF_LINE where others do */
};

/* ---- Mate ---- */

/* Begins with a defender's position: all his answers are to be described. */
static bool push_level(struct checker *c, const struct level *opened) {
    struct vr_move moves[VR_MAX_MOVES];
    struct listed list[VR_MAX_MOVES];
    if (c->depth == MOST_DEPTH)
        return verify_wrong_at(c, &opened->position, _("a line is too long"));
    if (!verify_room(c, &c->levels, c->depth, &c->levels_room, sizeof *c->levels))
        return false;
    struct level *level = &c->levels[c->depth];
    *level = *opened;
    level->first = c->answers_used;
    level->count = vr_legal_moves(&level->position, moves);
    put_in_order(moves, level->count, list);
    for (int i = 0; i < level->count; i++) {
        if (!verify_room(c, &c->answers, c->answers_used, &c->answers_room, sizeof *c->answers))
            return false;
        c->answers[c->answers_used++] = list[i].word;
    }
    c->depth++;
    return true;
}

/* An attacker's position is done: what is known of it goes to the answer that led to it. */
static void answer_loses(struct level *level, uint32_t plies, bool meets_line) {
    level->next++;
    level->meets_line |= meets_line;
    if (plies + 1 > level->longest)
        level->longest = plies + 1;
}

/* Reads a check and opens the level of the answers to it. */
static bool read_check(struct checker *c, const struct vr_position *position, unsigned word, size_t moves) {
    struct vr_move check;
    if (!move_of(word, position, &check))
        return verify_wrong_at(c, position, _("no move"));
    if (!vr_is_legal(position, &check))
        return verify_wrong_move(c, position, &check, _("is not legal"));
    if (moves < c->line.length && !vr_move_equal(&check, &c->line.moves[moves]))
        return verify_wrong_move(c, position, &check, _("is not the main line's move"));
    struct level level = {.before = *position, .position = vr_after(position, &check)};
    if (!vr_in_check(&level.position))
        return verify_wrong_move(c, position, &check, _("is no check"));
    if (c->barred && line_has(c, &level.position))
        return verify_wrong_move(c, position, &check, _("leads back to the main line"));
    level.meets_line = c->barred && (line_has_board(c, position) || line_has_board(c, &level.position));
    level.numbered = (word & MARK) != 0;
    level.moves = moves < c->line.length ? moves + 1 : OFF_LINE;
    return push_level(c, &level);
}

/* Reads the description of an attacker's position as far as his move, which opens a new level, or the whole of a reference. moves: of the
 * main line, that lead to it. */
static bool read_attack(struct checker *c, const struct vr_position *position, size_t moves) {
    unsigned word;
    c->report->positions++;
    if (c->barred && line_has(c, position))
        return verify_wrong_at(c, position, _("the cook leads back to the main line"));
    if (!read_word(c, &word))
        return false;
    if (word != REFERENCE)
        return read_check(c, position, word, moves);
    if (moves < c->line.length)
        return verify_wrong_at(c, position, _("a reference in place of the main line's move"));
    const struct known *known = read_reference(c, position);
    if (!known)
        return false;
    if (!at_least_as_good(c, position, &known->position))
        return verify_wrong_at(c, position, _("a reference to a position that does not cover this one"));
    if (known->meets_line && !vr_equal(position, &known->position))
        return verify_wrong_at(c, position, _("a reference to another hand's cook through the main line's boards"));
    answer_loses(&c->levels[c->depth - 1], known->plies, known->meets_line);
    return true;
}

/* All answers of the top level lose: so the attacker's position before it is done. *plies: from the position before. */
static bool pop_level(struct checker *c, uint32_t *plies) {
    struct level *level = &c->levels[--c->depth];
    c->answers_used = level->first;
    *plies = level->longest + 1;
    if (!level->numbered)
        return true;
    if (!number_position(c, &level->before))
        return false;
    c->known[c->known_count - 1].plies = *plies;
    c->known[c->known_count - 1].meets_line = level->meets_line;
    return true;
}

/* Goes one step on: to the next answer of the top level, or out of it. */
static bool read_on(struct checker *c, uint32_t *plies) {
    struct level *level = &c->levels[c->depth - 1];
    if (level->next == level->count) {
        if (!pop_level(c, plies))
            return false;
        if (c->depth > 0)
            answer_loses(&c->levels[c->depth - 1], *plies, level->meets_line);
        return true;
    }
    struct vr_move answer;
    struct vr_position defence = level->position;
    if (!move_of(c->answers[level->first + (size_t)level->next], &defence, &answer))
        return verify_wrong_at(c, &defence, _("no move"));
    bool on_line = level->moves < c->line.length && vr_move_equal(&answer, &c->line.moves[level->moves]);
    struct vr_position after = vr_after(&defence, &answer);
    return read_attack(c, &after, on_line ? level->moves + 1 : OFF_LINE);
}

/* Reads until all levels are done. *plies: of the attacker's position before the lowest of them. */
static bool read_levels(struct checker *c, uint32_t *plies) {
    while (c->depth > 0)
        if (!read_on(c, plies))
            return false;
    return true;
}

bool read_mate(struct checker *c, const struct vr_position *first, uint32_t *plies) {
    if (first->side == (int8_t)c->attacker)
        return read_attack(c, first, 0) && read_levels(c, plies);
    if (!push_level(c, &(struct level){.position = *first}) || !read_levels(c, plies))
        return false;
    --*plies; /* there was no attacker's move before */
    return true;
}

bool read_cook(struct checker *c, const struct vr_position *position, unsigned word, uint32_t *plies) {
    c->barred = true;
    bool mates = read_check(c, position, word, OFF_LINE) && read_levels(c, plies);
    c->barred = false;
    return mates;
}

/* ---- No mate ---- */

/* Moves pieces from the defender's hand to the attacker's, as the certificate says. */
static bool read_gift(struct checker *c, struct vr_position *position) {
    unsigned kinds, number;
    if (!read_byte(c, &kinds))
        return false;
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++) {
        if (!(kinds >> (kind - VR_PAWN) & 1))
            continue;
        int8_t *from = &position->hand[vr_other(c->attacker)][kind], *to = &position->hand[c->attacker][kind];
        if (!read_byte(c, &number))
            return false;
        if ((int)number > *from)
            return verify_wrong_at(c, position, _("more pieces given to the attacker than the defender has"));
        *from = (int8_t)(*from - (int)number);
        *to = (int8_t)(*to + (int)number);
    }
    return kinds < 128 || verify_wrong_at(c, position, _("no such kind of piece"));
}

bool read_answer(struct checker *c, const struct vr_position *checked, uint32_t back_to) {
    unsigned word;
    struct vr_move answer;
    if (!read_legal_move(c, checked, &word, &answer))
        return false;
    struct vr_position after = vr_after(checked, &answer);
    if (word & MARK) {
        if ((back_to == 0 && !read_gift(c, &after)) || !number_position(c, &after))
            return false;
        c->known[c->known_count - 1].back_to = back_to;
        return true;
    }
    const struct known *known = read_reference(c, &after);
    if (!known)
        return false;
    if (known->back_to > back_to)
        return verify_wrong_at(c, &after, _("a reference to a position from which play leads back to the main line"));
    if (!at_least_as_good(c, &known->position, &after))
        return verify_wrong_at(c, &after, _("a reference to a position that does not cover this one"));
    return known->back_to == 0 || vr_equal(&known->position, &after) ||
           verify_wrong_at(c, &after, _("a reference with another hand to a position that leans on the main line"));
}

bool read_answers(struct checker *c, size_t number) {
    struct known from = c->known[number]; /* the array may move */
    struct vr_move moves[VR_MAX_MOVES];
    struct listed list[VR_MAX_MOVES];
    int count = vr_checking_moves(&from.position, moves);
    put_in_order(moves, count, list);
    c->report->positions++;
    for (int i = 0; i < count; i++) {
        struct vr_position checked = vr_after(&from.position, &list[i].move);
        if (from.back_to > c->line.turns && line_ends_at(c, &checked))
            continue; /* the attacker may not come back there: no answer is needed */
        if (!read_answer(c, &checked, from.back_to))
            return false;
    }
    return true;
}

bool read_escapes(struct checker *c, const struct vr_position *first) {
    bool attacks = first->side == (int8_t)c->attacker;
    if (attacks ? !number_position(c, first) : !read_answer(c, first, 0))
        return false;
    for (size_t i = 0; i < c->known_count; i++)
        if (!read_answers(c, i))
            return false;
    return true;
}
