#include "program_usi_text.h"

#include "program.h"
#include "rules/language.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUOTED = 100 }; /* bytes */

static char *line_text(const struct tsume_answer *answer) {
    size_t length = tsume_answer_line_length(answer);
    char *text = program_must(malloc(length * TSUME_MOVE_SIZE + 1)), *at = text; /* a space for each NUL */
    for (size_t i = 0; i < length; i++)
        at += sprintf(at, i ? " %s" : "%s", tsume_answer_line_move(answer, i));
    return text;
}

void usi_mates_take(struct usi_mates *mates, const struct tsume_answer *answer, bool defends, size_t most) {
    usi_mates_free(mates);
    mates->defends = defends;
    mates->of = program_must(calloc(most, sizeof *mates->of));
    const struct tsume_answer *next = answer;
    for (size_t i = 0; next && i < most; next = tsume_answer_other(answer, i++)) {
        mates->of[i] = (struct usi_mate){tsume_answer_plies(next), line_text(next)};
        mates->count = i + 1;
    }
}

void usi_mates_free(struct usi_mates *mates) {
    for (size_t i = 0; i < mates->count; i++)
        free(mates->of[i].moves);
    free(mates->of);
    *mates = (struct usi_mates){.count = 0};
}

void usi_begin_output(void) {
    flockfile(stdout);
}

void usi_end_output(void) {
    if (fflush(stdout) != 0 || ferror(stdout))
        program_fail(errno, _("cannot write the output"));
    funlockfile(stdout);
}

static void write_effort(const struct tsume_effort *effort, double seconds, int plies) {
    printf("info depth %d seldepth %d time %.0f nodes %" PRIu64 " nps %.0f hashfull %u",
           plies > 0 ? plies : effort->depth, effort->deepest > plies ? effort->deepest : plies, seconds * 1000,
           effort->nodes, seconds > 0 ? (double)effort->nodes / seconds : 0.0, effort->hash_permille);
}

void usi_write_info(const struct tsume_effort *effort, double seconds, const struct usi_mates *mates, bool several) {
    for (size_t i = 0; i < mates->count; i++) {
        const struct usi_mate *mate = &mates->of[i];
        write_effort(effort, seconds, mate->plies);
        if (several)
            printf(" multipv %zu", i + 1);
        printf(" score mate %s%d pv %s\n", mates->defends ? "-" : "", mate->plies, mate->moves);
    }
    if (mates->count == 0) {
        write_effort(effort, seconds, 0);
        putchar('\n');
    }
}

void usi_write_bestmove(const struct usi_mates *mates, bool ponder) {
    const char *best = mates->of[0].moves;
    int length = (int)strcspn(best, " ");
    printf("bestmove %.*s", length, best);
    if (ponder && best[length] == ' ')
        printf(" ponder %.*s", (int)strcspn(best + length + 1, " "), best + length + 1);
    putchar('\n');
}

/* Line breaks and other control characters would break the protocol, and bytes beyond ASCII the terminal. */
static void write_quoted(const char *text) {
    fputs(": '", stdout);
    for (size_t i = 0; i < MOST_QUOTED && text[i] != '\0'; i++)
        putchar(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    fputs(strlen(text) > MOST_QUOTED ? "...'" : "'", stdout);
}

void usi_write_string(const char *text, const char *about) {
    printf("info string %s", text);
    if (about)
        write_quoted(about);
    putchar('\n');
}
