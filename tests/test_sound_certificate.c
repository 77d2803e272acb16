/* test_sound_certificate.c: certificates of what tsume_check says: of sound, blemished and unsound problems, accepted by the checker, which finds the
 * same; altered ones are not. */
#include "solver/tsume.h"
#include "solver/verify_rules.h"

#include "tests/bundled.h"
#include "tests/certificate_parts.h"
#include "tests/helping.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>

/* How much smaller samples are where everything is slow. */
enum { SLOW = TSUME_SANITIZED ? 10 : 1 };

enum { TABLE_MIB = 32, LONGEST_TEXT = 4096 };

static struct tsume_solver *solver;

static void open_solver(void) {
    solver = tsume_solver_new(TABLE_MIB, NULL);
    cr_assert_not_null(solver);
}

static void close_solver(void) {
    tsume_solver_free(solver);
}

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

static const struct tsume_check_options certified = {.limits = {.certificate = true}};

/* Checks the problem of this line of a list. */
static struct tsume_report *check(const char *line, const struct tsume_check_options *options) {
    struct tsume_problem *problem = tsume_problem_from_sfen(line, NULL);
    cr_assert_not_null(problem);
    cr_assert_null(tsume_problem_error(problem), "%s", line);
    struct tsume_report *report = tsume_check(solver, problem, options);
    cr_assert_not_null(report);
    tsume_problem_free(problem);
    return report;
}

/* A line of a fixture: sfen, id, plies, stated solution, and more that readers of problems ignore. "-" states none. */
static bool next_fixture(FILE *list, char line[LONGEST_TEXT]) {
    while (fgets(line, LONGEST_TEXT, list)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char *end = line;
        for (int field = 0; field < 4 && end; field++)
            end = strchr(end + 1, '\t');
        cr_assert_not_null(end, "%s", line);
        *end = '\0';
        return true;
    }
    return false;
}

typedef void with_fixture(const char *line);

/* Calls the function for each fixture of soundness. */
static void for_all_fixtures(with_fixture *each) {
    static const char FOLDER[] = TSUME_SOURCE_DIR "/tests/fixtures/soundness";
    DIR *folder = opendir(FOLDER);
    int count = 0;
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[sizeof FOLDER + sizeof entry->d_name + 1], line[LONGEST_TEXT];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".tsv") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
        FILE *list = fopen(path, "r");
        cr_assert_not_null(list, "%s", path);
        for (; next_fixture(list, line); count++)
            each(line);
        fclose(list);
    }
    closedir(folder);
    cr_expect_gt(count, 20);
}

/* ---- Certificates that are right ----------------------------------------------------------------------------------- */

static unsigned count_findings(const struct tsume_report *report, enum tsume_finding_kind kind) {
    unsigned count = 0;
    for (size_t i = 0; i < tsume_report_finding_count(report); i++)
        count += tsume_report_finding(report, i)->kind == kind;
    return count;
}

/* Equal variations in the last two plies are no blemish, and not in the certificate. */
static unsigned count_equal_variations(const struct tsume_report *report) {
    unsigned count = 0;
    for (size_t i = 0; i < tsume_report_finding_count(report); i++) {
        const struct tsume_finding *f = tsume_report_finding(report, i);
        count += f->kind == TSUME_FINDING_EQUAL_VARIATION && f->ply + 1 < (int)tsume_report_line_length(report);
    }
    return count;
}

/* Is this move, at this ply, a cook that the report names? */
static bool is_cook(const struct tsume_report *report, unsigned ply, const char *move) {
    for (size_t i = 0; i < tsume_report_finding_count(report); i++) {
        const struct tsume_finding *f = tsume_report_finding(report, i);
        if ((f->kind == TSUME_FINDING_COOK || f->kind == TSUME_FINDING_EARLY_MATE) && f->ply == (int)ply &&
            strcmp(f->move, move) == 0)
            return true;
    }
    return false;
}

