/* certificate.c: building certificates from what the table knows. The format is in certificate.h; the walks are in certificate_mate.c and
 * certificate_escape.c. */
#include "solver/certificate.h"

#include "rules/language.h"
#include "solver/certificate_walk.h"

#include <stdlib.h>
#include <string.h>

enum { HEADS = 1 << 18 };

/* ---- The builder ---- */

bool builder_fail(struct builder *b, enum certificate_outcome outcome) {
    b->outcome = outcome;
    return false;
}

bool builder_wonders(struct builder *b, enum outcome outcome) {
    if (b->outcome != CERTIFICATE_BUILT)
        return false;
    return builder_fail(b, outcome == STOPPED ? CERTIFICATE_STOPPED : CERTIFICATE_BROKEN);
}

struct position *builder_position(struct builder *b) {
    return worker_position(b->worker);
}

uint32_t *builder_head(struct builder *b, uint64_t key) {
    return &b->heads[key >> 24 & (HEADS - 1)];
}

void builder_forget(struct builder *b) {
    memset(b->heads, 0xff, HEADS * sizeof *b->heads);
}

bool builder_room(struct builder *b, void *array, size_t used, size_t more, size_t *room, size_t size) {
    if (used + more <= *room)
        return true;
    size_t wanted = *room ? *room * 2 : 256;
    while (wanted < used + more)
        wanted *= 2;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, wanted * size);
    if (!grown)
        return builder_fail(b, CERTIFICATE_NO_MEMORY);
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

unsigned builder_word(const struct builder *b, move m) {
    return move_word(orientation_move(b->orientation, m));
}

void builder_sort(const struct builder *b, move *moves, int count) {
    for (int i = 0; i < count; i++)
        moves[i] = orientation_move(b->orientation, moves[i]);
    sort_by_word(moves, count);
    for (int i = 0; i < count; i++)
        moves[i] = orientation_move(b->orientation, moves[i]);
}

/* Begins the payload with the position that is certified. */
static void put_first(struct builder *b, const struct position *pos) {
    struct setup setup;
    struct position start;
    position_get(pos, &setup);
    setup = orientation_setup(b->orientation, &setup);
    position_set(&start, &setup);
    put_start(&b->payload, &start, b->orientation.turned ? color_other(b->attacker) : b->attacker);
}

static bool builder_open(struct builder *b) {
    b->outcome = CERTIFICATE_BUILT;
    b->heads = malloc(HEADS * sizeof *b->heads);
    return b->heads || builder_fail(b, CERTIFICATE_NO_MEMORY);
}

/* Makes the file if all went well, and closes the builder. */
static enum certificate_outcome builder_finish(struct builder *b, struct certificate_header *header,
                                               struct certificate *certificate) {
    *certificate = (struct certificate){.positions = b->positions, .nodes = b->nodes};
    header->numbered = b->numbered;
    if (b->outcome == CERTIFICATE_BUILT)
        b->outcome = wrap_payload(&b->payload, header, certificate);
    free(b->payload.bytes);
    free(b->heads);
    return b->outcome;
}

/* ---- Askers ---- */

bool asker_open(struct builder *b, struct asker *asker, const struct search *with, const struct forbidden *forbidden) {
    const struct certified_line *line = b->line;
    *asker = (struct asker){.own = !with};
    if (with) {
        search_share(&asker->search, with);
    } else {
        if (!search_open(&asker->search, line->plain->table, b->attacker))
            return builder_fail(b, CERTIFICATE_NO_MEMORY);
        asker->search.asked_to_stop = line->plain->asked_to_stop;
        asker->search.forbidden = forbidden;
    }
    asker->search.deadline = line->deadline;
    asker->search.node_limit = line->node_limit;
    asker->worker = b->worker = worker_new(&asker->search, &line->played->positions[0]);
    if (asker->worker)
        return true;
    if (asker->own)
        search_close(&asker->search);
    return builder_fail(b, CERTIFICATE_NO_MEMORY);
}

void asker_close(struct builder *b, struct asker *asker) {
    if (!asker->worker)
        return;
    worker_free(asker->worker);
    b->nodes += atomic_load(&asker->search.nodes);
    if (asker->own)
        search_close(&asker->search);
    asker->worker = b->worker = NULL;
}

