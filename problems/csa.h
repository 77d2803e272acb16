/* csa.h: records in the format of the Computer Shogi Association, V1 to V3.
 *
 *     V2.2
 *     N+Name of Black                       ← and N-
 *     $EVENT:Name                           ← headers
 *     P1-KY-KE *  *  *  * -OU-KE-KY         ← nine ranks; or PI, the opening position, less the pieces named behind it
 *     P+00KI00FU                            ← more pieces, on squares or (00) in hand; AL: all that are nowhere else
 *     P-00AL
 *     +                                     ← who moves first
 *     +0022KI
 *     T12                                   ← seconds; a fraction since V3
 *     'a comment                            ← of the move before it; '* since V3, where others are not meant to be read
 *     %TSUMI
 *     /                                     ← between games
 *
 * Several statements may share a line, parted by commas. There are no variations. */
#ifndef TSUME_PROBLEMS_CSA_H
#define TSUME_PROBLEMS_CSA_H

#include "problems/reading.h"

/* Does the line belong to such a record beyond doubt? */
bool csa_recognizes(const char *line);

/* The next problem; NULL at the end of the text, before a line of another format, or when memory is short. */
struct tsume_problem *csa_next(struct reading *reading);

/* The header of KIF that one of CSA's stands for (EVENT: 棋戦) and the other way; the key itself where there is none. */
const char *csa_header_to_kif(const char *key);
const char *csa_header_of_kif(const char *key);

#endif
