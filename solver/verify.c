/* verify.c: see verify.h; the format is in certificate.h. */
#include "solver/verify.h"

#include "solver/verify_language.h"
#include "solver/verify_main_line.h"
#include "solver/verify_proofs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    HEADER_SIZE = 40,
    VERSION_AT = 9,
    KIND_AT = 10,
    VERDICT_AT = 11,
    CHECKSUM_AT = 32,
    KIND_MATE = 1,
    KIND_NO_MATE = 2,
    KIND_SOUND = 3,
    KIND_COOK = 4,
    MOST_EXPANSION = 64, /* bytes of the payload for each compressed one: a small file cannot ask for much memory */
    LEAST_NUMBERED = 2,  /* bytes of the payload for each numbered position */
    MOST_NUMBERED = 1 << 24,
};

static const char MAGIC[] = "TSUMECERT";
static const uint64_t MOST_PAYLOAD = UINT64_C(1) << 32;

/* ---- The file ---- */

static uint64_t number_at(const unsigned char *bytes, int length) {
    uint64_t number = 0;
    for (int i = length - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

static uint64_t checksum_of(const unsigned char *bytes, size_t size) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return 0;
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, bytes, CHECKSUM_AT);
    XXH3_64bits_update(state, bytes + HEADER_SIZE, size - HEADER_SIZE);
    uint64_t sum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return sum;
}

/* Version 1 knows mate and no mate, version 2 the rest. */
static bool check_kind(struct checker *c, const unsigned char *bytes) {
    unsigned version = bytes[VERSION_AT], kind = bytes[KIND_AT], verdict = bytes[VERDICT_AT];
    if (version == 1 ? kind != KIND_MATE && kind != KIND_NO_MATE : kind != KIND_SOUND && kind != KIND_COOK)
        return verify_fail(c, VERIFY_WRONG, _("kind %u of certificate is not known here in version %u"), kind, version);
    if (verdict > (kind == KIND_SOUND ? VERIFY_LEFTOVER - VERIFY_SOUND : 0))
        return verify_fail(c, VERIFY_WRONG, _("verdict %u is not known here"), verdict);
    return true;
}

/* Does the header announce no more than so many bytes can hold? */
static bool check_lengths(struct checker *c, const unsigned char *bytes, size_t size) {
    c->length = number_at(bytes + 16, 8);
    c->announced = number_at(bytes + 24, 8);
    if (c->length > MOST_PAYLOAD || c->length > (uint64_t)(size - HEADER_SIZE) * MOST_EXPANSION)
        return verify_fail(c, VERIFY_WRONG, _("the payload is too long"));
    if (c->announced > MOST_NUMBERED || c->announced > c->length / LEAST_NUMBERED)
        return verify_fail(c, VERIFY_WRONG, _("%llu numbered positions are more than the payload can hold"),
                           (unsigned long long)c->announced);
    return true;
}

