/* program_language.h: the language that the program speaks: which one, and where its catalogue is. What is said in it, is looked up with
 * rules/language.h.
 *
 * Text is UTF-8 and numbers have a decimal point in every language. */
#ifndef TSUME_PROGRAM_LANGUAGE_H
#define TSUME_PROGRAM_LANGUAGE_H

#include <stdbool.h>

/* Chooses the language by `--lang LANG`, wherever it stands on the command line before a `--`, which is taken out of it; else by the
 * environment, where a locale counts that the machine does not have, too. Ends the process with status 2 where there is no such
 * language. To be called first, while there is but one thread. */
void language_begin(int *argc, char **argv);

/* Speaks this language from now on: "ja", or "ja_JP.UTF-8", which is the same. False if there is no catalogue for it, and then nothing has
 * changed. While there is but one thread. */
bool language_choose(const char *name);
/* The languages that there are, parted by spaces: "en ja ru". malloc'd; NULL when memory is short. */
char *language_list(void);
/* Has the calling thread speak English, or the language chosen again. For what programs read. */
void language_english(bool english);

#endif
