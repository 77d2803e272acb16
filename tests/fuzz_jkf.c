/* fuzz_jkf.c: records in JSON. */
#include "tests/fuzz_problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read("fuzz.jkf", data, size);
    return 0;
}
