/* line.c: rebuilding main lines. */
#include "solver/line.h"

#include <stdlib.h>
#include <string.h>

bool line_append(struct line *line, move m) {
    if (line->length == line->room) {
        size_t room = line->room ? line->room * 2 : 64;
        move *moves = realloc(line->moves, room * sizeof *moves);
        if (!moves)
            return false;
        line->moves = moves;
        line->room = room;
    }
    line->moves[line->length++] = m;
    return true;
}

bool line_copy(struct line *line, const move *moves, size_t count) {
    struct line copy = {0};
    for (size_t i = 0; i < count; i++)
        if (!line_append(&copy, moves[i])) {
            free(copy.moves);
            return false;
        }
    *line = copy;
    return true;
}

static enum line_outcome as_line_outcome(enum outcome o) {
    return o == STOPPED ? LINE_STOPPED : LINE_BROKEN;
}

/* Decides a position below a proved one. What was proved without a bound is found again best without one. */
static enum outcome prove_again(struct worker *w, code bound, struct decision *d) {
    struct entry known;
    if (!worker_known(w, bound, &known) && worker_decide(w, CODE_INFINITE, d) == PROVED && d->value <= bound)
        return PROVED;
    return worker_decide(w, bound, d);
}

/* The attacker's move at a position proved by `value`; afterwards *value is the bound of the position after it. */
static enum line_outcome choose_attack(struct worker *w, code *value, move *m) {
    struct decision d;
    enum outcome o = prove_again(w, *value, &d);
    if (o != PROVED || !move_is_legal(worker_position(w), d.move))
        return as_line_outcome(o);
    *m = d.move;
    *value = d.value - (code)code_of_attack(d.move);
    return LINE_BUILT;
}

/* An answer, and by what code it loses. */
struct answer {
    move move;
    code code;
};

static int by_code_descending(const void *a, const void *b) {
    const struct answer *x = a, *y = b;
    if (x->code != y->code)
        return x->code < y->code ? 1 : -1;
    return (x->move > y->move) - (x->move < y->move);
}

/* The codes of all answers to a check proved by `value`. An interposing drop that does not lose by it must be futile: then its code is
 * 0. */
static enum line_outcome value_answers(struct worker *w, code value, struct answer *answers, int count) {
    struct position *pos = worker_position(w);
    for (int i = 0; i < count; i++) {
        struct decision d;
        position_do(pos, answers[i].move);
        enum outcome o = prove_again(w, value - (code)code_of_defence(), &d);
        position_undo(pos, answers[i].move);
        answers[i].code = 0;
        if (o == PROVED)
            answers[i].code = d.value;
        else if (o == STOPPED || !move_is_drop(answers[i].move) || !worker_search(w)->futile)
            return as_line_outcome(o);
        else if ((o = worker_judges_futile(w, answers[i].move, value)) != PROVED)
            return as_line_outcome(o);
    }
    return LINE_BUILT;
}

enum outcome line_judges_answer(struct worker *w, code value, move answer) {
    struct position *pos = worker_position(w);
    position_do(pos, answer);
    enum outcome o = worker_decide(w, value - (code)code_of_defence() - 1, NULL);
    position_undo(pos, answer);
    if (o != DISPROVED || !move_is_drop(answer) || !worker_search(w)->futile)
        return o;
    return worker_judges_futile(w, answer, value);
}

/* Puts first the answer that holds out as long as the exact `value` says. */
static enum line_outcome find_longest(struct worker *w, code value, struct answer *answers, int count) {
    for (int i = 0; i < count; i++) {
        enum outcome o = answers[i].code ? line_judges_answer(w, value, answers[i].move) : PROVED;
        if (o == STOPPED)
            return LINE_STOPPED;
        if (o == DISPROVED) {
            answers[0] = answers[i];
            return LINE_BUILT;
        }
    }
    return LINE_BROKEN;
}

/* The defender's move; NO_MOVE in *m when he has none, or only futile ones. */
static enum line_outcome choose_defence(struct worker *w, code *value, bool exact, move *m) {
    move evasions[MAX_MOVES];
    struct answer answers[MAX_MOVES];
    int count = generate_evasions(worker_position(w), evasions);
    *m = NO_MOVE;
    if (count == 0 || (exact && code_plies(*value) == 0))
        return LINE_BUILT;
    for (int i = 0; i < count; i++)
        answers[i] = (struct answer){evasions[i], 0};
    enum line_outcome outcome = value_answers(w, *value, answers, count);
    if (outcome != LINE_BUILT)
        return outcome;
    qsort(answers, (size_t)count, sizeof *answers, by_code_descending);
    if (answers[0].code == 0)
        return LINE_BUILT;
    if (exact && (outcome = find_longest(w, *value, answers, count)) != LINE_BUILT)
        return outcome;
    *m = answers[0].move;
    *value = exact ? *value - (code)code_of_defence() : answers[0].code;
    return LINE_BUILT;
}

enum line_outcome line_build(struct worker *w, code value, bool exact, struct line *line) {
    struct position *pos = worker_position(w), start = *pos;
    enum color attacker = worker_search(w)->attacker;
    enum line_outcome outcome = LINE_BUILT;
    *line = (struct line){0};
    for (;;) {
        move m = NO_MOVE;
        outcome = pos->side == attacker ? choose_attack(w, &value, &m) : choose_defence(w, &value, exact, &m);
        if (outcome != LINE_BUILT || m == NO_MOVE)
            break;
        if (!line_append(line, m)) {
            outcome = LINE_NO_MEMORY;
            break;
        }
        position_do(pos, m);
    }
    *pos = start;
    if (outcome == LINE_BUILT &&
        !line_mates(&start, attacker, line->moves, line->length, worker_search(w)->futile, &line->leftover))
        outcome = LINE_BROKEN;
    if (outcome != LINE_BUILT) {
        free(line->moves);
        *line = (struct line){0};
    }
    return outcome;
}

static bool only_drops(const move *moves, int count) {
    for (int i = 0; i < count; i++)
        if (!move_is_drop(moves[i]))
            return false;
    return true;
}

bool line_mates(const struct position *start, enum color attacker, const move *moves, size_t length, bool futile,
                int *leftover) {
    struct position pos = *start;
    for (size_t i = 0; i < length; i++) {
        if (!move_is_legal(&pos, moves[i]) || (pos.side == attacker && !move_gives_check(&pos, moves[i])))
            return false;
        position_do(&pos, moves[i]);
    }
    if (pos.side == attacker || !position_in_check(&pos))
        return false;
    *leftover = hand_total(pos.hand[attacker]);
    move answers[MAX_MOVES];
    int count = generate_evasions(&pos, answers);
    return count == 0 || (futile && only_drops(answers, count));
}
