/* cmd_solve.c: `tsume solve`: decides problems and prints what it found. */
#include "program.h"
#include "program_certificates.h"
#include "program_options.h"
#include "program_report.h"
#include "program_run.h"
#include "rules/language.h"

static const char DOC[] =
    N_("Decides tsume problems: mate or no mate, the shortest line, its length, the pieces left over.\v"
       "FILE is a list of SFEN lines, a record in KIF, KI2, BOD, CSA or JKF (JSON), a folder of such files, or - "
       "for standard input. Results come in the order of the input.\n"
       "\n"
       "Exit status: 0 all problems decided; 1 some unknown, or without the certificate asked for; 2 bad usage; 3 "
       "some invalid, or the file of --resume does not belong to the input and options; 4 no memory, or the output "
       "cannot be written; 130 or 143 stopped by SIGINT or SIGTERM.");

static const struct run_outcome OUTCOMES[] = {[TSUME_MATE] = {"mate", N_("mate"), STATUS_DECIDED},
                                              [TSUME_NO_MATE] = {"nomate", N_("no mate"), STATUS_DECIDED},
                                              [TSUME_UNKNOWN] = {"unknown", N_("unknown"), STATUS_UNKNOWN},
                                              [TSUME_INVALID] = {"invalid", N_("invalid"), STATUS_INVALID}};

static bool write_certificate(const char *path, const struct tsume_problem *problem,
                              const struct tsume_answer *answer) {
    size_t size;
    const void *bytes = tsume_answer_certificate(answer, &size);
    return certificates_write(path, problem, bytes, size, tsume_answer_certificate_error(answer));
}

static struct run_result solve(struct tsume_solver *solver, const struct options *options,
                               const struct run_task *task) {
    const struct tsume_problem *problem = task->problem;
    struct tsume_answer *answer = tsume_problem_error(problem) ? NULL : tsume_solve(solver, problem, &options->limits);
    struct run_result result = {
        .outcome = (int)report_verdict(problem, answer),
        .nodes = answer ? tsume_answer_nodes(answer) : 0,
    };
    result.record = report_record(options, problem, task->number, answer, &result.length);
    if (task->certificate && answer)
        result.uncertified = !write_certificate(task->certificate, problem, answer);
    tsume_answer_free(answer);
    return result;
}

int cmd_solve(int argc, char **argv) {
    struct options options;
    options_parse(argc, argv, DOC, &options);
    return run_problems(&options, solve, OUTCOMES, sizeof OUTCOMES / sizeof OUTCOMES[0]);
}
