/* fuzz_ki2.c: records whose moves have no origins. */
#include "tests/fuzz_problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read("fuzz.ki2", data, size);
    return 0;
}
