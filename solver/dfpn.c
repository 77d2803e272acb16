/* dfpn.c: the search.
 *
 * Depth-first proof-number search (Nagai 2002) over positions and the attacker's hand. What is added, and where it comes from:
 *
 *  - Dominance by hands (Seo 1999; Nagai 2002): every proof carries the least hand it needs, every disproof the greatest it bears;
 *    the table answers all hands in between.
 *  - First guesses (df-pn+, Nagai 2002): an unseen position after a check is guessed by the king's outlets, whether the checker can be
 *    taken, is guarded, stands off; an unseen attacker's position by the number of his checks. Mate in one is looked for at once.
 *  - Interpositions and the defender's non-promotions wait for their cheaper siblings: they enter the sums only when those are
 *    proved.
 *  - Repetition (Kishimoto & Müller 2004): an attacker's position that is on the path already, with at least as large a hand, fails. A
 *    disproof notes the least depth of an ancestor that it leans on; when that is not above the node itself, the disproof is
 *    general, else it is stored for this very path only.
 *  - Threshold control (Kishimoto 2010): where a child was met nearer the root than its parent, thresholds are raised so that at least one
 *    new node is searched. Doing so always cost 5 of 87 problems; so it waits until the search has walked about for a while without
 *    meeting anything new.
 *  - Weak numbers (Ueda et al. 2008): the greatest number of the children plus the count of the others, where df-pn sums. Sums count a
 *    position once for every way to it and explode on long problems.
 *  - Questions of a few plies are answered without going back to siblings in between: three in five visits to them led to no more than a
 *    look at what was known already. With three plies left there is not even a frame (shallow.h): half of all positions of a search for
 *    the shortest mate lie there, and each costs a quarter less for it, for a tenth more of them.
 *  - Checks that do not mate at all, refuted as such: a bounded question is asked anew with every bound, and explodes with it, where a long series
 *    of checks leads nowhere. So where much work has gone into a check under a long bound, the question without a bound gets its share too,
 *    unless its numbers say that there is a mate after all.
 *  - 1 + ε thresholds (Pawlewicz & Lew 2007) against jumping between siblings.
 *  - Virtual numbers (Kaneko 2010): where threads share a search, a child that others are busy with looks dearer.
 */
#include "solver/dfpn.h"

#include "solver/dominance.h"
#include "solver/forbidden.h"
#include "solver/shallow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    STACK_FRAMES = 1 << 16,
    STACK_CHILDREN = 1 << 22,
    PATH_BUCKETS = 1 << 13,
    LEAN_NONE = INT32_MAX, /* leans on nothing above itself */
    PN_MOST = PN_INFINITE - 1,
    CHECK_STOP_EVERY = 64,
    STALL_VISITS = 256,
    FOR_GOOD_PLIES = 16,            /* bounds from where on checks are refuted for good, */
    FOR_GOOD_WORK = 512,            /* and the nodes that must have been spent on them */
    SHORT_BOUND = 6 * CODE_PLY - 1, /* questions of five plies or less are answered at one go */
};

/* FUTILE: an interposition that does not count (tsume-rules §4). */
enum child_state { UNSEEN, SEEN, FUTILE };

/* A move of a node and what is known of the position after it. */
struct child {
    uint64_t key;
    move move;
    hand hand;  /* the attacker's, after the move */
    hand basis; /* proof hand when pn = 0, disproof hand when dn = 0 */
    uint32_t pn, dn;
    code code;    /* the value when pn = 0; when dn = 0, what is refuted: there is no mate of this value or less */
    int32_t lean; /* when dn = 0 */
    uint32_t distance;
    uint32_t work;   /* spent on it so far, roughly */
    uint8_t state;   /* enum child_state */
    uint8_t twin;    /* 1 + distance back to the promotion that a non-promotion waits for */
    bool exact_hand; /* the proof or disproof holds for this very hand only */
};

/* A node on the stack. */
struct frame {
    uint64_t key, path_key; /* path_key: of the path up to and including this node */
    uint64_t work;          /* the worker's work on entry (worker_work), less that of earlier visits */
    struct child *children;
    int count, best;
    hand hand;
    code bound;
    uint32_t pn, dn, pn_limit, dn_limit;
    int32_t lean, previous_in_bucket;
    uint32_t distance;
    bool attacks;          /* the attacker is to move */
    bool extend;           /* threshold control is on */
    bool marked_busy;      /* other workers see that someone is here */
    bool fresh;            /* thresholds not yet adapted to the first summary */
    bool judged_by_length; /* a drop was found to count by comparing lengths */
    bool judges_drops; /* interpositions are tested for futility, square by square, once all other answers are proved */
    bool exact_hand;
    bitboard real_squares; /* interpositions there were tested and count */
    hand basis;            /* once solved */
    code code;             /* once solved: the value, or what is refuted */
};

struct worker {
    struct search *search;
    struct position pos;
    struct frame *frames;
    struct child *arena;
    int top;     /* index of the top frame, −1 if none */
    int base;    /* index of the frame where the present question began */
    int deepest; /* frames on the stack at most so far */
    size_t arena_used;
    uint64_t nodes, flushed;
    uint64_t nodes_for_good; /* those spent on refuting for good, of checks that were asked about under a bound */
    uint64_t give_up_at;     /* at so many nodes the present question is given up */
    unsigned until_stop_check;
    unsigned visits_without_news; /* nodes entered since one was met that the table did not know */
    int32_t bucket[PATH_BUCKETS]; /* last frame on the path with that key */
};

double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Opening and closing ---- */

static uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

