/* reference.c: see reference.h. */
#include "tests/reference.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory: what is known of a position, whatever the limit ---- */

enum { NEVER = INT_MAX, FIRST_SIZE = 1 << 8, LAST_SIZE = 1 << 19 };

/* Either its value (plies ≥ 0), or that it is no mate within `not_within` plies; NEVER: at no depth. */
struct known {
    int plies, leftover;
    int not_within;
};

struct entry {
    struct vr_position position;
    bool used;
    struct known known;
};

struct reference {
    enum vr_color attacker;
    enum reference_reading reading;
    uint64_t nodes, last_node; /* searched; where to give up */
    bool gave_up;
    struct entry *entries;
    size_t size, count; /* size: a power of two */
    const struct vr_position *forbidden;
    int forbidden_count;
};

static const struct known nothing_known = {.plies = -1, .leftover = 0, .not_within = -1};

static size_t hash_of(const struct vr_position *position) {
    const unsigned char *bytes = (const unsigned char *)position;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < sizeof *position; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

static struct entry *slot_of(struct entry *entries, size_t size, const struct vr_position *position) {
    size_t i = hash_of(position) & (size - 1);
    while (entries[i].used && !vr_equal(&entries[i].position, position))
        i = (i + 1) & (size - 1);
    return &entries[i];
}

static struct known recall(const struct reference *reference, const struct vr_position *position) {
    const struct entry *entry = slot_of(reference->entries, reference->size, position);
    return entry->used ? entry->known : nothing_known;
}

/* Twice the size, or, when that is the most allowed or memory is short, an empty memory. */
static void make_room(struct reference *reference) {
    size_t size = reference->size * 2;
    struct entry *entries = size <= LAST_SIZE ? calloc(size, sizeof *entries) : NULL;
    if (!entries) {
        memset(reference->entries, 0, reference->size * sizeof *reference->entries);
        reference->count = 0;
        return;
    }
    for (size_t i = 0; i < reference->size; i++)
        if (reference->entries[i].used)
            *slot_of(entries, size, &reference->entries[i].position) = reference->entries[i];
    free(reference->entries);
    reference->entries = entries;
    reference->size = size;
}

static void remember(struct reference *reference, const struct vr_position *position, struct known known) {
    if (reference->gave_up)
        return;
    if (reference->count * 4 >= reference->size * 3)
        make_room(reference);
    struct entry *entry = slot_of(reference->entries, reference->size, position);
    reference->count += !entry->used;
    *entry = (struct entry){.position = *position, .used = true, .known = known};
}

struct reference *reference_new(enum vr_color attacker, enum reference_reading reading) {
    struct reference *reference = calloc(1, sizeof *reference);
    if (!reference)
        return NULL;
    *reference = (struct reference){.attacker = attacker, .reading = reading, .size = FIRST_SIZE};
    reference->entries = calloc(FIRST_SIZE, sizeof *reference->entries);
    if (!reference->entries) {
        free(reference);
        return NULL;
    }
    return reference;
}

void reference_free(struct reference *reference) {
    if (!reference)
        return;
    free(reference->entries);
    free(reference);
}

void reference_forbid(struct reference *reference, const struct vr_position *positions, int count) {
    reference->forbidden = positions;
    reference->forbidden_count = count;
    memset(reference->entries, 0, reference->size * sizeof *reference->entries);
    reference->count = 0;
}

uint64_t reference_nodes(const struct reference *reference) {
    return reference->nodes;
}

/* ---- Values ---- */

static bool is_mate_value(struct known known) {
    return known.plies >= 0;
}

/* The answer to "within this limit?", if what is known is enough for one. */
static bool is_decided(struct known known, int limit) {
    return is_mate_value(known) || known.not_within >= limit;
}

static struct known mate_value(int plies, int leftover) {
    return (struct known){.plies = plies, .leftover = leftover, .not_within = plies - 1};
}

static struct known no_mate_within(int limit) {
    return (struct known){.plies = -1, .leftover = 0, .not_within = limit};
}

/* A mate that is longer than the limit is none within it. */
static struct known within(struct known known, int limit) {
    return is_mate_value(known) && known.plies > limit ? no_mate_within(limit) : known;
}

static int pieces_in_hand(const struct vr_position *position, enum vr_color color) {
    int total = 0;
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++)
        total += position->hand[color][kind];
    return total;
}

static bool is_forbidden(const struct reference *reference, const struct vr_position *position) {
    for (int i = 0; i < reference->forbidden_count; i++)
        if (vr_equal(position, &reference->forbidden[i]))
            return true;
    return false;
}

