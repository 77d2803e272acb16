/* certificate.c: building certificates from what the table knows. The format is in certificate.h.
 *
 * A mate is walked depth first with an explicit stack: the attacker's move by the table, all the defender's answers. Each position has a
 * limit of plies, which falls along every line, so the walk ends. A position that is done serves again wherever the same board comes up with
 * at least its hand and a limit that its plies keep. No mate is walked breadth first: a position whose checks all have an answer into
 * the set adds nothing. */
#include "solver/certificate.h"

#include "solver/certificate_file.h"

#include <stdlib.h>
#include <string.h>

enum { HEADS = 1 << 18 };
static const uint32_t NONE = UINT32_MAX; /* no position */

/* What both walks share. */
struct builder {
    struct worker *worker;
    enum color attacker;
    enum certificate_outcome outcome; /* what has gone wrong, if it is not CERTIFICATE_BUILT */
    /* a second search that counts every interposition, for bounded questions; opened when first needed */
    struct search counting;
    struct worker *counter;
    uint32_t *heads; /* chains of positions with the same board */
};

static bool fail(struct builder *b, enum certificate_outcome outcome) {
    b->outcome = outcome;
    return false;
}

static struct position *position_of(struct builder *b) {
    return worker_position(b->worker);
}

static uint32_t *head_of(struct builder *b, uint64_t key) {
    return &b->heads[key >> 24 & (HEADS - 1)];
}

/* Makes room for `more` items behind those in use. */
static bool make_room(struct builder *b, void *array, size_t used, size_t more, size_t *room, size_t size) {
    if (used + more <= *room)
        return true;
    size_t wanted = *room ? *room * 2 : 256;
    while (wanted < used + more)
        wanted *= 2;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, wanted * size);
    if (!grown)
        return fail(b, CERTIFICATE_NO_MEMORY);
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

/* ---- Asking the search ---- */

static bool open_counter(struct builder *b) {
    const struct search *search = worker_search(b->worker);
    if (!search_open(&b->counting, search->table, b->attacker))
        return fail(b, CERTIFICATE_NO_MEMORY);
    b->counting.node_limit = search->node_limit;
    b->counting.deadline = search->deadline;
    b->counting.asked_to_stop = search->asked_to_stop;
    b->counter = worker_new(&b->counting, position_of(b));
    if (!b->counter) {
        search_close(&b->counting);
        return fail(b, CERTIFICATE_NO_MEMORY);
    }
    worker_rest(b->counter);
    return true;
}

static void close_counter(struct builder *b) {
    if (!b->counter)
        return;
    worker_resume(b->counter);
    worker_free(b->counter);
    search_close(&b->counting);
}

/* A bounded question, every interposition counted. */
static enum outcome decide_counting(struct builder *b, code bound, struct decision *d) {
    if (!worker_search(b->worker)->futile)
        return worker_decide(b->worker, bound, d);
    if (!b->counter && !open_counter(b))
        return STOPPED;
    worker_rest(b->worker); /* one thread: while one of its workers searches, the table must not wait for the other */
    worker_resume(b->counter);
    *worker_position(b->counter) = *position_of(b);
    enum outcome outcome = worker_decide(b->counter, bound, d);
    worker_rest(b->counter);
    worker_resume(b->worker);
    return outcome;
}

/* Notes why a question that had to be answered one way was not. */
static bool unexpected(struct builder *b, enum outcome outcome) {
    if (b->outcome != CERTIFICATE_BUILT)
        return false;
    return fail(b, outcome == STOPPED ? CERTIFICATE_STOPPED : CERTIFICATE_BROKEN);
}

/* The move by which the attacker mates within the limit, and in how many plies. */
static bool decide_attack(struct builder *b, int limit, move *m, int *plies) {
    struct decision d;
    enum outcome outcome = worker_decide(b->worker, CODE_INFINITE, &d);
    if (outcome == PROVED && code_plies(d.value) > limit)
        outcome = decide_counting(b, code_make(limit, CODE_ANY_SPENT), &d);
    if (outcome != PROVED || !move_is_legal(position_of(b), d.move))
        return unexpected(b, outcome);
    *m = d.move;
    *plies = code_plies(d.value);
    return true;
}

/* ---- Mate ---- */

/* A piece of the payload, in its order: a move of the attacker, or a reference to a position that is done. */
struct event {
    uint32_t target; /* of a reference; NONE for a move */
    uint32_t done;   /* how many positions were done before */
    uint16_t word;
};

/* An attacker's position that is done, in the order in which they were. */
struct done {
    uint64_t key;
    hand hand;
    uint32_t plies, next; /* next: in the chain of its head */
    uint32_t event;       /* its move */
    uint32_t number;      /* those before it that references lead to */
    bool referenced;
};

