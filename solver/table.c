/* table.c: the shared table. */
#include "solver/table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef _Atomic uint64_t word;
__extension__ typedef unsigned __int128 uint128;

struct slot {
    word check, numbers, state, rest;
};
_Static_assert(sizeof(struct slot) == 32, "two slots a cache line");

enum {
    SEGMENT_SLOTS = 1 << 15, /* 1 MiB */
    SEGMENT_MASK = SEGMENT_SLOTS - 1,
    LONGEST_RUN = 1024, /* a store never looks further */
    GENERATIONS = 4096, /* 0 means: empty or dead */
    WORK_CLASSES = 256,
    SAMPLE_EVERY = 8, /* segments, when a collection looks how work is spread */
};

struct table {
    struct slot *slots;
    size_t segments, bytes;
    _Atomic uint64_t used;
    uint64_t limit;
    _Atomic uint64_t live[GENERATIONS / 64]; /* generations in use */

    /* collection: threads that use the table meet here */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    _Atomic bool collecting;
    unsigned users, parked;
    unsigned long rounds;
    bool swept;
    _Atomic size_t next_segment;
    unsigned drop_below; /* work class */
    unsigned next_generation;
    uint64_t searches; /* opened so far */
};

static uint64_t load(const word *w) {
    return atomic_load_explicit(w, memory_order_relaxed);
}
static void save(word *w, uint64_t value) {
    atomic_store_explicit(w, value, memory_order_relaxed);
}

static uint64_t mix(uint64_t numbers, uint64_t state, uint64_t rest) {
    return ((numbers * UINT64_C(0x9e3779b97f4a7c15) ^ state) * UINT64_C(0xc2b2ae3d27d4eb4f)) ^ rest;
}

/* ---- Packing ---- */

/* Work as a number of 3 + 5 bits: 8 steps an octave. */
static unsigned work_class(uint32_t work) {
    if (work < 16)
        return work;
    unsigned exponent = 31 - (unsigned)__builtin_clz(work);
    return (exponent - 2) << 3 | (work >> (exponent - 3) & 7);
}
static uint32_t class_work(unsigned class) {
    return class < 16 ? class : (8u | (class & 7)) << ((class >> 3) - 1);
}

static hand state_hand(uint64_t state) {
    return (hand)(state & 0xfffffff);
}
static unsigned state_work(uint64_t state) {
    return (unsigned)(state >> 28 & 0xff);
}
static unsigned state_generation(uint64_t state) {
    return (unsigned)(state >> 36 & 0xfff);
}
static uint64_t pack_state(hand h, unsigned class, unsigned generation, uint32_t distance) {
    return (uint64_t)h | (uint64_t) class << 28 | (uint64_t)generation << 36 |
           (uint64_t)(distance > 0xffff ? 0xffff : distance) << 48;
}
static code rest_code(uint64_t rest) {
    return (code)(rest & 0xffffff);
}

static void unpack(struct entry *e, uint64_t numbers, uint64_t state, uint64_t rest) {
    e->pn = (uint32_t)numbers;
    e->dn = (uint32_t)(numbers >> 32);
    e->hand = state_hand(state);
    e->work = class_work(state_work(state));
    e->distance = (uint32_t)(state >> 48);
    e->code = rest_code(rest);
    e->move = (move)(rest >> 24 & 0xffffff);
    e->flags = (uint32_t)(rest >> 48);
}

static bool is_for_exact_hand(uint64_t rest) {
    return (rest >> 48 & FLAG_EXACT_HAND) != 0;
}

static bool is_live(const struct table *t, unsigned generation) {
    return generation != 0 && (load(&t->live[generation / 64]) >> (generation % 64) & 1) != 0;
}

/* ---- Life ---- */

/* No huge pages are asked for: keys scatter over the whole table, so a problem of a few thousand nodes would have all of it zeroed (5.2 s
 * against 0.05 s with 6000 MiB). Once warm, huge pages would make the longest problems a fifth faster. */
struct table *table_new(size_t mib) {
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->segments = mib ? mib : 1;
    t->bytes = t->segments * SEGMENT_SLOTS * sizeof(struct slot);
    void *memory = MAP_FAILED;
    if (t->segments < SIZE_MAX / (SEGMENT_SLOTS * sizeof(struct slot)))
        memory = mmap(NULL, t->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        free(t);
        return NULL;
    }
    t->slots = memory;
    t->limit = (uint64_t)t->segments * SEGMENT_SLOTS / 4 * 3;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    return t;
}

