/* test_soundness.c: composed problems with one flaw or another, and sound ones: what tsume_check says of them, and that the
 * reference search agrees.
 *
 * The fixtures are lists: sfen, id, plies, stated solution (- for none), verdict, findings as KIND@PLY:MOVE (- for none). */
#include "solver/tsume.h"
#include "tests/helping.h"
#include "tests/reference.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIXTURES = 200, LINE_SIZE = 4096, LONGEST = 32, TABLE_MIB = 16 };
/* Where everything is slow, only one fixture of so many is taken. */
enum { EVERY = TSUME_SANITIZED ? 4 : 1 };
/* How deep, at least, and how far the reference looks. */
enum { REFERENCE_PLIES = 7, REFERENCE_NODES = 300000, VALUE_NODES = 2000000 };

struct fixture {
    char text[LINE_SIZE];
    char *sfen, *id, *stated, *verdict, *findings;
    int plies;
};

static struct fixture fixtures[MOST_FIXTURES];
static int fixture_count;

static char *field(char **rest) {
    char *text = strsep(rest, "\t\n");
    cr_assert_not_null(text);
    return text;
}

static void read_list(const char *path) {
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in, "%s", path);
    while (fixture_count < MOST_FIXTURES && fgets(fixtures[fixture_count].text, LINE_SIZE, in)) {
        struct fixture *f = &fixtures[fixture_count];
        char *rest = f->text;
        if (*rest == '#' || *rest == '\n')
            continue;
        f->sfen = field(&rest);
        f->id = field(&rest);
        f->plies = atoi(field(&rest));
        f->stated = field(&rest);
        f->verdict = field(&rest);
        f->findings = field(&rest);
        fixture_count++;
    }
    fclose(in);
}

static void read_fixtures(void) {
    static const char FOLDER[] = TSUME_SOURCE_DIR "/tests/fixtures/soundness";
    DIR *folder = opendir(FOLDER);
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[sizeof FOLDER + sizeof entry->d_name + 1];
        snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
        if (dot && strcmp(dot, ".tsv") == 0)
            read_list(path);
    }
    closedir(folder);
    cr_assert_gt(fixture_count, 0);
}

/* ---- Reports as text ---- */

static struct tsume_report *check(struct tsume_solver *solver, const char *sfen, const char *stated,
                                  const struct tsume_check_options *options) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s\tx\t0\t%s", sfen, stated);
    struct tsume_problem *problem = tsume_problem_from_sfen(line, NULL);
    cr_assert_not_null(problem);
    cr_assert_null(tsume_problem_error(problem), "%s", sfen);
    struct tsume_report *report = tsume_check(solver, problem, options);
    cr_assert_not_null(report);
    cr_expect_null(tsume_report_error(report), "%s: %s", sfen, tsume_report_error(report));
    tsume_problem_free(problem);
    return report;
}

/* The same with a table of its own, so that the report depends on nothing else. */
static struct tsume_report *check_alone(const char *sfen, const char *stated,
                                        const struct tsume_check_options *options) {
    struct tsume_solver *solver = tsume_solver_new(TABLE_MIB, NULL);
    cr_assert_not_null(solver);
    struct tsume_report *report = check(solver, sfen, stated, options);
    tsume_solver_free(solver);
    return report;
}

/* The findings as the fixtures write them; malloc'd. */
static char *findings_text(const struct tsume_report *report) {
    char *text = NULL;
    size_t size, count = tsume_report_finding_count(report);
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < count; i++) {
        const struct tsume_finding *f = tsume_report_finding(report, i);
        fprintf(out, "%s%s@%d:%s", i ? " " : "", tsume_finding_kind_name(f->kind), f->ply, f->move ? f->move : "-");
    }
    if (count == 0)
        fputc('-', out);
    fclose(out);
    return text;
}

static void expect_report(const struct fixture *f, const struct tsume_report *report) {
    char *findings = findings_text(report);
    cr_expect_str_eq(tsume_soundness_name(tsume_report_verdict(report)), f->verdict, "%s", f->id);
    cr_expect_str_eq(findings, f->findings, "%s: %s", f->id, findings);
    if (f->plies)
        cr_expect_eq(tsume_report_plies(report), f->plies, "%s", f->id);
    free(findings);
}