/* ---- Mate and no mate ---- */

enum certificate_outcome certificate_build(struct worker *worker, struct orientation orientation, enum outcome verdict,
                                           code bound, struct certificate *certificate) {
    struct position start = *worker_position(worker);
    struct builder b = {.worker = worker, .attacker = worker_search(worker)->attacker, .orientation = orientation};
    struct certificate_header header = {.kind = verdict == PROVED ? KIND_MATE : KIND_NO_MATE};
    if (builder_open(&b)) {
        put_first(&b, &start);
        if (verdict == PROVED)
            (void)put_mate(&b, code_plies(bound), &header.plies);
        else
            (void)put_escapes(&b);
    }
    *worker_position(worker) = start;
    return builder_finish(&b, &header, certificate);
}

/* ---- About a main line ---- */

/* The position, the line, and the mate along it. */
static bool put_line(struct builder *b, int *plies) {
    const struct played_line *line = b->line->played;
    put_first(b, &line->positions[0]);
    put_number(&b->payload, line->length);
    for (size_t i = 0; i < line->length; i++)
        put_word(&b->payload, builder_word(b, line->moves[i]));
    return put_line_mate(b, plies);
}

static void put_equal_variations(struct builder *b) {
    const struct certified_line *line = b->line;
    size_t count = 0;
    for (size_t i = 0; i < line->judged_count; i++)
        count += line->judged[i].fate == FATE_EQUAL;
    put_number(&b->payload, count);
    for (size_t i = 0; i < line->judged_count; i++)
        if (line->judged[i].fate == FATE_EQUAL) {
            put_number(&b->payload, line->judged[i].turn);
            put_word(&b->payload, builder_word(b, line->judged[i].move));
        }
}

/* What the checker will make of the line. */
static int verdict_of(const struct certified_line *line) {
    enum { SOUND, BLEMISHED, LEFTOVER };
    const struct played_line *played = line->played;
    if (played->positions[played->length].hand[played->attacker] != HAND_EMPTY)
        return LEFTOVER;
    for (size_t i = 0; i < line->judged_count; i++)
        if (line->judged[i].fate > FATE_REPEATS)
            return BLEMISHED;
    return SOUND;
}

enum certificate_outcome certificate_build_sound(const struct certified_line *line, struct certificate *certificate) {
    struct builder b = {.line = line, .attacker = line->played->attacker, .orientation = line->orientation};
    struct certificate_header header = {.kind = KIND_SOUND, .verdict = verdict_of(line)};
    if (builder_open(&b) && put_line(&b, &header.plies)) {
        put_equal_variations(&b);
        (void)put_alternatives(&b);
    }
    return builder_finish(&b, &header, certificate);
}

enum certificate_outcome certificate_build_cook(const struct certified_line *line, size_t turn, move cook,
                                                struct certificate *certificate) {
    struct builder b = {.line = line, .attacker = line->played->attacker, .orientation = line->orientation};
    struct certificate_header header = {.kind = KIND_COOK};
    if (builder_open(&b) && put_line(&b, &header.plies)) {
        put_number(&b.payload, turn);
        (void)put_cook(&b, turn, cook);
    }
    return builder_finish(&b, &header, certificate);
}

/* ---- In words ---- */

const char *certificate_outcome_text(enum certificate_outcome outcome) {
    switch (outcome) {
    case CERTIFICATE_STOPPED:
        return _("a limit was reached while the certificate was built");
    case CERTIFICATE_TOO_LONG:
        return _("the certificate would be longer than its format allows");
    case CERTIFICATE_BROKEN:
        return _("internal error: what was decided does not hold when asked again");
    case CERTIFICATE_NO_MEMORY:
        return _("out of memory while the certificate was built");
    case CERTIFICATE_BUILT:
        break;
    }
    return NULL;
}

uint64_t certificate_nodes(uint64_t nodes) {
    enum { LEAST_NODES = 20000000, TIMES = 4 };
    return nodes * TIMES > LEAST_NODES ? nodes * TIMES : LEAST_NODES;
}
