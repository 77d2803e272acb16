/* certificate_mate.c: walking a mate.
 *
 * Depth first with an explicit stack: the attacker's move by the table, along the main line by the line, all the defender's answers. Each
 * position has a limit of plies, which falls along every line but the main line, so the walk ends. A position that is done serves again wherever
 * the same board comes up with at least its hand and a limit that its plies keep; or with its very hand, where with another one its moves
 * might lead to a forbidden position. */
#include "solver/certificate_walk.h"

#include "solver/forbidden.h"

#include <stdlib.h>

static const size_t OFF_LINE = SIZE_MAX;

/* ---- Asking the search ---- */

static bool open_counter(struct builder *b) {
    const struct search *search = worker_search(b->worker);
    if (!search_open(&b->counting, search->table, b->attacker))
        return builder_fail(b, CERTIFICATE_NO_MEMORY);
    b->counting.node_limit = search->node_limit;
    b->counting.deadline = search->deadline;
    b->counting.asked_to_stop = search->asked_to_stop;
    b->counter = worker_new(&b->counting, builder_position(b));
    if (!b->counter) {
        search_close(&b->counting);
        return builder_fail(b, CERTIFICATE_NO_MEMORY);
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
    *worker_position(b->counter) = *builder_position(b);
    enum outcome outcome = worker_decide(b->counter, bound, d);
    worker_rest(b->counter);
    worker_resume(b->worker);
    return outcome;
}

/* The move by which the attacker mates within the limit, and in how many plies. */
static bool decide_attack(struct builder *b, int limit, move *m, int *plies) {
    struct decision d;
    enum outcome outcome = worker_decide(b->worker, CODE_INFINITE, &d);
    if (outcome == PROVED && code_plies(d.value) > limit)
        outcome = decide_counting(b, code_make(limit, CODE_ANY_SPENT), &d);
    if (outcome != PROVED || !move_is_legal(builder_position(b), d.move))
        return builder_wonders(b, outcome);
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
    bool meets_forbidden; /* boards of forbidden positions come up in its mate, with whatever hands */
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
    bool meets_forbidden;      /* as in struct done; so far */
    size_t moves;              /* of the main line that lead here, OFF_LINE where others do */
};

struct mate_walk {
    struct builder *builder;
    struct search *search; /* along a main line: the worker's, else NULL */
    bool loose;            /* the main line was found to need more plies than it has, all interpositions counted */
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
        return builder_fail(w->builder, CERTIFICATE_TOO_LONG);
    if (!builder_room(w->builder, &w->events, w->event_count, 1, &w->event_room, sizeof *w->events))
        return false;
    w->events[w->event_count++] =
        (struct event){.target = target, .done = (uint32_t)w->done_count, .word = (uint16_t)word};
    return true;
}

/* Is there a forbidden position with this board? */
static bool is_forbidden_board(const struct mate_walk *w, uint64_t key) {
    const struct forbidden *set = worker_search(w->builder->worker)->forbidden;
    return set && forbidden_knows(set, key);
}

/* Does what is done serve for the same board with this hand? */
static bool serves_for(const struct done *d, hand h) {
    return d->meets_forbidden ? h == d->hand : hand_contains(h, d->hand);
}

/* A position that is done and serves for the present one; NULL if there is none. */
static struct done *find_done(struct mate_walk *w, int limit) {
    const struct position *pos = builder_position(w->builder);
    if (w->done_count == 0 || !w->done)
        return NULL;
    for (uint32_t i = *builder_head(w->builder, pos->key); i != NONE; i = w->done[i].next) {
        struct done *d = &w->done[i];
        if (d->key == pos->key && (int)d->plies <= limit && serves_for(d, pos->hand[w->builder->attacker]))
            return d;
    }
    return NULL;
}

/* Opens the defender's present position. */
static bool push_level(struct mate_walk *w, const struct level *level) {
    if (!builder_room(w->builder, &w->levels, w->depth, 1, &w->level_room, sizeof *w->levels) ||
        !builder_room(w->builder, &w->answers, w->answer_count, MAX_MOVES, &w->answer_room, sizeof *w->answers))
        return false;
    move *answers = &w->answers[w->answer_count];
    struct level *new = &w->levels[w->depth];
    *new = *level;
    new->meets_forbidden =
        is_forbidden_board(w, level->key) || is_forbidden_board(w, builder_position(w->builder)->key);
    new->first = w->answer_count;
    new->count = (size_t)generate_evasions(builder_position(w->builder), answers);
    builder_sort(w->builder, answers, (int)new->count);
    if (new->count > 0 && new->limit < 1)
        return builder_fail(w->builder, CERTIFICATE_BROKEN);
    w->answer_count += new->count;
    w->depth++;
    return true;
}

/* The next answer leads to this position, which is done. */
static void answer_loses(struct level *level, const struct done *d) {
    int plies = (int)d->plies;
    level->next++;
    level->meets_forbidden |= d->meets_forbidden;
    if (plies + 1 > level->longest)
        level->longest = plies + 1;
}

/* Is a mate within so many plies found with a quarter of what the search may still use? */
static bool mates_soon(struct mate_walk *w, int plies) {
    enum { SHARE = 4 };
    struct search *search = w->search;
    double deadline = search->deadline, now = clock_seconds();
    uint64_t limit = search->node_limit;
    worker_flush(w->builder->worker);
    uint64_t nodes = atomic_load(&search->nodes);
    search_limit(search, deadline > 0 ? now + (deadline - now) / SHARE : 0, nodes + (limit - nodes) / SHARE);
    enum outcome outcome = worker_decide(w->builder->worker, code_make(plies, CODE_ANY_SPENT), NULL);
    search_limit(search, deadline, limit);
    return outcome == PROVED;
}

/* In how many plies at most the attacker mates after the main line's check: the line's own length where that is so, which is not
 * when interpositions that it leaves out count, or any. */
static bool limit_after_check(struct mate_walk *w, int left, int *limit) {
    struct decision d;
    *limit = left;
    if (!w->loose && mates_soon(w, left))
        return true;
    w->loose = true;
    enum outcome outcome = worker_decide(w->builder->worker, CODE_INFINITE, &d);
    if (outcome != PROVED)
        return builder_wonders(w->builder, outcome);
    *limit = code_plies(d.value);
    return true;
}

/* Makes the attacker's move and opens the level after it. */
static bool attack_by(struct mate_walk *w, struct level *level) {
    position_do(builder_position(w->builder), level->attack);
    return push_level(w, level);
}

/* The main line's check, after so many of its moves. */
static bool enter_line_attack(struct mate_walk *w, struct level *level, size_t moves) {
    const struct played_line *line = w->builder->line->played;
    struct position *pos = builder_position(w->builder);
    int limit;
    level->attack = line->moves[moves];
    level->moves = moves + 1;
    if (!add_event(w, builder_word(w->builder, level->attack), NONE))
        return false;
    position_do(pos, level->attack);
    bool limited = limit_after_check(w, (int)(line->length - moves) - 1, &limit);
    position_undo(pos, level->attack);
    level->limit = limit - 1;
    return limited && attack_by(w, level);
}

static bool on_line(const struct mate_walk *w, size_t moves) {
    return w->search && moves < w->builder->line->played->length;
}

/* Deals with the attacker's present position, to which so many moves of the main line lead: by reference to *known, or by a move that opens a
 * level; then *known is NULL. */
static bool enter_attack(struct mate_walk *w, int limit, size_t moves, const struct done **known) {
    const struct position *pos = builder_position(w->builder);
    struct level level = {
        .key = pos->key, .hand = pos->hand[w->builder->attacker], .event = (uint32_t)w->event_count, .moves = OFF_LINE};
    *known = NULL;
    if (on_line(w, moves))
        return enter_line_attack(w, &level, moves);
    struct done *serving = find_done(w, limit);
    if (serving) {
        serving->referenced = true;
        *known = serving;
        return add_event(w, WORD_REFERENCE, (uint32_t)(serving - w->done));
    }
    int length = 0;
    if (!decide_attack(w->builder, limit, &level.attack, &length) ||
        !add_event(w, builder_word(w->builder, level.attack), NONE))
        return false;
    level.limit = length - 2;
    return attack_by(w, &level);
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
    position_undo(builder_position(w->builder), level->attack);
    if (!builder_room(w->builder, &w->done, w->done_count, 1, &w->done_room, sizeof *w->done))
        return false;
    uint32_t *head = builder_head(w->builder, level->key);
    w->done[w->done_count] = (struct done){.key = level->key,
                                           .hand = level->hand,
                                           .plies = (uint32_t)*plies,
                                           .next = *head,
                                           .event = level->event,
                                           .meets_forbidden = level->meets_forbidden};
    *head = (uint32_t)w->done_count++;
    return true;
}

/* Goes one step on: into the next answer of the top level, or out of the level. */
static bool walk_on(struct mate_walk *w, int *plies) {
    struct level *level = &w->levels[w->depth - 1];
    struct position *pos = builder_position(w->builder);
    if (level->next < level->count) {
        size_t moves = OFF_LINE;
        const struct done *known;
        move answer = w->answers[level->first + level->next];
        if (on_line(w, level->moves) && answer == w->builder->line->played->moves[level->moves])
            moves = level->moves + 1;
        position_do(pos, answer);
        if (!enter_attack(w, level->limit, moves, &known))
            return false;
        if (known) {
            position_undo(pos, answer);
            answer_loses(&w->levels[w->depth - 1], known);
        }
        return true;
    }
    if (!pop_level(w, plies))
        return false;
    if (w->depth > 0) {
        struct level *above = &w->levels[w->depth - 1];
        position_undo(pos, w->answers[above->first + above->next]);
        answer_loses(above, &w->done[w->done_count - 1]);
    }
    return true;
}

/* Walks until all levels are done. */
static bool walk_levels(struct mate_walk *w, int *plies) {
    while (w->depth > 0)
        if (!walk_on(w, plies))
            return false;
    return true;
}

/* The answers to the check in which the defender stands at the beginning. */
static bool enter_first_answers(struct mate_walk *w, int limit) {
    struct level level = {.attack = NO_MOVE};
    if (w->search && !limit_after_check(w, (int)w->builder->line->played->length, &limit))
        return false;
    level.limit = limit - 1;
    return push_level(w, &level);
}

/* Walks the whole mate, within the limit where there is no main line. *plies: in how many plies it mates. */
static bool walk_mate(struct mate_walk *w, int limit, int *plies) {
    const struct done *known;
    bool attacks = builder_position(w->builder)->side == w->builder->attacker;
    bool entered = attacks ? enter_attack(w, limit, 0, &known) : enter_first_answers(w, limit);
    return entered && walk_levels(w, plies);
}

/* Writes the events, now that it is known which positions need a number. */
static void put_events(struct mate_walk *w) {
    struct payload *payload = &w->builder->payload;
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
    w->builder->numbered += numbered;
    w->builder->positions += w->done_count;
}

static void free_walk(struct mate_walk *w) {
    free(w->events);
    free(w->done);
    free(w->levels);
    free(w->answers);
}

/* Writes the mate if the walk went well, and ends it. */
static bool finish_walk(struct mate_walk *w, bool walked) {
    if (walked)
        put_events(w);
    free_walk(w);
    return walked;
}

bool put_mate(struct builder *b, int limit, int *plies) {
    struct mate_walk walk = {.builder = b};
    builder_forget(b);
    bool walked = walk_mate(&walk, limit, plies);
    close_counter(b);
    return finish_walk(&walk, walked);
}

bool put_line_mate(struct builder *b, int *plies) {
    const struct search *plain = b->line->plain;
    struct asker asker;
    struct mate_walk walk = {.builder = b, .search = &asker.search};
    builder_forget(b);
    if (!asker_open(b, &asker, plain->futile ? NULL : plain, NULL))
        return false;
    bool walked = walk_mate(&walk, 0, plies);
    asker_close(b, &asker);
    return finish_walk(&walk, walked);
}

/* Walks the mate that begins with this check, which the main line's positions bar from coming back to it. */
static bool walk_cook(struct mate_walk *w, move check) {
    const struct position *pos = builder_position(w->builder);
    struct level level = {.attack = check, .key = pos->key, .hand = pos->hand[w->builder->attacker], .moves = OFF_LINE};
    struct decision d;
    int plies;
    if (!add_event(w, builder_word(w->builder, check), NONE))
        return false;
    position_do(builder_position(w->builder), check);
    enum outcome outcome = worker_decide(w->builder->worker, CODE_INFINITE, &d);
    if (outcome != PROVED)
        return builder_wonders(w->builder, outcome);
    level.limit = code_plies(d.value) - 1;
    return push_level(w, &level) && walk_levels(w, &plies);
}

bool put_cook(struct builder *b, size_t turn, move check) {
    struct mate_walk walk = {.builder = b};
    struct asker asker;
    builder_forget(b);
    if (!asker_open(b, &asker, NULL, b->line->strict->forbidden))
        return false;
    *builder_position(b) = b->line->played->positions[turn];
    bool walked = walk_cook(&walk, check);
    asker_close(b, &asker);
    return finish_walk(&walk, walked);
}
