/* certificate_escape.c: walking a closed set of positions without mate.
 *
 * Breadth first: a position whose checks all have an answer into the set adds nothing. Along a main line its positions come first and
 * count as failures of the attacker, as far as each member may lead back to them; which search is asked depends on that. */
#include "solver/certificate_walk.h"

#include "solver/forbidden.h"

#include <stdlib.h>
#include <string.h>

/* An attacker's position of the set. */
struct member {
    piece board[SQUARES];
    hand hand[2];
    uint64_t key;
    uint32_t next; /* in the chain of its head */
    uint32_t
        back_to; /* from it play may lead back to the first so many positions of the line; one more than there are: to its end, too */
};

struct escape_walk {
    struct builder *builder;
    struct member *members;
    size_t count, room;
    uint32_t turns; /* of the attacker, in the line */
    /* the searches in which the line's positions are no failures, all are, and the first `repeats` are */
    struct asker plain, strict, repeating;
    uint32_t repeats;
    struct forbidden *repeated;
    struct asker *asked;            /* whose worker is at work; NULL: the caller's */
    const struct judged_move *next; /* along the line: of the moves not yet written about */
};

/* ---- Whom to ask ---- */

/* Opens the search in which repeating the first positions of the line fails. */
static bool open_repeating(struct escape_walk *w, uint32_t back_to) {
    const struct played_line *line = w->builder->line->played;
    size_t turn = 0;
    forbidden_free(w->repeated);
    w->repeated = forbidden_new(back_to);
    if (!w->repeated)
        return builder_fail(w->builder, CERTIFICATE_NO_MEMORY);
    for (uint32_t added = 0; added < back_to; turn++) {
        const struct position *pos = &line->positions[turn];
        if (pos->side != line->attacker)
            continue;
        forbidden_add(w->repeated, pos->key, pos->hand[line->attacker]);
        added++;
    }
    w->repeats = back_to;
    return asker_open(w->builder, &w->repeating, NULL, w->repeated);
}

static struct asker *asker_for(struct escape_walk *w, uint32_t back_to) {
    return back_to == 0 ? &w->plain : back_to > w->turns ? &w->strict : &w->repeating;
}

/* Puts the worker to work that can tell of positions that may lead back so far. */
static bool ask_for(struct escape_walk *w, uint32_t back_to) {
    const struct certified_line *line = w->builder->line;
    if (!line)
        return true;
    struct asker *asker = asker_for(w, back_to);
    bool outdated = asker == &w->repeating && asker->worker && w->repeats != back_to;
    if (asker == w->asked && !outdated)
        return true;
    if (w->asked)
        worker_rest(w->asked->worker);
    w->asked = NULL;
    if (asker->worker) {
        worker_resume(asker->worker);
        if (outdated)
            asker_close(w->builder, asker);
    }
    bool open = asker->worker != NULL;
    if (!open)
        open = asker == &w->repeating
                   ? open_repeating(w, back_to)
                   : asker_open(w->builder, asker, asker == &w->plain ? line->plain : line->strict, NULL);
    if (!open)
        return false;
    w->asked = asker;
    w->builder->worker = asker->worker;
    return true;
}

/* Closes all of them. */
static void ask_no_more(struct escape_walk *w) {
    struct asker *const askers[] = {&w->plain, &w->strict, &w->repeating};
    if (w->asked)
        asker_close(w->builder, w->asked);
    for (int i = 0; i < 3; i++)
        if (askers[i]->worker) {
            worker_resume(askers[i]->worker);
            asker_close(w->builder, askers[i]);
        }
    forbidden_free(w->repeated);
}

/* ---- The set ---- */

static bool add_member(struct escape_walk *w, const struct position *pos, uint32_t back_to) {
    if (w->count == MOST_NUMBERED)
        return builder_fail(w->builder, CERTIFICATE_TOO_LONG);
    if (!builder_room(w->builder, &w->members, w->count, 1, &w->room, sizeof *w->members))
        return false;
    uint32_t *head = builder_head(w->builder, pos->key);
    struct member *m = &w->members[w->count];
    *m = (struct member){
        .hand = {pos->hand[BLACK], pos->hand[WHITE]}, .key = pos->key, .next = *head, .back_to = back_to};
    memcpy(m->board, pos->board, sizeof m->board);
    *head = (uint32_t)w->count++;
    return true;
}

/* Does the member serve for its board with this hand? What leans on the main line's positions does for its very hand only: with less, play does
 * not lead to those. */
static bool serves_for(const struct escape_walk *w, const struct member *m, hand h) {
    hand own = m->hand[w->builder->attacker];
    return m->back_to > 0 ? h == own : hand_contains(own, h);
}

