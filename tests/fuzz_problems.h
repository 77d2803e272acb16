/* fuzz_problems.h: what must hold of every problem read from any bytes. */
#ifndef TSUME_TESTS_FUZZ_PROBLEMS_H
#define TSUME_TESTS_FUZZ_PROBLEMS_H

#include "problems/reader.h"
#include "problems/writer.h"
#include "rules/movegen.h"
#include "tests/described.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Says what does not hold, and where, before it gives up. */
#define fuzz_require(condition) fuzz_must_hold(condition, #condition, __FILE__, __LINE__)
static inline void fuzz_must_hold(bool holds, const char *condition, const char *file, int line) {
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* Every stated move is legal where it stands. */
static inline void fuzz_check_moves(const struct stated_move *m, const struct position *start) {
    struct position pos = *start;
    for (; m; m = m->next) {
        for (const struct stated_move *v = m->variation; v; v = v->variation) {
            struct stated_move alone = *v;
            alone.variation = NULL;
            fuzz_check_moves(&alone, &pos);
        }
        fuzz_require(move_is_legal(&pos, m->move));
        position_do(&pos, m->move);
    }
}

static inline void fuzz_check_problem(const struct tsume_problem *problem) {
    fuzz_require(problem->id && problem->id[0] && problem->file);
    if (problem->invalid) {
        fuzz_require(problem->error.message[0] && problem->error.line > 0 && problem->error.column >= 0);
        return;
    }
    fuzz_require(problem->position_is_set);
    fuzz_require(setup_fault(&problem->setup, NULL, NULL) == FAULT_NONE);
    struct position pos;
    position_set(&pos, &problem->setup);
    fuzz_require(position_equal(&pos, &problem->position));
    fuzz_require(pos.king[color_other(problem->attacker)] != NO_SQUARE);
    fuzz_require(problem->defender_to_move == (pos.side != (uint8_t)problem->attacker));
    fuzz_require(!problem->defender_to_move || position_in_check(&pos));
    fuzz_check_moves(problem->stated, &problem->position);
}

/* Shows both and gives up if they differ. */
static inline void fuzz_require_same(const struct tsume_problem *problem, const struct tsume_problem *again,
                                     unsigned parts, const char *text) {
    char *before = described_problem(problem, parts), *after = described_problem(again, parts);
    if (strcmp(before, after) != 0)
        fprintf(stderr, "--- read ---\n%s\n--- expected ---\n%s\n--- from ---\n%s\n", after, before, text);
    fuzz_require(strcmp(before, after) == 0);
    free(before);
    free(after);
}

/* What is written in any format is read again as the same problem, but for what is said to be lost. */
static inline void fuzz_check_writing(const struct tsume_problem *problem) {
    static const char *const names[FORMATS] = {"", "x.sfen", "x.kif", "x.ki2", "x.bod", "x.csa", "x.jkf"};
    for (enum format format = FORMAT_SFEN; format < FORMATS; format++) {
        struct writer_options options = {format, ENCODING_UTF8, false};
        unsigned lost;
        size_t length, replaced;
        char *text = problem_text(problem, &options, &length, &lost, &replaced);
        fuzz_require(text && replaced == 0);
        struct reader *reader = reader_new_memory(names[format], text, length, NULL);
        struct tsume_problem *again = reader_next(reader), *end = reader_next(reader);
        fuzz_require(again && !again->invalid && !again->stated_note && !end);
        fuzz_require(format == FORMAT_BOD || (problem->stated == NULL) == (again->stated == NULL));
        fuzz_require_same(problem, again, described_parts_kept(format, lost), text);
        tsume_problem_free(again);
        reader_free(reader);
        free(text);
    }
}

/* Reads the bytes as a file of this name. */
static inline void fuzz_read(const char *name, const uint8_t *data, size_t size) {
    struct reader *reader = reader_new_memory(name, data, size, NULL);
    fuzz_require(reader != NULL);
    for (struct tsume_problem *problem; (problem = reader_next(reader)); tsume_problem_free(problem)) {
        fuzz_check_problem(problem);
        if (!problem->invalid)
            fuzz_check_writing(problem);
    }
    unsigned long long done, total;
    reader_progress(reader, &done, &total);
    fuzz_require(done == size && total == size);
    reader_free(reader);
}

#endif
