/* writer.h: problems as text, in any of the formats. */
#ifndef TSUME_PROBLEMS_WRITER_H
#define TSUME_PROBLEMS_WRITER_H

#include "problems/format.h"
#include "problems/problem.h"

#include <stdio.h>

/* What of a problem a format has no place for. */
enum loss { LOST_MOVES = 1, LOST_VARIATIONS = 2, LOST_COMMENTS = 4, LOST_HEADERS = 8, LOST_ENDS = 16 };

enum encoding { ENCODING_UTF8, ENCODING_SHIFT_JIS };

struct writer_options {
    enum format format;
    enum encoding encoding;
    bool more; /* other problems stand before it in the file: what stands once in a file is left out */
};

/* The problem, which must not be invalid, as text, malloc'd; its length in bytes in *length; what was left out in *lost, as bits.
 * *replaced: how many characters the encoding does not have; 〓 stands for them. NULL when memory is short. Thread safe. */
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

/* ---- Private: the writers of the formats. Each writes one problem as UTF-8 and returns what it left out. ---------------------- */

struct writing {
    const struct tsume_problem *problem;
    const struct writer_options *options;
    FILE *out;
    unsigned lost;
    bool out_of_memory;
};

void sfen_list_write(struct writing *w);
void kif_write(struct writing *w); /* KIF, KI2 and BOD */
void csa_write(struct writing *w);
void jkf_write(struct writing *w);

/* Calls `each` for every header of the problem that is to be written, in order, the id and the length of the solution among them where
 * only the problem knows them. */
typedef void header_writer(void *context, const char *key, const char *value);
void each_header(const struct tsume_problem *problem, header_writer *each, void *context);
/* Calls `each` for every line of a comment, which may be NULL. */
typedef void comment_writer(void *context, const char *line, size_t length);
void each_comment_line(const char *comment, comment_writer *each, void *context);
/* LOST_VARIATIONS if the problem has any. */
unsigned lost_variations(const struct tsume_problem *problem);

/* The time that a player has used up to his move at the end of a path, in milliseconds: what he had used before (0 at his first move), and
 * the move's. An unstated time counts as none. */
static inline int64_t time_total(int64_t before, int32_t time_ms) {
    return before + (time_ms > 0 ? time_ms : 0);
}

#endif