/* The member that serves for the position with this key and attacker's hand, and leads no further back; NONE if there is none. */
static uint32_t find_member(struct escape_walk *w, uint64_t key, hand h, uint32_t back_to) {
    for (uint32_t i = *builder_head(w->builder, key); i != NONE; i = w->members[i].next) {
        const struct member *m = &w->members[i];
        if (m->key == key && m->back_to <= back_to && serves_for(w, m, h))
            return i;
    }
    return NONE;
}

/* Puts the worker at a member. */
static void go_to_member(struct escape_walk *w, const struct member *m) {
    struct setup setup = {.side = w->builder->attacker, .move_number = 1};
    memcpy(setup.board, m->board, sizeof setup.board);
    for (int color = BLACK; color <= WHITE; color++)
        for (int kind = PAWN; kind <= GOLD; kind++)
            setup.hand[color][kind] = (uint8_t)hand_count(m->hand[color], kind);
    position_set(builder_position(w->builder), &setup);
}

/* An answer to the present check that is known to lead to no mate; NO_MOVE if the table names none. */
static move known_escape(struct escape_walk *w) {
    struct position *pos = builder_position(w->builder);
    struct entry e;
    if (!worker_known(w->builder->worker, CODE_INFINITE, &e) || e.dn != 0 || !move_is_legal(pos, e.move))
        return NO_MOVE;
    position_do(pos, e.move);
    enum outcome outcome = worker_decide(w->builder->worker, CODE_INFINITE, NULL);
    position_undo(pos, e.move);
    return outcome == DISPROVED ? e.move : NO_MOVE;
}

/* Searches for such an answer: at the check itself, so that the easiest is found; should the table have lost that again, one by one. */
static move search_escape(struct escape_walk *w, const move *answers, int count) {
    struct position *pos = builder_position(w->builder);
    if (worker_decide(w->builder->worker, CODE_INFINITE, NULL) == DISPROVED) {
        move escape = known_escape(w);
        if (escape != NO_MOVE)
            return escape;
    }
    for (int i = 0; i < count; i++) {
        position_do(pos, answers[i]);
        enum outcome outcome = worker_decide(w->builder->worker, CODE_INFINITE, NULL);
        position_undo(pos, answers[i]);
        if (outcome == DISPROVED)
            return answers[i];
        if (outcome == STOPPED) {
            builder_fail(w->builder, CERTIFICATE_STOPPED);
            return NO_MOVE;
        }
    }
    builder_fail(w->builder, CERTIFICATE_BROKEN);
    return NO_MOVE;
}

/* Gives the attacker from the defender's hand all that does not help him, as the table knows: such a member covers more. The position is changed
 * by that. */
static void put_gift(struct escape_walk *w) {
    struct payload *payload = &w->builder->payload;
    struct position *pos = builder_position(w->builder);
    enum color attacker = w->builder->attacker, defender = color_other(attacker);
    hand given = HAND_EMPTY;
    struct entry e;
    if (worker_known(w->builder->worker, CODE_INFINITE, &e) && e.dn == 0 && !(e.flags & FLAG_EXACT_HAND))
        given = hand_min(hand_minus(e.hand, pos->hand[attacker]), pos->hand[defender]);
    unsigned kinds = 0;
    for (int kind = PAWN; kind <= GOLD; kind++)
        kinds |= (unsigned)hand_has(given, kind) << (kind - PAWN);
    put_byte(payload, kinds);
    for (int kind = PAWN; kind <= GOLD; kind++)
        if (hand_has(given, kind))
            put_byte(payload, (unsigned)hand_count(given, kind));
    pos->hand[attacker] += given;
    pos->hand[defender] -= given;
}

/* Answers the present check: into the set if that can be, else with a new member. */
static bool put_answer(struct escape_walk *w, uint32_t back_to) {
    struct position *pos = builder_position(w->builder);
    struct payload *payload = &w->builder->payload;
    move answers[MAX_MOVES];
    int count = generate_evasions(pos, answers);
    for (int i = 0; i < count; i++) {
        uint32_t member = find_member(w, position_key_after(pos, answers[i]), pos->hand[w->builder->attacker], back_to);
        if (member == NONE)
            continue;
        put_word(payload, builder_word(w->builder, answers[i]));
        put_number(payload, w->count - 1 - member);
        return true;
    }
    move answer = known_escape(w);
    if (answer == NO_MOVE)
        answer = search_escape(w, answers, count);
    if (answer == NO_MOVE)
        return false;
    put_word(payload, builder_word(w->builder, answer) | WORD_MARK);
    struct position checked = *pos;
    position_do(pos, answer);
    if (back_to == 0)
        put_gift(w);
    bool added = add_member(w, pos, back_to);
    *pos = checked;
    return added;
}

