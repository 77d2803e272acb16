/* test_certificate.c: certificates of mates and of no mates are accepted by the checker, whose rules are its own; altered ones are not. */
#include "solver/tsume.h"

#include "tests/bundled.h"
#include "tests/certificate_parts.h"
#include "tests/random_position.h"

#include <criterion/criterion.h>
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

/* ---- Certificates that are right ----------------------------------------------------------------------------------- */

static const struct tsume_limits any_mate = {.nodes = 200000, .any = true, .certificate = true};
static const struct tsume_limits shortest = {.nodes = 200000, .certificate = true};
static const struct tsume_limits shortest_counting_all = {.nodes = 200000, .count_futile = true, .certificate = true};

static struct tsume_answer *solve(const char *sfen, const struct tsume_reader_options *options,
                                  const struct tsume_limits *limits) {
    struct tsume_problem *problem = tsume_problem_from_sfen(sfen, options);
    cr_assert_not_null(problem);
    struct tsume_answer *answer = tsume_solve(solver, problem, limits);
    cr_assert_not_null(answer);
    tsume_problem_free(problem);
    return answer;
}

/* The certificate says what the answer says. Returns the plies that it proves, 0 for no mate, −1 where nothing was decided. */
static int expect_verified(const struct tsume_answer *answer, const char *sfen) {
    size_t size;
    const void *bytes = tsume_answer_certificate(answer, &size);
    enum tsume_verdict verdict = tsume_answer_verdict(answer);
    if (verdict == TSUME_UNKNOWN) {
        cr_expect_null(bytes);
        return -1;
    }
    cr_expect_not_null(bytes, "%s: no certificate: %s", sfen, tsume_answer_certificate_error(answer));
    if (!bytes)
        return -1;
    struct verify_report report;
    verify_certificate(bytes, size, &report);
    enum verify_result expected = verdict == TSUME_MATE ? VERIFY_MATE : VERIFY_NO_MATE;
    cr_expect(report.result == expected, "%s: %s: %s", sfen, tsume_verdict_name(verdict), report.message);
    return (int)report.plies;
}

/* Solves and checks; the same return. */
static int certify(const char *sfen, const struct tsume_reader_options *options, const struct tsume_limits *limits) {
    struct tsume_answer *answer = solve(sfen, options, limits);
    int plies = expect_verified(answer, sfen);
    tsume_answer_free(answer);
    return plies;
}

/* The next problem of a list: its SFEN, and the plies its third column states (0: none). */
static bool next_problem(FILE *list, char sfen[LONGEST_TEXT], int *plies) {
    while (fgets(sfen, LONGEST_TEXT, list)) {
        if (sfen[0] == '#')
            continue;
        char *id = strchr(sfen, '\t');
        char *length = id ? strchr(id + 1, '\t') : NULL;
        *plies = length ? atoi(length) : 0;
        if (id)
            *id = '\0';
        return true;
    }
    return false;
}

Test(certificates, of_mates_from_games_prove_the_recorded_length, .init = open_solver, .fini = close_solver) {
    FILE *list = open_bundled("games.tsv");
    char sfen[LONGEST_TEXT];
    int plies, tried = 0, proved = 0;
    while (tried < 150 / SLOW && next_problem(list, sfen, &plies)) {
        tried++;
        struct tsume_answer *answer = solve(sfen, NULL, &shortest_counting_all);
        int certified = expect_verified(answer, sfen);
        if (tsume_answer_verdict(answer) == TSUME_MATE && tsume_answer_exact(answer)) {
            cr_expect(certified == plies, "%s: %d plies certified, %d recorded", sfen, certified, plies);
            proved++;
        }
        tsume_answer_free(answer);
    }
    cr_expect(proved > tried * 8 / 10, "%d of %d", proved, tried);
    fclose(list);
}

Test(certificates, of_mates_are_right_in_all_ways_to_solve, .init = open_solver, .fini = close_solver) {
    FILE *list = open_bundled("games.tsv");
    char sfen[LONGEST_TEXT];
    int plies, tried = 0;
    while (tried < 150 / SLOW && next_problem(list, sfen, &plies)) {
        tried++;
        int certified = certify(sfen, NULL, tried % 2 ? &any_mate : &shortest);
        cr_expect(certified >= plies || certified == -1, "%s: %d plies certified, %d the least", sfen, certified,
                  plies);
    }
    fclose(list);
}