/* The checker has found what the report says. */
static void expect_same(const char *line, const struct tsume_report *report, const struct verify_report *verified) {
    static const enum verify_result OF_VERDICT[] = {[TSUME_SOUND] = VERIFY_SOUND, [TSUME_BLEMISHED] = VERIFY_BLEMISHED};
    enum tsume_soundness verdict = tsume_report_verdict(report);
    cr_expect_eq(strncmp(line, verified->sfen, strcspn(verified->sfen, "bw") - 1), 0, "%s: %s", line, verified->sfen);
    if (verdict == TSUME_UNSOUND)
        cr_expect(verified->result == VERIFY_LEFTOVER || verified->result == VERIFY_COOK ||
                      verified->result == VERIFY_NO_MATE,
                  "%s: %s", line, verified->message);
    else
        cr_expect_eq(verified->result, OF_VERDICT[verdict], "%s: %d %s", line, verified->result, verified->message);
    cr_expect_eq(verified->result == VERIFY_NO_MATE, count_findings(report, TSUME_FINDING_NO_MATE) > 0, "%s", line);
    if (verified->result == VERIFY_NO_MATE)
        return;
    cr_expect_eq(verified->line_length, tsume_report_line_length(report), "%s", line);
    cr_expect_eq(verified->leftover, (unsigned)tsume_report_leftover(report), "%s", line);
    cr_expect_geq(verified->plies, verified->line_length, "%s", line);
    if (verified->result == VERIFY_COOK) {
        cr_expect(is_cook(report, verified->cook_ply, verified->cook), "%s: %s", line, verified->cook);
        return;
    }
    cr_expect_eq(verified->final_duals, count_findings(report, TSUME_FINDING_FINAL_DUAL), "%s", line);
    cr_expect_eq(verified->promotion_choices, count_findings(report, TSUME_FINDING_PROMOTION_CHOICE), "%s", line);
    cr_expect_eq(verified->square_choices, count_findings(report, TSUME_FINDING_SQUARE_CHOICE), "%s", line);
    cr_expect_eq(verified->returns,
                 count_findings(report, TSUME_FINDING_DETOUR) + count_findings(report, TSUME_FINDING_TRANSPOSITION),
                 "%s", line);
    cr_expect_eq(verified->equal_variations, count_equal_variations(report), "%s", line);
    cr_expect_eq(verified->undecided, count_findings(report, TSUME_FINDING_UNDECIDED), "%s", line);
}

/* What the checker says of the report's certificate, which is there and right. */
static struct verify_report expect_verified(const char *line, const struct tsume_report *report) {
    size_t size;
    const void *bytes = tsume_report_certificate(report, &size);
    struct verify_report verified;
    cr_assert_not_null(bytes, "%s: %s", line, tsume_report_certificate_error(report));
    cr_expect_null(tsume_report_certificate_error(report));
    verify_certificate(bytes, size, &verified);
    expect_same(line, report, &verified);
    return verified;
}

/* Checks the problem, with the certificate. */
static struct verify_report certify(const char *line, const struct tsume_check_options *options) {
    struct tsume_report *report = check(line, options);
    struct verify_report verified = expect_verified(line, report);
    tsume_report_free(report);
    return verified;
}

/* Where the stated solution alone is at fault there is nothing to certify. */
static bool only_misstated(const struct tsume_report *report) {
    return tsume_report_leftover(report) == 0 &&
           count_findings(report, TSUME_FINDING_LONGER_VARIATION) +
                   count_findings(report, TSUME_FINDING_STATED_NOT_OPTIMAL) >
               0 &&
           count_findings(report, TSUME_FINDING_COOK) + count_findings(report, TSUME_FINDING_EARLY_MATE) == 0;
}

static void certify_fixture_with(const char *line, const struct tsume_check_options *options) {
    struct tsume_report *report = check(line, options);
    size_t size;
    if (only_misstated(report)) {
        cr_expect_null(tsume_report_certificate(report, &size));
        cr_expect_not_null(tsume_report_certificate_error(report));
    } else {
        expect_verified(line, report);
    }
    tsume_report_free(report);
}

static void certify_fixture(const char *line) {
    certify_fixture_with(line, &certified);
}