bool search_open(struct search *s, struct table *table, enum color attacker) {
    memset(s, 0, sizeof *s);
    s->busy = calloc(BUSY_SLOTS, sizeof *s->busy);
    if (!s->busy)
        return false;
    s->table = table;
    s->attacker = attacker;
    uint64_t serial;
    s->generation = table_open_generation(table, &serial);
    s->seed = scramble(serial * UINT64_C(0x9e3779b97f4a7c15));
    return true;
}

void search_share(struct search *s, const struct search *with) {
    memset(s, 0, sizeof *s);
    s->table = with->table;
    s->generation = with->generation;
    s->seed = with->seed;
    s->attacker = with->attacker;
    s->futile = with->futile;
    s->forbidden = with->forbidden;
    s->asked_to_stop = with->asked_to_stop;
    s->busy = with->busy;
}

void search_limit(struct search *s, double deadline, uint64_t node_limit) {
    s->deadline = deadline;
    s->node_limit = node_limit;
    atomic_store(&s->stop, STOP_NONE);
}

void search_pose(struct search *s, uint64_t nodes) {
    atomic_store_explicit(&s->give_up_at, nodes ? atomic_load(&s->nodes) + nodes : 0, memory_order_relaxed);
    atomic_store_explicit(&s->question, QUESTION_OPEN, memory_order_relaxed);
}

void search_close(struct search *s) {
    table_close_generation(s->table, s->generation);
    free((void *)s->busy);
}