Test(certificates, of_positions_that_broke_other_solvers, .init = open_solver, .fini = close_solver) {
    FILE *list = open_bundled("cases.tsv");
    char sfen[LONGEST_TEXT];
    int plies;
    while (next_problem(list, sfen, &plies))
        certify(sfen, NULL, &any_mate);
    fclose(list);
}

Test(certificates, of_random_positions_of_every_kind, .init = open_solver, .fini = close_solver) {
    struct random_source random = {20};
    int mates = 0, escapes = 0, mates_after_answers = 0;
    for (int i = 0; i < 500 / SLOW; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct tsume_reader_options options = {.hands_as_given = true,
                                               .attacker = problem.attacker == VR_BLACK ? 'b' : 'w'};
        struct tsume_limits limits = i % 2 ? any_mate : shortest;
        limits.nodes = 20000;
        struct tsume_answer *answer = solve(problem.sfen, &options, &limits);
        enum tsume_verdict verdict = tsume_answer_verdict(answer);
        expect_verified(answer, problem.sfen);
        mates += verdict == TSUME_MATE;
        escapes += verdict == TSUME_NO_MATE;
        mates_after_answers += verdict == TSUME_MATE && problem.position.side != (int8_t)problem.attacker;
        tsume_answer_free(answer);
    }
    cr_expect(mates > 50 / SLOW && escapes > 50 / SLOW && mates_after_answers > 0,
              "%d mates, %d escapes, %d answers first", mates, escapes, mates_after_answers);
}

Test(certificates, of_611_plies, .init = open_solver, .fini = close_solver) {
    const char *sfen = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
    struct tsume_limits limits = {.any = true, .certificate = true};
    cr_expect_eq(certify(sfen, NULL, &limits), 611);
}

Test(certificates, are_written_only_when_asked_for, .init = open_solver, .fini = close_solver) {
    struct tsume_answer *answer = solve("7nl/9/5S1kp/6R1s/9/7p1/9/9/9 b Gr2b3g2s3n3l16p 1", NULL, NULL);
    size_t size;
    cr_expect_null(tsume_answer_certificate(answer, &size));
    cr_expect_null(tsume_answer_certificate_error(answer));
    tsume_answer_free(answer);
}

/* ---- Certificates that are not ------------------------------------------------------------------------------------- */

/* A mate in three by G*2b, 2c2b, 3d3b+ among others; the gold is all the attacker holds. */
static const char mate_in_three[] = "7nl/9/5S1kp/6R1s/9/7p1/9/9/9 b Gr2b3g2s3n3l16p 1";
/* A mate with many transpositions. */
static const char mate_with_references[] = "4+P+P+P+P1/+P1+P5+P/7kP/PP5pp/1+P2+P1pP1/6+P1+P/9/9/9 b 2r2b4g4s4n4l 1";
/* The attacker has checks for ever. */
static const char no_mate[] = "2+P5+N/5P1B1/p2sg2p+P/2p2s1P1/8R/5KP1s/P3+BNN1g/1S4+p1g/+p1R1Lk2+l b NL4Pgl3p 1";

static struct parts parts_of(const char *sfen) {
    struct tsume_answer *answer = solve(sfen, NULL, &any_mate);
    size_t size;
    const void *bytes = tsume_answer_certificate(answer, &size);
    cr_assert_not_null(bytes);
    struct parts parts = take_apart(bytes, size);
    tsume_answer_free(answer);
    struct verify_report report = judge_parts(&parts);
    cr_assert(report.result == VERIFY_MATE || report.result == VERIFY_NO_MATE, "%s", report.message);
    return parts;
}

Test(altered_certificates, without_an_answer, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_in_three);
    size_t length = parts.length, first_answer = moves_at(&parts) + 2;
    remove_bytes(&parts, length - 2, 2);
    expect_fault(&parts, "ends too soon");
    free(parts.payload);
    parts = parts_of(mate_in_three);
    remove_bytes(&parts, first_answer, 2);
    struct verify_report report;
    set_number(parts.header + LENGTH_AT, parts.length, 8);
    report = judge_parts(&parts);
    cr_expect_eq(report.result, VERIFY_WRONG);
    free(parts.payload);
}

