/* fuzz_sfen.c: the SFEN parser, and lists of SFEN. */
#include "rules/sfen.h"

#include "tests/fuzz_problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read, written and read again is the same. */
static void check_round_trip(const char *text) {
    struct setup first, second;
    struct sfen_error error;
    char written[SFEN_SIZE];
    size_t length = sfen_parse(text, &first, &error);
    fuzz_require(length > 0 ? length <= strlen(text) : error.column <= strlen(text) && error.message[0]);
    if (length == 0)
        return;
    if (setup_fault(&first, NULL, NULL) != FAULT_NONE)
        return; /* more pieces than SFEN_SIZE allows for */
    sfen_write(&first, written);
    fuzz_require(sfen_parse(written, &second, &error) == strlen(written));
    fuzz_require(memcmp(first.board, second.board, sizeof first.board) == 0);
    fuzz_require(memcmp(first.hand, second.hand, sizeof first.hand) == 0);
    fuzz_require(first.side == second.side && first.move_number == second.move_number);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    check_round_trip(text);
    free(text);
    fuzz_read("fuzz.sfen", data, size);
    return 0;
}
