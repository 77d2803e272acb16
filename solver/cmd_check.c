/* cmd_check.c: `tsume check`: is a composed problem sound? Prints the verdict and the findings. */
#include "program.h"
#include "program_certificates.h"
#include "program_options.h"
#include "program_report.h"
#include "program_run.h"
#include "rules/language.h"

#include <stdlib.h>
#include <string.h>

static const char DOC[] =
    N_("Examines composed problems: at every attacker's turn of the main line, whether another check mates too (a "
       "cook, 余詰), at every defender's turn, whether another answer holds out as long; pieces left over; the stated "
       "solution against optimal play.\v"
       "The verdict is sound, blemished (only what composers tolerate), unsound, undecided (what a limit kept from "
       "being decided is named), or invalid. The limits --time and --nodes are for a whole problem.\n"
       "\n"
       "Exit status: 0 all problems decided; 1 some undecided, or without the certificate asked for; 2 bad usage; 3 "
       "some invalid, or the file of --resume does not belong to the input and options; 4 no memory, or the output "
       "cannot be written; 130 or 143 stopped by SIGINT or SIGTERM.");

static const struct run_outcome OUTCOMES[] = {[TSUME_SOUND] = {"sound", N_("sound"), STATUS_DECIDED},
                                              [TSUME_BLEMISHED] = {"blemished", N_("blemished"), STATUS_DECIDED},
                                              [TSUME_UNSOUND] = {"unsound", N_("unsound"), STATUS_DECIDED},
                                              [TSUME_NOT_LEGAL] = {"invalid", N_("invalid"), STATUS_INVALID},
                                              [TSUME_UNDECIDED] = {"undecided", N_("undecided"), STATUS_UNKNOWN}};