Test(sound_certificates, of_all_fixtures, .init = open_solver, .fini = close_solver) {
    for_all_fixtures(certify_fixture);
}

static void certify_fixture_counting_all(const char *line) {
    static const struct tsume_check_options counting = {.limits = {.certificate = true, .count_futile = true},
                                                        .all_lines = true};
    certify_fixture_with(line, &counting);
}

Test(sound_certificates, of_all_fixtures_when_every_interposition_counts, .init = open_solver, .fini = close_solver) {
    for_all_fixtures(certify_fixture_counting_all);
}

Test(sound_certificates, of_all_fixtures_by_two_threads, .init = open_solver, .fini = close_solver) {
    struct helper helper;
    begin_helping(&helper, solver);
    for_all_fixtures(certify_fixture);
    end_helping(&helper);
}

Test(sound_certificates, of_problems_of_shogi_zuko, .init = open_solver, .fini = close_solver) {
    static const struct {
        int number;
        enum verify_result result;
        unsigned plies;
    } PROBLEMS[] = {{2, VERIFY_SOUND, 21}, {22, VERIFY_BLEMISHED, 51}};
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof PROBLEMS[0]; i++) {
        char line[BUNDLED_LINE];
        read_zuko(PROBLEMS[i].number, line);
        struct verify_report verified = certify(line, &certified);
        cr_expect_eq(verified.result, PROBLEMS[i].result);
        cr_expect_eq(verified.plies, PROBLEMS[i].plies);
    }
}

/* A check that mates only by going back to a position of the line before it, which is no mate; */
static const char with_repetition[] = "5l3/3B1k3/7G1/3S2l2/9/9/9/9/9 b N2rb3g3s3n2l18p 1";
/* G*1c, which goes back to a later one. */
static const char with_return[] = "7p1/7rk/9/6L1G/9/9/9/9/9 b GPr2b2g4s4n3l16p 1";

Test(sound_certificates, of_checks_that_go_back, .init = open_solver, .fini = close_solver) {
    struct verify_report verified = certify(with_repetition, &certified);
    cr_expect_eq(verified.result, VERIFY_SOUND);
    cr_expect(verified.repeats == 1 && verified.returns == 0);
    verified = certify(with_return, &certified);
    cr_expect_eq(verified.result, VERIFY_BLEMISHED);
    cr_expect(verified.repeats == 0 && verified.returns == 1);
}

Test(sound_certificates, are_the_same_every_time) {
    char line[BUNDLED_LINE];
    read_zuko(2, line);
    unsigned char *bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        open_solver();
        struct tsume_report *report = check(line, &certified);
        const void *certificate = tsume_report_certificate(report, &size[i]);
        bytes[i] = malloc(size[i]);
        cr_assert(certificate && bytes[i]);
        memcpy(bytes[i], certificate, size[i]);
        tsume_report_free(report);
        close_solver();
    }
    cr_expect(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
}

Test(sound_certificates, are_written_only_when_asked_for_and_decided, .init = open_solver, .fini = close_solver) {
    static const struct tsume_check_options tight = {.limits = {.certificate = true, .nodes = 1}};
    char line[BUNDLED_LINE];
    read_zuko(2, line);
    for (int i = 0; i < 2; i++) {
        struct tsume_report *report =
            check(line, i ? &tight : &(struct tsume_check_options){.limits = {.nodes = 1000}});
        size_t size;
        cr_expect_null(tsume_report_certificate(report, &size));
        tsume_report_free(report);
    }
}

/* From a game: mate in one with six pieces left over, which is a fault whatever 5a6a may lead to. */
static const char with_leftover[] = "Rgg1+R4/2k2s3/l2p3sp/pBp3p2/2b1Pp3/2P2P3/PP1P2PPP/3K5/LN3GSNL b GNL3PSn 1";

Test(sound_certificates, of_a_leftover_where_a_check_is_undecided, .init = open_solver, .fini = close_solver) {
    struct verify_report verified =
        certify(with_leftover, &(struct tsume_check_options){.limits = {.certificate = true, .nodes = 1000}});
    cr_expect_eq(verified.result, VERIFY_LEFTOVER);
    cr_expect_gt(verified.undecided, 0);
}