static void count_node(struct reference *reference) {
    if (++reference->nodes == reference->last_node)
        reference->gave_up = true;
}

static struct known value_and(struct reference *reference, const struct vr_position *q, int limit);

/* ---- OR nodes ---- */

/* Over all checks, given that there is no mate in fewer plies than the limit. */
static struct known best_check(struct reference *reference, const struct vr_position *p, const struct vr_move *checks,
                               int count, int limit) {
    struct known best = no_mate_within(NEVER);
    for (int i = 0; i < count && !reference->gave_up; i++) {
        struct vr_position q = vr_after(p, &checks[i]);
        struct known after = value_and(reference, &q, limit - 1);
        if (is_mate_value(after)) {
            if (!is_mate_value(best) || after.leftover > best.leftover)
                best = mate_value(after.plies + 1, after.leftover);
        } else if (!is_mate_value(best) && after.not_within != NEVER) {
            best = no_mate_within(limit);
        }
    }
    return best;
}

/* V(p) if it is a mate within the limit. Short limits first: what they find is the least, and the memory makes them
 * cheap. */
static struct known value_or(struct reference *reference, const struct vr_position *p, int limit) {
    if (limit < 1)
        return no_mate_within(limit);
    if (is_forbidden(reference, p))
        return no_mate_within(NEVER);
    struct known known = recall(reference, p);
    if (is_decided(known, limit))
        return within(known, limit);
    count_node(reference);
    struct vr_move checks[VR_MAX_MOVES];
    int count = vr_checking_moves(p, checks);
    /* The plies of a mate are odd here. */
    for (int plies = 1; plies <= limit; plies += 2) {
        if (known.not_within >= plies)
            continue;
        known = best_check(reference, p, checks, count, plies);
        if (reference->gave_up)
            return nothing_known;
        if (is_mate_value(known) || known.not_within == NEVER)
            break;
    }
    if (!is_mate_value(known) && known.not_within < limit)
        known.not_within = limit; /* an even limit */
    remember(reference, p, known);
    return known;
}

/* ---- Futile interpositions ---- */

static int sign(int x) {
    return (x > 0) - (x < 0);
}

/* Where the piece stands that checks the king through the square s. */
static struct vr_square checker_through(const struct vr_position *q, struct vr_square king, struct vr_square s) {
    int row_step = sign(s.row - king.row), column_step = sign(s.column - king.column);
    struct vr_square t = s;
    do {
        t.row += row_step;
        t.column += column_step;
    } while (q->board[t.row][t.column] == VR_NONE);
    return t;
}

/* Is q' a mate within the bound, when the checker takes the dropped piece in this way? */
static bool taking_back_mates(struct reference *reference, const struct vr_position *q, const struct vr_move *drop,
                              const struct vr_move *capture, int bound) {
    struct vr_position dropped = vr_after(q, drop);
    if (!vr_is_legal(&dropped, capture))
        return false;
    struct vr_position taken = vr_after(&dropped, capture);
    struct vr_position given_back = *q;
    memcpy(given_back.board, taken.board, sizeof given_back.board);
    return vr_in_check(&given_back) && is_mate_value(value_and(reference, &given_back, bound));
}

static bool is_futile(struct reference *reference, const struct vr_position *q, const struct vr_move *drop, int bound) {
    struct vr_square king = {0, 0};
    vr_find_king(q, vr_other(reference->attacker), &king);
    struct vr_square t = checker_through(q, king, drop->to);
    struct vr_move capture = {.from = t, .to = drop->to, .kind = q->board[t.row][t.column]};
    if (capture.kind < 0)
        capture.kind = -capture.kind;
    for (int promote = 0; promote <= 1; promote++) {
        capture.promote = promote;
        if (taking_back_mates(reference, q, drop, &capture, bound))
            return true;
    }
    return false;
}

/* ---- AND nodes ---- */

static bool only_drops_answer(const struct vr_position *q) {
    struct vr_position empty_handed = *q;
    memset(empty_handed.hand[q->side], 0, sizeof empty_handed.hand[q->side]);
    return !vr_has_legal_move(&empty_handed);
}

/* The defender's best with one answer more. False if the answer escapes: then *best is no mate. */
static bool add_answer(struct reference *reference, const struct vr_position *q, const struct vr_move *answer,
                       int limit, struct known *best) {
    struct vr_position p = vr_after(q, answer);
    struct known after = value_or(reference, &p, limit - 1);
    if (!is_mate_value(after)) {
        *best = after;
        return false;
    }
    if (after.plies + 1 > best->plies || (after.plies + 1 == best->plies && after.leftover < best->leftover))
        *best = mate_value(after.plies + 1, after.leftover);
    return true;
}