Test(soundness, fixtures_are_judged_as_they_say) {
    read_fixtures();
    for (int i = 0; i < fixture_count; i++) {
        struct tsume_report *report = check_alone(fixtures[i].sfen, fixtures[i].stated, NULL);
        expect_report(&fixtures[i], report);
        tsume_report_free(report);
    }
}

Test(soundness, kinds_of_findings_have_three_problems_each) {
    static const char *const KINDS[] = {
        "no-mate", "cook",          "early-mate", "final-dual",      "promotion-choice", "square-choice",
        "detour",  "transposition", "leftover",   "equal-variation", "longer-variation", "stated-not-optimal"};
    read_fixtures();
    int sound = 0;
    for (size_t k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        int count = 0;
        char wanted[40];
        snprintf(wanted, sizeof wanted, "%s@", KINDS[k]);
        for (int i = 0; i < fixture_count; i++)
            count += strstr(fixtures[i].findings, wanted) != NULL;
        cr_expect_geq(count, 3, "%s: %d", KINDS[k], count);
    }
    for (int i = 0; i < fixture_count; i++)
        sound += strcmp(fixtures[i].verdict, "sound") == 0;
    cr_expect_geq(sound, 3);
}

/* ---- The reference agrees ---- */

static struct vr_move move_of(const char *text, const struct vr_position *position) {
    struct vr_move m = {.kind = VR_NONE};
    cr_assert_eq(vr_read_move(text, position, &m), strlen(text), "%s", text);
    cr_assert(vr_is_legal(position, &m), "%s", text);
    return m;
}

/* A report under review: the main line by the rules of the checker, and the reference twice: by the values of the problem, and with the
 * attacker's positions of the main line and the mate at its end as failures. */
struct review {
    const struct fixture *fixture;
    const struct tsume_report *report;
    enum vr_color attacker;
    int length;
    struct vr_position positions[LONGEST + 1];
    struct vr_position failures[LONGEST + 1];
    struct reference *plain, *strict;
};

static const char *main_move(const struct review *r, int ply) {
    return tsume_report_line_move(r->report, (size_t)ply - 1);
}

static bool attacks_at(const struct review *r, int ply) {
    return (enum vr_color)r->positions[ply - 1].side == r->attacker;
}

static void open_review(struct review *r, const struct fixture *f, const struct tsume_report *report) {
    *r = (struct review){.fixture = f, .report = report, .length = (int)tsume_report_line_length(report)};
    struct vr_position *start = &r->positions[0];
    cr_assert_leq(r->length, LONGEST);
    cr_assert_gt(vr_read_sfen(f->sfen, start), 0);
    r->attacker = vr_in_check(start) ? vr_other((enum vr_color)start->side) : (enum vr_color)start->side;
    int failures = 0;
    for (int ply = 1; ply <= r->length; ply++) {
        struct vr_move m = move_of(main_move(r, ply), &r->positions[ply - 1]);
        r->positions[ply] = vr_after(&r->positions[ply - 1], &m);
        if (attacks_at(r, ply))
            r->failures[failures++] = r->positions[ply - 1];
    }
    r->failures[failures++] = r->positions[r->length];
    r->plain = reference_new(r->attacker, REFERENCE_EXACT);
    r->strict = reference_new(r->attacker, REFERENCE_EXACT);
    reference_forbid(r->strict, r->failures, failures);
}

static void close_review(struct review *r) {
    reference_free(r->plain);
    reference_free(r->strict);
}

/* The value of the position at this ply with the move played there, the ply counted in. */
static struct reference_value value_with(struct reference *reference, const struct review *r, int ply,
                                         const struct vr_move *m, int plies) {
    struct vr_position after = vr_after(&r->positions[ply - 1], m);
    struct reference_value value = reference_value(reference, &after, plies - 1, REFERENCE_NODES);
    cr_expect_neq(value.verdict, REFERENCE_GAVE_UP, "%s: ply %d: too much for the reference", r->fixture->id, ply);
    value.plies += value.verdict == REFERENCE_MATE;
    return value;
}

