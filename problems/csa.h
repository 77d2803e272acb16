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

/* Is this line, before the position, read as this header (in the words of KIF) and no other? */
bool csa_reads_header(const char *line, const char *key, const char *value);

/* The next problem; NULL at the end of the text, before a line of another format, or when memory is short. */
struct tsume_problem *csa_next(struct reading *reading);

/* What CSA calls a header of KIF (棋戦: EVENT); the key itself where it has no name for it. */
const char *csa_header_of_kif(const char *key);

#endif
