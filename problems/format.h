/* format.h: the formats of problem files, and how one is told from another: by content first, by name second. */
#ifndef TSUME_PROBLEMS_FORMAT_H
#define TSUME_PROBLEMS_FORMAT_H

#include <stdbool.h>

/* KIF, KI2 and BOD share their words and their reader; what is written differs. */
enum format {
    FORMAT_UNKNOWN,
    FORMAT_SFEN, /* a list, see sfen_list.h */
    FORMAT_KIF,  /* a record with origins of moves, see kif.h */
    FORMAT_KI2,  /* a record as in newspapers */
    FORMAT_BOD,  /* a diagram */
    FORMAT_CSA,  /* see csa.h */
    FORMAT_JKF,  /* JSON, see jkf.h */
    FORMATS
};

/* The format of a name's ending (.sfen, .tsv, .kif, .kifu, .ki2, .ki2u, .bod, .csa, .jkf); FORMAT_UNKNOWN if it has
 * none of them. */
enum format format_of_name(const char *name);

/* The format that a line belongs to beyond doubt; FORMAT_KIF stands for KI2 and BOD too. FORMAT_UNKNOWN if the line
 * does not tell. */
enum format format_of_line(const char *line);
/* Does the line belong to a format that another reader reads? */
bool format_changes(enum format mine, const char *line);

#endif
