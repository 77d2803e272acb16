/* handicap.h: the opening position and those of games at a handicap, which records name instead of showing them. */
#ifndef TSUME_PROBLEMS_HANDICAP_H
#define TSUME_PROBLEMS_HANDICAP_H

#include "rules/position.h"

/* What KIF and JKF call it; White's first two ranks as in SFEN. */
struct handicap {
    const char *kif, *jkf, *ranks;
};
enum { HANDICAPS = 17 };
/* The first one is the opening position, where Black moves. */
extern const struct handicap handicaps[HANDICAPS];

/* Sets the setup to the position of handicaps[i]. */
void handicap_setup(int i, struct setup *setup);
/* Which one the setup is, whatever its move number; −1 if it is none. */
int handicap_of(const struct setup *setup);

#endif
