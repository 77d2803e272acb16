/* fuzz_certificate.c: any bytes as a certificate, and any payload inside a file that is otherwise right. */
#include "solver/verify.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 40, CHECKSUM_AT = 32 };

static void require(int condition) {
    if (!condition)
        abort();
}

static void judge(const uint8_t *bytes, size_t size) {
    struct verify_report report;
    char line[VERIFY_LINE_SIZE];
    verify_certificate(bytes, size, &report);
    verify_line(&report, line);
    require(verify_holds(&report) ? report.message[0] == '\0' && report.sfen[0] != '\0' : report.message[0] != '\0');
}

static void set_number(uint8_t *bytes, uint64_t number, int length) {
    for (int i = 0; i < length; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

/* A file with the right checksum around this; the first bytes go into the header: kind and verdict, plies, numbered positions. */
static void judge_payload(const uint8_t *data, size_t size) {
    enum { TAKEN = 3 };
    if (size < TAKEN)
        return;
    size_t room = HEADER + ZSTD_compressBound(size);
    uint8_t *bytes = calloc(1, room), *covered = malloc(room);
    require(bytes && covered);
    memcpy(bytes, "TSUMECERT", 9);
    bytes[10] = (uint8_t)(1 + data[0] % 4);
    bytes[9] = bytes[10] <= 2 ? 1 : 2;
    bytes[11] = bytes[10] == 3 ? data[0] / 4 % 3 : 0;
    set_number(bytes + 12, data[1], 4);
    set_number(bytes + 16, size - TAKEN, 8);
    set_number(bytes + 24, data[2], 8);
    size_t length = ZSTD_compress(bytes + HEADER, room - HEADER, data + TAKEN, size - TAKEN, 1);
    require(!ZSTD_isError(length));
    memcpy(covered, bytes, CHECKSUM_AT);
    memcpy(covered + CHECKSUM_AT, bytes + HEADER, length);
    set_number(bytes + CHECKSUM_AT, XXH3_64bits(covered, CHECKSUM_AT + length), 8);
    judge(bytes, HEADER + length);
    free(covered);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    judge(data, size);
    judge_payload(data, size);
    return 0;
}