static const struct tsume_finding *finding_of(const struct review *r, int ply, const char *m) {
    for (size_t i = 0; i < tsume_report_finding_count(r->report); i++) {
        const struct tsume_finding *f = tsume_report_finding(r->report, i);
        if (f->ply == ply && f->move && strcmp(f->move, m) == 0)
            return f;
    }
    return NULL;
}

/* Whatever check mates by the reference, as soon as the main line or without coming back to it, has a finding; so has whatever answer
 * holds out as long, where the main line leaves nothing over. */
static void expect_all_found(const struct review *r, int ply) {
    static struct vr_move moves[VR_MAX_MOVES];
    const struct vr_position *position = &r->positions[ply - 1];
    bool attacks = attacks_at(r, ply);
    int left = r->length - ply + 1, strict_plies = left > REFERENCE_PLIES ? left : REFERENCE_PLIES;
    if (!attacks && (left <= 2 || tsume_report_leftover(r->report) > 0))
        return;
    int count = attacks ? vr_checking_moves(position, moves) : vr_legal_moves(position, moves);
    for (int i = 0; i < count; i++) {
        char text[VR_MOVE_SIZE];
        vr_write_move(&moves[i], text);
        if (strcmp(text, main_move(r, ply)) == 0 || finding_of(r, ply, text))
            continue;
        struct reference_value value = value_with(r->plain, r, ply, &moves[i], left);
        bool mates = value.verdict == REFERENCE_MATE;
        if (attacks && !mates)
            mates = value_with(r->strict, r, ply, &moves[i], strict_plies).verdict == REFERENCE_MATE;
        else if (!attacks)
            mates = mates && value.plies == left && value.leftover == 0;
        cr_expect(!mates, "%s: ply %d: %s is not reported", r->fixture->id, ply, text);
    }
}

/* ---- Kinds of findings, by their definitions ---- */