static const char *trouble_of(const struct tsume_report *report) {
    return report ? tsume_report_error(report) : _("out of memory");
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

/* A number of plies or pieces, null for −1. */
static json_t *json_count(int count) {
    return count >= 0 ? json_integer(count) : json_null();
}

static json_t *json_main_line(const struct tsume_report *report) {
    json_t *line = json_array();
    for (size_t i = 0; i < tsume_report_line_length(report); i++)
        json_array_append_new(line, json_string(tsume_report_line_move(report, i)));
    return line;
}

static json_t *json_finding(const struct tsume_finding *finding) {
    json_t *line = json_array(), *object = json_object();
    for (size_t i = 0; i < finding->line_length; i++)
        json_array_append_new(line, json_string(finding->line[i]));
    report_json_set(object, "kind", json_string(tsume_finding_kind_name(finding->kind)));
    report_json_set(object, "ply", finding->ply > 0 ? json_integer(finding->ply) : json_null());
    report_json_set(object, "move", finding->move ? json_string(finding->move) : json_null());
    report_json_set(object, "plies", json_count(finding->plies));
    report_json_set(object, "leftover", json_count(finding->leftover));
    report_json_set(object, "exact", json_boolean(finding->exact));
    report_json_set(object, "line", line);
    return object;
}

static json_t *json_findings(const struct tsume_report *report) {
    json_t *findings = json_array();
    for (size_t i = 0; report && i < tsume_report_finding_count(report); i++)
        json_array_append_new(findings, json_finding(tsume_report_finding(report, i)));
    return findings;
}

static char *json_record(const struct options *options, const struct run_task *task, enum tsume_soundness verdict,
                         const struct tsume_report *report, size_t *length) {
    const struct tsume_problem *problem = task->problem;
    json_t *record = json_object();
    bool filled = report_json_set(record, "id", report_json_text(tsume_problem_id(problem))) &&
                  report_json_set(record, "source", report_json_text(tsume_problem_source(problem))) &&
                  report_json_set(record, "sfen", report_json_text(tsume_problem_sfen(problem))) &&
                  report_json_set(record, "verdict", json_string(tsume_soundness_name(verdict))) &&
                  report_json_set(record, "plies", json_count(report ? tsume_report_plies(report) : -1)) &&
                  report_json_set(record, "leftover", json_count(report ? tsume_report_leftover(report) : -1)) &&
                  report_json_set(record, "exact", json_boolean(report && tsume_report_exact(report))) &&
                  report_json_set(record, "line", report ? json_main_line(report) : json_array()) &&
                  report_json_set(record, "findings", json_findings(report)) &&
                  report_json_set(record, "nodes", json_integer(report ? (json_int_t)tsume_report_nodes(report) : 0)) &&
                  report_json_set(record, "seconds", report_json_seconds(report ? tsume_report_seconds(report) : 0)) &&
                  report_json_set(record, "error", report_json_error(problem, trouble_of(report))) &&
                  report_json_place(record, options, task->number);
    if (!filled) {
        json_decref(record);
        return NULL;
    }
    return report_json_record(record, length);
}

/* ---- Text ---------------------------------------------------------------------------------------------------------- */

static const char *verdict_color(enum tsume_soundness verdict) {
    static const char *const COLOR[] = {[TSUME_SOUND] = "\033[1;32m",
                                        [TSUME_BLEMISHED] = "\033[1;36m",
                                        [TSUME_UNSOUND] = "\033[1;31m",
                                        [TSUME_NOT_LEGAL] = "\033[1;31m",
                                        [TSUME_UNDECIDED] = "\033[1;33m"};
    return COLOR[verdict];
}

/* What was found, with the term that composers know it by. */
static const char *kind_text(enum tsume_finding_kind kind) {
    static const char *const TEXT[] = {[TSUME_FINDING_NO_MATE] = N_("no-mate (不詰)"),
                                       [TSUME_FINDING_COOK] = N_("cook (余詰)"),
                                       [TSUME_FINDING_EARLY_MATE] = N_("early-mate (早詰)"),
                                       [TSUME_FINDING_FINAL_DUAL] = N_("final-dual (最終手余詰)"),
                                       [TSUME_FINDING_PROMOTION_CHOICE] = N_("promotion-choice (成・不成非限定)"),
                                       [TSUME_FINDING_SQUARE_CHOICE] = N_("square-choice (打点非限定)"),
                                       [TSUME_FINDING_DETOUR] = N_("detour (迂回手順)"),
                                       [TSUME_FINDING_TRANSPOSITION] = N_("transposition (手順前後)"),
                                       [TSUME_FINDING_LEFTOVER] = N_("leftover (駒余り)"),
                                       [TSUME_FINDING_EQUAL_VARIATION] = N_("equal-variation (変化同手数)"),
                                       [TSUME_FINDING_LONGER_VARIATION] = N_("longer-variation (変化長手数)"),
                                       [TSUME_FINDING_STATED_NOT_OPTIMAL] = N_("stated-not-optimal (作意不最善)"),
                                       [TSUME_FINDING_UNDECIDED] = N_("undecided (未定)")};
    return _(TEXT[kind]);
}

static void write_value(FILE *out, int plies, int leftover, bool exact) {
    if (plies < 0)
        return;
    /* translators: between what was found and "mate in 9 plies" */
    fputs(_(", "), out);
    report_write_value(out, plies, leftover, exact);
}

/* What the parts of a report are written with. */
struct writing {
    FILE *out;
    const struct options *options;
    const struct tsume_problem *problem;
    const struct tsume_report *report;
    struct report_line line; /* the main line */
};

static struct report_line main_line(const struct tsume_report *report) {
    struct report_line line = {.length = tsume_report_line_length(report)};
    line.moves = malloc((line.length + 1) * sizeof *line.moves);
    if (!line.moves)
        line.length = 0;
    for (size_t i = 0; i < line.length; i++)
        line.moves[i] = tsume_report_line_move(report, i);
    return line;
}

/* Moves that are played at this ply of the main line. */
static void write_moves(const struct writing *w, int ply, const char *const *moves, size_t count) {
    report_write_moves(w->out, w->options, w->problem, &w->line, ply > 0 ? (size_t)ply - 1 : 0, moves, count);
}

/* What it is, and what it is worth. */
static void write_finding_kind(FILE *out, const struct tsume_finding *finding) {
    fputs(kind_text(finding->kind), out);
    write_value(out, finding->plies, finding->leftover, finding->exact);
}

static void write_finding(const struct writing *w, const struct tsume_finding *finding) {
    fputs("  ", w->out);
    if (finding->ply > 0)
        fprintf(w->out, _("ply %d: "), finding->ply);
    if (finding->move) {
        write_moves(w, finding->ply, &finding->move, 1);
        fputc(' ', w->out);
    }
    write_finding_kind(w->out, finding);
    if (finding->line_length)
        fputs(": ", w->out);
    write_moves(w, finding->ply, finding->line, finding->line_length);
    fputc('\n', w->out);
}

/* The moves of one ply that were not decided, on one line. Returns the index of the first finding behind them. */
static size_t write_undecided(const struct writing *w, size_t i) {
    const struct tsume_finding *finding = tsume_report_finding(w->report, i), *first = finding;
    fputs("  ", w->out);
    fprintf(w->out, _("ply %d: "), first->ply);
    fprintf(w->out, "%s:", kind_text(first->kind));
    for (; finding && finding->kind == first->kind && finding->ply == first->ply;
         finding = tsume_report_finding(w->report, ++i)) {
        fputc(' ', w->out);
        if (finding->move)
            write_moves(w, finding->ply, &finding->move, 1);
        else
            fputc('?', w->out);
    }
    fputc('\n', w->out);
    return i;
}

static void write_findings(const struct writing *w) {
    for (size_t i = 0; i < tsume_report_finding_count(w->report);) {
        const struct tsume_finding *finding = tsume_report_finding(w->report, i);
        if (finding->kind == TSUME_FINDING_UNDECIDED && finding->ply > 0) {
            i = write_undecided(w, i);
        } else {
            write_finding(w, finding);
            i++;
        }
    }
}

/* The main line and what was found about it. */
static void write_play(FILE *out, const struct options *options, const struct tsume_problem *problem,
                       const struct tsume_report *report) {
    struct writing w = {out, options, problem, report, main_line(report)};
    if (w.line.length) {
        fputs("  ", out);
        write_moves(&w, 0, w.line.moves, w.line.length);
        fputc('\n', out);
    }
    write_findings(&w);
    free(w.line.moves);
}

static void write_report(FILE *out, const struct tsume_problem *problem, const struct tsume_report *report) {
    if (report)
        write_value(out, tsume_report_plies(report), tsume_report_leftover(report), tsume_report_exact(report));
    report_write_effort(out, problem, report ? tsume_report_seconds(report) : 0,
                        report ? tsume_report_nodes(report) : 0, trouble_of(report));
}

static char *text_record(const struct options *options, const struct tsume_problem *problem,
                         enum tsume_soundness verdict, const struct tsume_report *report, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    report_write_text(out, tsume_problem_id(problem));
    fprintf(out, "  %s%s%s", options->color ? verdict_color(verdict) : "", _(OUTCOMES[verdict].name),
            options->color ? "\033[0m" : "");
    if (verdict == TSUME_NOT_LEGAL) {
        fputs("  ", out);
        report_write_error(out, problem, tsume_problem_error(problem));
    } else {
        write_report(out, problem, report);
    }
    fputc('\n', out);
    report_write_board(out, options, problem);
    if (report)
        write_play(out, options, problem, report);
    return report_text_record(out, &text);
}

/* ---- Records of play ----------------------------------------------------------------------------------------------- */

/* The finding in words, malloc'd; NULL when memory is short. astray: the main line does not go as far as the finding.
 * */
static char *finding_text(const struct tsume_finding *finding, bool astray) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    if (astray)
        fprintf(out, _("ply %d: "), finding->ply);
    write_finding_kind(out, finding);
    return report_text_record(out, &text);
}

