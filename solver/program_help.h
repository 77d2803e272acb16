/* program_help.h: command lines by argp, with help in the language of the user. */
#ifndef TSUME_PROGRAM_HELP_H
#define TSUME_PROGRAM_HELP_H

#include <argp.h>

/* argp_parse with what all commands have in common: --help, --usage, --version and --lang. argp fills lines by counting bytes and breaks them at
 * blanks; so that other languages have their due, lines of help are filled here, by columns, and Japanese is parted between any two characters
 * that may be. The parser has eight children at most. */
error_t help_parse(int argc, char **argv, const struct argp *argp, void *input);

#endif