void table_free(struct table *t) {
    if (!t)
        return;
    munmap(t->slots, t->bytes);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    free(t);
}

size_t table_mib(const struct table *t) {
    return t->segments;
}

unsigned table_permille(const struct table *t) {
    return (unsigned)(load(&t->used) * 1000 / ((uint64_t)t->segments * SEGMENT_SLOTS));
}

unsigned table_open_generation(struct table *t, uint64_t *serial) {
    pthread_mutex_lock(&t->lock);
    unsigned g = t->next_generation;
    do
        g = g % (GENERATIONS - 1) + 1;
    while (is_live(t, g));
    t->next_generation = g;
    *serial = ++t->searches;
    atomic_fetch_or_explicit(&t->live[g / 64], UINT64_C(1) << (g % 64), memory_order_relaxed);
    pthread_mutex_unlock(&t->lock);
    return g;
}

void table_close_generation(struct table *t, unsigned g) {
    atomic_fetch_and_explicit(&t->live[g / 64], ~(UINT64_C(1) << (g % 64)), memory_order_relaxed);
}

/* ---- Probing ---- */

static struct slot *segment_of(const struct table *t, uint64_t key) {
    return t->slots + (size_t)(((uint128)key * t->segments) >> 64) * SEGMENT_SLOTS;
}

void table_prefetch(const struct table *t, uint64_t key) {
    __builtin_prefetch(segment_of(t, key) + (key & SEGMENT_MASK));
}

bool table_probe(const struct table *t, uint64_t key, hand h, code bound, struct entry *found) {
    const struct slot *segment = segment_of(t, key);
    bool exact = false;
    uint32_t least_pn = 1, least_dn = 1, nearest = 0xffff, near_pn = 1, near_dn = 1;
    code nearest_bound = CODE_INFINITE;
    found->pn = found->dn = 1;
    for (unsigned i = 0; i < LONGEST_RUN; i++) {
        const struct slot *slot = &segment[(key + i) & SEGMENT_MASK];
        uint64_t check = load(&slot->check), numbers = load(&slot->numbers), state = load(&slot->state),
                 rest = load(&slot->rest);
        if (!state)
            break;
        if ((check ^ mix(numbers, state, rest)) != key)
            continue;
        uint32_t pn = (uint32_t)numbers, dn = (uint32_t)(numbers >> 32), distance = (uint32_t)(state >> 48);
        hand other = state_hand(state);
        code c = rest_code(rest);
        if (distance < nearest)
            nearest = distance;
        if (pn == 0) {
            if (c <= bound && (h == other || (hand_contains(h, other) && !is_for_exact_hand(rest))) &&
                (found->pn != 0 || c < found->code)) {
                unpack(found, numbers, state, rest);
                exact = true;
            }
        } else if (dn == 0) {
            if (c >= bound && (h == other || (hand_contains(other, h) && !is_for_exact_hand(rest)))) {
                unpack(found, numbers, state, rest);
                return true;
            }
        } else if (c != bound) {
            code away = c > bound ? c - bound : bound - c;
            if (other != h || away >= nearest_bound)
                continue;
            nearest_bound = away; /* a wider bound is no harder to prove, a narrower one no harder to refute */
            near_pn = c > bound ? pn : 1;
            near_dn = c < bound ? dn : 1;
        } else if (found->pn != 0) {
            if (other == h) {
                unpack(found, numbers, state, rest);
                exact = true;
            } else if (hand_contains(h, other)) { /* more in hand is no easier to refute */
                if (dn > least_dn)
                    least_dn = dn;
            } else if (hand_contains(other, h)) {
                if (pn > least_pn)
                    least_pn = pn;
            }
        }
    }
    if (exact) {
        if (found->pn != 0) {
            if (found->dn < least_dn)
                found->dn = least_dn;
            if (found->pn < least_pn)
                found->pn = least_pn;
        }
        return true;
    }
    found->pn = least_pn > near_pn ? least_pn : near_pn;
    found->dn = least_dn > near_dn ? least_dn : near_dn;
    found->distance = nearest;
    found->flags = 0;
    found->hand = HAND_EMPTY;
    found->code = bound;
    found->move = NO_MOVE;
    found->work = 0;
    return false;
}

