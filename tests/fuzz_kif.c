/* fuzz_kif.c: records and diagrams. */
#include "tests/fuzz_problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read("fuzz.kif", data, size);
    return 0;
}