/* V(q) over the answers that are no drops. */
static struct known best_without_drops(struct reference *reference, const struct vr_position *q, int limit,
                                       const struct vr_move *answers, int count) {
    struct known best = mate_value(0, pieces_in_hand(q, reference->attacker));
    for (int i = 0; i < count; i++)
        if (!answers[i].drop && !add_answer(reference, q, &answers[i], limit, &best))
            break;
    return best;
}

/* Whether the drops on a square are futile, asked once for each square. */
enum futility { NOT_ASKED, FUTILE, NOT_FUTILE };

static bool is_left_out(struct reference *reference, const struct vr_position *q, const struct vr_move *drop, int bound,
                        enum futility asked[9][9]) {
    if (reference->reading == REFERENCE_COUNT_ALL)
        return false;
    enum futility *futility = &asked[drop->to.row][drop->to.column];
    if (*futility == NOT_ASKED)
        *futility = is_futile(reference, q, drop, bound) ? FUTILE : NOT_FUTILE;
    return *futility == FUTILE;
}

static struct known best_answer(struct reference *reference, const struct vr_position *q, int limit) {
    struct vr_move answers[VR_MAX_MOVES];
    int count = vr_legal_moves(q, answers);
    struct known best = best_without_drops(reference, q, limit, answers, count);
    if (!is_mate_value(best))
        return best;
    int bound = best.plies;
    enum futility asked[9][9] = {{NOT_ASKED}};
    for (int i = 0; i < count; i++)
        if (answers[i].drop && !is_left_out(reference, q, &answers[i], bound, asked) &&
            !add_answer(reference, q, &answers[i], limit, &best))
            break;
    return best;
}

/* V(q) if it is a mate within the limit. */
static struct known value_and(struct reference *reference, const struct vr_position *q, int limit) {
    if (limit < 0 || (limit == 0 && !only_drops_answer(q)))
        return no_mate_within(limit);
    if (is_forbidden(reference, q))
        return no_mate_within(NEVER);
    struct known known = limit > 0 ? recall(reference, q) : nothing_known;
    if (is_decided(known, limit))
        return within(known, limit);
    count_node(reference);
    known = best_answer(reference, q, limit);
    if (reference->gave_up)
        return nothing_known;
    if (!is_mate_value(known) && known.not_within != NEVER)
        known.not_within = limit;
    if (limit > 0)
        remember(reference, q, known);
    return known;
}

/* ---- Calls ---- */

struct reference_value reference_value(struct reference *reference, const struct vr_position *position, int max_plies,
                                       uint64_t max_nodes) {
    reference->gave_up = false;
    reference->last_node = max_nodes > 0 ? reference->nodes + max_nodes : UINT64_MAX;
    if (position->side != (int8_t)reference->attacker && !vr_in_check(position))
        return (struct reference_value){REFERENCE_NO_MATE, 0, 0};
    struct known known = position->side == (int8_t)reference->attacker ? value_or(reference, position, max_plies)
                                                                       : value_and(reference, position, max_plies);
    if (reference->gave_up)
        return (struct reference_value){REFERENCE_GAVE_UP, 0, 0};
    if (is_mate_value(known))
        return (struct reference_value){REFERENCE_MATE, known.plies, known.leftover};
    return (struct reference_value){known.not_within == NEVER ? REFERENCE_NO_MATE : REFERENCE_NOT_WITHIN, 0, 0};
}

bool reference_is_futile(struct reference *reference, const struct vr_position *position, const struct vr_move *drop,
                         int max_plies) {
    reference->gave_up = false;
    reference->last_node = UINT64_MAX;
    struct vr_move answers[VR_MAX_MOVES];
    int count = vr_legal_moves(position, answers);
    struct known best = best_without_drops(reference, position, max_plies, answers, count);
    return is_mate_value(best) && is_futile(reference, position, drop, best.plies);
}

struct reference_value reference_solve(const char *sfen, enum vr_color attacker, enum reference_reading reading,
                                       int max_plies) {
    struct reference_value value = {REFERENCE_GAVE_UP, 0, 0};
    struct vr_position position;
    if (vr_read_sfen(sfen, &position) == 0 || vr_position_fault(&position) != NULL)
        return value;
    struct reference *reference = reference_new(attacker, reading);
    if (!reference)
        return value;
    value = reference_value(reference, &position, max_plies, 0);
    reference_free(reference);
    return value;
}
