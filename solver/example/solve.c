/* solve.c: libtsume in fifty lines: reads problem files, solves each problem within ten seconds, and prints the line.
 *
 *     cmake -S . -B build && cmake --build build && build/solve problem.kif
 *     cc solve.c $(pkg-config --cflags --libs tsume) -o solve && ./solve problem.kif
 */
#include <stdio.h>
#include <stdlib.h>
#include <tsume.h>

static void print_answer(const struct tsume_problem *problem, const struct tsume_answer *answer) {
    printf("%s: %s", tsume_problem_id(problem), tsume_verdict_name(tsume_answer_verdict(answer)));
    if (tsume_answer_verdict(answer) == TSUME_MATE)
        printf(" in %s%d plies:", tsume_answer_exact(answer) ? "" : "at most ", tsume_answer_plies(answer));
    for (size_t i = 0; i < tsume_answer_line_length(answer); i++)
        printf(" %s", tsume_answer_line_move(answer, i));
    putchar('\n');
}

int main(int argc, char **argv) {
    struct tsume_error error;
    struct tsume_solver *solver = tsume_solver_new(256, &error); /* MiB */
    struct tsume_reader *reader = tsume_reader_new((const char *const *)argv + 1, (size_t)argc - 1, NULL);
    if (!solver || !reader) {
        fprintf(stderr, "%s: %s\n", argv[0], solver ? "no memory" : error.message);
        return EXIT_FAILURE;
    }

    const struct tsume_limits limits = {.seconds = 10};
    for (struct tsume_problem *problem; (problem = tsume_reader_next(reader)); tsume_problem_free(problem)) {
        if (tsume_problem_error(problem)) {
            fprintf(stderr, "%s: %s\n", tsume_problem_source(problem), tsume_problem_error(problem)->message);
            continue;
        }
        struct tsume_answer *answer = tsume_solve(solver, problem, &limits);
        if (answer)
            print_answer(problem, answer);
        tsume_answer_free(answer);
    }

    tsume_reader_free(reader);
    tsume_solver_free(solver);
    return EXIT_SUCCESS;
}