/* A finding as a variation of the main line with a comment at its first move; one without a move as a comment on the
 * main line. */
static bool state_finding(struct tsume_problem *play, const struct report_line *line,
                          const struct tsume_finding *finding) {
    const char *const *moves = finding->line_length ? finding->line : &finding->move;
    size_t count = finding->line_length ? finding->line_length : finding->move != NULL;
    size_t ply = finding->ply > 0 ? (size_t)finding->ply : 0, before = count && ply ? ply - 1 : ply;
    bool mates = finding->plies > 0 && (size_t)finding->plies == finding->line_length;
    bool astray = before > line->length;
    if (astray) {
        before = line->length;
        count = 0;
    }
    char *comment = finding_text(finding, astray);
    bool stated = comment && report_state(play, line, before, moves, count, before + (count > 0), comment, mates);
    free(comment);
    return stated;
}

static char *play_record(const struct options *options, const struct tsume_problem *problem,
                         enum tsume_soundness verdict, const struct tsume_report *report, size_t *length) {
    if (verdict == TSUME_NOT_LEGAL)
        return report_no_play(problem, length);
    struct tsume_problem *play = report ? tsume_problem_bare(problem) : NULL;
    if (!play)
        return NULL;
    struct report_line line = main_line(report);
    bool stated = line.moves &&
                  report_state(play, &line, 0, line.moves, line.length, 0, _(OUTCOMES[verdict].name), line.length > 0);
    for (size_t i = 0; stated && i < tsume_report_finding_count(report); i++)
        stated = state_finding(play, &line, tsume_report_finding(report, i));
    free(line.moves);
    if (stated)
        return report_play_record(options, play, length);
    tsume_problem_free(play);
    return NULL;
}

