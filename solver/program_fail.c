#include "program.h"

#include "rules/language.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Noreturn void program_fail(int error, const char *message) {
    if (error)
        fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, message, strerror(error));
    else
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, message);
    _exit(STATUS_FAILED);
}

void *program_must(void *memory) {
    if (!memory)
        program_fail(0, _("out of memory"));
    return memory;
}
