/* kif.h: records in KIF, with or without moves, and diagrams in BOD, which are KIF's own way to write a position.
 *
 *     作品番号：12                        ← header; any number of them
 *     後手の持駒：飛　角　歩十六
 *       ９ ８ ７ ６ ５ ４ ３ ２ １
 *     +---------------------------+
 *     | ・ ・ ・ ・ ・ ・ 銀v桂v玉|一      ← nine rows
 *     +---------------------------+
 *     先手の持駒：金
 *     手数----指手---------消費時間--
 *        1 ２二金打   ( 0:00/00:00:00)
 *        2 詰み
 *
 * A text may hold many records: one begins where a header, a hand or a board comes after moves, or a second time. */
#ifndef TSUME_PROBLEMS_KIF_H
#define TSUME_PROBLEMS_KIF_H

#include "problems/reading.h"

/* Does the line belong to a record beyond doubt? */
bool kif_recognizes(const char *line);

/* Is this line, before the moves, read as this header and no other? */
bool kif_reads_header(const char *line, const char *key, const char *value);

/* The next problem; NULL at the end of the text, before a line that belongs to a list of SFEN, or when memory is short. */
struct tsume_problem *kif_next(struct reading *reading);

#endif
