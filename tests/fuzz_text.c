/* fuzz_text.c: bytes of any encoding, as lines and as a file whose name tells nothing. */
#include "problems/text.h"

#include "tests/fuzz_problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_line(const struct text_line *line, long number) {
    fuzz_require(line->number == number);
    fuzz_require(strlen(line->bytes) == line->length && !strpbrk(line->bytes, "\r\n"));
    long columns = text_column(line->bytes, line->length);
    fuzz_require(line->fault == TEXT_FINE || (line->fault_column > 0 && line->fault_column <= columns));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct text *text = text_from_memory(data, size);
    fuzz_require(text != NULL);
    struct text_line line, again;
    for (long number = 1; text_next(text, &line); number++) {
        check_line(&line, number);
        text_unread(text);
        fuzz_require(text_next(text, &again) && again.number == number && again.bytes == line.bytes);
    }
    fuzz_require(text_error(text) == 0 && text_bytes_read(text) == size);
    text_close(text);
    fuzz_read("fuzz", data, size);
    return 0;
}