/* ---- Certificates that are not ------------------------------------------------------------------------------------- */

static struct parts parts_of(const char *line, enum verify_result result) {
    struct tsume_report *report = check(line, &certified);
    size_t size;
    const void *bytes = tsume_report_certificate(report, &size);
    cr_assert_not_null(bytes);
    struct parts parts = take_apart(bytes, size);
    tsume_report_free(report);
    cr_assert_eq(judge_parts(&parts).result, result, "%s", line);
    return parts;
}

/* Mate in one by S*5b, and nothing else. So the payload is, behind the position: a line of 1 move, S*5b; S*5b again, as the mate; no equal
 * variations; then for each other check the byte 0 and an answer. */
static const char mate_in_one[] = "4k1+p2/9/3lG4/2n2g3/9/9/9/9/9 b S2r2b2g3s3n3l17p 1";
enum { LINE_LENGTH, LINE_MOVE, MATE_MOVE = 3, EQUAL_VARIATIONS = 5, FIRST_FATE, FIRST_ANSWER, FIRST_GIFT = 9 };

static struct parts mate_in_one_parts(void) {
    struct parts parts = parts_of(mate_in_one, VERIFY_SOUND);
    size_t at = moves_at(&parts);
    cr_assert_eq(parts.payload[at + LINE_LENGTH], 1);
    cr_assert_eq(word_at(&parts, at + LINE_MOVE), word("S*5b"));
    cr_assert_eq(word_at(&parts, at + MATE_MOVE), word("S*5b"));
    cr_assert_eq(parts.payload[at + EQUAL_VARIATIONS], 0);
    cr_assert_eq(parts.payload[at + FIRST_FATE], 0);
    return parts;
}

Test(altered_sound_certificates, with_another_line, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    size_t at = moves_at(&parts);
    set_word(&parts, at + LINE_MOVE, word("5c5b"));
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    set_word(&parts, at + LINE_MOVE, word("S*5e"));
    expect_fault(&parts, "S*5e is no check");
    set_word(&parts, at + LINE_MOVE, word("S*5b") | MARK);
    expect_fault(&parts, "S*5b of the main line has a mark");
    set_word(&parts, at + LINE_MOVE, word("S*5b"));
    set_word(&parts, at + MATE_MOVE, word("5c5b"));
    expect_fault(&parts, "5c5b is not the main line's move");
    set_word(&parts, at + MATE_MOVE, 0x3f80);
    expect_fault(&parts, "a reference in place of the main line's move");
    set_word(&parts, at + MATE_MOVE, word("S*5b"));
    parts.payload[at + LINE_LENGTH] = 0;
    expect_fault(&parts, "the main line does not end in mate");
    parts.payload[at + LINE_LENGTH] = 2;
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    parts.payload[at + LINE_LENGTH] = 127;
    expect_fault(&parts, "a main line of 127 moves is too long");
    free(parts.payload);
}

Test(altered_sound_certificates, whose_line_is_cut_short, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(with_return, VERIFY_BLEMISHED);
    size_t at = moves_at(&parts);
    cr_assert_eq(parts.payload[at], 9);
    parts.payload[at] = 7;
    remove_bytes(&parts, at + 1 + (size_t)7 * 2, 4);
    expect_fault(&parts, "the main line does not end in mate");
    free(parts.payload);
}

Test(altered_sound_certificates, without_an_alternative, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    size_t answer = moves_at(&parts) + FIRST_ANSWER, fate = moves_at(&parts) + FIRST_FATE;
    size_t gift = (word_at(&parts, answer) & MARK) ? 1 : 0;
    cr_assert(gift && parts.payload[moves_at(&parts) + FIRST_GIFT] == 0);
    remove_bytes(&parts, fate, 3 + gift);
    set_number(parts.header + LENGTH_AT, parts.length, 8);
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    free(parts.payload);
    parts = mate_in_one_parts();
    remove_bytes(&parts, answer, 2 + gift);
    set_number(parts.header + LENGTH_AT, parts.length, 8);
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    free(parts.payload);
}