/* ---- Storing ---- */

static void write_slot(struct slot *slot, uint64_t key, uint64_t numbers, uint64_t state, uint64_t rest) {
    save(&slot->check, key ^ mix(numbers, state, rest));
    save(&slot->numbers, numbers);
    save(&slot->state, state);
    save(&slot->rest, rest);
}

/* Is every hand that the old entry answers, or is about, answered by the new one? */
static bool covers_hands(const struct entry *new, hand old, uint64_t old_rest) {
    if (new->flags & FLAG_EXACT_HAND)
        return old == new->hand &&is_for_exact_hand(old_rest);
    return new->pn == 0 ? hand_contains(old, new->hand) : hand_contains(new->hand, old);
}

/* The flag of an entry that must not be lost while the position stays open. */
static uint64_t path_note(const struct entry *new, uint64_t old_rest) {
    return new->pn != 0 && new->dn != 0 ? old_rest &(uint64_t)FLAG_PATH_DISPROOF << 48 : 0;
}

/* Does the new entry tell all that the old one (of the same key) does? */
static bool supersedes(const struct entry *new, hand own, code bound, uint64_t numbers, uint64_t state, uint64_t rest) {
    uint32_t pn = (uint32_t)numbers, dn = (uint32_t)(numbers >> 32);
    hand old = state_hand(state);
    code c = rest_code(rest);
    if (pn != 0 && dn != 0 && old == own && c == bound)
        return true;
    if (new->pn == 0)
        return dn != 0 && c >= new->code &&covers_hands(new, old, rest);
    if (new->dn == 0)
        return pn != 0 && c <= new->code &&covers_hands(new, old, rest);
    return false;
}

void table_store(struct table *t, unsigned generation, uint64_t key, hand own, code bound, const struct entry *e) {
    struct slot *segment = segment_of(t, key), *target = NULL, *cheapest = NULL;
    unsigned cheapest_work = ~0u;
    bool fresh = false, written = false;
    uint64_t numbers = (uint64_t)e->dn << 32 | e->pn;
    uint64_t state = pack_state(e->hand, work_class(e->work), generation, e->distance);
    uint64_t rest = (uint64_t)e->code | (uint64_t)e->move << 24 | (uint64_t)e->flags << 48;
    unsigned i;
    for (i = 0; i < LONGEST_RUN; i++) {
        struct slot *slot = &segment[(key + i) & SEGMENT_MASK];
        uint64_t check = load(&slot->check), old_numbers = load(&slot->numbers), old_state = load(&slot->state),
                 old_rest = load(&slot->rest);
        if (!old_state) {
            if (!target) {
                target = slot;
                fresh = true;
            }
            break;
        }
        bool same_key = (check ^ mix(old_numbers, old_state, old_rest)) == key;
        if (same_key && supersedes(e, own, bound, old_numbers, old_state, old_rest)) {
            rest |= path_note(e, old_rest);
            if (!written)
                write_slot(slot, key, numbers, state, rest);
            else /* a second one: free for any later store, and open, so that it says nothing even of key 0 */
                write_slot(slot, 0, UINT64_C(1) << 32 | 1, pack_state(HAND_EMPTY, 0, 0, 0xffff), 0);
            written = true;
        } else if (!target && !same_key && !is_live(t, state_generation(old_state))) {
            target = slot;
        } else if (!target && state_work(old_state) < cheapest_work) {
            cheapest_work = state_work(old_state);
            cheapest = slot;
        }
    }
    if (written)
        return;
    if (!target)
        target = cheapest;
    write_slot(target, key, numbers, state, rest);
    if (fresh && atomic_fetch_add_explicit(&t->used, 1, memory_order_relaxed) + 1 >= t->limit)
        atomic_store_explicit(&t->collecting, true, memory_order_relaxed);
}

/* ---- Collection ---- */

bool table_wants_collection(const struct table *t) {
    return atomic_load_explicit(&t->collecting, memory_order_relaxed);
}

void table_enter(struct table *t) {
    pthread_mutex_lock(&t->lock);
    while (t->swept)
        pthread_cond_wait(&t->changed, &t->lock);
    t->users++;
    pthread_mutex_unlock(&t->lock);
}