static char *record(const struct options *options, const struct run_task *task, enum tsume_soundness verdict,
                    const struct tsume_report *report, size_t *length) {
    const struct tsume_problem *problem = task->problem;
    switch (options->format) {
    case FORMAT_JSONL:
        return json_record(options, task, verdict, report, length);
    case FORMAT_KIF:
    case FORMAT_JKF:
        return play_record(options, problem, verdict, report, length);
    case FORMAT_TEXT:
    case FORMAT_NOT_SAID:
        break;
    }
    return text_record(options, problem, verdict, report, length);
}

/* ---- The command --------------------------------------------------------------------------------------------------- */

static bool write_certificate(const char *path, const struct tsume_problem *problem,
                              const struct tsume_report *report) {
    size_t size;
    const void *bytes = tsume_report_certificate(report, &size);
    return certificates_write(path, problem, bytes, size, tsume_report_certificate_error(report));
}

static struct run_result check(struct tsume_solver *solver, const struct options *options,
                               const struct run_task *task) {
    const struct tsume_problem *problem = task->problem;
    bool legal = !tsume_problem_error(problem);
    struct tsume_report *report = legal ? tsume_check(solver, problem, &options->check) : NULL;
    enum tsume_soundness verdict = !legal ? TSUME_NOT_LEGAL : report ? tsume_report_verdict(report) : TSUME_UNDECIDED;
    struct run_result result = {.outcome = (int)verdict, .nodes = report ? tsume_report_nodes(report) : 0};
    result.record = record(options, task, verdict, report, &result.length);
    if (task->certificate && report)
        result.uncertified = !write_certificate(task->certificate, problem, report);
    tsume_report_free(report);
    return result;
}

int cmd_check(int argc, char **argv) {
    struct options options;
    options_parse_check(argc, argv, DOC, &options);
    return run_problems(&options, check, OUTCOMES, sizeof OUTCOMES / sizeof OUTCOMES[0]);
}