/* What is passed off as tolerable is so only where the rules say so, and the verdict tells. */
Test(altered_sound_certificates, that_call_a_check_a_choice, .init = open_solver, .fini = close_solver) {
    enum { FINAL_DUAL = 3, PROMOTION_CHOICE, SQUARE_CHOICE };
    struct parts parts = mate_in_one_parts();
    size_t fate = moves_at(&parts) + FIRST_FATE;
    parts.payload[fate] = PROMOTION_CHOICE;
    expect_fault(&parts, "is not the choice that it is said to be");
    parts.payload[fate] = SQUARE_CHOICE;
    expect_fault(&parts, "is not the choice that it is said to be");
    parts.payload[fate] = 7;
    expect_fault(&parts, "is not the choice that it is said to be");
    parts.payload[fate] = 6;
    expect_fault(&parts, "is left undecided where no pieces are left over");
    free(parts.payload);
    /* from the set's last position on nothing is changed: another verdict is all there is to see */
    parts = parts_of("6+N2/8k/6N1b/6+nBG/5s2+r/9/9/9/9 b r3g3sn4l18p 1", VERIFY_LEFTOVER);
    parts.header[VERDICT_AT] = 1;
    expect_fault(&parts, "another verdict");
    parts.header[VERDICT_AT] = 0;
    expect_fault(&parts, "another verdict");
    parts.header[VERDICT_AT] = 3;
    expect_fault(&parts, "verdict 3 is not known");
    free(parts.payload);
}

/* How long what is said of an alternative is, with its fate in front: that alone, or a word and either a reference of one byte or, where the
 * check fails without regard to the line, what is given. */
static size_t length_of_fate(const struct parts *parts, size_t at) {
    if (parts->payload[at] > 2)
        return 1;
    if (!(word_at(parts, at + 1) & MARK))
        return 4;
    if (parts->payload[at] > 0)
        return 3;
    size_t length = 4;
    for (unsigned kinds = parts->payload[at + 3]; kinds; kinds &= kinds - 1)
        length++;
    return length;
}

/* R*2a mates, guarded by the lance. A rook from farther off is answered by the silver. */
static const char rook_at_one_distance[] = "8k/5s3/8P/7L1/9/9/9/9/9 b Rr2b4g3s4n3l17p 1";

/* Not even a drop on the same line is a choice of square, unless the line goes on with it; nor is another drop that mates. */
Test(altered_sound_certificates, that_call_another_drop_a_choice, .init = open_solver, .fini = close_solver) {
    enum { FINAL_DUAL = 3, SQUARE_CHOICE = 5 };
    struct parts parts = parts_of(rook_at_one_distance, VERIFY_BLEMISHED);
    unsigned char *payload = malloc(parts.length + 64);
    size_t length = parts.length;
    cr_assert_not_null(payload);
    memcpy(payload, parts.payload, length);
    int failing = 0, mating = 0;
    for (size_t at = moves_at(&parts) + FIRST_FATE; failing < 3 || mating < 1; at += length_of_fate(&parts, at)) {
        bool mates = parts.payload[at] == FINAL_DUAL;
        cr_assert_lt(at, parts.length);
        remove_bytes(&parts, at + 1, length_of_fate(&parts, at) - 1);
        parts.payload[at] = SQUARE_CHOICE;
        expect_fault(&parts, "is not the choice that it is said to be");
        bool rook = strncmp(judge_parts(&parts).message, "R*", 2) == 0;
        failing += rook && !mates;
        mating += rook && mates;
        memcpy(parts.payload, payload, parts.length = length);
    }
    free(payload);
    free(parts.payload);
}