/* A defender's position on the line being walked. */
struct level {
    move attack;               /* that led to it; NO_MOVE when the defender moves first */
    uint64_t key;              /* of the attacker's position before */
    hand hand;                 /* the attacker's, there */
    uint32_t event;            /* its move */
    size_t first, count, next; /* answers, in the array of all */
    int limit;                 /* of plies after each answer */
    int longest;               /* plies from here by the answers walked so far */
};

struct mate_walk {
    struct builder *builder;
    struct event *events;
    size_t event_count, event_room;
    struct done *done;
    size_t done_count, done_room;
    struct level *levels;
    size_t depth, level_room;
    move *answers;
    size_t answer_count, answer_room;
};

static bool add_event(struct mate_walk *w, unsigned word, uint32_t target) {
    if (w->event_count >= NONE)
        return fail(w->builder, CERTIFICATE_TOO_LONG);
    if (!make_room(w->builder, &w->events, w->event_count, 1, &w->event_room, sizeof *w->events))
        return false;
    w->events[w->event_count++] =
        (struct event){.target = target, .done = (uint32_t)w->done_count, .word = (uint16_t)word};
    return true;
}

/* A position that is done and serves for the present one; NULL if there is none. */
static struct done *find_done(struct mate_walk *w, int limit) {
    const struct position *pos = position_of(w->builder);
    if (w->done_count == 0 || !w->done)
        return NULL;
    for (uint32_t i = *head_of(w->builder, pos->key); i != NONE; i = w->done[i].next) {
        struct done *d = &w->done[i];
        if (d->key == pos->key && (int)d->plies <= limit && hand_contains(pos->hand[w->builder->attacker], d->hand))
            return d;
    }
    return NULL;
}

/* Opens the defender's present position. */
static bool push_level(struct mate_walk *w, const struct level *level) {
    if (!make_room(w->builder, &w->levels, w->depth, 1, &w->level_room, sizeof *w->levels) ||
        !make_room(w->builder, &w->answers, w->answer_count, MAX_MOVES, &w->answer_room, sizeof *w->answers))
        return false;
    move *answers = &w->answers[w->answer_count];
    struct level *new = &w->levels[w->depth];
    *new = *level;
    new->first = w->answer_count;
    new->count = (size_t)generate_evasions(position_of(w->builder), answers);
    sort_by_word(answers, (int)new->count);
    if (new->count > 0 && new->limit < 1)
        return fail(w->builder, CERTIFICATE_BROKEN);
    w->answer_count += new->count;
    w->depth++;
    return true;
}

static void answer_loses_in(struct level *level, int plies) {
    level->next++;
    if (plies + 1 > level->longest)
        level->longest = plies + 1;
}

/* Deals with the attacker's present position: by reference (then *plies is set, else 0), or by a move that opens a level. */
static bool enter_attack(struct mate_walk *w, int limit, int *plies) {
    struct position *pos = position_of(w->builder);
    struct done *known = find_done(w, limit);
    *plies = 0;
    if (known) {
        known->referenced = true;
        *plies = (int)known->plies;
        return add_event(w, WORD_REFERENCE, (uint32_t)(known - w->done));
    }
    struct level level = {.key = pos->key, .hand = pos->hand[w->builder->attacker], .event = (uint32_t)w->event_count};
    int length = 0;
    if (!decide_attack(w->builder, limit, &level.attack, &length) || !add_event(w, move_word(level.attack), NONE))
        return false;
    level.limit = length - 2;
    position_do(pos, level.attack);
    return push_level(w, &level);
}

/* All answers at the top level lose: the attacker's position before it is done. *plies: from there; from here when the defender
 * moves first. */
static bool pop_level(struct mate_walk *w, int *plies) {
    const struct level *level = &w->levels[--w->depth];
    w->answer_count = level->first;
    *plies = level->longest;
    if (level->attack == NO_MOVE)
        return true;
    ++*plies;
    position_undo(position_of(w->builder), level->attack);
    if (!make_room(w->builder, &w->done, w->done_count, 1, &w->done_room, sizeof *w->done))
        return false;
    uint32_t *head = head_of(w->builder, level->key);
    w->done[w->done_count] = (struct done){
        .key = level->key, .hand = level->hand, .plies = (uint32_t)*plies, .next = *head, .event = level->event};
    *head = (uint32_t)w->done_count++;
    return true;
}