static bool is_promotion_choice(const char *played, const char *other) {
    return strncmp(played, other, 4) == 0 && played[1] != '*' && strcmp(played, other) != 0;
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

/* Two drops of one slider from the same side of the king on one line. */
static bool drops_on_one_line(const struct vr_position *position, const struct vr_move *a, const struct vr_move *b) {
    struct vr_square king;
    vr_find_king(position, vr_other((enum vr_color)position->side), &king);
    bool slider = a->kind == VR_LANCE || a->kind == VR_BISHOP || a->kind == VR_ROOK;
    return a->drop && b->drop && a->kind == b->kind && slider &&
           sign(a->to.row - king.row) == sign(b->to.row - king.row) &&
           sign(a->to.column - king.column) == sign(b->to.column - king.column);
}

/* Can the rest of the main line be played with the piece that was dropped at this ply on another square, and is it mate then? */
static bool rest_mates(const struct review *r, int ply, const struct vr_move *other) {
    char from[VR_MOVE_SIZE], to[VR_MOVE_SIZE];
    struct vr_position position = vr_after(&r->positions[ply - 1], other);
    bool there = true; /* the dropped piece, where it was dropped */
    snprintf(from, sizeof from, "%s", main_move(r, ply));
    vr_write_move(other, to);
    for (int next = ply + 1; next <= r->length; next++) {
        char text[VR_MOVE_SIZE];
        struct vr_move m = {.kind = VR_NONE};
        snprintf(text, sizeof text, "%s", main_move(r, next));
        for (int at = 0; at <= 2 && there; at += 2)
            if (strncmp(text + at, from + 2, 2) == 0) {
                memcpy(text + at, to + 2, 2);
                there = false;
            }
        if (vr_read_move(text, &position, &m) == 0 || !vr_is_legal(&position, &m) ||
            (attacks_at(r, next) && !vr_gives_check(&position, &m)))
            return false;
        position = vr_after(&position, &m);
    }
    return reference_value(r->plain, &position, 0, REFERENCE_NODES).verdict == REFERENCE_MATE;
}

/* The attacker's moves of the main line from a ply on, in another order. */
struct order {
    const struct review *r;
    int first, count; /* ply; how many */
    unsigned used;    /* bit n: the n-th of them has been played */
    int played;       /* moves of both sides */
};

/* Have they all led to where the main line is after as many moves? */
static bool has_arrived(const struct order *o, const struct vr_position *position) {
    int ply = o->first - 1 + o->played;
    return o->used == (1u << o->count) - 1 && ply <= o->r->length && vr_equal(position, &o->r->positions[ply]);
}

static bool attack_arrives(struct order *o, const struct vr_position *position);

static bool answer_arrives(struct order *o, const struct vr_position *position) {
    if (has_arrived(o, position))
        return true;
    struct vr_move *answers = malloc(VR_MAX_MOVES * sizeof *answers);
    int count = vr_legal_moves(position, answers);
    bool arrives = false;
    o->played++;
    for (int i = 0; i < count && !arrives; i++) {
        struct vr_position after = vr_after(position, &answers[i]);
        arrives = attack_arrives(o, &after);
    }
    o->played--;
    free(answers);
    return arrives;
}

static bool attack_arrives(struct order *o, const struct vr_position *position) {
    bool arrives = has_arrived(o, position);
    for (int n = 0; n < o->count && !arrives; n++) {
        int ply = o->first + 2 * n;
        struct vr_move m = move_of(main_move(o->r, ply), &o->r->positions[ply - 1]);
        if (o->used & 1u << n || !vr_is_legal(position, &m) || !vr_gives_check(position, &m))
            continue;
        struct vr_position after = vr_after(position, &m);
        o->used |= 1u << n;
        o->played++;
        arrives = answer_arrives(o, &after);
        o->played--;
        o->used &= ~(1u << n);
    }
    return arrives;
}

/* Is the check one of the attacker's next moves of the main line, and can those be played in an order that begins with it? */
static bool is_other_order(const struct review *r, int ply, const char *check) {
    for (int count = 2; ply + 2 * (count - 1) <= r->length; count++)
        for (int n = 1; n < count; n++) {
            const struct vr_position *position = &r->positions[ply - 1];
            struct order o = {.r = r, .first = ply, .count = count, .used = 1u << n, .played = 1};
            if (strcmp(main_move(r, ply + 2 * n), check) != 0)
                continue;
            struct vr_move m = move_of(check, position);
            struct vr_position after = vr_after(position, &m);
            if (answer_arrives(&o, &after))
                return true;
        }
    return false;
}

/* What kind of finding a mating check is, given how long its mate without coming back to the main line is (−1: none). */
static enum tsume_finding_kind kind_of_check(const struct review *r, int ply, const char *check, int strict_plies) {
    const struct vr_position *position = &r->positions[ply - 1];
    const char *played = main_move(r, ply);
    struct vr_move m = move_of(check, position), main_lines = move_of(played, position);
    int left = r->length - ply + 1;
    if (is_promotion_choice(played, check))
        return TSUME_FINDING_PROMOTION_CHOICE;
    if (drops_on_one_line(position, &m, &main_lines) && rest_mates(r, ply, &m))
        return TSUME_FINDING_SQUARE_CHOICE;
    if (strict_plies < 0)
        return is_other_order(r, ply, check) ? TSUME_FINDING_TRANSPOSITION : TSUME_FINDING_DETOUR;
    if (left == 1)
        return TSUME_FINDING_FINAL_DUAL;
    return strict_plies < left ? TSUME_FINDING_EARLY_MATE : TSUME_FINDING_COOK;
}

/* Another check of the attacker's: it mates as the finding says, and is what the finding calls it. Returning to the main line is all it can do
 * if it does not mate otherwise within as many plies and some more. */
static void expect_true_of_check(const struct review *r, const struct tsume_finding *f) {
    enum { SOME_MORE = 2 };
    struct vr_move m = move_of(f->move, &r->positions[f->ply - 1]);
    bool returns = f->kind == TSUME_FINDING_DETOUR || f->kind == TSUME_FINDING_TRANSPOSITION;
    struct reference_value plain = value_with(r->plain, r, f->ply, &m, f->plies);
    struct reference_value strict = value_with(r->strict, r, f->ply, &m, f->plies + (returns ? SOME_MORE : 0));
    bool strictly = strict.verdict == REFERENCE_MATE;
    enum tsume_finding_kind kind = kind_of_check(r, f->ply, f->move, strictly ? strict.plies : -1);
    bool choice = kind == TSUME_FINDING_PROMOTION_CHOICE || kind == TSUME_FINDING_SQUARE_CHOICE;
    struct reference_value valued = strictly && !choice ? strict : plain;
    cr_expect_eq(plain.verdict, REFERENCE_MATE, "%s: %s at ply %d", r->fixture->id, f->move, f->ply);
    cr_expect(!f->exact || (valued.plies == f->plies && valued.leftover == f->leftover), "%s: %s at ply %d: %d/%d",
              r->fixture->id, f->move, f->ply, valued.plies, valued.leftover);
    cr_expect_eq(f->kind, kind, "%s: %s at ply %d is a %s", r->fixture->id, f->move, f->ply,
                 tsume_finding_kind_name(kind));
}

/* Another answer of the defender's: it holds out as long, and leaves nothing over. */
static void expect_true_of_answer(const struct review *r, const struct tsume_finding *f) {
    struct vr_move m = move_of(f->move, &r->positions[f->ply - 1]);
    int left = r->length - f->ply + 1;
    struct reference_value value = value_with(r->plain, r, f->ply, &m, left);
    cr_expect_eq(f->kind, TSUME_FINDING_EQUAL_VARIATION, "%s: %s", r->fixture->id, f->move);
    cr_expect(value.verdict == REFERENCE_MATE && value.plies == left && value.leftover == 0, "%s: %s", r->fixture->id,
              f->move);
}

/* ---- The stated solution ---- */

/* The stated move at a ply, up to which the main line is the stated one; false if there is none. */
static bool stated_move(const struct review *r, int ply, char text[VR_MOVE_SIZE]) {
    const char *rest = r->fixture->stated;
    int length = 0;
    for (; ply > 0 && sscanf(rest, "%5s%n", text, &length) == 1; ply--)
        rest += length;
    return ply == 0;
}

/* The move stated at the finding's ply is not optimal: it mates later, or lets himself be mated sooner, as the finding says. */
static void expect_true_of_stated(const struct review *r, const struct tsume_finding *f) {
    char text[VR_MOVE_SIZE];
    int left = r->length - f->ply + 1;
    if (!stated_move(r, f->ply, text)) {
        cr_expect_null(f->move, "%s: ply %d", r->fixture->id, f->ply);
        return;
    }
    struct vr_move m = move_of(text, &r->positions[f->ply - 1]);
    struct reference_value value = value_with(r->plain, r, f->ply, &m, left);
    bool shorter = value.verdict == REFERENCE_MATE && value.plies < left, longer = value.verdict != REFERENCE_MATE;
    bool less = value.verdict == REFERENCE_MATE && value.leftover != tsume_report_leftover(r->report);
    if (f->kind == TSUME_FINDING_STATED_NOT_OPTIMAL)
        cr_expect(shorter || longer || less, "%s: %s", r->fixture->id, text);
    else
        cr_expect(f->kind == TSUME_FINDING_EARLY_MATE ? longer : shorter, "%s: %s", r->fixture->id, text);
}

/* ---- All of a report ---- */

static void expect_true(const struct review *r, const struct tsume_finding *f) {
    bool concerns_stated = f->kind == TSUME_FINDING_STATED_NOT_OPTIMAL || f->kind == TSUME_FINDING_LONGER_VARIATION;
    bool concerns_all = f->kind == TSUME_FINDING_NO_MATE || f->kind == TSUME_FINDING_LEFTOVER;
    if (concerns_all)
        return; /* the value of the problem tells */
    if (concerns_stated || strcmp(f->move, main_move(r, f->ply)) == 0)
        expect_true_of_stated(r, f);
    else if (attacks_at(r, f->ply))
        expect_true_of_check(r, f);
    else
        expect_true_of_answer(r, f);
}

static void expect_true_value(const struct review *r) {
    const char *id = r->fixture->id;
    int plies = r->length > 0 ? r->length : REFERENCE_PLIES;
    struct reference_value value = reference_value(r->plain, &r->positions[0], plies, VALUE_NODES);
    cr_assert_neq(value.verdict, REFERENCE_GAVE_UP, "%s", id);
    cr_expect_eq(value.verdict == REFERENCE_MATE, r->length > 0, "%s", id);
    if (value.verdict != REFERENCE_MATE)
        return;
    cr_expect(value.plies == tsume_report_plies(r->report) && value.leftover == tsume_report_leftover(r->report),
              "%s: %d/%d", id, value.plies, value.leftover);
    bool leftover = false;
    for (size_t i = 0; i < tsume_report_finding_count(r->report); i++)
        leftover |= tsume_report_finding(r->report, i)->kind == TSUME_FINDING_LEFTOVER;
    cr_expect_eq(leftover, value.leftover > 0, "%s", id);
}

/* Every finding is true and is called what it is, and none is missing. */
Test(soundness, reference_agrees) {
    read_fixtures();
    struct review *r = malloc(sizeof *r);
    for (int i = 0; i < fixture_count; i += EVERY) {
        struct tsume_report *report = check_alone(fixtures[i].sfen, fixtures[i].stated, NULL);
        open_review(r, &fixtures[i], report);
        expect_true_value(r);
        for (size_t j = 0; j < tsume_report_finding_count(report); j++)
            expect_true(r, tsume_report_finding(report, j));
        for (int ply = 1; ply <= r->length; ply++)
            expect_all_found(r, ply);
        close_review(r);
        tsume_report_free(report);
    }
    free(r);
}

/* ---- Mirrored, and with colours reversed ---- */

static void turn_position(struct vr_position *position, bool reversed) {
    struct vr_position before = *position;
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++) {
            int8_t piece = before.board[row][column];
            position->board[reversed ? 8 - row : row][8 - column] = (int8_t)(reversed ? -piece : piece);
        }
    if (reversed) {
        memcpy(position->hand[VR_BLACK], before.hand[VR_WHITE], sizeof before.hand[VR_WHITE]);
        memcpy(position->hand[VR_WHITE], before.hand[VR_BLACK], sizeof before.hand[VR_BLACK]);
        position->side = (int8_t)vr_other((enum vr_color)before.side);
    }
}

