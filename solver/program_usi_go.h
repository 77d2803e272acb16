/* program_usi_go.h: what a `go` of the USI protocol asks for. */
#ifndef TSUME_PROGRAM_USI_GO_H
#define TSUME_PROGRAM_USI_GO_H

#include <stdbool.h>
#include <stdint.h>

struct usi_go {
    bool mate;      /* the answer is `checkmate`, else `bestmove` */
    bool ponder;    /* neither answer nor clock before `ponderhit` */
    bool infinite;  /* no answer before `stop` */
    double seconds; /* that may be spent; 0: no limit */
    uint64_t nodes; /* 0: no limit */
    int plies;      /* mates of no more plies are looked for; 0: of any length */
};

/* Reads what follows `go` (or `ponderhit`, for its clocks), for the side to move, 'b' or 'w'. Returns the first word that is not
 * understood and was passed over, NULL if there is none. The text is cut up. */
const char *usi_go_read(struct usi_go *go, char *text, char side);

#endif
