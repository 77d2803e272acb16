/* writing.h: what the writers of the formats share. Each writes one problem as UTF-8 and notes what it left out. */
#ifndef TSUME_PROBLEMS_WRITING_H
#define TSUME_PROBLEMS_WRITING_H

#include "problems/writer.h"

#include <stdio.h>

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

/* A header as a line, "before key between value", malloc'd. NULL when memory is short (which is noted) or when no line of a
 * text can hold it. */
char *header_line(struct writing *w, const char *before, const char *key, const char *between, const char *value);
/* Writes such a line where the format's reader takes it for this header and no other; else the header is lost. The line
 * is freed; NULL is a line that is lost. */
typedef bool header_reader(const char *line, const char *key, const char *value);
void write_header_line(struct writing *w, char *line, header_reader *reads, const char *key, const char *value);

/* Calls `each` for every header of the problem that is to be written, in order, the id and the length of the solution
 * among them where only the problem knows them. */
typedef void header_writer(void *context, const char *key, const char *value);
void each_header(const struct tsume_problem *problem, header_writer *each, void *context);
/* Calls `each` for every line of a comment, which may be NULL. */
typedef void comment_writer(void *context, const char *line, size_t length);
void each_comment_line(const char *comment, comment_writer *each, void *context);
/* LOST_VARIATIONS if the problem has any. */
unsigned lost_variations(const struct tsume_problem *problem);

/* The time that a player has used up to his move at the end of a path, in milliseconds: what he had used before (0 at
 * his first move), and the move's. An unstated time counts as none. */
static inline int64_t time_total(int64_t before, int32_t time_ms) {
    return before + (time_ms > 0 ? time_ms : 0);
}

#endif
