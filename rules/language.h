/* language.h: messages for people, in their language.
 *
 * The messages in the source are English; catalogues of translations (solver/po/) are found by GNU gettext in the domain "tsume". The
 * library only looks up: which language that is, and where the catalogues are, the program says (setlocale, bindtextdomain), and without
 * that all stays English. What is looked up lives as long as the process. Thread safe. */
#ifndef TSUME_RULES_LANGUAGE_H
#define TSUME_RULES_LANGUAGE_H

#include <libintl.h>

/* The message in the language of the user. */
#define _(text) dgettext("tsume", text)
/* The same of a message that depends on a number: `one` and `many` are the English forms. */
#define Q_(one, many, number) dngettext("tsume", one, many, (unsigned long)(number))
/* A message that is only looked up later, as in tables. */
#define N_(text) text

#endif