/* A check that goes back to the line, passed off as one at its last move. */
Test(altered_sound_certificates, that_call_an_earlier_check_final, .init = open_solver, .fini = close_solver) {
    enum { RETURNS = 2, FINAL_DUAL };
    struct parts parts = parts_of(with_return, VERIFY_BLEMISHED);
    unsigned char *payload = malloc(parts.length + 64);
    size_t length = parts.length;
    bool found = false;
    cr_assert_not_null(payload);
    memcpy(payload, parts.payload, length);
    for (size_t at = moves_at(&parts); at + 10 < length && !found; at++) {
        if (payload[at] != RETURNS)
            continue;
        remove_bytes(&parts, at + 1, length_of_fate(&parts, at) - 1);
        parts.payload[at] = FINAL_DUAL;
        set_number(parts.header + LENGTH_AT, parts.length, 8);
        struct verify_report report = judge_parts(&parts);
        cr_expect_eq(report.result, VERIFY_WRONG);
        found = strncmp(report.message, "G*1c is not the choice", 22) == 0;
        memcpy(parts.payload, payload, parts.length = length);
    }
    cr_expect(found);
    free(payload);
    free(parts.payload);
}

/* Sets bytes of the payload from `fate` to less, one after the other, until the checker finds that an answer leads back further than such a fate
 * allows: false if it never does. */
static bool deny(struct parts *parts, unsigned char fate) {
    bool denied = false;
    for (size_t i = moves_at(parts); i < parts->length && !denied; i++) {
        if (parts->payload[i] != fate)
            continue;
        for (unsigned char less = 0; less < fate; less++) {
            parts->payload[i] = less;
            struct verify_report report = judge_parts(parts);
            denied |= strstr(report.message, "from which play leads back to the main line") != NULL;
        }
        parts->payload[i] = fate;
    }
    return denied;
}

/* A check that goes back to the main line is never accepted as one that fails. */
Test(altered_sound_certificates, that_deny_a_return, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(with_repetition, VERIFY_SOUND);
    cr_expect(deny(&parts, 1));
    free(parts.payload);
    parts = parts_of(with_return, VERIFY_BLEMISHED);
    cr_expect(deny(&parts, 2));
    free(parts.payload);
}

/* A detour: the attacker may throw a gold away and have all else as it was, the king back on 5c. */
static const char with_less_in_hand[] = "9/9/2S1k4/9/3B5/9/9/9/9 b 2G2rb2g3s4n4l18p 1";

/* Sets the answer at this byte, which leads to a new position, to lead to any other of the set. Is it one that does not cover the new one
 * because it leans on the line? */
static bool leans_on_line(struct parts *parts, size_t at) {
    set_word(parts, at, word_at(parts, at) & ~(unsigned)MARK);
    for (unsigned char back = 0; back < 127; back++) {
        parts->payload[at + 2] = back;
        if (strstr(judge_parts(parts).message, "with another hand to a position that leans on the main line"))
            return true;
    }
    return false;
}

/* With more in hand he comes back to the line, where he fails; that does not show that he fails with less. */
Test(altered_sound_certificates, that_let_the_line_cover_less_in_hand, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(with_less_in_hand, VERIFY_BLEMISHED);
    unsigned char *payload = malloc(parts.length);
    bool found = false;
    cr_assert_not_null(payload);
    memcpy(payload, parts.payload, parts.length);
    for (size_t at = moves_at(&parts); at + 2 < parts.length && !found; at++) {
        found = word_at(&parts, at) == (word("5b5c") | MARK) && leans_on_line(&parts, at);
        memcpy(parts.payload, payload, parts.length);
    }
    cr_expect(found);
    free(payload);
    free(parts.payload);
}

Test(altered_sound_certificates, with_another_bound, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    set_number(parts.header + PLIES_AT, 0, 4);
    expect_fault(&parts, "the moves mate in at most 1 plies, the header says 0");
    set_number(parts.header + PLIES_AT, 3, 4);
    expect_fault(&parts, "the header says 3");
    free(parts.payload);
}

