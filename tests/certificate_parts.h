/* certificate_parts.h: certificates taken apart, altered, and put together again, for tests. */
#ifndef TSUME_TESTS_CERTIFICATE_PARTS_H
#define TSUME_TESTS_CERTIFICATE_PARTS_H

#include "solver/verify.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum {
    HEADER = 40,
    VERSION_AT = 9,
    KIND_AT = 10,
    VERDICT_AT = 11,
    PLIES_AT = 12,
    LENGTH_AT = 16,
    NUMBERED_AT = 24,
    CHECKSUM_AT = 32,
    MARK = 1 << 15,
};

/* A certificate taken apart. */
struct parts {
    unsigned char header[HEADER];
    unsigned char *payload; /* with room for more */
    size_t length;
};

static inline uint64_t number_at(const unsigned char *bytes, int length) {
    uint64_t number = 0;
    for (int i = length - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

static inline void set_number(unsigned char *bytes, uint64_t number, int length) {
    for (int i = 0; i < length; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

static inline struct parts take_apart(const unsigned char *bytes, size_t size) {
    struct parts parts = {.length = (size_t)number_at(bytes + LENGTH_AT, 8)};
    memcpy(parts.header, bytes, HEADER);
    parts.payload = malloc(parts.length + 64);
    cr_assert_not_null(parts.payload);
    cr_assert_eq(ZSTD_decompress(parts.payload, parts.length, bytes + HEADER, size - HEADER), parts.length);
    return parts;
}

static inline void set_checksum(unsigned char *bytes, size_t size) {
    unsigned char *covered = malloc(size);
    cr_assert_not_null(covered);
    memcpy(covered, bytes, CHECKSUM_AT);
    memcpy(covered + CHECKSUM_AT, bytes + HEADER, size - HEADER);
    set_number(bytes + CHECKSUM_AT, XXH3_64bits(covered, CHECKSUM_AT + size - HEADER), 8);
    free(covered);
}

/* What the checker says of the parts put together again, with the right checksum. */
static inline struct verify_report judge_parts(const struct parts *parts) {
    size_t room = HEADER + ZSTD_compressBound(parts->length);
    unsigned char *bytes = malloc(room);
    cr_assert_not_null(bytes);
    memcpy(bytes, parts->header, HEADER);
    size_t size = HEADER + ZSTD_compress(bytes + HEADER, room - HEADER, parts->payload, parts->length, 1);
    set_checksum(bytes, size);
    struct verify_report report;
    verify_certificate(bytes, size, &report);
    free(bytes);
    return report;
}

/* Does the checker, once the length in the header is right, find fault with the parts, and with this? */
static inline void expect_fault(struct parts *parts, const char *fault) {
    set_number(parts->header + LENGTH_AT, parts->length, 8);
    struct verify_report report = judge_parts(parts);
    cr_expect(report.result == VERIFY_WRONG && strstr(report.message, fault), "expected '%s', found %d '%s'", fault,
              (int)report.result, report.message);
}

/* Where the first move begins. */
static inline size_t moves_at(const struct parts *parts) {
    return 2 + (size_t)parts->payload[1];
}

static inline void remove_bytes(struct parts *parts, size_t at, size_t count) {
    memmove(parts->payload + at, parts->payload + at + count, parts->length - at - count);
    parts->length -= count;
}

/* A word of a move: "5a5b", "7g7f+", "P*5e". */
static inline unsigned word(const char *usi) {
    static const char kinds[] = "PLNSBRG";
    unsigned to = (unsigned)((usi[3] - 'a') * 9 + '9' - usi[2]);
    if (usi[1] == '*')
        return to | (unsigned)(82 + (strchr(kinds, usi[0]) - kinds)) << 7;
    unsigned from = (unsigned)((usi[1] - 'a') * 9 + '9' - usi[0]);
    return to | from << 7 | (unsigned)(usi[4] == '+') << 14;
}

static inline void set_word(struct parts *parts, size_t at, unsigned value) {
    set_number(parts->payload + at, value, 2);
}

static inline unsigned word_at(const struct parts *parts, size_t at) {
    return (unsigned)number_at(parts->payload + at, 2);
}

/* Whatever byte is changed: where the checker still agrees, it must be another proof of the same. Tries about so many of the bits from
 * byte `first` on. */
static inline void change_bits(struct parts *parts, size_t first, size_t count) {
    struct verify_report right = judge_parts(parts);
    int accepted = 0, tried = 0;
    size_t step = 1 + (parts->length - first) * 8 / count; /* made odd, it meets every bit of a byte in turn */
    for (size_t i = first * 8; i < parts->length * 8; i += step | 1) {
        unsigned char bit = (unsigned char)(1 << i % 8);
        parts->payload[i / 8] ^= bit;
        struct verify_report report = judge_parts(parts);
        parts->payload[i / 8] ^= bit;
        tried++;
        if (report.result == VERIFY_WRONG)
            continue;
        accepted++;
        cr_expect(report.result == right.result && report.plies == right.plies, "bit %zu", i);
    }
    cr_expect(accepted < tried / 10, "%d of %d", accepted, tried);
}

#endif
