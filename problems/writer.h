/* writer.h: problems as text, in any of the formats. */
#ifndef TSUME_PROBLEMS_WRITER_H
#define TSUME_PROBLEMS_WRITER_H

#include "problems/format.h"
#include "problems/problem.h"

/* What of a problem a format has no place for. */
enum loss { LOST_MOVES = 1, LOST_VARIATIONS = 2, LOST_COMMENTS = 4, LOST_HEADERS = 8, LOST_ENDS = 16 };

enum encoding { ENCODING_UTF8, ENCODING_SHIFT_JIS };

struct writer_options {
    enum format format;
    enum encoding encoding;
    bool more; /* other problems stand before it in the file: what stands once in a file is left out */
};

/* The problem, which must not be invalid, as text, malloc'd; its length in bytes in *length; what was left out in
 * *lost, as bits. *replaced: how many characters the encoding does not have; 〓 stands for them. NULL when memory is
 * short. Thread safe. */
char *problem_text(const struct tsume_problem *problem, const struct writer_options *options, size_t *length,
                   unsigned *lost, size_t *replaced);

/* Can a file of this format hold several problems? */
bool format_holds_several(enum format format);
/* What stands between two problems of a file, to be written before each but the first; or after each. */
const char *format_separator(enum format format);
/* "sfen", "kif", "ki2", "bod", "csa", "jkf". */
const char *format_name(enum format format);
/* The ending of file names, with the dot: ".kif", or ".kifu" for UTF-8. */
const char *format_ending(enum format format, enum encoding encoding);

#endif
