/* test_soundness.c: composed problems with one flaw or another, and sound ones: what tsume_check says of them, and that the
 * reference search agrees.
 *
 * The fixtures are lists: sfen, id, plies, stated solution (- for none), verdict, findings as KIND@PLY:MOVE (- for none). */
#include "solver/tsume.h"
#include "tests/reference.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIXTURES = 200, LINE_SIZE = 4096, TABLE_MIB = 16, REFERENCE_PLIES = 5, REFERENCE_NODES = 300000 };

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
    static const char *const KINDS[] = {"no-mate",           "cook",          "early-mate", "final-dual",
                                        "promotion-choice",  "square-choice", "leftover",   "longer-variation",
                                        "stated-not-optimal"};
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

static struct reference_value value_after(struct reference *reference, const struct vr_position *position,
                                          const struct vr_move *m, int plies) {
    struct vr_position after = vr_after(position, m);
    return reference_value(reference, &after, plies, REFERENCE_NODES);
}

static bool has_finding(const struct tsume_report *report, int ply, const char *m) {
    for (size_t i = 0; i < tsume_report_finding_count(report); i++) {
        const struct tsume_finding *f = tsume_report_finding(report, i);
        if (f->ply == ply && f->move && strcmp(f->move, m) == 0)
            return true;
    }
    return false;
}

/* At an attacker's turn: whatever check mates by the reference, as soon as the main line, is the main line's or has a finding. A
 * longer one may be a mere repetition, which is none. */
static void expect_all_found(const struct fixture *f, const struct tsume_report *report, struct reference *reference,
                             const struct vr_position *position, int ply, int left) {
    static struct vr_move checks[VR_MAX_MOVES];
    int count = vr_checking_moves(position, checks);
    const char *played = tsume_report_line_move(report, (size_t)ply - 1);
    for (int i = 0; i < count; i++) {
        char text[VR_MOVE_SIZE];
        vr_write_move(&checks[i], text);
        if (strcmp(text, played) == 0 || has_finding(report, ply, text))
            continue;
        struct reference_value value = value_after(reference, position, &checks[i], REFERENCE_PLIES - 1);
        cr_expect(value.verdict != REFERENCE_MATE || value.plies + 1 > left, "%s: ply %d: %s mates too", f->id, ply,
                  text);
    }
}

/* What a finding says of its move is true. Only the alternatives of the main line are judged here. */
static void expect_true(const struct fixture *f, const struct tsume_finding *finding, int left,
                        struct reference *reference, const struct vr_position *position) {
    bool stated = finding->kind == TSUME_FINDING_STATED_NOT_OPTIMAL;
    if (!finding->move || finding->plies < 0 || finding->plies > REFERENCE_PLIES || stated)
        return;
    struct vr_move m = move_of(finding->move, position);
    struct reference_value value = value_after(reference, position, &m, finding->plies - 1);
    if (value.verdict == REFERENCE_GAVE_UP)
        return;
    cr_expect_eq(value.verdict, REFERENCE_MATE, "%s: %s at ply %d", f->id, finding->move, finding->ply);
    cr_expect_leq(value.plies + 1, finding->plies, "%s: %s at ply %d", f->id, finding->move, finding->ply);
    if (finding->kind == TSUME_FINDING_EQUAL_VARIATION)
        cr_expect(value.plies + 1 == left && value.leftover == 0, "%s: %s", f->id, finding->move);
}

static void expect_agreement(const struct fixture *f, const struct tsume_report *report) {
    struct vr_position position;
    int length = (int)tsume_report_line_length(report);
    cr_assert_gt(vr_read_sfen(f->sfen, &position), 0);
    enum vr_color side = (enum vr_color)position.side, attacker = vr_in_check(&position) ? vr_other(side) : side;
    struct reference *reference = reference_new(attacker, REFERENCE_EXACT);
    struct reference_value value =
        reference_value(reference, &position, f->plies ? f->plies : REFERENCE_PLIES, 2000000);
    if (value.verdict != REFERENCE_GAVE_UP)
        cr_expect_eq(value.verdict == REFERENCE_MATE, length > 0, "%s", f->id);
    if (value.verdict == REFERENCE_MATE)
        cr_expect(value.plies == tsume_report_plies(report) && value.leftover == tsume_report_leftover(report), "%s",
                  f->id);
    for (int ply = 1; ply <= length; ply++) {
        if ((enum vr_color)position.side == attacker)
            expect_all_found(f, report, reference, &position, ply, length - ply + 1);
        for (size_t i = 0; i < tsume_report_finding_count(report); i++)
            if (tsume_report_finding(report, i)->ply == ply)
                expect_true(f, tsume_report_finding(report, i), length - ply + 1, reference, &position);
        struct vr_move m = move_of(tsume_report_line_move(report, (size_t)ply - 1), &position);
        position = vr_after(&position, &m);
    }
    reference_free(reference);
}

Test(soundness, reference_agrees) {
    read_fixtures();
    for (int i = 0; i < fixture_count; i++) {
        struct tsume_report *report = check_alone(fixtures[i].sfen, fixtures[i].stated, NULL);
        expect_agreement(&fixtures[i], report);
        tsume_report_free(report);
    }
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
    for (int i = 0; i < fixture_count; i++)
        expect_turned_report(&fixtures[i], false);
}

Test(soundness, reversed_problem_has_the_reversed_report) {
    read_fixtures();
    for (int i = 0; i < fixture_count; i++)
        expect_turned_report(&fixtures[i], true);
}

/* ---- Limits, threads ---- */

Test(soundness, limit_leaves_it_undecided) {
    static const struct tsume_check_options tight = {.limits = {.nodes = 1}};
    read_fixtures();
    int undecided = 0;
    for (int i = 0; i < fixture_count; i++) {
        struct tsume_report *report = check_alone(fixtures[i].sfen, fixtures[i].stated, &tight);
        enum tsume_soundness verdict = tsume_report_verdict(report);
        cr_expect(verdict == TSUME_UNDECIDED || strcmp(tsume_soundness_name(verdict), fixtures[i].verdict) == 0,
                  "%s: %s", fixtures[i].id, tsume_soundness_name(verdict));
        if (verdict == TSUME_UNDECIDED) {
            char *findings = findings_text(report);
            cr_expect_not_null(strstr(findings, "undecided@"), "%s: %s", fixtures[i].id, findings);
            free(findings);
            undecided++;
        }
        tsume_report_free(report);
    }
    cr_expect_geq(undecided, 3);
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

struct helper {
    struct tsume_solver *solver;
    atomic_bool over;
};

static void *assist(void *argument) {
    struct helper *helper = argument;
    while (!atomic_load(&helper->over))
        tsume_assist(helper->solver);
    return NULL;
}

Test(soundness, two_threads_give_the_same_verdicts) {
    read_fixtures();
    struct helper helper = {.solver = tsume_solver_new(TABLE_MIB, NULL)};
    pthread_t thread;
    atomic_init(&helper.over, false);
    cr_assert_eq(pthread_create(&thread, NULL, assist, &helper), 0);
    for (int i = 0; i < fixture_count; i++) {
        struct tsume_report *report = check(helper.solver, fixtures[i].sfen, fixtures[i].stated, NULL);
        cr_expect_str_eq(tsume_soundness_name(tsume_report_verdict(report)), fixtures[i].verdict, "%s", fixtures[i].id);
        tsume_report_free(report);
    }
    atomic_store(&helper.over, true);
    pthread_join(thread, NULL);
    tsume_solver_free(helper.solver);
}
