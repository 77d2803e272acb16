/* sfen_writer.c: problems as lines of a list (see sfen_list.h): position, id, plies, solution, headers. */
#include "problems/kif_words.h"
#include "problems/sfen_list.h"
#include "problems/writing.h"
#include "rules/sfen.h"

#include <stdlib.h>
#include <string.h>

static long move_count(const struct tsume_problem *problem) {
    long count = 0;
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        count++;
    return count;
}

/* The length that the problem states, or that of a solution that ends in mate. 0: none. */
static long stated_length(const struct tsume_problem *problem) {
    bool unstated = problem->stated_plies == 0 && stated_line_mates(problem);
    return unstated ? move_count(problem) : problem->stated_plies;
}

static void write_solution(struct writing *w) {
    char usi[USI_MOVE_SIZE];
    for (const struct stated_move *m = w->problem->stated; m; m = m->next) {
        move_to_usi(m->move, usi);
        fprintf(w->out, "%s%s", m == w->problem->stated ? "" : " ", usi);
        w->lost |= m->comment ? LOST_COMMENTS : 0;
    }
}

/* The only end that a list tells of is mate, by a solution that is as long as the length stated. */
static unsigned lost_end(const struct tsume_problem *problem) {
    enum play_end end = problem->end;
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        end = stated_move_end(m);
    bool told = end == END_UNSTATED || (end == END_MATE && move_count(problem) == stated_length(problem));
    return told ? 0 : LOST_ENDS;
}

/* Id and length have their own columns. */
static bool has_own_column(const char *key, const char *value) {
    struct words w = words_of(value);
    return strcmp(key, "作品番号") == 0 || (strcmp(key, "手数") == 0 && words_number(&w) > 0);
}

static bool has_remarks(const struct tsume_problem *problem) {
    for (const struct problem_header *header = problem->headers; header; header = header->next)
        if (!has_own_column(header->key, header->value))
            return true;
    return false;
}

/* A note needs no key where it is not taken for something else without. */
static char *remark_of(struct writing *w, const char *key, const char *value) {
    bool plain = strcmp(key, "備考") == 0 && sfen_list_reads_remark(value, key, value);
    return plain ? header_line(w, "", "", "", value) : header_line(w, "", key, "：", value);
}

/* A remark is lost that is read as something else, or that makes the line too long. */
static void write_remark(void *context, const char *key, const char *value) {
    struct writing *w = context;
    if (has_own_column(key, value))
        return;
    char *remark = remark_of(w, key, value);
    if (remark && sfen_list_reads_remark(remark, key, value) && ftell(w->out) + strlen(remark) < TEXT_LINE_MAX)
        fprintf(w->out, "\t%s", remark);
    else
        w->lost |= LOST_HEADERS;
    free(remark);
}

void sfen_list_write(struct writing *w) {
    const struct tsume_problem *problem = w->problem;
    char sfen[SFEN_SIZE];
    sfen_write(&problem->setup, sfen);
    w->lost |= lost_variations(problem) | (problem->comment ? LOST_COMMENTS : 0) | lost_end(problem);
    fputs(sfen, w->out);
    bool to_solution = problem->stated || has_remarks(problem);
    long plies = stated_length(problem);
    bool to_plies = to_solution || plies > 0;
    if (to_plies || problem->named)
        fprintf(w->out, "\t%s", problem->named ? problem->id : "");
    if (to_plies)
        fputc('\t', w->out);
    if (plies > 0)
        fprintf(w->out, "%ld", plies);
    if (to_solution)
        fputc('\t', w->out);
    write_solution(w);
    each_header(w->problem, write_remark, w);
    fputc('\n', w->out);
}