/* Does the check lead to the end of the line, where that is a failure? */
static bool ends_line(const struct escape_walk *w, uint32_t back_to) {
    if (back_to <= w->turns)
        return false;
    const struct played_line *line = w->builder->line->played;
    const struct position *pos = builder_position(w->builder), *end = &line->positions[line->length];
    return pos->key == end->key && pos->hand[line->attacker] == end->hand[line->attacker];
}

static bool put_answer_to(struct escape_walk *w, move check, uint32_t back_to) {
    struct position *pos = builder_position(w->builder);
    position_do(pos, check);
    bool answered = ends_line(w, back_to) || put_answer(w, back_to);
    position_undo(pos, check);
    return answered;
}

static bool put_answers_of(struct escape_walk *w, uint32_t member) {
    uint32_t back_to = w->members[member].back_to;
    if (!ask_for(w, back_to))
        return false;
    go_to_member(w, &w->members[member]);
    move checks[MAX_MOVES];
    int count = generate_checks(builder_position(w->builder), checks);
    builder_sort(w->builder, checks, count);
    for (int i = 0; i < count; i++)
        if (!put_answer_to(w, checks[i], back_to))
            return false;
    return true;
}

/* Writes the answers of all members from this one on. */
static bool walk_members(struct escape_walk *w, size_t first) {
    for (size_t i = first; i < w->count; i++)
        if (!put_answers_of(w, (uint32_t)i))
            return false;
    return true;
}

/* Counts the walk's positions and ends it. */
static bool finish_walk(struct escape_walk *w, bool walked) {
    w->builder->numbered += w->count;
    w->builder->positions += w->count;
    ask_no_more(w);
    free(w->members);
    return walked;
}

bool put_escapes(struct builder *b) {
    struct escape_walk w = {.builder = b};
    const struct position *start = builder_position(b);
    builder_forget(b);
    bool begun = start->side == b->attacker ? add_member(&w, start, 0) : put_answer(&w, 0);
    return finish_walk(&w, begun && walk_members(&w, 0));
}

/* ---- Along a line ---- */

/* What was judged of the check at this turn; NULL if nothing was. The judged moves come in the order of their turns. */
static const struct judged_move *find_judged(struct escape_walk *w, size_t turn, move check) {
    const struct certified_line *line = w->builder->line;
    const struct judged_move *end = line->judged + line->judged_count;
    while (w->next < end && w->next->turn < turn)
        w->next++;
    for (const struct judged_move *m = w->next; m < end && m->turn == turn; m++)
        if (m->move == check)
            return m;
    return NULL;
}

/* How far play after such a check may lead back to the line; the turn is the attacker's with this number. */
static uint32_t back_to_of(const struct escape_walk *w, enum fate fate, uint32_t number) {
    return fate == FATE_FAILS ? 0 : fate == FATE_REPEATS ? number + 1 : w->turns + 1;
}

/* Writes what becomes of another check at the turn. */
static bool put_alternative(struct escape_walk *w, size_t turn, uint32_t number, move check) {
    const struct judged_move *judged = find_judged(w, turn, check);
    if (!judged)
        return builder_fail(w->builder, CERTIFICATE_BROKEN);
    put_byte(&w->builder->payload, judged->fate);
    if (judged->fate > FATE_RETURNS)
        return true;
    uint32_t back_to = back_to_of(w, judged->fate, number);
    if (!ask_for(w, back_to))
        return false;
    *builder_position(w->builder) = w->builder->line->played->positions[turn];
    return put_answer_to(w, check, back_to);
}

static bool put_turn(struct escape_walk *w, size_t turn, uint32_t number) {
    const struct played_line *line = w->builder->line->played;
    struct position pos = line->positions[turn];
    move checks[MAX_MOVES];
    int count = generate_checks(&pos, checks);
    builder_sort(w->builder, checks, count);
    for (int i = 0; i < count; i++)
        if (checks[i] != line->moves[turn] && !put_alternative(w, turn, number, checks[i]))
            return false;
    return true;
}

/* The index of the attacker's first turn. */
static size_t first_turn(const struct played_line *line) {
    return line->positions[0].side == line->attacker ? 0 : 1;
}

static bool walk_line(struct escape_walk *w) {
    const struct played_line *line = w->builder->line->played;
    size_t first = first_turn(line);
    for (size_t turn = first; turn < line->length; turn += 2)
        if (!add_member(w, &line->positions[turn], (uint32_t)(w->count + 1)))
            return false;
    w->turns = (uint32_t)w->count;
    for (uint32_t number = 0; number < w->turns; number++)
        if (!put_turn(w, first + 2 * (size_t)number, number))
            return false;
    return walk_members(w, w->turns);
}

bool put_alternatives(struct builder *b) {
    struct escape_walk w = {.builder = b, .next = b->line->judged};
    builder_forget(b);
    return finish_walk(&w, walk_line(&w));
}