/* Goes one step on: into the next answer of the top level, or out of the level. */
static bool walk_on(struct mate_walk *w, int *plies) {
    struct level *level = &w->levels[w->depth - 1];
    struct position *pos = position_of(w->builder);
    if (level->next < level->count) {
        size_t depth = w->depth;
        move answer = w->answers[level->first + level->next];
        position_do(pos, answer);
        if (!enter_attack(w, level->limit, plies))
            return false;
        if (w->depth == depth) {
            position_undo(pos, answer);
            answer_loses_in(&w->levels[depth - 1], *plies);
        }
        return true;
    }
    if (!pop_level(w, plies))
        return false;
    if (w->depth > 0) {
        struct level *above = &w->levels[w->depth - 1];
        position_undo(pos, w->answers[above->first + above->next]);
        answer_loses_in(above, *plies);
    }
    return true;
}

/* Walks the whole mate. *plies: in how many plies it mates. */
static bool walk_mate(struct mate_walk *w, int limit, int *plies) {
    if (position_of(w->builder)->side == w->builder->attacker) {
        if (!enter_attack(w, limit, plies))
            return false;
    } else if (!push_level(w, &(struct level){.attack = NO_MOVE, .limit = limit - 1})) {
        return false;
    }
    while (w->depth > 0)
        if (!walk_on(w, plies))
            return false;
    return true;
}

/* Writes the events, now that it is known which positions need a number. Returns how many have one. */
static uint32_t put_events(struct mate_walk *w, struct payload *payload) {
    uint32_t numbered = 0;
    for (size_t i = 0; i < w->done_count; i++) {
        w->done[i].number = numbered;
        numbered += w->done[i].referenced;
        if (w->done[i].referenced)
            w->events[w->done[i].event].word |= WORD_MARK;
    }
    for (size_t i = 0; i < w->event_count; i++) {
        const struct event *e = &w->events[i];
        put_word(payload, e->word);
        if (e->target != NONE) {
            uint32_t before = e->done < w->done_count ? w->done[e->done].number : numbered;
            put_number(payload, before - 1 - w->done[e->target].number);
        }
    }
    return numbered;
}

static enum certificate_outcome build_mate(struct builder *b, code bound, struct certificate *certificate) {
    struct mate_walk walk = {.builder = b};
    struct payload payload = {0};
    int plies = 0;
    put_start(&payload, position_of(b), b->attacker);
    if (walk_mate(&walk, code_plies(bound), &plies)) {
        uint32_t numbered = put_events(&walk, &payload);
        certificate->positions = walk.done_count;
        b->outcome = wrap_payload(&payload, KIND_MATE, plies, numbered, certificate);
    }
    free(payload.bytes);
    free(walk.events);
    free(walk.done);
    free(walk.levels);
    free(walk.answers);
    return b->outcome;
}

/* ---- No mate ---- */

/* An attacker's position of the set. */
struct member {
    piece board[SQUARES];
    hand hand[2];
    uint64_t key;
    uint32_t next; /* in the chain of its head */
};

struct escape_walk {
    struct builder *builder;
    struct member *members;
    size_t count, room;
    struct payload payload;
};

static bool add_member(struct escape_walk *w) {
    const struct position *pos = position_of(w->builder);
    if (w->count == MOST_NUMBERED)
        return fail(w->builder, CERTIFICATE_TOO_LONG);
    if (!make_room(w->builder, &w->members, w->count, 1, &w->room, sizeof *w->members))
        return false;
    uint32_t *head = head_of(w->builder, pos->key);
    struct member *m = &w->members[w->count];
    *m = (struct member){.hand = {pos->hand[BLACK], pos->hand[WHITE]}, .key = pos->key, .next = *head};
    memcpy(m->board, pos->board, sizeof m->board);
    *head = (uint32_t)w->count++;
    return true;
}

/* The member that covers the position with this key and attacker's hand; NONE if there is none. */
static uint32_t find_member(struct escape_walk *w, uint64_t key, hand h) {
    for (uint32_t i = *head_of(w->builder, key); i != NONE; i = w->members[i].next)
        if (w->members[i].key == key && hand_contains(w->members[i].hand[w->builder->attacker], h))
            return i;
    return NONE;
}

/* Puts the worker at a member. */
static void go_to_member(struct escape_walk *w, const struct member *m) {
    struct setup setup = {.side = w->builder->attacker, .move_number = 1};
    memcpy(setup.board, m->board, sizeof setup.board);
    for (int color = BLACK; color <= WHITE; color++)
        for (int kind = PAWN; kind <= GOLD; kind++)
            setup.hand[color][kind] = (uint8_t)hand_count(m->hand[color], kind);
    position_set(position_of(w->builder), &setup);
}

