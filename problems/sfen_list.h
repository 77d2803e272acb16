/* sfen_list.h: lists of problems in SFEN, one a line.
 *
 *     [position] [sfen] SFEN [moves MOVE…] | [position] startpos [moves MOVE…]
 *
 * Columns are parted by tabs: position, id, then any: a number in the third is the length of the solution in plies, a
 * column that begins with a USI move is the solution, others are remarks: "key：value" is a header as in KIF, all else a
 * note (備考), and - is nothing. Blank lines and lines that begin with # are skipped. */
#ifndef TSUME_PROBLEMS_SFEN_LIST_H
#define TSUME_PROBLEMS_SFEN_LIST_H

#include "problems/reading.h"

/* Does the line look like an entry of such a list, well formed or not? */
bool sfen_list_recognizes(const char *line);

/* Is this column, behind that of the solution, read as this header and no other? */
bool sfen_list_reads_remark(const char *column, const char *key, const char *value);

/* The next problem; NULL at the end of the text, before a line that belongs to a record (KIF, BOD), or when memory is short. */
struct tsume_problem *sfen_list_next(struct reading *reading);

#endif