static void *reserve(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Frees a worker and what was reserved for it. */
static void free_stacks(struct worker *w) {
    if (w->frames)
        munmap(w->frames, STACK_FRAMES * sizeof *w->frames);
    if (w->arena)
        munmap(w->arena, STACK_CHILDREN * sizeof *w->arena);
    free(w);
}

struct worker *worker_new(struct search *search, const struct position *pos) {
    struct worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->search = search;
    w->pos = *pos;
    w->top = w->base = -1;
    w->give_up_at = UINT64_MAX;
    memset(w->bucket, 0xff, sizeof w->bucket);
    w->frames = reserve(STACK_FRAMES * sizeof *w->frames);
    w->arena = reserve(STACK_CHILDREN * sizeof *w->arena);
    if (!w->frames || !w->arena) {
        free_stacks(w);
        return NULL;
    }
    table_enter(search->table);
    return w;
}

void worker_free(struct worker *w) {
    if (!w)
        return;
    worker_flush(w);
    table_leave(w->search->table);
    free_stacks(w);
}

const struct search *worker_search(const struct worker *w) {
    return w->search;
}

struct position *worker_position(struct worker *w) {
    return &w->pos;
}

void worker_flush(struct worker *w) {
    atomic_fetch_add_explicit(&w->search->nodes, w->nodes - w->flushed, memory_order_relaxed);
    w->flushed = w->nodes;
    /* a lesser depth may win against a greater one that comes at once: the worker tells it again */
    atomic_store_explicit(&w->search->depth, w->top + 1, memory_order_relaxed);
    if (w->deepest > atomic_load_explicit(&w->search->deepest, memory_order_relaxed))
        atomic_store_explicit(&w->search->deepest, w->deepest, memory_order_relaxed);
}

/* ---- Limits ---- */

static void ask_stop(struct search *s, enum stop_reason why) {
    int none = STOP_NONE;
    atomic_compare_exchange_strong(&s->stop, &none, (int)why);
}

static void give_up(struct search *s) {
    int open = QUESTION_OPEN;
    atomic_compare_exchange_strong(&s->question, &open, (int)QUESTION_GIVEN_UP);
}

static void check_nodes(struct search *s, uint64_t nodes) {
    uint64_t give_up_at = atomic_load_explicit(&s->give_up_at, memory_order_relaxed);
    if (s->node_limit && nodes >= s->node_limit)
        ask_stop(s, STOP_NODES);
    if (give_up_at && nodes >= give_up_at)
        give_up(s);
}

/* Looked at before each step: nodes exactly while one thread is at work, so that its results do not depend on when it looks. */
static bool stopped(struct worker *w) {
    struct search *s = w->search;
    if (!s->shared)
        check_nodes(s, atomic_load_explicit(&s->nodes, memory_order_relaxed) + (w->nodes - w->flushed));
    if (--w->until_stop_check == 0) {
        w->until_stop_check = CHECK_STOP_EVERY;
        worker_flush(w);
        check_nodes(s, atomic_load_explicit(&s->nodes, memory_order_relaxed));
        if (s->asked_to_stop && atomic_load_explicit(s->asked_to_stop, memory_order_relaxed))
            ask_stop(s, STOP_ASKED);
        if (s->deadline > 0 && clock_seconds() >= s->deadline)
            ask_stop(s, STOP_TIME);
    }
    return atomic_load_explicit(&s->stop, memory_order_relaxed) != STOP_NONE ||
           atomic_load_explicit(&s->question, memory_order_relaxed) != QUESTION_OPEN;
}

/* ---- Numbers ---- */

static uint32_t add_numbers(uint32_t a, uint32_t b) {
    uint32_t sum = a + b;
    return sum > PN_MOST ? PN_MOST : sum;
}

/* ---- The path ---- */

static unsigned bucket_of(uint64_t key) {
    return (unsigned)(key >> 20) & (PATH_BUCKETS - 1);
}

static uint64_t extend_path(uint64_t path, uint64_t key, hand h) {
    return ((path ^ key) * UINT64_C(0x9e3779b97f4a7c15) + h) * UINT64_C(0xd6e8feb86659fd93);
}

/* The depth of an attacker's position on the path with this board and at least this hand, −1 if there is none. Where positions are
 * forbidden, more in hand may be harder, and it must be this very hand. */
static int32_t depth_on_path(const struct worker *w, uint64_t key, hand h) {
    for (int32_t i = w->bucket[bucket_of(key)]; i >= w->base; i = w->frames[i].previous_in_bucket)
        if (w->frames[i].key == key &&
            (w->search->forbidden ? w->frames[i].hand == h : hand_contains(w->frames[i].hand, h)))
            return i;
    return -1;
}

/* ---- First looks at a child ---- */

static uint64_t child_key(const struct worker *w, move m) {
    return position_key_after(&w->pos, m) ^ w->search->seed;
}

static void prove_child(struct child *c, code value, hand basis) {
    c->pn = 0;
    c->dn = PN_INFINITE;
    c->code = value;
    c->basis = basis;
}

static void disprove_child(struct child *c, code refuted, hand basis, int32_t lean) {
    c->pn = PN_INFINITE;
    c->dn = 0;
    c->code = refuted;
    c->basis = basis;
    c->lean = lean;
}

/* Takes over what the table says; true if it knew the position itself. */
static bool look_up(const struct worker *w, const struct frame *f, struct child *c, code bound) {
    struct entry e;
    bool known = table_probe(w->search->table, c->key, c->hand, bound, &e);
    c->distance = e.distance;
    c->work = e.work;
    c->pn = e.pn;
    c->dn = e.dn;
    c->code = e.code;
    c->basis = e.hand;
    c->lean = LEAN_NONE;
    c->exact_hand = (e.flags & FLAG_EXACT_HAND) != 0;
    if (known && e.pn != 0 && e.dn != 0 && (e.flags & FLAG_PATH_DISPROOF)) {
        struct entry on_path;
        if (table_probe(w->search->table, c->key ^ f->path_key, c->hand, bound, &on_path) && on_path.dn == 0 &&
            on_path.hand == c->hand)
            disprove_child(c, on_path.code, c->hand, (int32_t)on_path.distance + w->base);
    }
    return known;
}

/* ---- Forbidden positions ---- */

/* Fails the child if its position is forbidden; true if it is. */
static bool forbid_child(const struct worker *w, struct child *c) {
    const struct forbidden *set = w->search->forbidden;
    if (!set || !forbidden_has(set, c->key ^ w->search->seed, c->hand))
        return false;
    disprove_child(c, CODE_INFINITE, c->hand, LEAN_NONE);
    c->exact_hand = true;
    c->distance = 0xffff;
    return true;
}

/* A proof through a board that is forbidden with another hand must not be carried to that one. */
static void keep_hand_of_proof(const struct worker *w, struct child *c) {
    const struct forbidden *set = w->search->forbidden;
    c->exact_hand |= set && c->pn == 0 && forbidden_knows(set, c->key ^ w->search->seed);
}

/* Does the mating move lead to a board that is forbidden? Then the search must look at all moves itself. */
static bool mate_is_barred(const struct worker *w, move mate) {
    const struct forbidden *set = w->search->forbidden;
    return set && mate != NO_MOVE && forbidden_knows(set, position_key_after(&w->pos, mate));
}

/* ---- First guesses ---- */

/* What the attacker's checks at one node have in common, for guessing. */
struct guess {
    bool ready;
    bitboard outlets;
    int8_t by_square[SQUARES]; /* −1: not yet known; else what the checker's square adds */
    bitboard guards[SQUARES];  /* our pieces that attack the square; not set where it is not yet known */
};

static uint32_t guess_check(const struct position *pos, struct guess *g, move m) {
    enum color us = (enum color)pos->side, them = color_other(us);
    int to = move_to(m), king = pos->king[them];
    if (!g->ready) {
        g->outlets = king_outlets(pos);
        memset(g->by_square, -1, sizeof g->by_square);
        g->ready = true;
    }
    bitboard occupied = position_occupied(pos) | bb_square(to);
    if (!move_is_drop(m))
        occupied ^= bb_square(move_from(m));
    bitboard covered = attacks_of(us, move_kind_after(m), to, occupied ^ bb_square(king));
    uint32_t guess = 1 + (uint32_t)bb_count(g->outlets & ~covered & ~bb_square(to));
    if (g->by_square[to] < 0) {
        int capturable = bb_any(position_attackers(pos, to, them, occupied) & ~bb_square(king));
        int distant = !bb_has(attacks_king(king), to);
        g->by_square[to] = (int8_t)(capturable + distant);
        g->guards[to] = position_attackers(pos, to, us, occupied);
    }
    guess += (uint32_t)g->by_square[to];
    guess += !bb_any(move_is_drop(m) ? g->guards[to] : g->guards[to] & ~bb_square(move_from(m)));
    bool held_back = !move_is_drop(m) && !move_promotes(m) && kind_can_promote(move_kind(m)) &&
                     (square_in_zone(us, to) || square_in_zone(us, move_from(m)));
    return guess + held_back;
}

/* What a glance says of the attacker's position where the worker stands, which had better be followed by more if *scan says that there are
 * checks. Open where the mating move, if there is one, leads to a board with forbidden positions. */
static struct verdict glance(struct worker *w, code bound, struct mate_scan *scan) {
    move mate = mate_in_one(&w->pos, scan);
    if (mate_is_barred(w, mate))
        return (struct verdict){.outcome = STOPPED};
    return shallow_judge(&w->pos, w->search->futile, bound, mate, scan);
}

static void settle_child(struct child *c, const struct verdict *v) {
    if (v->outcome == PROVED)
        prove_child(c, v->code, v->basis);
    else
        disprove_child(c, v->code, v->basis, LEAN_NONE);
}

/* The attacker's position after a defender's move: mate in one, no check, or a guess. The move has not been made yet. */
static void look_at_defence(struct worker *w, struct child *c, code bound) {
    struct mate_scan scan;
    w->nodes++;
    w->visits_without_news = 0;
    position_do(&w->pos, c->move);
    struct verdict v = glance(w, bound, &scan);
    position_undo(&w->pos, c->move);
    if (v.outcome != STOPPED) {
        settle_child(c, &v);
        return;
    }
    uint32_t guess = scan.checks > 3 ? (uint32_t)scan.checks / 2 : 1;
    if (c->dn < guess)
        c->dn = guess;
}

/* ---- Nodes ---- */

static struct child *new_child(struct worker *w, struct frame *f, move m) {
    struct child *c = &w->arena[w->arena_used++];
    c->key = child_key(w, m);
    c->move = m;
    c->hand = f->attacks ? position_hand_after(&w->pos, m) : f->hand;
    c->state = SEEN;
    c->twin = 0;
    c->work = 0;
    c->exact_hand = false;
    f->count++;
    return c;
}

static void expand_attack(struct worker *w, struct frame *f) {
    move moves[MAX_MOVES];
    int count = generate_checks(&w->pos, moves);
    if (!w->search->forbidden)
        count = drop_mirrored(&w->pos, moves, count);
    for (int i = 0; i < count; i++)
        table_prefetch(w->search->table, new_child(w, f, moves[i])->key);
    struct guess guess;
    guess.ready = false;
    for (int i = 0; i < count; i++) {
        struct child *c = &f->children[i];
        code bound;
        if (!child_bound(f->bound, code_of_attack(c->move), c->hand, false, &bound)) {
            disprove_child(c, CODE_MATED - 1, HAND_ALL, LEAN_NONE);
            c->distance = 0xffff;
            continue;
        }
        if (forbid_child(w, c))
            continue;
        if (!look_up(w, f, c, bound)) {
            uint32_t first = guess_check(&w->pos, &guess, c->move);
            if (c->pn < first)
                c->pn = first;
        }
        keep_hand_of_proof(w, c);
    }
}

/* Non-promotions follow their promotion in the list, or stand after a few others; drops come last. */
static void find_twin(struct child *children, int i) {
    struct child *c = &children[i];
    int kind = move_kind(c->move);
    if (move_is_drop(c->move) || move_promotes(c->move) || (kind != PAWN && kind != BISHOP && kind != ROOK))
        return;
    for (int back = 1; back <= i && back < 200; back++) {
        move other = children[i - back].move;
        if (move_from(other) == move_from(c->move) && move_to(other) == move_to(c->move) && move_promotes(other))
            c->twin = (uint8_t)back;
    }
}

static void expand_defence(struct worker *w, struct frame *f) {
    f->judges_drops = may_have_futile(&w->pos, w->search->futile, f->bound);
    f->real_squares = bb_none();
    f->judged_by_length = false;
    move moves[MAX_MOVES];
    int count = generate_evasions(&w->pos, moves);
    if (!w->search->forbidden)
        count = drop_mirrored(&w->pos, moves, count);
    for (int i = 0; i < count; i++) {
        struct child *c = new_child(w, f, moves[i]);
        c->state = UNSEEN;
        find_twin(f->children, i);
        if (!c->twin && (!move_is_drop(c->move) || i == 0 || !move_is_drop(moves[i - 1])))
            table_prefetch(w->search->table, c->key);
    }
}

/* The first look at a defender's move, when its turn has come. */
static void see_defence(struct worker *w, struct frame *f, struct child *c) {
    c->state = SEEN;
    c->distance = 0xffff;
    c->lean = LEAN_NONE;
    c->exact_hand = false;
    code bound;
    if (!child_bound(f->bound, code_of_defence(), c->hand, true, &bound)) {
        disprove_child(c, CODE_MATE_IN_ONE_LEAST - 1, HAND_ALL, LEAN_NONE);
        return;
    }
    if (forbid_child(w, c))
        return;
    int32_t depth = depth_on_path(w, c->key, c->hand);
    if (depth >= 0 && f->bound == CODE_INFINITE)
        disprove_child(c, CODE_INFINITE, c->hand, depth);
    else if (!look_up(w, f, c, bound))
        look_at_defence(w, c, bound);
    keep_hand_of_proof(w, c);
}

/* ---- Summaries ---- */

static bool is_busy(const struct worker *w, const struct child *c) {
    return w->search->shared && atomic_load_explicit(&w->search->busy[c->key % BUSY_SLOTS], memory_order_relaxed) != 0;
}
static uint32_t dearer(const struct worker *w, const struct child *c, uint32_t number) {
    return is_busy(w, c) ? add_numbers(number, 1 + number / 2) : number;
}

static bool is_old(const struct worker *w, const struct child *c) {
    return c->distance < w->frames[w->top].distance;
}

/* What the undecided children of a node say of it. "Least" is of the kind of number that the mover minimises, "most" of the other. */
struct summary {
    struct child *best;                  /* to search next */
    uint32_t least;                      /* the best child's number as it is */
    uint32_t best_number, second_number; /* the least two, as dear as they look while other workers are busy */
    uint32_t most, open;
    bool has_old;
};

static struct summary empty_summary(void) {
    return (struct summary){.least = PN_INFINITE, .best_number = PN_INFINITE, .second_number = PN_INFINITE};
}

static void count_child(const struct worker *w, struct summary *s, struct child *c, uint32_t minimised,
                        uint32_t other) {
    s->open++;
    s->has_old |= is_old(w, c);
    if (other > s->most)
        s->most = other;
    uint32_t number = dearer(w, c, minimised);
    if (number < s->best_number) {
        s->second_number = s->best_number;
        s->best_number = number;
        s->best = c;
        s->least = minimised;
    } else if (number < s->second_number) {
        s->second_number = number;
    }
}

/* The node's number of the other kind: the greatest, and one for each further child (Ueda et al. 2008). */
static uint32_t weak_sum(const struct summary *s) {
    return add_numbers(s->most, s->open - 1);
}

static void prove_frame(struct frame *f, code value, hand basis, bool exact_hand) {
    f->exact_hand = exact_hand;
    f->pn = 0;
    f->dn = PN_INFINITE;
    f->code = value;
    f->basis = exact_hand ? f->hand : basis;
}
static void disprove_frame(struct frame *f, code refuted, hand basis, int32_t lean, bool exact_hand) {
    f->exact_hand = exact_hand;
    f->pn = PN_INFINITE;
    f->dn = 0;
    f->code = refuted > f->bound ? refuted : f->bound;
    f->basis = exact_hand || lean != LEAN_NONE ? f->hand : basis;
    f->lean = lean;
}

static void summarise_attack(struct worker *w, struct frame *f, struct summary *s) {
    *s = empty_summary();
    const struct child *mate = NULL;
    for (int i = 0; i < f->count; i++) {
        struct child *c = &f->children[i];
        if (c->pn == 0) {
            if (!mate || c->code + (code)code_of_attack(c->move) < mate->code + (code)code_of_attack(mate->move))
                mate = c;
            continue;
        }
        if (c->dn != 0)
            count_child(w, s, c, c->pn, c->dn);
    }
    if (mate) {
        prove_frame(f, mate->code + (code)code_of_attack(mate->move), proof_before_attack(mate->basis, mate->move),
                    mate->exact_hand);
        f->best = (int)(mate - f->children);
        return;
    }
    if (!s->open) {
        hand basis = disproof_limit(&w->pos, w->search->attacker);
        int32_t lean = LEAN_NONE;
        bool exact_hand = false;
        code refuted = CODE_INFINITE;
        for (int i = 0; i < f->count; i++) {
            struct child *c = &f->children[i];
            code by_this = refuted_before(c->code, code_of_attack(c->move));
            refuted = by_this < refuted ? by_this : refuted;
            basis = hand_min(basis, disproof_before_attack(c->basis, c->move));
            lean = c->lean < lean ? c->lean : lean;
            exact_hand |= c->exact_hand;
        }
        disprove_frame(f, refuted, basis, lean, exact_hand);
        if (lean >= w->top) /* it leans on this very node at most */
            f->lean = LEAN_NONE;
        return;
    }
    f->pn = s->least;
    f->dn = weak_sum(s);
    f->best = (int)(s->best - f->children);
}

/* ---- Futile interpositions ---- */

/* Puts the checker on `square` as if a piece dropped there had been taken and handed back. False if that capture is not legal or no
 * longer checks. */
static bool slide_checker(struct position *pos, enum color attacker, int checker, int square, bool promotes) {
    enum color defender = color_other(attacker);
    position_shift(pos, checker, square, promotes);
    bitboard occupied = position_occupied(pos);
    return (pos->king[attacker] == NO_SQUARE || !position_attacked(pos, pos->king[attacker], defender, occupied)) &&
           position_attacked(pos, pos->king[defender], attacker, occupied);
}

/* Is the position with the checker moved up to `square` a mate within `plies`? Then *plies is a length that suffices. *possible: there is a
 * legal capture that checks at all. */
static enum outcome decide_slid(struct worker *w, int square, int *plies, bool *possible) {
    enum color attacker = w->search->attacker;
    struct position before = w->pos;
    int checker = bb_first(position_checkers(&before, color_other(attacker)));
    int kind = piece_kind(before.board[checker]);
    bool may_promote =
        kind_can_promote(kind) && (square_in_zone(attacker, checker) || square_in_zone(attacker, square));
    enum outcome outcome = DISPROVED;
    *possible = false;
    for (int promotes = may_promote; promotes >= 0 && outcome == DISPROVED; promotes--) {
        struct decision d;
        if (slide_checker(&w->pos, attacker, checker, square, promotes != 0)) {
            *possible = true;
            outcome = worker_decide(w, code_make(*plies, CODE_ANY_SPENT), &d);
            if (outcome == PROVED)
                *plies = code_plies(d.value);
        }
        w->pos = before;
    }
    return outcome;
}

/* Do all answers but drops lose within `plies` (counted from the defender's position)? If so, *plies is what they need at most. */
static enum outcome decide_without_drops(struct worker *w, int *plies) {
    move moves[MAX_MOVES];
    int count = generate_evasions(&w->pos, moves), longest = 0;
    for (int i = 0; i < count; i++) {
        struct decision d;
        if (move_is_drop(moves[i]))
            continue;
        if (*plies < 2)
            return DISPROVED;
        position_do(&w->pos, moves[i]);
        enum outcome outcome = worker_decide(w, code_make(*plies - 1, CODE_ANY_SPENT), &d);
        position_undo(&w->pos, moves[i]);
        if (outcome != PROVED)
            return outcome;
        if (code_plies(d.value) + 1 > longest)
            longest = code_plies(d.value) + 1;
    }
    *plies = longest;
    return PROVED;
}

/* Are drops on `square` futile? `plies` suffice against all other answers. PROVED: yes. *by_length: the answer compares lengths.
 *
 * The rule: the position with the checker slid up mates in no more plies than the position without interposing drops. Neither
 * length is computed where a comparison will do: the slid position mates in m ≤ plies; if the others cannot be mated in m − 2,
 * their length is at least m. */
static enum outcome decide_futile(struct worker *w, int square, int plies, bool *by_length) {
    for (;;) {
        int slid = plies;
        bool possible;
        enum outcome outcome = decide_slid(w, square, &slid, &possible);
        *by_length = possible;
        if (outcome != PROVED || slid == 0)
            return outcome;
        plies = slid - 2;
        outcome = decide_without_drops(w, &plies);
        if (outcome != PROVED)
            return outcome == DISPROVED ? PROVED : STOPPED;
    }
}

/* Judges the square of drop i of a frame whose other answers are all proved. False if the search was stopped. */
static bool judge_square(struct worker *w, struct frame *f, int i) {
    int square = move_to(f->children[i].move), plies = 0;
    bool by_length;
    for (int j = 0; j < f->count; j++)
        if (!move_is_drop(f->children[j].move) && code_plies(f->children[j].code) + 1 > plies)
            plies = code_plies(f->children[j].code) + 1;
    enum outcome outcome = decide_futile(w, square, plies, &by_length);
    if (outcome == STOPPED)
        return false;
    if (outcome == DISPROVED) {
        f->real_squares |= bb_square(square);
        f->judged_by_length |= by_length;
        return true;
    }
    for (int j = i; j < f->count && move_to(f->children[j].move) == square; j++)
        f->children[j].state = FUTILE;
    return true;
}

/* ---- The defender's summary ---- */

static bool child_is_proved(const struct child *c) {
    return c->state == FUTILE || (c->state == SEEN && c->pn == 0);
}

static void prove_defence(struct worker *w, struct frame *f) {
    hand basis = proof_needs(&w->pos, w->search->attacker);
    code longest = 0;
    bool exact_hand = false;
    f->best = -1;
    for (int i = 0; i < f->count; i++) {
        const struct child *c = &f->children[i];
        if (c->state == FUTILE) {
            exact_hand = true;
            continue;
        }
        exact_hand |= c->exact_hand;
        basis = hand_max(basis, c->basis);
        if (f->best < 0 || c->code > longest) {
            longest = c->code;
            f->best = i;
        }
    }
    prove_frame(f, f->best < 0 ? CODE_MATED : longest + (code)code_of_defence(), basis, exact_hand);
}

static void disprove_defence(struct worker *w, struct frame *f, int i) {
    const struct child *c = &f->children[i];
    hand basis = disproof_before_defence(&w->pos, w->search->attacker, c->basis, c->move);
    disprove_frame(f, refuted_before(c->code, code_of_defence()), basis, c->lean,
                   c->exact_hand || (f->judged_by_length && move_is_drop(c->move)));
    f->best = i;
}

/* Whether a defender's move still waits for others: for its promotion, for the interposition before it or, where drops may be futile, for
 * all other moves. */
static bool waits(const struct frame *f, int i, bool drop_open, bool move_open) {
    const struct child *c = &f->children[i];
    if (c->twin && !child_is_proved(&f->children[i - c->twin]))
        return true;
    return move_is_drop(c->move) && (drop_open || (f->judges_drops && move_open));
}

/* Gets a child ready for its turn: judged, seen. False if the search was stopped. */
static bool ready_defence(struct worker *w, struct frame *f, int i) {
    struct child *c = &f->children[i];
    if (c->state != UNSEEN)
        return true;
    if (f->judges_drops && move_is_drop(c->move) && !bb_has(f->real_squares, move_to(c->move)) &&
        !judge_square(w, f, i))
        return false;
    if (c->state == UNSEEN)
        see_defence(w, f, c);
    return true;
}

static void summarise_defence(struct worker *w, struct frame *f, struct summary *s) {
    *s = empty_summary();
    bool drop_open = false, move_open = false;
    for (int i = 0; i < f->count; i++) {
        struct child *c = &f->children[i];
        if (child_is_proved(c) || waits(f, i, drop_open, move_open))
            continue;
        if (!ready_defence(w, f, i)) {
            f->pn = f->dn = 1;
            f->best = -1;
            return;
        }
        if (child_is_proved(c))
            continue;
        if (c->dn == 0) {
            disprove_defence(w, f, i);
            return;
        }
        *(move_is_drop(c->move) ? &drop_open : &move_open) = true;
        count_child(w, s, c, c->dn, c->pn);
    }
    if (!s->open) {
        prove_defence(w, f);
        return;
    }
    f->dn = s->least;
    f->pn = weak_sum(s);
    f->best = (int)(s->best - f->children);
}

/* ---- The loop ---- */

/* Nodes that went into the questions asked, without those that went aside into longer ones. */
static uint64_t worker_work(const struct worker *w) {
    return w->nodes - w->nodes_for_good;
}
static uint32_t frame_work(const struct worker *w, const struct frame *f) {
    uint64_t work = worker_work(w) - f->work;
    return work > UINT32_MAX ? UINT32_MAX : (uint32_t)work;
}

static bool push(struct worker *w, uint64_t key, hand h, code bound, uint64_t path, uint32_t pn_limit,
                 uint32_t dn_limit, uint32_t distance, uint32_t work, bool extend) {
    if (w->top + 1 >= STACK_FRAMES || w->arena_used + MAX_MOVES > STACK_CHILDREN) {
        ask_stop(w->search, STOP_DEPTH);
        return false;
    }
    struct frame *f = &w->frames[++w->top];
    if (w->top >= w->deepest)
        w->deepest = w->top + 1;
    f->key = key;
    f->hand = h;
    f->bound = bound;
    f->path_key = extend_path(path, key, h);
    f->pn_limit = pn_limit;
    f->dn_limit = dn_limit;
    f->lean = LEAN_NONE;
    f->attacks = w->pos.side == w->search->attacker;
    f->extend = extend;
    f->fresh = true;
    f->marked_busy = false;
    f->exact_hand = false;
    f->work = worker_work(w) - work;
    w->nodes++;
    w->visits_without_news++;
    f->children = &w->arena[w->arena_used];
    f->count = 0;
    f->best = -1;
    uint32_t depth = (uint32_t)(w->top - w->base);
    f->distance = distance < depth ? distance : depth;
    if (f->attacks) {
        f->previous_in_bucket = w->bucket[bucket_of(key)];
        w->bucket[bucket_of(key)] = w->top;
        expand_attack(w, f);
    } else {
        expand_defence(w, f);
    }
    return true;
}

static void store_frame(struct worker *w, const struct frame *f, uint64_t path_before) {
    struct entry e = {.pn = f->pn,
                      .dn = f->dn,
                      .hand = f->hand,
                      .code = f->bound,
                      .move = f->best >= 0 ? f->children[f->best].move : NO_MOVE,
                      .work = frame_work(w, f),
                      .distance = f->distance};
    if (f->exact_hand && (f->pn == 0 || f->dn == 0))
        e.flags = FLAG_EXACT_HAND;
    if (f->pn == 0) {
        e.hand = f->basis;
        e.code = f->code;
    } else if (f->dn == 0 && f->lean == LEAN_NONE) {
        e.hand = f->basis;
        e.code = f->code;
    } else if (f->dn == 0) {
        struct entry here = e;
        here.distance = (uint32_t)(f->lean - w->base);
        table_store(w->search->table, w->search->generation, f->key ^ path_before, f->hand, f->bound, &here);
        /* the node itself stays open; say that there is more to know */
        struct entry old;
        if (!table_probe(w->search->table, f->key, f->hand, f->bound, &old))
            old.pn = old.dn = 1;
        else if (old.pn == 0 || old.dn == 0)
            return;
        e.pn = old.pn;
        e.dn = old.dn;
        e.flags = FLAG_PATH_DISPROOF;
    }
    table_store(w->search->table, w->search->generation, f->key, f->hand, f->bound, &e);
}

static void mark_busy(struct worker *w, uint64_t key, int delta) {
    atomic_fetch_add_explicit(&w->search->busy[key % BUSY_SLOTS], (uint8_t)delta, memory_order_relaxed);
}

/* Leaves the top frame: stores it, and tells its parent. */
static void pop(struct worker *w) {
    struct frame *f = &w->frames[w->top];
    bool at_base = w->top == w->base;
    struct frame *parent = at_base ? NULL : f - 1;
    store_frame(w, f, parent ? parent->path_key : 0);
    if (f->attacks) /* NOLINT(clang-analyzer-core.NullDereference): worker_new reserved the frames */
        w->bucket[bucket_of(f->key)] = f->previous_in_bucket;
    w->arena_used = (size_t)(f->children - w->arena);
    w->top--;
    if (!parent)
        return;
    struct child *c = &parent->children[parent->best];
    position_undo(&w->pos, c->move);
    if (f->marked_busy)
        mark_busy(w, c->key, -1);
    c->pn = f->pn;
    c->dn = f->dn;
    c->code = f->code;
    c->basis = f->basis;
    c->lean = f->lean;
    c->exact_hand = f->exact_hand;
    c->distance = f->distance;
    c->work = frame_work(w, f);
    keep_hand_of_proof(w, c);
    if (c->pn != 0 && c->dn != 0)
        parent->extend &= f->extend;
}

/* What may be spent below the best child before its sibling is better (with 1/8 of slack). */
static uint32_t sibling_limit(uint32_t second) {
    return add_numbers(second, 1 + second / 8);
}

/* The limit for the summed kind: what is left of the node's own limit. */
static uint32_t rest_limit(uint32_t limit, uint32_t sum, uint32_t own) {
    return limit >= PN_MOST ? PN_INFINITE : limit - sum + own;
}

/* Decides a position with three plies left on the spot, where that can be done. */
static bool settle_in_three(struct worker *w, struct child *c, code bound) {
    uint64_t before = w->nodes++;
    position_do(&w->pos, c->move);
    struct verdict v = shallow_three(&w->pos, w->search->futile, bound, &w->nodes);
    position_undo(&w->pos, c->move);
    if (v.outcome == STOPPED)
        return false;
    settle_child(c, &v);
    uint32_t depth = (uint32_t)(w->top - w->base) + 1;
    c->distance = c->distance < depth ? c->distance : depth;
    struct entry e = {.pn = c->pn,
                      .dn = c->dn,
                      .hand = v.basis,
                      .code = v.code,
                      .move = v.move,
                      .work = (uint32_t)(w->nodes - before),
                      .distance = c->distance};
    table_store(w->search->table, w->search->generation, c->key, c->hand, bound, &e);
    return true;
}

/* Does the check in question not mate at all? Asked where much work has gone into it under a long bound, with as many nodes as that, while all
 * such questions together have not taken more than the rest. False if it may mate. */
static bool refute_for_good(struct worker *w, const struct frame *f, struct child *c, code bound) {
    struct entry e;
    if (bound == CODE_INFINITE || code_plies(bound) < FOR_GOOD_PLIES || c->work < FOR_GOOD_WORK ||
        w->nodes_for_good > worker_work(w))
        return false;
    if (table_probe(w->search->table, c->key, c->hand, CODE_INFINITE, &e) && (e.pn < e.dn / 2 || e.work > c->work))
        return false;
    uint64_t before = w->nodes, outer = w->give_up_at;
    w->give_up_at = before + c->work;
    position_do(&w->pos, c->move);
    enum outcome outcome = worker_decide(w, CODE_INFINITE, NULL);
    position_undo(&w->pos, c->move);
    w->give_up_at = outer;
    w->nodes_for_good += w->nodes - before;
    return outcome == DISPROVED && look_up(w, f, c, bound) && c->dn == 0;
}

static bool descend(struct worker *w, struct frame *f, const struct summary *s) {
    struct child *c = s->best;
    uint32_t pn_limit, dn_limit;
    if (f->attacks) {
        pn_limit = sibling_limit(s->second_number);
        pn_limit = pn_limit < f->pn_limit ? pn_limit : f->pn_limit;
        dn_limit = rest_limit(f->dn_limit, f->dn, c->dn);
    } else {
        dn_limit = sibling_limit(s->second_number);
        dn_limit = dn_limit < f->dn_limit ? dn_limit : f->dn_limit;
        pn_limit = rest_limit(f->pn_limit, f->pn, c->pn);
    }
    code bound = f->bound;
    (void)child_bound(f->bound, f->attacks ? code_of_attack(c->move) : code_of_defence(), c->hand, !f->attacks, &bound);
    if (bound <= SHORT_BOUND)
        pn_limit = dn_limit = PN_INFINITE;
    if (code_plies(bound) == 3 && !w->search->forbidden && settle_in_three(w, c, bound))
        return true;
    if (f->attacks && refute_for_good(w, f, c, bound))
        return true;
    bool extend = f->extend && c->distance != 0xffff;
    position_do(&w->pos, c->move);
    if (!push(w, c->key, c->hand, bound, f->path_key, pn_limit, dn_limit, c->distance, c->work, extend)) {
        position_undo(&w->pos, c->move);
        return false;
    }
    if (w->search->shared) {
        w->frames[w->top].marked_busy = true;
        mark_busy(w, c->key, 1);
    }
    return true;
}

/* Threshold control: once, on the first summary. */
static void adapt_limits(const struct worker *w, struct frame *f, const struct summary *s) {
    f->fresh = false;
    f->extend |= s->has_old && w->visits_without_news > STALL_VISITS;
    if (!f->extend)
        return;
    if (f->pn_limit <= f->pn)
        f->pn_limit = f->pn + 1;
    if (f->dn_limit <= f->dn)
        f->dn_limit = f->dn + 1;
}

static bool finished(const struct frame *f) {
    return f->pn == 0 || f->dn == 0 || f->pn >= f->pn_limit || f->dn >= f->dn_limit;
}

static enum outcome run(struct worker *w) {
    for (;;) {
        struct frame *f = &w->frames[w->top];
        struct summary s;
        (f->attacks ? summarise_attack : summarise_defence)(w, f, &s);
        if (f->fresh && f->pn != 0 && f->dn != 0)
            adapt_limits(w, f, &s);
        table_pause_point(w->search->table);
        bool stop = stopped(w) || w->nodes >= w->give_up_at;
        if (!finished(f) && !stop && s.best && descend(w, f, &s))
            continue;
        stop |= !finished(f);
        bool done = w->top == w->base;
        enum outcome outcome = f->pn == 0 ? PROVED : f->dn == 0 ? DISPROVED : STOPPED;
        pop(w);
        if (done)
            return outcome;
        if (stop)
            while (w->top >= w->base)
                pop(w);
        if (w->top < w->base)
            return STOPPED;
    }
}

/* What needs no search: the table's word, mate in one, no plies left. True if that decides. */
static bool decide_at_once(struct worker *w, code bound, struct decision *d, enum outcome *outcome) {
    bool attacks = w->pos.side == w->search->attacker;
    struct entry known;
    *outcome = DISPROVED;
    *d = (struct decision){bound, NO_MOVE};
    if (w->search->forbidden && forbidden_has(w->search->forbidden, w->pos.key, w->pos.hand[w->search->attacker]))
        return true;
    if (worker_known(w, bound, &known) && (!attacks || known.pn != 0 || move_is_legal(&w->pos, known.move))) {
        *outcome = known.pn == 0 ? PROVED : DISPROVED;
        *d = (struct decision){known.code, known.move};
        return true;
    }
    if (!attacks)
        return false;
    struct mate_scan scan;
    struct verdict v = glance(w, bound, &scan);
    *outcome = v.outcome;
    *d = (struct decision){v.code, v.move};
    return v.outcome != STOPPED;
}

enum outcome worker_decide(struct worker *w, code bound, struct decision *decision) {
    struct decision ignored;
    struct decision *d = decision ? decision : &ignored;
    enum outcome outcome;
    if (decide_at_once(w, bound, d, &outcome))
        return outcome;
    int outer = w->base;
    w->until_stop_check = 1;
    w->visits_without_news = 0;
    w->base = w->top + 1;
    outcome = STOPPED;
    if (push(w, w->pos.key ^ w->search->seed, w->pos.hand[w->search->attacker], bound, 0, PN_INFINITE, PN_INFINITE, 0,
             0, false)) {
        const struct frame *f = &w->frames[w->base];
        outcome = run(w);
        if (outcome != STOPPED)
            *d = (struct decision){f->code, f->best >= 0 ? f->children[f->best].move : NO_MOVE};
    }
    w->base = outer;
    return outcome;
}

enum outcome worker_decide_within(struct worker *w, code bound, uint64_t nodes, struct decision *decision) {
    struct search *s = w->search;

    worker_flush(w);
    search_pose(s, nodes);
    enum outcome outcome = worker_decide(w, bound, decision);
    if (outcome == STOPPED && atomic_load(&s->question) == QUESTION_GIVEN_UP)
        outcome = GIVEN_UP;
    search_pose(s, 0);
    return outcome;
}

void worker_rest(struct worker *w) {
    table_leave(w->search->table);
}
void worker_resume(struct worker *w) {
    table_enter(w->search->table);
}

bool worker_known(struct worker *w, code bound, struct entry *found) {
    hand h = w->pos.hand[w->search->attacker];
    return table_probe(w->search->table, w->pos.key ^ w->search->seed, h, bound, found) &&
           (found->pn == 0 || found->dn == 0);
}

enum outcome worker_judges_futile(struct worker *w, move drop, code value) {
    int plies = code_plies(value);
    bool by_length;
    enum outcome outcome = decide_without_drops(w, &plies);
    return outcome == PROVED ? decide_futile(w, move_to(drop), plies, &by_length) : outcome;
}
