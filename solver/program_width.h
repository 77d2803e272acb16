/* program_width.h: how much room text takes on a terminal. */
#ifndef TSUME_PROGRAM_WIDTH_H
#define TSUME_PROGRAM_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the character (UTF-8) at the beginning of the text takes; 0 at its end. */
size_t char_length(const char *text);
/* Does the character at the beginning of the text take two columns of a terminal, as those of East Asia do? */
bool char_is_wide(const char *text);
/* How many columns of a terminal the text takes. */
int text_width(const char *text);

#endif