/* Turns all squares of USI moves in the text: a digit and a letter from a to i. */
static void turn_moves(char *text, bool reversed) {
    for (char *c = text; *c; c++)
        if (c[0] >= '1' && c[0] <= '9' && c[1] >= 'a' && c[1] <= 'i') {
            c[0] = (char)('1' + '9' - c[0]);
            if (reversed)
                c[1] = (char)('a' + 'i' - c[1]);
        }
}

static void append_word(char *text, const char *word) {
    snprintf(text + strlen(text), LINE_SIZE - strlen(text), " %s", word);
}

/* The main line, the findings and their lines. */
static void describe(const struct tsume_report *report, char text[LINE_SIZE]) {
    text[0] = '\0';
    append_word(text, tsume_soundness_name(tsume_report_verdict(report)));
    for (size_t i = 0; i < tsume_report_line_length(report); i++)
        append_word(text, tsume_report_line_move(report, i));
    for (size_t i = 0; i < tsume_report_finding_count(report); i++) {
        const struct tsume_finding *f = tsume_report_finding(report, i);
        append_word(text, tsume_finding_kind_name(f->kind));
        append_word(text, f->move ? f->move : "-");
        for (size_t j = 0; j < f->line_length; j++)
            append_word(text, f->line[j]);
    }
}

