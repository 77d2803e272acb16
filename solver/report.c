/* report.c: reports, and asking them. */
#include "solver/report.h"

#include <stdlib.h>

/* ---- Moves as text ---- */

/* The moves as USI, in one block: pointers, then the text they point at. */
static const char **moves_as_text(struct orientation orientation, const move *moves, size_t count) {
    const char **text = malloc(count * (sizeof *text + USI_MOVE_SIZE) + 1);
    if (!text)
        return NULL;
    char(*words)[USI_MOVE_SIZE] = (char(*)[USI_MOVE_SIZE])(text + count);
    for (size_t i = 0; i < count; i++) {
        move_to_usi(orientation_move(orientation, moves[i]), words[i]);
        text[i] = words[i];
    }
    return text;
}

static char *move_as_text(struct orientation orientation, move m) {
    char *text = malloc(USI_MOVE_SIZE);
    if (text)
        move_to_usi(orientation_move(orientation, m), text);
    return text;
}

/* ---- Making ---- */

struct tsume_report *report_new(enum tsume_soundness verdict) {
    struct tsume_report *report = calloc(1, sizeof *report);
    if (report) {
        report->verdict = verdict;
        report->plies = report->leftover = -1;
    }
    return report;
}

bool report_set_line(struct tsume_report *report, struct orientation orientation, const struct line *line) {
    report->line = moves_as_text(orientation, line->moves, line->length);
    report->length = report->line ? line->length : 0;
    return report->line != NULL;
}

static bool set_finding(struct tsume_finding *to, struct orientation orientation, const struct finding *from) {
    const struct line *line = &from->variation.line;
    *to = (struct tsume_finding){.kind = from->kind,
                                 .ply = from->ply,
                                 .plies = from->variation.plies,
                                 .leftover = from->variation.leftover,
                                 .exact = from->variation.exact};
    if (from->move != NO_MOVE && !(to->move = move_as_text(orientation, from->move)))
        return false;
    to->line = moves_as_text(orientation, line->moves, line->length);
    to->line_length = to->line ? line->length : 0;
    return to->line != NULL;
}

bool report_set_findings(struct tsume_report *report, struct orientation orientation, const struct findings *findings) {
    report->findings = calloc(findings->count + 1, sizeof *report->findings);
    if (!report->findings)
        return false;
    for (size_t i = 0; i < findings->count; i++) {
        report->finding_count = i + 1;
        if (!set_finding(&report->findings[i], orientation, &findings->items[i]))
            return false;
    }
    return !findings->out_of_memory;
}

void tsume_report_free(struct tsume_report *report) {
    if (!report)
        return;
    for (size_t i = 0; i < report->finding_count; i++) {
        free((void *)report->findings[i].move);
        free((void *)report->findings[i].line);
    }
    free(report->findings);
    free((void *)report->line);
    free(report->certificate.bytes);
    free(report);
}

/* ---- Names ---- */

const char *tsume_soundness_name(enum tsume_soundness soundness) {
    static const char *const NAME[] = {[TSUME_SOUND] = "sound",
                                       [TSUME_BLEMISHED] = "blemished",
                                       [TSUME_UNSOUND] = "unsound",
                                       [TSUME_NOT_LEGAL] = "invalid",
                                       [TSUME_UNDECIDED] = "undecided"};
    return NAME[soundness];
}

const char *tsume_finding_kind_name(enum tsume_finding_kind kind) {
    static const char *const NAME[] = {[TSUME_FINDING_NO_MATE] = "no-mate",
                                       [TSUME_FINDING_COOK] = "cook",
                                       [TSUME_FINDING_EARLY_MATE] = "early-mate",
                                       [TSUME_FINDING_FINAL_DUAL] = "final-dual",
                                       [TSUME_FINDING_PROMOTION_CHOICE] = "promotion-choice",
                                       [TSUME_FINDING_SQUARE_CHOICE] = "square-choice",
                                       [TSUME_FINDING_DETOUR] = "detour",
                                       [TSUME_FINDING_TRANSPOSITION] = "transposition",
                                       [TSUME_FINDING_LEFTOVER] = "leftover",
                                       [TSUME_FINDING_EQUAL_VARIATION] = "equal-variation",
                                       [TSUME_FINDING_LONGER_VARIATION] = "longer-variation",
                                       [TSUME_FINDING_STATED_NOT_OPTIMAL] = "stated-not-optimal",
                                       [TSUME_FINDING_UNDECIDED] = "undecided"};
    return NAME[kind];
}

/* ---- Asking ---- */

enum tsume_soundness tsume_report_verdict(const struct tsume_report *report) {
    return report->verdict;
}
int tsume_report_plies(const struct tsume_report *report) {
    return report->plies;
}
int tsume_report_leftover(const struct tsume_report *report) {
    return report->leftover;
}
bool tsume_report_exact(const struct tsume_report *report) {
    return report->exact;
}
size_t tsume_report_line_length(const struct tsume_report *report) {
    return report->length;
}
const char *tsume_report_line_move(const struct tsume_report *report, size_t i) {
    return i < report->length ? report->line[i] : NULL;
}
size_t tsume_report_finding_count(const struct tsume_report *report) {
    return report->finding_count;
}
const struct tsume_finding *tsume_report_finding(const struct tsume_report *report, size_t i) {
    return i < report->finding_count ? &report->findings[i] : NULL;
}
uint64_t tsume_report_nodes(const struct tsume_report *report) {
    return report->nodes;
}
double tsume_report_seconds(const struct tsume_report *report) {
    return report->seconds;
}
const char *tsume_report_error(const struct tsume_report *report) {
    return report->error;
}
const void *tsume_report_certificate(const struct tsume_report *report, size_t *size) {
    *size = report->certificate.size;
    return report->certificate.bytes;
}
const char *tsume_report_certificate_error(const struct tsume_report *report) {
    return report->certificate_error;
}
