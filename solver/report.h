/* report.h: a report as the library keeps it. */
#ifndef TSUME_SOLVER_REPORT_H
#define TSUME_SOLVER_REPORT_H

#include "solver/certificate.h"
#include "solver/findings.h"
#include "solver/orientation.h"

struct tsume_report {
    enum tsume_soundness verdict;
    int plies, leftover;
    bool exact;
    size_t length;
    const char **line;
    size_t finding_count;
    struct tsume_finding *findings;
    uint64_t nodes;
    double seconds;
    const char *error;
    struct certificate certificate;
    const char *certificate_error;
};

/* An empty report; NULL when memory is short. */
struct tsume_report *report_new(enum tsume_soundness verdict);
/* Puts the main line, the findings into the report, moves turned by the orientation. False when memory is short. */
bool report_set_line(struct tsume_report *report, struct orientation orientation, const struct line *line);
bool report_set_findings(struct tsume_report *report, struct orientation orientation, const struct findings *findings);

#endif