static void expect_turned_report(const struct fixture *f, bool reversed) {
    struct vr_position position;
    char sfen[VR_SFEN_SIZE], stated[LINE_SIZE], expected[LINE_SIZE], actual[LINE_SIZE];
    cr_assert_gt(vr_read_sfen(f->sfen, &position), 0);
    turn_position(&position, reversed);
    vr_write_sfen(&position, sfen);
    snprintf(stated, sizeof stated, "%s", f->stated);
    turn_moves(stated, reversed);
    struct tsume_report *report = check_alone(f->sfen, f->stated, NULL);
    struct tsume_report *turned = check_alone(sfen, stated, NULL);
    describe(report, expected);
    turn_moves(expected, reversed);
    describe(turned, actual);
    cr_expect_str_eq(actual, expected, "%s", f->id);
    tsume_report_free(report);
    tsume_report_free(turned);
}

Test(soundness, mirrored_problem_has_the_mirrored_report) {
    read_fixtures();
    for (int i = 0; i < fixture_count; i += EVERY)
        expect_turned_report(&fixtures[i], false);
}

Test(soundness, reversed_problem_has_the_reversed_report) {
    read_fixtures();
    for (int i = 0; i < fixture_count; i += EVERY)
        expect_turned_report(&fixtures[i], true);
}

