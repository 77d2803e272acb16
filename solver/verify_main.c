/* verify_main.c: `tsume-verify FILE...`: the checker of certificates and nothing else. */
#include "solver/program_language.h"
#include "solver/verify.h"
#include "solver/verify_language.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int status = 0;
    language_begin(&argc, argv);
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(_("Usage: tsume-verify FILE...\n"
                "Checks certificates of mate, of no mate and of soundness.\n"
                "Exit status: 0 all verified; 3 some are not; 2 bad usage.\n"),
              argc < 2 ? stderr : stdout);
        return argc < 2 ? 2 : 0;
    }
    for (int i = 1; i < argc; i++) {
        struct verify_report report;
        char line[VERIFY_LINE_SIZE];
        verify_file(argv[i], &report);
        verify_line(&report, line);
        printf("%s: %s\n", argv[i], line);
        if (!verify_holds(&report))
            status = 3;
    }
    return fflush(stdout) == 0 ? status : 4;
}
