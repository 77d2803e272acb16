/* program_report.h: a solved problem as text: for people, or as a line of JSON. */
#ifndef TSUME_PROGRAM_REPORT_H
#define TSUME_PROGRAM_REPORT_H

#include "tsume.h"

#include "program_options.h"

#include <jansson.h>
#include <stdio.h>

/* The verdict to report: that of the answer, or `invalid` for a problem with an error, or `unknown` where there is no answer
 * (NULL: memory was short). */
enum tsume_verdict report_verdict(const struct tsume_problem *problem, const struct tsume_answer *answer);

/* The record of one problem, with its number in the input, in the format of the options, ending in a newline; malloc'd, its length in *length;
 * NULL when memory is short. Thread safe. */
char *report_record(const struct options *options, const struct tsume_problem *problem, uint64_t number,
                    const struct tsume_answer *answer, size_t *length);

/* ---- Parts of records that commands share -------------------------------------------------------------------------- */

/* A JSON string of the text, with U+FFFD for each byte that is not UTF-8 (names of files may hold any byte). */
json_t *report_json_text(const char *text);
/* Sets a member; takes the value over. False when memory is short, as also where the value is NULL. */
bool report_json_set(json_t *object, const char *key, json_t *value);
/* The member `error`: the problem's, or what troubled the solver (NULL: nothing), or null. */
json_t *report_json_error(const struct tsume_problem *problem, const char *trouble);
/* Sets the members `number` and `options`, which tell where the record belongs, where the options ask for them. False when memory is short. */
bool report_json_place(json_t *record, const struct options *options, uint64_t number);
/* Seconds, to the microsecond. */
json_t *report_json_seconds(double seconds);
/* The object as a line of text, malloc'd; takes the object over, which may be NULL: then, or when memory is short, NULL. */
char *report_json_record(json_t *record, size_t *length);

/* Text out of a file: control characters must not reach the terminal, nor a line break split the record. */
void report_write_text(FILE *out, const char *text);
/* FILE:LINE:COLUMN: error: MESSAGE, as compilers write it. */
void report_write_error(FILE *out, const struct tsume_problem *problem, const struct tsume_error *error);
/* What the answer took, whether hands were completed, and what troubled the solver (NULL: nothing). */
void report_write_effort(FILE *out, const struct tsume_problem *problem, double seconds, uint64_t nodes,
                         const char *trouble);
/* That of a problem that has one, as a line on stderr. */
void report_tell_error(const struct tsume_problem *problem);
/* A main line: its moves in USI notation, which belong to the answer or report. */
struct report_line {
    const char **moves; /* malloc'd; NULL when memory is short, then length is 0 */
    size_t length;
};
struct report_line report_answer_line(const struct tsume_answer *answer);
/* Writes moves in USI notation that are played after the first `before` moves of a line, in the notation that the
 * options ask for. */
void report_write_moves(FILE *out, const struct options *options, const struct tsume_problem *problem,
                        const struct report_line *line, size_t before, const char *const *moves, size_t count);
/* ", mate in at most 9 plies, 1 left over"; nothing where plies is −1. */
void report_write_value(FILE *out, int plies, int leftover, bool exact);

/* A record in KIF or JKF, as the options ask, of a problem with the lines of play that were stated for it, which is
 * freed and may be NULL; what report_record gives. */
char *report_play_record(const struct options *options, struct tsume_problem *play, size_t *length);
/* The record of a problem that is none, in these formats: empty. The error goes to stderr. */
char *report_no_play(const struct tsume_problem *problem, size_t *length);
/* States moves after the first `before` moves of a line; a comment on the position after the last of them. False when
 * memory is short. */
bool report_state(struct tsume_problem *play, const struct report_line *line, size_t before, const char *const *moves,
                  size_t count, size_t at, const char *comment, bool mates);

/* The board, where there is one and the options ask for it. */
void report_write_board(FILE *out, const struct options *options, const struct tsume_problem *problem);
/* Ends a record written with open_memstream: closes it; NULL if anything failed. */
char *report_text_record(FILE *out, char **text);

#endif