/* ---- Limits, threads ---- */

/* A report under a limit claims nothing that more of it would take back, and names what it left open. */
static void expect_no_more_than_is_known(const struct fixture *f, const struct tsume_report *report) {
    const char *verdict = tsume_soundness_name(tsume_report_verdict(report));
    char *findings = findings_text(report);
    if (tsume_report_verdict(report) == TSUME_UNDECIDED)
        cr_expect_not_null(strstr(findings, "undecided@"), "%s: %s", f->id, findings);
    else
        cr_expect_str_eq(verdict, f->verdict, "%s", f->id);
    free(findings);
}

/* More and more of it, until it is enough. */
Test(soundness, limit_leaves_it_undecided) {
    enum { LEAST = 1, MOST = 1 << 20, TIMES = 4 };
    read_fixtures();
    int mate_open = 0, move_open = 0;
    for (int i = 0; i < fixture_count; i += EVERY) {
        bool decided = false;
        for (uint64_t nodes = LEAST; nodes <= MOST && !decided; nodes *= TIMES) {
            struct tsume_check_options options = {.limits = {.nodes = nodes}};
            struct tsume_report *report = check_alone(fixtures[i].sfen, fixtures[i].stated, &options);
            expect_no_more_than_is_known(&fixtures[i], report);
            decided = tsume_report_verdict(report) != TSUME_UNDECIDED;
            const struct tsume_finding *last = tsume_report_finding(report, tsume_report_finding_count(report) - 1);
            mate_open += !decided && last->ply == 0;
            move_open += !decided && last->ply > 0;
            tsume_report_free(report);
        }
        cr_expect(decided, "%s", fixtures[i].id);
    }
    cr_expect(mate_open >= 20 / EVERY && move_open >= 20 / EVERY, "%d, %d", mate_open, move_open);
}

Test(soundness, first_cook_is_enough) {
    static const struct tsume_check_options first = {.first = true};
    read_fixtures();
    for (int i = 0; i < fixture_count; i++) {
        if (!strstr(fixtures[i].findings, "cook@"))
            continue;
        struct tsume_report *report = check_alone(fixtures[i].sfen, fixtures[i].stated, &first);
        cr_expect_eq(tsume_report_verdict(report), TSUME_UNSOUND, "%s", fixtures[i].id);
        tsume_report_free(report);
    }
}

Test(soundness, two_threads_give_the_same_verdicts) {
    read_fixtures();
    struct helper helper;
    begin_helping(&helper, tsume_solver_new(TABLE_MIB, NULL));
    for (int i = 0; i < fixture_count; i++) {
        struct tsume_report *report = check(helper.solver, fixtures[i].sfen, fixtures[i].stated, NULL);
        cr_expect_str_eq(tsume_soundness_name(tsume_report_verdict(report)), fixtures[i].verdict, "%s", fixtures[i].id);
        tsume_report_free(report);
    }
    end_helping(&helper);
    tsume_solver_free(helper.solver);
}