static bool check_header(struct checker *c, const unsigned char *bytes, size_t size) {
    if (size < HEADER_SIZE || memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
        return verify_fail(c, VERIFY_WRONG, _("this is no certificate"));
    if (bytes[VERSION_AT] > 2 || bytes[VERSION_AT] == 0)
        return verify_fail(c, VERIFY_WRONG, _("version %u of the format is not known here"), bytes[VERSION_AT]);
    if (checksum_of(bytes, size) != number_at(bytes + CHECKSUM_AT, 8))
        return verify_fail(c, VERIFY_WRONG, _("the checksum is wrong: the file is damaged"));
    return check_kind(c, bytes) && check_lengths(c, bytes, size);
}

/* Reads who attacks and the first position. */
static bool read_first(struct checker *c, struct vr_position *first) {
    unsigned attacker, length, byte = 0;
    char text[256] = "";
    if (!read_byte(c, &attacker) || !read_byte(c, &length))
        return false;
    for (unsigned i = 0; i < length; i++) {
        if (!read_byte(c, &byte))
            return false;
        text[i] = (char)byte;
    }
    if (attacker > 1 || strlen(text) != length || vr_read_sfen(text, first) != length)
        return verify_fail(c, VERIFY_WRONG, _("the first position cannot be read"));
    const char *fault = vr_position_fault(first);
    if (fault)
        return verify_fail(c, VERIFY_WRONG, _("the first position is not legal: %s"), fault);
    c->attacker = (enum vr_color)attacker;
    c->report->attacker = "bw"[attacker];
    memcpy(c->report->sfen, text, length + 1);
    struct vr_square king;
    if (!vr_find_king(first, vr_other(c->attacker), &king))
        return verify_fail(c, VERIFY_WRONG, _("the defender has no king"));
    if (first->side != (int8_t)attacker && !vr_in_check(first))
        return verify_fail(c, VERIFY_WRONG, _("the defender is to move, but not in check"));
    return true;
}

/* Reads a mate, along the main line if there is one. */
static bool check_mate(struct checker *c, const struct vr_position *first, uint32_t bound) {
    uint32_t plies = 0;
    if (!read_mate(c, first, &plies))
        return false;
    if (plies != bound)
        return verify_fail(c, VERIFY_WRONG, _("the moves mate in at most %u plies, the header says %u"), plies, bound);
    c->report->plies = plies;
    return true;
}

static bool check_no_mate(struct checker *c, const struct vr_position *first, uint32_t bound) {
    if (bound != 0)
        return verify_fail(c, VERIFY_WRONG, _("a bound of %u plies where there is no mate"), bound);
    return read_escapes(c, first);
}

/* What the alternatives make of the problem. */
static enum verify_result judge_line(const struct verify_report *r) {
    if (r->leftover > 0)
        return VERIFY_LEFTOVER;
    bool spotless = r->final_duals + r->promotion_choices + r->square_choices + r->returns + r->equal_variations == 0;
    return spotless ? VERIFY_SOUND : VERIFY_BLEMISHED;
}

static bool check_sound(struct checker *c, const struct vr_position *first, uint32_t bound, unsigned verdict) {
    return read_line(c, first) && check_mate(c, first, bound) && read_alternatives(c) &&
           (judge_line(c->report) == VERIFY_SOUND + verdict ||
            verify_fail(c, VERIFY_WRONG, _("the header says another verdict than what follows")));
}

static bool check_cook(struct checker *c, const struct vr_position *first, uint32_t bound) {
    return read_line(c, first) && check_mate(c, first, bound) && read_cook_of_line(c);
}

static bool check_proof(struct checker *c, const struct vr_position *first, const unsigned char *bytes) {
    uint32_t bound = (uint32_t)number_at(bytes + 12, 4);
    switch (bytes[KIND_AT]) {
    case KIND_MATE:
        return check_mate(c, first, bound);
    case KIND_NO_MATE:
        return check_no_mate(c, first, bound);
    case KIND_SOUND:
        return check_sound(c, first, bound, bytes[VERDICT_AT]);
    default:
        return check_cook(c, first, bound);
    }
}

static enum verify_result result_of(const unsigned char *bytes) {
    switch (bytes[KIND_AT]) {
    case KIND_MATE:
        return VERIFY_MATE;
    case KIND_NO_MATE:
        return VERIFY_NO_MATE;
    case KIND_SOUND:
        return (enum verify_result)(VERIFY_SOUND + bytes[VERDICT_AT]);
    default:
        return VERIFY_COOK;
    }
}

static bool check_all(struct checker *c, const unsigned char *bytes) {
    struct vr_position first;
    if (!read_first(c, &first) || !check_proof(c, &first, bytes))
        return false;
    if (c->announced != c->numbered)
        return verify_fail(c, VERIFY_WRONG, _("%llu numbered positions, the header says %llu"),
                           (unsigned long long)c->numbered, (unsigned long long)c->announced);
    if (!read_end(c))
        return false;
    c->report->result = result_of(bytes);
    return true;
}

void verify_certificate(const void *bytes, size_t size, struct verify_report *report) {
    struct checker c = {.report = report};
    memset(report, 0, sizeof *report);
    report->result = VERIFY_WRONG;
    if (check_header(&c, bytes, size)) {
        if (payload_open(&c, (const unsigned char *)bytes + HEADER_SIZE, size - HEADER_SIZE))
            (void)check_all(&c, bytes);
        payload_close(&c);
    }
    free(c.known);
    free(c.levels);
    free(c.answers);
    free(c.line.moves);
    free(c.line.positions);
    free(c.line.sorted);
}

/* The whole file, malloc'd; NULL with errno set when it cannot be read. */
static unsigned char *read_whole(FILE *file, size_t *size) {
    size_t room = 1 << 16;
    unsigned char *bytes = malloc(room);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, room - *size, file);
        if (*size < room)
            break;
        unsigned char *grown = realloc(bytes, room *= 2);
        if (!grown)
            free(bytes);
        bytes = grown;
    }
    if (bytes && ferror(file)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

void verify_file(const char *path, struct verify_report *report) {
    size_t size = 0;
    unsigned char *bytes = NULL;
    FILE *file = fopen(path, "rb");
    if (file)
        bytes = read_whole(file, &size);
    int error = errno;
    if (file)
        fclose(file);
    if (bytes) {
        verify_certificate(bytes, size, report);
    } else {
        memset(report, 0, sizeof *report);
        report->result = VERIFY_UNREADABLE;
        snprintf(report->message, sizeof report->message, "%s", strerror(error));
    }
    free(bytes);
}

/* ---- The report in words ---- */

bool verify_holds(const struct verify_report *report) {
    return report->result != VERIFY_WRONG && report->result != VERIFY_UNREADABLE;
}

enum { BLEMISHES_SIZE = 512 };

/* The blemishes, and what is left undecided: each kind that there is with its count. */
static void write_blemishes(const struct verify_report *r, char text[BLEMISHES_SIZE]) {
    const struct {
        const char *text;
        unsigned count;
    } kinds[] = {
        {N_(", %u final-dual"), r->final_duals},           {N_(", %u promotion-choice"), r->promotion_choices},
        {N_(", %u square-choice"), r->square_choices},     {N_(", %u detour or transposition"), r->returns},
        {N_(", %u equal-variation"), r->equal_variations}, {N_(", %u undecided"), r->undecided},
    };
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].count > 0)
            length += (size_t)snprintf(text + length, BLEMISHES_SIZE - length, _(kinds[i].text), kinds[i].count);
}