Test(altered_certificates, with_another_move, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_in_three);
    size_t at = moves_at(&parts);
    cr_assert_eq(word_at(&parts, at) & ~(unsigned)MARK, word("G*2b"));
    set_word(&parts, at, word("3d5d"));
    expect_fault(&parts, "3d5d is no check");
    set_word(&parts, at, word("3d5e"));
    expect_fault(&parts, "3d5e is not legal");
    set_word(&parts, at, word("G*3d"));
    expect_fault(&parts, "G*3d is not legal");
    set_word(&parts, at, word("S*2b"));
    expect_fault(&parts, "S*2b is not legal");
    set_word(&parts, at, word("2d2e"));
    expect_fault(&parts, "no move");
    set_word(&parts, at, 127);
    expect_fault(&parts, "no move");
    set_word(&parts, at, 0x3f80);
    expect_fault(&parts, "reference");
    set_word(&parts, at, word("G*2d"));
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    free(parts.payload);
}

Test(altered_certificates, with_another_bound, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_in_three);
    cr_assert_eq(number_at(parts.header + PLIES_AT, 4), 3);
    set_number(parts.header + PLIES_AT, 1, 4);
    expect_fault(&parts, "the moves mate in at most 3 plies, the header says 1");
    set_number(parts.header + PLIES_AT, 5, 4);
    expect_fault(&parts, "the header says 5");
    free(parts.payload);
    parts = parts_of(no_mate);
    set_number(parts.header + PLIES_AT, 5, 4);
    expect_fault(&parts, "no mate");
    free(parts.payload);
}

Test(altered_certificates, with_another_hand, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_in_three);
    char *hand = memchr(parts.payload, 'G', parts.length);
    cr_assert_not_null(hand);
    memcpy(hand, "Rg", 2); /* for Gr: the attacker has a rook instead */
    expect_fault(&parts, "G*2b is not legal");
    free(parts.payload);
}

Test(altered_certificates, with_another_attacker, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_in_three);
    parts.payload[0] = 1;
    expect_fault(&parts, "the defender has no king");
    parts.payload[0] = 2;
    expect_fault(&parts, "the first position cannot be read");
    free(parts.payload);
}

Test(altered_certificates, with_other_numbers_in_the_header, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_with_references);
    uint64_t numbered = number_at(parts.header + NUMBERED_AT, 8);
    cr_assert(numbered > 0);
    set_number(parts.header + NUMBERED_AT, numbered - 1, 8);
    expect_fault(&parts, "more numbered positions than the");
    set_number(parts.header + NUMBERED_AT, numbered + 1, 8);
    expect_fault(&parts, "numbered positions, the header says");
    set_number(parts.header + NUMBERED_AT, parts.length / 2 + 1, 8);
    expect_fault(&parts, "more than the payload can hold");
    set_number(parts.header + NUMBERED_AT, numbered, 8);
    set_number(parts.header + LENGTH_AT, parts.length - 1, 8);
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    set_number(parts.header + LENGTH_AT, parts.length + 1, 8);
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    set_number(parts.header + LENGTH_AT, UINT64_C(1) << 60, 8);
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    free(parts.payload);
}

/* A small file must not make the checker ask for much memory. */
Test(altered_certificates, whose_payload_is_too_long_for_its_bytes, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(no_mate);
    unsigned char *padded = realloc(parts.payload, 1 << 20);
    cr_assert_not_null(padded);
    parts.payload = padded;
    memset(parts.payload + parts.length, 0, (1 << 20) - parts.length);
    parts.length = 1 << 20;
    expect_fault(&parts, "the payload is too long");
    free(parts.payload);
}

Test(altered_certificates, of_another_kind_or_version, .init = open_solver, .fini = close_solver) {
    const char *sfens[] = {mate_in_three, mate_with_references, no_mate};
    for (int i = 0; i < 3; i++) {
        struct parts parts = parts_of(sfens[i]);
        parts.header[KIND_AT] = (unsigned char)(3 - parts.header[KIND_AT]);
        cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
        parts.header[KIND_AT] = 3;
        expect_fault(&parts, "kind 3 of certificate is not known here in version 1");
        parts.header[VERSION_AT] = 2;
        cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
        parts.header[KIND_AT] = 2;
        expect_fault(&parts, "kind 2 of certificate is not known here in version 2");
        parts.header[VERSION_AT] = 3;
        expect_fault(&parts, "version 3");
        parts.header[0] = 't';
        expect_fault(&parts, "no certificate");
        free(parts.payload);
    }
}