static void start_sweep(struct table *t);

void table_leave(struct table *t) {
    pthread_mutex_lock(&t->lock);
    t->users--;
    if (t->users > 0 && t->parked == t->users && !t->swept)
        start_sweep(t);
    pthread_mutex_unlock(&t->lock);
}

/* Chooses the work class below which entries go: so many that half of the slots are free again. */
static unsigned choose_drop(struct table *t) {
    uint64_t histogram[WORK_CLASSES] = {0}, live = 0, slots = 0;
    for (size_t s = 0; s<t->segments; s += t->segments> 64 ? SAMPLE_EVERY : 1) {
        const struct slot *segment = t->slots + s * SEGMENT_SLOTS;
        for (unsigned i = 0; i < SEGMENT_SLOTS; i++) {
            uint64_t state = load(&segment[i].state);
            if (is_live(t, state_generation(state))) {
                histogram[state_work(state)]++;
                live++;
            }
        }
        slots += SEGMENT_SLOTS;
    }
    unsigned class = 0;
    if (live > slots / 10 * 6) /* otherwise it is enough that the dead go */
        while (class < WORK_CLASSES - 1 && live > slots / 10 * 4)
            live -= histogram[class ++];
    return class;
}

/* The lock is held, and all users are parked (or about to be, the caller). */
static void start_sweep(struct table *t) {
    t->drop_below = choose_drop(t);
    atomic_store(&t->next_segment, 0);
    atomic_store(&t->used, 0);
    t->swept = true;
    t->rounds++;
    pthread_cond_broadcast(&t->changed);
}

/* Rebuilds one segment from the entries worth keeping; returns how many. */
static unsigned sweep_segment(struct table *t, struct slot *segment, uint64_t (*kept)[4]) {
    unsigned count = 0;
    for (unsigned i = 0; i < SEGMENT_SLOTS; i++) {
        uint64_t w[4] = {load(&segment[i].check), load(&segment[i].numbers), load(&segment[i].state),
                         load(&segment[i].rest)};
        if (is_live(t, state_generation(w[2])) && state_work(w[2]) >= t->drop_below)
            memcpy(kept[count++], w, sizeof w);
    }
    for (unsigned i = 0; i < SEGMENT_SLOTS; i++)
        save(&segment[i].state, 0);
    for (unsigned i = 0; i < count; i++) {
        uint64_t key = kept[i][0] ^ mix(kept[i][1], kept[i][2], kept[i][3]);
        unsigned at = (unsigned)(key & SEGMENT_MASK);
        while (load(&segment[at].state))
            at = (at + 1) & SEGMENT_MASK;
        write_slot(&segment[at], key, kept[i][1], kept[i][2], kept[i][3]);
    }
    return count;
}

static void sweep(struct table *t) {
    uint64_t(*kept)[4] = malloc(SEGMENT_SLOTS * sizeof *kept);
    size_t s;
    while ((s = atomic_fetch_add(&t->next_segment, 1)) < t->segments) {
        struct slot *segment = t->slots + s * SEGMENT_SLOTS;
        if (kept)
            atomic_fetch_add(&t->used, sweep_segment(t, segment, kept));
        else /* no memory: forget the segment */
            for (unsigned i = 0; i < SEGMENT_SLOTS; i++)
                save(&segment[i].state, 0);
    }
    free(kept);
}

void table_collect(struct table *t) {
    pthread_mutex_lock(&t->lock);
    if (!table_wants_collection(t)) {
        pthread_mutex_unlock(&t->lock);
        return;
    }
    unsigned long round = t->rounds;
    t->parked++;
    if (t->parked == t->users)
        start_sweep(t);
    while (t->rounds == round)
        pthread_cond_wait(&t->changed, &t->lock);
    pthread_mutex_unlock(&t->lock);

    sweep(t);

    pthread_mutex_lock(&t->lock);
    t->parked--;
    if (t->parked == 0) {
        t->swept = false;
        atomic_store(&t->collecting, false);
        pthread_cond_broadcast(&t->changed);
    } else {
        while (t->swept)
            pthread_cond_wait(&t->changed, &t->lock);
    }
    pthread_mutex_unlock(&t->lock);
}