Test(altered_sound_certificates, with_another_hand_or_attacker, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    char *hand = memchr(parts.payload, 'S', parts.length);
    cr_assert_not_null(hand);
    memcpy(hand, "Rr", 2); /* for S2r: the attacker has a rook instead of the silver */
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    memcpy(hand, "S2", 2);
    cr_expect_eq(judge_parts(&parts).result, VERIFY_SOUND);
    parts.payload[0] = 1;
    expect_fault(&parts, "the defender has no king");
    free(parts.payload);
}

Test(altered_sound_certificates, of_another_kind_or_version, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    for (int version = 0; version <= 3; version++)
        for (int kind = 0; kind <= 5; kind++) {
            parts.header[VERSION_AT] = (unsigned char)version;
            parts.header[KIND_AT] = (unsigned char)kind;
            bool right = version == 2 && kind == 3;
            cr_expect_eq(judge_parts(&parts).result, right ? VERIFY_SOUND : VERIFY_WRONG, "%d %d", version, kind);
        }
    free(parts.payload);
}

Test(altered_sound_certificates, with_other_equal_variations, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    size_t at = moves_at(&parts) + EQUAL_VARIATIONS;
    memmove(parts.payload + at + 4, parts.payload + at + 1, parts.length - at - 1);
    parts.length += 3;
    parts.payload[at] = 1;
    parts.payload[at + 1] = 0;
    set_word(&parts, at + 2, word("5c5b"));
    expect_fault(&parts, "an equal variation where there is no answer of the defender");
    parts.payload[at + 1] = 5;
    expect_fault(&parts, "an equal variation where there is no answer of the defender");
    free(parts.payload);
}

/* Another check mates without the line. */
static const char cooked[] = "6l+sk/6R+lp/6+B1G/8+s/8L/9/9/9/9 b RBGL2g2s4n17p 1";

/* Where the cook's turn stands: the rest of the payload is that, the cook, and its mate. */
static size_t cook_at(const struct parts *parts, const struct verify_report *report) {
    for (size_t i = parts->length - 3; i > moves_at(parts); i--)
        if (parts->payload[i] == report->cook_ply - 1 &&
            (word_at(parts, i + 1) & ~(unsigned)MARK) == word(report->cook))
            return i;
    cr_assert_fail("no cook");
    return 0;
}

Test(altered_sound_certificates, with_another_cook, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(cooked, VERIFY_COOK);
    struct verify_report report = judge_parts(&parts);
    size_t at = cook_at(&parts, &report), first = moves_at(&parts);
    set_word(&parts, at + 1, word_at(&parts, first + 1)); /* the line's own move */
    expect_fault(&parts, "is no cook");
    set_word(&parts, at + 1, word("R*9a"));
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    parts.payload[at] = 1;
    expect_fault(&parts, "a cook at no turn of the attacker before the last");
    parts.payload[at] = 2;
    expect_fault(&parts, "a cook at no turn of the attacker before the last");
    free(parts.payload);
}

/* A certificate of the mate from the position after these moves, with the defender to answer. */
static struct parts mate_after(const char *sfen, const char *moves) {
    struct vr_position position;
    char text[VR_SFEN_SIZE];
    cr_assert_gt(vr_read_sfen(sfen, &position), 0);
    struct tsume_reader_options options = {.hands_as_given = true, .attacker = "bw"[position.side]};
    while (*moves) {
        struct vr_move move;
        size_t length = vr_read_move(moves, &position, &move);
        cr_assert(length > 0 && vr_is_legal(&position, &move), "%s", moves);
        position = vr_after(&position, &move);
        moves += length + strspn(moves + length, " ");
    }
    vr_write_sfen(&position, text);
    struct tsume_problem *problem = tsume_problem_from_sfen(text, &options);
    struct tsume_answer *answer =
        tsume_solve(solver, problem, &(struct tsume_limits){.any = true, .certificate = true});
    size_t size;
    const void *bytes = tsume_answer_certificate(answer, &size);
    cr_assert_not_null(bytes);
    struct parts parts = take_apart(bytes, size);
    tsume_answer_free(answer);
    tsume_problem_free(problem);
    return parts;
}

/* A detour passed off as a cook: the line and its mate from a right certificate, then the other check and a right mate by it, which goes back to
 * the line. Where the line's mate ends is found by trying: of all that are put together so, none is accepted. */
