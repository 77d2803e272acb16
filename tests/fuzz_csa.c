/* fuzz_csa.c: games of CSA. */
#include "tests/fuzz_problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read("fuzz.csa", data, size);
    return 0;
}
