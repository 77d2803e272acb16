/* certificate_file.c: see certificate_file.h. */
#include "solver/certificate_file.h"

#include "rules/sfen.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum {
    HEADER_SIZE = 40,
    CHECKSUM_AT = 32,
    MOST_EXPANSION = 64, /* bytes of the payload for each compressed one */
    FIRST_DROP = 81,
    COMPRESSION = 12, /* of zstd's 1–19: beyond it files shrink by a few per cent, at many times the time */
};
static const uint64_t MOST_PAYLOAD = UINT64_C(1) << 32;

/* ---- Words ---- */

static unsigned word_square(int sq) {
    return (unsigned)(square_rank(sq) * FILES + FILES - 1 - square_file(sq));
}

unsigned move_word(move m) {
    unsigned from = move_is_drop(m) ? (unsigned)(FIRST_DROP + move_kind(m)) : word_square(move_from(m));
    return word_square(move_to(m)) | from << 7 | (unsigned)move_promotes(m) << 14;
}

static int by_word(const void *a, const void *b) {
    unsigned x = move_word(*(const move *)a), y = move_word(*(const move *)b);
    return (x > y) - (x < y);
}

void sort_by_word(move *moves, int count) {
    qsort(moves, (size_t)count, sizeof *moves, by_word);
}

/* ---- The payload ---- */

void put_byte(struct payload *p, unsigned byte) {
    if (p->length == p->room && !p->failed) {
        size_t more = p->room ? p->room * 2 : 4096;
        unsigned char *grown = realloc(p->bytes, more);
        p->failed = !grown;
        if (grown) {
            p->bytes = grown;
            p->room = more;
        }
    }
    if (!p->failed)
        p->bytes[p->length++] = (unsigned char)byte;
}

void put_word(struct payload *p, unsigned word) {
    put_byte(p, word & 255);
    put_byte(p, word >> 8 & 255);
}

void put_number(struct payload *p, uint64_t number) {
    for (; number >= 128; number >>= 7)
        put_byte(p, (unsigned)(number & 127) | 128);
    put_byte(p, (unsigned)number);
}

void put_start(struct payload *p, const struct position *start, enum color attacker) {
    char sfen[SFEN_SIZE];
    position_to_sfen(start, sfen);
    size_t length = strlen(sfen);
    put_byte(p, attacker == BLACK ? 0 : 1);
    put_byte(p, (unsigned)length);
    for (size_t i = 0; i < length; i++)
        put_byte(p, (unsigned char)sfen[i]);
}

/* ---- The file ---- */

static void set_number(unsigned char *bytes, uint64_t number, int length) {
    for (int i = 0; i < length; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

static void set_header(unsigned char *bytes, const struct payload *p, const struct certificate_header *header) {
    memset(bytes, 0, HEADER_SIZE);
    memcpy(bytes, "TSUMECERT", 9);
    bytes[9] = header->kind <= KIND_NO_MATE ? 1 : 2; /* the version */
    bytes[10] = (unsigned char)header->kind;
    bytes[11] = (unsigned char)header->verdict;
    set_number(bytes + 12, (uint64_t)header->plies, 4);
    set_number(bytes + 16, p->length, 8);
    set_number(bytes + 24, header->numbered, 8);
}

static bool set_checksum(unsigned char *bytes, size_t size) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return false;
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, bytes, CHECKSUM_AT);
    XXH3_64bits_update(state, bytes + HEADER_SIZE, size - HEADER_SIZE);
    set_number(bytes + CHECKSUM_AT, XXH3_64bits_digest(state), 8);
    XXH3_freeState(state);
    return true;
}

enum certificate_outcome wrap_payload(const struct payload *p, const struct certificate_header *header,
                                      struct certificate *certificate) {
    if (p->failed)
        return CERTIFICATE_NO_MEMORY;
    if (p->length > MOST_PAYLOAD || header->numbered > MOST_NUMBERED)
        return CERTIFICATE_TOO_LONG;
    size_t room = HEADER_SIZE + ZSTD_compressBound(p->length);
    unsigned char *bytes = malloc(room);
    if (!bytes)
        return CERTIFICATE_NO_MEMORY;
    set_header(bytes, p, header);
    size_t length = ZSTD_compress(bytes + HEADER_SIZE, room - HEADER_SIZE, p->bytes, p->length, COMPRESSION);
    bool small = !ZSTD_isError(length) && length * MOST_EXPANSION < p->length;
    if (ZSTD_isError(length) || small || !set_checksum(bytes, HEADER_SIZE + length)) {
        free(bytes);
        return small ? CERTIFICATE_TOO_LONG : CERTIFICATE_NO_MEMORY;
    }
    unsigned char *fitted = realloc(bytes, HEADER_SIZE + length);
    if (fitted)
        bytes = fitted;
    certificate->bytes = bytes;
    certificate->size = HEADER_SIZE + length;
    certificate->plies = header->plies;
    return CERTIFICATE_BUILT;
}