Test(altered_sound_certificates, whose_cook_goes_back_to_the_line, .init = open_solver, .fini = close_solver) {
    struct parts line = parts_of(with_return, VERIFY_BLEMISHED), mate = mate_after(with_return, "G*1c");
    struct parts forged = {.payload = malloc(line.length + mate.length + 3)};
    size_t rest = mate.length - moves_at(&mate);
    bool found = false;
    cr_assert_not_null(forged.payload);
    memcpy(forged.header, line.header, HEADER);
    forged.header[KIND_AT] = 4;
    forged.header[VERDICT_AT] = 0;
    for (size_t end = moves_at(&line) + 1 + (size_t)9 * 2; end < line.length && !found; end++) {
        memcpy(forged.payload, line.payload, end);
        forged.payload[end] = 0;
        set_word(&forged, end + 1, word("G*1c"));
        memcpy(forged.payload + end + 3, mate.payload + moves_at(&mate), rest);
        forged.length = end + 3 + rest;
        set_number(forged.header + LENGTH_AT, forged.length, 8);
        set_number(forged.header + NUMBERED_AT, forged.length / 2, 8);
        struct verify_report report = judge_parts(&forged);
        cr_expect_eq(report.result, VERIFY_WRONG);
        found = report.cook_ply == 1 && strstr(report.message, "the cook leads back to the main line");
    }
    cr_expect(found);
    free(forged.payload);
    free(line.payload);
    free(mate.payload);
}

/* Puts a reference, so many numbers back, in the place of the attacker's move at this byte, and a number on the position whose move stands at
 * another one. Does it refer to a position that does not cover this one because a board of the line comes up in its mate? */
static bool crosses_line(struct parts *parts, size_t numbered, size_t at, unsigned char back) {
    enum { REFERENCE = 0x3f80 };
    unsigned char kept[] = {parts->payload[numbered + 1], parts->payload[at], parts->payload[at + 1],
                            parts->payload[at + 2]};
    parts->payload[numbered + 1] |= MARK >> 8;
    set_word(parts, at, REFERENCE);
    parts->payload[at + 2] = back;
    bool crosses = strstr(judge_parts(parts).message, "a reference to another hand's cook") != NULL;
    memcpy(parts->payload + at, kept + 1, 3);
    parts->payload[numbered + 1] = kept[0];
    return crosses;
}

/* From a game. The cook leads to boards of the line with other hands, and twice to one position but for the hands. */
static const char with_cook_across_line[] =
    "ln6l/3kgsg2/p2sb1pp+P/1P1ppp3/P1p4nL/2PPPPS2/K2G3P1/1g3+r3/L6N1 w NR3psb 1";

/* With more in hand the same moves might lead back to the line. */
Test(altered_sound_certificates, whose_cook_crosses_the_line_with_another_hand, .init = open_solver,
     .fini = close_solver) {
    struct parts parts = parts_of(with_cook_across_line, VERIFY_COOK);
    struct verify_report report = judge_parts(&parts);
    bool found = false;
    set_number(parts.header + NUMBERED_AT, parts.length / 2, 8);
    for (size_t numbered = cook_at(&parts, &report) + 3; numbered + 4 < parts.length && !found; numbered++)
        for (size_t at = numbered + 2; at + 2 < parts.length && !found; at++)
            found = crosses_line(&parts, numbered, at, 0);
    cr_expect(found);
    free(parts.payload);
}

Test(altered_sound_certificates, in_any_bit_of_the_payload, .init = open_solver, .fini = close_solver) {
    struct parts parts = mate_in_one_parts();
    change_bits(&parts, 0, 800 / SLOW);
    free(parts.payload);
    parts = parts_of(cooked, VERIFY_COOK);
    change_bits(&parts, 0, 800 / SLOW);
    free(parts.payload);
    parts = parts_of(with_repetition, VERIFY_SOUND);
    change_bits(&parts, moves_at(&parts), 1000 / SLOW);
    free(parts.payload);
}
