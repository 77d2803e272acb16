/* main_line.c: following the stated solution as far as it is optimal, and optimal play from there. */
#include "solver/main_line.h"

#include <stdlib.h>

/* A walk along a line whose positions' values are known exactly. */
struct walk {
    struct worker *worker;
    struct position *pos; /* the worker's */
    enum color attacker;
    code value; /* of pos */
    struct main_line *main;
    bool out_of_memory;
};

static void take_step(struct walk *walk, move m) {
    if (!line_append(&walk->main->line, m)) {
        walk->out_of_memory = true;
        return;
    }
    walk->value -= (code)(walk->pos->side == walk->attacker ? code_of_attack(m) : code_of_defence());
    position_do(walk->pos, m);
}

static int ply_of(const struct walk *walk) {
    return (int)walk->main->line.length + 1;
}

static bool is_mated(const struct walk *walk) {
    return walk->pos->side != walk->attacker && code_plies(walk->value) == 0;
}

/* ---- The stated solution ---- */

/* Where and how it leaves optimal play. */
struct deviation {
    int ply; /* 0: it does not */
    bool too_slow, too_short;
};

static enum outcome decide_after(struct walk *walk, move m, code bound) {
    position_do(walk->pos, m);
    enum outcome outcome = worker_decide(walk->worker, bound, NULL);
    position_undo(walk->pos, m);
    return outcome;
}

/* Is the stated move one of the best? PROVED: yes. */
static enum outcome judge_move(struct walk *walk, move m) {
    if (walk->pos->side == walk->attacker) {
        if (!move_gives_check(walk->pos, m))
            return DISPROVED;
        return decide_after(walk, m, walk->value - (code)code_of_attack(m));
    }
    if (is_mated(walk))
        return DISPROVED; /* only futile answers are left */
    enum outcome worse = line_judges_answer(walk->worker, walk->value, m);
    return worse == STOPPED ? STOPPED : worse == PROVED ? DISPROVED : PROVED;
}

/* A stated check that is not the best: what it is worth. */
static void report_slow_check(struct walk *walk, move m, struct deviation *deviation, struct findings *findings) {
    struct variation variation = no_variation;
    struct mate mate;
    enum line_outcome built;
    if (move_gives_check(walk->pos, m)) {
        position_do(walk->pos, m);
        if (exact_solve(walk->worker, false, &mate) == PROVED) {
            variation = variation_build(walk->worker, m, &mate, &built);
            deviation->too_slow = variation.plies > code_plies(walk->value);
        }
        position_undo(walk->pos, m);
    }
    findings_add(findings, TSUME_FINDING_STATED_NOT_OPTIMAL, deviation->ply, m, variation);
}

/* A stated answer that is not the best: shorter, or only worse in what is left over, or futile. */
static void report_weak_answer(struct walk *walk, move m, struct deviation *deviation, struct findings *findings) {
    int plies = code_plies(walk->value) - 3; /* after the answer, and two plies sooner */
    deviation->too_short =
        !is_mated(walk) && plies > 0 && decide_after(walk, m, code_make(plies, CODE_ANY_SPENT)) == PROVED;
    if (!deviation->too_short)
        findings_add(findings, TSUME_FINDING_STATED_NOT_OPTIMAL, deviation->ply, m, no_variation);
}

/* Follows the stated solution as far as it is optimal. */
static void follow(struct walk *walk, const struct stated_line *stated, struct deviation *deviation,
                   struct findings *findings) {
    for (size_t i = 0; i < stated->count && !walk->out_of_memory; i++) {
        move m = stated->moves[i];
        enum outcome best = judge_move(walk, m);
        if (best == PROVED) {
            take_step(walk, m);
            continue;
        }
        if (best == STOPPED) {
            findings_add(findings, TSUME_FINDING_UNDECIDED, ply_of(walk), m, no_variation);
            return;
        }
        deviation->ply = ply_of(walk);
        (walk->pos->side == walk->attacker ? report_slow_check : report_weak_answer)(walk, m, deviation, findings);
        return;
    }
    walk->main->stated = stated->count > 0 && is_mated(walk);
    if (!walk->main->stated && stated->complete)
        findings_add(findings, TSUME_FINDING_STATED_NOT_OPTIMAL, ply_of(walk), NO_MOVE, no_variation);
}

