/* verify_language.h: messages of the checker in the language of the user, as rules/language.h has them for all others. */
#ifndef TSUME_SOLVER_VERIFY_LANGUAGE_H
#define TSUME_SOLVER_VERIFY_LANGUAGE_H

#include <libintl.h>

#define _(text) dgettext("tsume", text)
#define Q_(one, many, number) dngettext("tsume", one, many, (unsigned long)(number))
#define N_(text) text

#endif