void verify_line(const struct verify_report *report, char line[VERIFY_LINE_SIZE]) {
    char blemishes[BLEMISHES_SIZE];
    write_blemishes(report, blemishes);
    switch (report->result) {
    case VERIFY_MATE:
        snprintf(line, VERIFY_LINE_SIZE, _("verified: mate in at most %u: %s"), report->plies, report->sfen);
        break;
    case VERIFY_NO_MATE:
        snprintf(line, VERIFY_LINE_SIZE, _("verified: no mate: %s"), report->sfen);
        break;
    case VERIFY_SOUND:
        snprintf(line, VERIFY_LINE_SIZE, _("verified: sound, mate in at most %u: %s"), report->plies, report->sfen);
        break;
    case VERIFY_BLEMISHED:
        snprintf(line, VERIFY_LINE_SIZE, _("verified: blemished, mate in at most %u%s: %s"), report->plies, blemishes,
                 report->sfen);
        break;
    case VERIFY_LEFTOVER:
        snprintf(line, VERIFY_LINE_SIZE, _("verified: unsound, mate in at most %u, %u left over%s: %s"), report->plies,
                 report->leftover, blemishes, report->sfen);
        break;
    case VERIFY_COOK:
        snprintf(line, VERIFY_LINE_SIZE,
                 _("verified: unsound, mate in at most %u, cook %s at ply %u mates in at most %u: %s"), report->plies,
                 report->cook, report->cook_ply, report->cook_plies, report->sfen);
        break;
    case VERIFY_WRONG:
        snprintf(line, VERIFY_LINE_SIZE, _("wrong: %s"), report->message);
        break;
    case VERIFY_UNREADABLE:
        snprintf(line, VERIFY_LINE_SIZE, _("cannot be read: %s"), report->message);
        break;
    }
}