/* The main line from this ply on, as a variation. */
static struct variation rest_of(const struct main_line *main, int ply) {
    const struct line *line = &main->line;
    size_t from = (size_t)ply - 1, length = line->length - from;
    struct variation rest = {.plies = (int)length, .leftover = line->leftover, .exact = true};
    if (line_copy(&rest.line, line->moves + from, length))
        rest.line.leftover = line->leftover;
    return rest;
}

/* What the stated solution misses, once the main line is known. */
static void report_missed(const struct main_line *main, const struct deviation *deviation, struct findings *findings) {
    if (!deviation->too_slow && !deviation->too_short)
        return;
    enum tsume_finding_kind kind = deviation->too_slow ? TSUME_FINDING_EARLY_MATE : TSUME_FINDING_LONGER_VARIATION;
    findings_add(findings, kind, deviation->ply, main->line.moves[deviation->ply - 1], rest_of(main, deviation->ply));
}

/* ---- Optimal play ---- */

static enum outcome find_attack(struct walk *walk, move *m) {
    struct decision d;
    enum outcome outcome = worker_decide(walk->worker, walk->value, &d);
    if (outcome == PROVED)
        *m = d.move;
    return outcome == PROVED && !move_is_legal(walk->pos, d.move) ? DISPROVED : outcome;
}

/* The first answer that holds out as long as the value says. PROVED: found. */
static enum outcome find_answer(struct walk *walk, move *m) {
    move answers[MAX_MOVES];
    int count = generate_evasions(walk->pos, answers);
    for (int i = 0; i < count; i++) {
        enum outcome worse = line_judges_answer(walk->worker, walk->value, answers[i]);
        if (worse == STOPPED)
            return STOPPED;
        *m = answers[i];
        if (worse == DISPROVED)
            return PROVED;
    }
    return DISPROVED;
}

static enum line_outcome finish(struct walk *walk) {
    while (!is_mated(walk)) {
        move m = NO_MOVE;
        enum outcome outcome = (walk->pos->side == walk->attacker ? find_attack : find_answer)(walk, &m);
        if (outcome != PROVED)
            return outcome == STOPPED ? LINE_STOPPED : LINE_BROKEN;
        take_step(walk, m);
        if (walk->out_of_memory)
            return LINE_NO_MEMORY;
    }
    return LINE_BUILT;
}

static enum line_outcome find_exact(struct worker *worker, struct search *search, code value,
                                    const struct stated_line *stated, struct main_line *main,
                                    struct findings *findings) {
    struct walk walk = {
        .worker = worker, .pos = worker_position(worker), .attacker = search->attacker, .value = value, .main = main};
    struct position start = *walk.pos;
    struct deviation deviation = {0};
    follow(&walk, stated, &deviation, findings);
    search_grant_line(search);
    enum line_outcome outcome = walk.out_of_memory ? LINE_NO_MEMORY : finish(&walk);
    *walk.pos = start;
    if (outcome == LINE_BUILT && !line_mates(&start, search->attacker, main->line.moves, main->line.length,
                                             search->futile, &main->line.leftover))
        outcome = LINE_BROKEN;
    if (outcome == LINE_BUILT)
        report_missed(main, &deviation, findings);
    return outcome;
}

/* Where the value is only an upper bound: a stated solution that is not longer may be optimal, and is taken. */
static enum line_outcome find_inexact(struct worker *worker, struct search *search, code value,
                                      const struct stated_line *stated, struct main_line *main,
                                      struct findings *findings) {
    int leftover;
    search_grant_line(search);
    if (stated->count && line_mates(worker_position(worker), search->attacker, stated->moves, stated->count,
                                    search->futile, &leftover)) {
        main->stated = stated->count <= (size_t)code_plies(value);
        if (!main->stated)
            findings_add(findings, TSUME_FINDING_STATED_NOT_OPTIMAL, 1, stated->moves[0], no_variation);
    }
    if (!main->stated)
        return line_build(worker, value, false, &main->line);
    if (!line_copy(&main->line, stated->moves, stated->count))
        return LINE_NO_MEMORY;
    main->line.leftover = leftover;
    return LINE_BUILT;
}

enum line_outcome main_line_find(struct worker *worker, struct search *search, const struct mate *value,
                                 const struct stated_line *stated, struct main_line *main, struct findings *findings) {
    *main = (struct main_line){.stated = false};
    enum line_outcome outcome =
        (value->exact ? find_exact : find_inexact)(worker, search, value->value, stated, main, findings);
    if (outcome != LINE_BUILT) {
        free(main->line.moves);
        main->line = (struct line){0};
    }
    return outcome;
}
