/* sfen_writer.c: problems as lines of a list (see sfen_list.h): position, id, plies, solution, headers. */
#include "problems/writing.h"
#include "rules/sfen.h"

#include <string.h>

static void write_solution(struct writing *w) {
    char usi[USI_MOVE_SIZE];
    for (const struct stated_move *m = w->problem->stated; m; m = m->next) {
        move_to_usi(m->move, usi);
        fprintf(w->out, "%s%s", m == w->problem->stated ? "" : " ", usi);
        w->lost |= m->comment ? LOST_COMMENTS : 0;
        w->lost |= stated_move_end(m) > END_MATE ? LOST_ENDS : 0;
    }
}

/* The length that the problem states, or that of a solution that ends in mate. 0: none. */
static long stated_length(const struct tsume_problem *problem) {
    long count = 0;
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        count++;
    return problem->stated_plies == 0 && problem->stated_complete ? count : problem->stated_plies;
}

/* Id and length have their own columns. */
static bool has_own_column(const char *key) {
    return strcmp(key, "作品番号") == 0 || strcmp(key, "手数") == 0;
}

static bool has_remarks(const struct tsume_problem *problem) {
    for (const struct problem_header *header = problem->headers; header; header = header->next)
        if (!has_own_column(header->key))
            return true;
    return false;
}

static void write_remark(void *context, const char *key, const char *value) {
    struct writing *w = context;
    if (has_own_column(key))
        return;
    if (strcmp(key, "備考") == 0)
        fprintf(w->out, "\t%s", value);
    else
        fprintf(w->out, "\t%s：%s", key, value);
}

void sfen_list_write(struct writing *w) {
    const struct tsume_problem *problem = w->problem;
    char sfen[SFEN_SIZE];
    sfen_write(&problem->setup, sfen);
    w->lost |= lost_variations(problem) | (problem->comment ? LOST_COMMENTS : 0);
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