/* An answer to the present check that is known to lead to no mate; NO_MOVE if the table names none. */
static move known_escape(struct escape_walk *w) {
    struct position *pos = position_of(w->builder);
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
    struct position *pos = position_of(w->builder);
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
            fail(w->builder, CERTIFICATE_STOPPED);
            return NO_MOVE;
        }
    }
    fail(w->builder, CERTIFICATE_BROKEN);
    return NO_MOVE;
}

/* Gives the attacker from the defender's hand all that does not help him, as the table knows: such a member covers more. The position is changed
 * by that. */
static void put_gift(struct escape_walk *w) {
    struct position *pos = position_of(w->builder);
    enum color attacker = w->builder->attacker, defender = color_other(attacker);
    hand given = HAND_EMPTY;
    struct entry e;
    if (worker_known(w->builder->worker, CODE_INFINITE, &e) && e.dn == 0 && !(e.flags & FLAG_EXACT_HAND))
        given = hand_min(hand_minus(e.hand, pos->hand[attacker]), pos->hand[defender]);
    unsigned kinds = 0;
    for (int kind = PAWN; kind <= GOLD; kind++)
        kinds |= (unsigned)hand_has(given, kind) << (kind - PAWN);
    put_byte(&w->payload, kinds);
    for (int kind = PAWN; kind <= GOLD; kind++)
        if (hand_has(given, kind))
            put_byte(&w->payload, (unsigned)hand_count(given, kind));
    pos->hand[attacker] += given;
    pos->hand[defender] -= given;
}

/* Answers the present check: into the set if that can be, else with a new member. */
static bool put_answer(struct escape_walk *w) {
    struct position *pos = position_of(w->builder);
    move answers[MAX_MOVES];
    int count = generate_evasions(pos, answers);
    for (int i = 0; i < count; i++) {
        uint32_t member = find_member(w, position_key_after(pos, answers[i]), pos->hand[w->builder->attacker]);
        if (member == NONE)
            continue;
        put_word(&w->payload, move_word(answers[i]));
        put_number(&w->payload, w->count - 1 - member);
        return true;
    }
    move answer = known_escape(w);
    if (answer == NO_MOVE)
        answer = search_escape(w, answers, count);
    if (answer == NO_MOVE)
        return false;
    put_word(&w->payload, move_word(answer) | WORD_MARK);
    struct position checked = *pos;
    position_do(pos, answer);
    put_gift(w);
    bool added = add_member(w);
    *pos = checked;
    return added;
}

static bool put_answers_of(struct escape_walk *w, uint32_t member) {
    go_to_member(w, &w->members[member]);
    struct position *pos = position_of(w->builder);
    move checks[MAX_MOVES];
    int count = generate_checks(pos, checks);
    sort_by_word(checks, count);
    for (int i = 0; i < count; i++) {
        position_do(pos, checks[i]);
        bool answered = put_answer(w);
        position_undo(pos, checks[i]);
        if (!answered)
            return false;
    }
    return true;
}

static bool walk_escapes(struct escape_walk *w) {
    bool attacks = position_of(w->builder)->side == w->builder->attacker;
    if (attacks ? !add_member(w) : !put_answer(w))
        return false;
    for (size_t i = 0; i < w->count; i++)
        if (!put_answers_of(w, (uint32_t)i))
            return false;
    return true;
}

static enum certificate_outcome build_no_mate(struct builder *b, struct certificate *certificate) {
    struct escape_walk walk = {.builder = b};
    put_start(&walk.payload, position_of(b), b->attacker);
    if (walk_escapes(&walk)) {
        certificate->positions = walk.count;
        b->outcome = wrap_payload(&walk.payload, KIND_NO_MATE, 0, walk.count, certificate);
    }
    free(walk.payload.bytes);
    free(walk.members);
    return b->outcome;
}

/* ---- Both ---- */

enum certificate_outcome certificate_build(struct worker *worker, enum outcome verdict, code bound,
                                           struct certificate *certificate) {
    struct position start = *worker_position(worker);
    struct builder b = {.worker = worker, .attacker = worker_search(worker)->attacker, .outcome = CERTIFICATE_BUILT};
    *certificate = (struct certificate){0};
    b.heads = malloc(HEADS * sizeof *b.heads);
    if (!b.heads)
        return CERTIFICATE_NO_MEMORY;
    memset(b.heads, 0xff, HEADS * sizeof *b.heads);
    enum certificate_outcome outcome =
        verdict == PROVED ? build_mate(&b, bound, certificate) : build_no_mate(&b, certificate);
    free(b.heads);
    close_counter(&b);
    *worker_position(worker) = start;
    return outcome;
}
