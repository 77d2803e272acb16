/* usi_main.c: `tsume-usi`: `tsume usi` as a program of its own, since shogi programs start engines without arguments. */
#include "program.h"
#include "program_language.h"

int main(int argc, char **argv) {
    language_begin(&argc, argv);
    return cmd_usi(argc, argv);
}