Test(altered_certificates, with_bytes_behind_the_end, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(no_mate);
    parts.payload[parts.length++] = 0;
    expect_fault(&parts, "goes on after its end");
    free(parts.payload);
}

Test(altered_certificates, whose_references_lead_elsewhere, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(mate_with_references);
    int changed = 0;
    for (size_t i = moves_at(&parts); i + 2 < parts.length; i += word_at(&parts, i) == 0x3f80 ? 3 : 2) {
        if (word_at(&parts, i) != 0x3f80 || parts.payload[i + 2] >= 126)
            continue;
        changed++;
        parts.payload[i + 2]++;
        expect_fault(&parts, "a reference to a position that");
        parts.payload[i + 2]--;
    }
    cr_expect(changed > 0);
    free(parts.payload);
}

Test(altered_certificates, that_let_a_position_prove_itself, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(no_mate);
    /* the set without its last position, as if that were its first */
    struct verify_report report = judge_parts(&parts);
    cr_assert_eq(report.result, VERIFY_NO_MATE);
    size_t at = moves_at(&parts);
    cr_assert(word_at(&parts, at) & MARK);
    set_word(&parts, at,
             word_at(&parts, at) & ~(unsigned)MARK); /* then the byte 0 that follows is a reference to the start */
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    free(parts.payload);
}

Test(altered_certificates, that_give_more_than_there_is, .init = open_solver, .fini = close_solver) {
    struct parts parts = parts_of(no_mate);
    size_t gift = moves_at(&parts) + 2;
    parts.payload[gift] |= 1 << 5; /* a rook: the defender has none */
    memmove(parts.payload + gift + 2, parts.payload + gift + 1, parts.length++ - gift - 1);
    parts.payload[gift + 1] = 1;
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    parts.payload[gift] |= 1 << 7;
    cr_expect_eq(judge_parts(&parts).result, VERIFY_WRONG);
    free(parts.payload);
}

static void change_bits_of(const char *sfen, size_t count) {
    struct parts parts = parts_of(sfen);
    change_bits(&parts, 0, count / SLOW);
    free(parts.payload);
}

Test(altered_certificates, in_any_bit_of_the_payload, .init = open_solver, .fini = close_solver) {
    change_bits_of(mate_in_three, 1000);
    change_bits_of(no_mate, 300);
}

Test(altered_certificates, that_are_damaged, .init = open_solver, .fini = close_solver) {
    struct tsume_answer *answer = solve(no_mate, NULL, &any_mate);
    size_t size;
    const unsigned char *bytes = tsume_answer_certificate(answer, &size);
    struct verify_report report;
    unsigned char *copy = malloc(size + 1);
    cr_assert(bytes && copy);
    memcpy(copy, bytes, size);
    for (size_t i = 0; i < size; i++) {
        copy[i] ^= 4;
        verify_certificate(copy, size, &report);
        cr_expect_eq(report.result, VERIFY_WRONG, "byte %zu", i);
        copy[i] ^= 4;
        verify_certificate(copy, i, &report);
        cr_expect_eq(report.result, VERIFY_WRONG, "cut after %zu", i);
    }
    copy[size] = 0;
    verify_certificate(copy, size + 1, &report);
    cr_expect_eq(report.result, VERIFY_WRONG);
    set_checksum(copy, size + 1);
    verify_certificate(copy, size + 1, &report);
    cr_expect(report.result == VERIFY_WRONG && strstr(report.message, "follow"), "%s", report.message);
    free(copy);
    tsume_answer_free(answer);
}

Test(altered_certificates, that_are_no_files, .init = open_solver, .fini = close_solver) {
    struct verify_report report;
    verify_file("/nonexistent/x.cert", &report);
    cr_expect_eq(report.result, VERIFY_UNREADABLE);
    cr_expect(report.message[0] != '\0');
    verify_certificate("", 0, &report);
    cr_expect_eq(report.result, VERIFY_WRONG);
}
