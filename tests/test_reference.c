/* test_reference.c: the reference search on positions whose value is known: small ones that can be seen through by
 * hand, and ones that other solvers got wrong. */
#include "tests/random_position.h"
#include "tests/reference.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const verdict_names[] = {"mate", "no mate", "not within", "gave up"};

static void expect_value(const char *sfen, enum vr_color attacker, enum reference_reading reading, int plies,
                         int leftover) {
    struct reference_value value = reference_solve(sfen, attacker, reading, plies + 2);
    cr_expect(value.verdict == REFERENCE_MATE && value.plies == plies && value.leftover == leftover,
              "%s: %s %d/%d, expected mate %d/%d", sfen, verdict_names[value.verdict], value.plies, value.leftover,
              plies, leftover);
}

/* The same in both readings, Black attacking. */
static void expect_mate(const char *sfen, int plies, int leftover) {
    expect_value(sfen, VR_BLACK, REFERENCE_COUNT_ALL, plies, leftover);
    expect_value(sfen, VR_BLACK, REFERENCE_EXACT, plies, leftover);
}

static void expect_verdict(const char *sfen, enum vr_color attacker, int max_plies, enum reference_verdict expected) {
    for (int reading = REFERENCE_COUNT_ALL; reading <= REFERENCE_EXACT; reading++) {
        struct reference_value value = reference_solve(sfen, attacker, (enum reference_reading)reading, max_plies);
        cr_expect(value.verdict == expected, "%s: %s, expected %s", sfen, verdict_names[value.verdict],
                  verdict_names[expected]);
    }
}

static struct vr_position position_of(const char *sfen) {
    struct vr_position position;
    cr_assert(vr_read_sfen(sfen, &position) == strlen(sfen), "%s", sfen);
    cr_assert_null(vr_position_fault(&position), "%s", sfen);
    return position;
}

/* Is the drop futile after White's king has been checked? */
static bool is_futile(const char *sfen, const char *drop) {
    struct vr_position position = position_of(sfen);
    struct vr_move m;
    cr_assert(vr_read_move(drop, &position, &m) == strlen(drop) && vr_is_legal(&position, &m), "%s: %s", sfen, drop);
    struct reference *reference = reference_new(VR_BLACK, REFERENCE_EXACT);
    bool futile = reference_is_futile(reference, &position, &m, 6);
    reference_free(reference);
    return futile;
}

/* ---- The second rules themselves ---- */

static uint64_t leaves(const struct vr_position *position, int depth) {
    struct vr_move moves[VR_MAX_MOVES];
    int count = vr_legal_moves(position, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count && depth > 1; i++) {
        struct vr_position after = vr_after(position, &moves[i]);
        sum += leaves(&after, depth - 1);
    }
    return depth > 1 ? sum : (uint64_t)count;
}

Test(second_rules, count_the_moves_of_the_opening) {
    struct vr_position opening = position_of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    cr_expect(leaves(&opening, 1) == 30);
    cr_expect(leaves(&opening, 2) == 900);
    cr_expect(leaves(&opening, 3) == 25470);
}

Test(second_rules, count_593_moves_where_there_are_most) {
    struct vr_position position = position_of("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    cr_expect(leaves(&position, 1) == 593);
}

Test(second_rules, read_what_they_write) {
    struct random_source random = {1};
    for (int i = 0; i < 500; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct vr_position again = position_of(problem.sfen);
        cr_assert(vr_equal(&again, &problem.position), "%s", problem.sfen);
        struct vr_move moves[VR_MAX_MOVES], move_again;
        int count = vr_legal_moves(&again, moves);
        for (int j = 0; j < count; j++) {
            char text[VR_MOVE_SIZE];
            vr_write_move(&moves[j], text);
            cr_assert(vr_read_move(text, &again, &move_again) == strlen(text));
            cr_assert(vr_move_equal(&moves[j], &move_again), "%s: %s", problem.sfen, text);
        }
    }
}

/* ---- Values seen by hand ---- */

Test(value, a_gold_on_the_head_is_mate_in_one) {
    expect_mate("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1, 0);
    expect_mate("4k4/9/4P4/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1", 1, 1); /* the pawn is left over */
}

Test(value, taking_a_piece_leaves_more_in_hand) {
    /* Both G*5b and 5cx5b+ mate; the second keeps the gold and wins a pawn. */
    expect_mate("4k4/4p4/4S4/9/4L4/9/9/9/9 b G2r2b3g3s4n3l17p 1", 1, 2);
}

Test(value, a_pawn_drop_does_not_mate) {
    expect_verdict("7nk/9/7G1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1", VR_BLACK, 1, REFERENCE_NOT_WITHIN);
    expect_mate("7nk/9/7G1/9/9/9/9/9/9 b L2r2b3g4s3n3l18p 1", 1, 0);
}

Test(value, without_a_check_there_is_no_mate_at_any_depth) {
    expect_verdict("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1", VR_BLACK, 1, REFERENCE_NO_MATE);
    /* He takes the pawn. */
    expect_verdict("8k/7l1/9/9/9/9/9/9/9 b P2r2b4g4s4n3l17p 1", VR_BLACK, 5, REFERENCE_NO_MATE);
}

Test(value, the_defender_may_be_to_move) {
    const char *sfen = "4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1";
    expect_mate(sfen, 0, 0);
    expect_verdict("4k4/9/4P4/9/9/9/9/9/9 w 2r2b4g4s4n4l17p 1", VR_BLACK, 6, REFERENCE_NO_MATE); /* not in check */
}

Test(value, white_may_be_the_attacker) {
    expect_value("9/9/9/9/9/9/4p4/9/4K4 w 2R2B3G4S4N4L17Pg 1", VR_WHITE, REFERENCE_EXACT, 1, 0);
    expect_verdict("9/9/9/9/9/9/4p4/9/4K4 w 2R2B3G4S4N4L17Pg 1", VR_BLACK, 5, REFERENCE_NO_MATE);
}

Test(value, the_attackers_king_may_be_pinned_to_or_checked) {
    /* G*5b would mate, but Black is in check himself and can only answer that. */
    const char *checked = "4k4/9/4P4/9/9/9/9/9/r7K b G 1";
    expect_verdict(checked, VR_BLACK, 1, REFERENCE_NO_MATE);
    /* The same without the rook is mate. */
    expect_mate("4k4/9/4P4/9/9/9/9/9/8K b G 1", 1, 0);
    /* The gold may not leave the file of the rook. */
    expect_verdict("3k5/9/3PG4/9/9/9/9/9/4K3r b - 1", VR_BLACK, 1, REFERENCE_NO_MATE);
}

/* ---- Futile interpositions seen by hand ---- */

/* A rook checks along the rank, and 2a is covered by the king alone: what takes there is taken by him. */
static const char far_rook_alone[] = "4R3k/8l/9/8N/9/9/9/9/9 w r2b4g4s3n3l18p 1";
/* The squares next to the king are covered by the gold, but a bishop covers 3a. */
static const char far_rook_and_bishop[] = "4R3k/6G1l/4b4/9/9/9/9/9/9 w rb3g4s4n3l18p 1";

Test(futile, a_drop_that_is_only_taken_back_is_no_answer) {
    const char *sfen = "4R3k/6G1l/9/9/9/9/9/9/9 w r2b3g4s4n3l18p 1";
    cr_expect(is_futile(sfen, "G*4a"));
    cr_expect(is_futile(sfen, "P*3a"));
    cr_expect(is_futile(sfen, "R*2a"));
    expect_value(sfen, VR_BLACK, REFERENCE_EXACT, 0, 0);
    cr_expect(reference_solve(sfen, VR_BLACK, REFERENCE_COUNT_ALL, 0).verdict == REFERENCE_NOT_WITHIN);
}

Test(futile, a_drop_is_real_where_the_king_takes_back) {
    cr_expect(!is_futile(far_rook_alone, "G*2a"));
    cr_expect(!is_futile(far_rook_alone, "G*3a"), "after the rook comes nearer the next drop is real");
    cr_expect(!is_futile(far_rook_alone, "G*4a"));
    cr_expect(reference_solve(far_rook_alone, VR_BLACK, REFERENCE_EXACT, 0).verdict == REFERENCE_NOT_WITHIN);
}

Test(futile, a_drop_is_real_where_a_piece_takes_back) {
    cr_expect(!is_futile(far_rook_and_bishop, "P*3a"));
    cr_expect(reference_solve(far_rook_and_bishop, VR_BLACK, REFERENCE_EXACT, 0).verdict == REFERENCE_NOT_WITHIN,
              "the bishop may move in between itself");
}

Test(futile, a_drop_that_checks_the_attackers_king_is_taken_back_too) {
    const char *sfen = "7nl/4R3k/5KG1p/9/9/9/9/9/9 w p 1";
    cr_expect(is_futile(sfen, "P*4b"));
    expect_value(sfen, VR_BLACK, REFERENCE_EXACT, 0, 0);
}

Test(futile, the_piece_taken_stays_the_defenders) {
    /* Nothing is left over: the attacker has not kept a piece that he took from a futile drop. */
    expect_value("8k/4R1G1l/9/9/9/9/9/9/9 b r2b3g4s4n3l18p 1", VR_BLACK, REFERENCE_EXACT, 1, 0);
}

Test(futile, pinned_pieces_do_not_take_back) {
    expect_value("3+R3nk/8p/7P1/9/9/9/9/9/8B b rb4g4s3n4l16p 1", VR_BLACK, REFERENCE_EXACT, 1, 0);
    expect_value("3+R3nk/8p/7P1/9/9/9/9/9/8B b rb4g4s3n4l16p 1", VR_BLACK, REFERENCE_COUNT_ALL, 7, 3);
    expect_value("8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1", VR_BLACK, REFERENCE_EXACT, 1, 0);
}

/* ---- Positions that other solvers got wrong ---- */

Test(known_cases, an_interposition_in_the_crossing_of_two_lines_is_real) {
    expect_verdict("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1", VR_BLACK, 7, REFERENCE_NOT_WITHIN);
    expect_verdict("4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1", VR_BLACK, 5, REFERENCE_NOT_WITHIN);
}

Test(known_cases, mates_of_five_and_seven_with_nothing_left) {
    expect_mate("5+P1k1/9/5+rB2/9/9/9/9/9/9 b RPb4g4s4n4l16p 1", 7, 0);
    expect_mate("5+P2k/7R1/5+rB2/9/9/9/9/9/9 b Pb4g4s4n4l16p 1", 5, 0);
}

Test(known_cases, futile_drops_would_lengthen_the_mate) {
    const char *yo162 = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";
    expect_value(yo162, VR_BLACK, REFERENCE_EXACT, 3, 0);
    expect_value(yo162, VR_BLACK, REFERENCE_COUNT_ALL, 5, 0);
    const char *su5 = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1";
    expect_value(su5, VR_BLACK, REFERENCE_EXACT, 5, 0);
    expect_value(su5, VR_BLACK, REFERENCE_COUNT_ALL, 7, 1);
    const char *cs54 = "l8/3s2+R2/p2pkp+P2/2p1p3p/1KPP2s2/P3P4/2g2P2P/4N4/L4+b1NL w RB3GSNL5Psn 1";
    expect_value(cs54, VR_WHITE, REFERENCE_EXACT, 7, 2);
}

Test(known_cases, other_mates) {
    expect_mate("7nl/9/5S1kp/6R1s/9/7p1/9/9/9 b Gr2b3g2s3n3l16p 1", 3, 0);
    expect_mate("l5p1k/3+R1p3/3p1g+N2/p1S1p2S1/1p5Kp/5PP2/PP2P1sPP/2P2GG2/L5+r1L b L2P2bgs3np 1", 7, 2);
    expect_mate("3Bp2n1/5+R2+B/p2p1GSp1/8p/Pn5l1/1n2SNP2/2pPPS1Pk/1P1SK1G2/L1G1G4 b RL3Pl3p 131", 7, 1);
    expect_mate("ln1g3k1/5G2l/1+LspSp2p/2p1S2p1/2r3p2/p3P4/1P+BP1P+b1P/2GS5/L2K1G3 b NPr2n5p 79", 3, 0);
}

Test(known_cases, mates_of_games_in_both_readings) {
    static const struct {
        const char *sfen;
        int plies, exact_plies, exact_leftover;
    } games[] = {
        {"1+R6l/R2sksG2/2+P1gp3/2pp2p1p/1p7/1PPP2PPP/5PSK1/1BS1G4/LN5+B1 b G3N2L4P 1", 1, 1, 11},
        {"1+Rs5l/4ksG2/2+P1gp3/2pp2p1p/1p7/1PPP2PPP/5PSK1/1BS1G4/LN5+B1 b G3N2L4PR 1", 3, 3, 10},
        {"1+R5nl/lS2g1k2/2p2ps1p/p2p2+bp1/P8/1P1G1P1P1/2P2K2P/2+r2b3/6PNL w GN3PSgnl2ps 1", 5, 3, 4},
        {"3B5/l1Rs2+N1l/n8/kppg3+S1/B2pP1S2/1GP2P2P/1P1P1GNPL/1+l1G1K1S1/9 b N8Pr 1", 3, 1, 10},
        {"3B5/l1Rs2+N1l/np7/k1pg3+S1/B2pP1S2/1GP2P2P/1P1P1GNPL/1+l1G1K1S1/9 b N8PR 1", 5, 3, 10},
        {"6+Bn1/2G4Rl/5Rs1p/p1p1s1ppk/1G2p4/P1P1P4/1G2+n1PPP/1KS2p1+bL/L6N1 b GL5Pns 1", 5, 3, 6},
        {"lp1S+R4/7+b1/p1k1N1Sp1/3p4p/3PnNp2/5P1L1/P1g+b3PP/1+rP2K1g1/6G1s w GNL6PSl 1", 5, 3, 1},
        {"l7l/k1G6/pp+S4s1/2p1pbppp/3p1p3/P1P2b1PP/1P2g1P1R/6GS1/L+r1P1K1NL w G2Nn2ps 1", 5, 3, 4},
        {"l1B5+P/5p3/pkP6/1ls1+SPp2/3pP3+R/P4GPN1/LP1GG2P1/4R2S1/1N2K2+s1 b GN4PBnl2p 1", 5, 3, 5},
        {"8+R/1ks2g3/1p1b1gp2/pbnppp1p1/4n4/P4PP2/1s+p1Sg1P1/L8/3LKG1+R1 w N2LSn6p 1", 5, 5, 7},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        enum vr_color attacker = (enum vr_color)position_of(games[i].sfen).side;
        struct reference_value all = reference_solve(games[i].sfen, attacker, REFERENCE_COUNT_ALL, 5);
        cr_expect(all.verdict == REFERENCE_MATE && all.plies == games[i].plies, "%s: %d", games[i].sfen, all.plies);
        expect_value(games[i].sfen, attacker, REFERENCE_EXACT, games[i].exact_plies, games[i].exact_leftover);
    }
}

/* ---- What must hold of any position ---- */

/* The value within a few plies with nothing remembered and nothing cut off; plies −1: none. */
static struct reference_value plain_value(const struct vr_position *position, enum vr_color attacker, int limit) {
    bool attack = position->side == (int8_t)attacker;
    struct reference_value best = {REFERENCE_NOT_WITHIN, -1, 0};
    struct vr_move moves[VR_MAX_MOVES];
    int count = attack ? vr_checking_moves(position, moves) : vr_legal_moves(position, moves);
    if (!attack && count == 0) {
        int leftover = 0;
        for (int kind = VR_PAWN; kind <= VR_GOLD; kind++)
            leftover += position->hand[attacker][kind];
        return (struct reference_value){REFERENCE_MATE, 0, leftover};
    }
    for (int i = 0; i < count && limit > 0; i++) {
        struct vr_position after = vr_after(position, &moves[i]);
        struct reference_value value = plain_value(&after, attacker, limit - 1);
        if (value.verdict != REFERENCE_MATE) {
            if (attack)
                continue;
            return value;
        }
        value.plies++;
        bool sooner = value.plies < best.plies || (value.plies == best.plies && value.leftover > best.leftover);
        bool later = value.plies > best.plies || (value.plies == best.plies && value.leftover < best.leftover);
        if (best.plies < 0 || (attack ? sooner : later))
            best = value;
    }
    return best;
}

Test(any_position, has_the_value_of_the_plainest_search) {
    struct random_source random = {2};
    int mates = 0;
    for (int i = 0; i < 250; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct reference *reference = reference_new(problem.attacker, REFERENCE_COUNT_ALL);
        struct reference_value value = reference_value(reference, &problem.position, 3, 0);
        struct reference_value plain = plain_value(&problem.position, problem.attacker, 3);
        bool mate = plain.verdict == REFERENCE_MATE;
        cr_assert((value.verdict == REFERENCE_MATE) == mate, "%s", problem.sfen);
        cr_assert(!mate || (value.plies == plain.plies && value.leftover == plain.leftover),
                  "%s: %d/%d, expected %d/%d", problem.sfen, value.plies, value.leftover, plain.plies, plain.leftover);
        mates += mate;
        reference_free(reference);
    }
    cr_expect(mates >= 25, "%d", mates);
}

Test(any_position, leaving_out_futile_drops_shortens_and_changes_no_verdict) {
    struct random_source random = {3};
    for (int i = 0; i < 250; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        struct reference *all = reference_new(problem.attacker, REFERENCE_COUNT_ALL);
        struct reference *exact = reference_new(problem.attacker, REFERENCE_EXACT);
        struct reference_value with = reference_value(all, &problem.position, 5, 20000);
        struct reference_value without = reference_value(exact, &problem.position, 5, 20000);
        if (with.verdict == REFERENCE_MATE && without.verdict != REFERENCE_GAVE_UP)
            cr_assert(without.verdict == REFERENCE_MATE && without.plies <= with.plies, "%s", problem.sfen);
        if (with.verdict == REFERENCE_NO_MATE)
            cr_assert(without.verdict != REFERENCE_MATE, "%s", problem.sfen);
        if (without.verdict == REFERENCE_NO_MATE)
            cr_assert(with.verdict != REFERENCE_MATE, "%s", problem.sfen);
        reference_free(all);
        reference_free(exact);
    }
}

Test(any_position, has_one_value_whatever_was_searched_before) {
    struct random_source random = {4};
    struct reference *used = reference_new(VR_BLACK, REFERENCE_EXACT);
    for (int i = 0; i < 200; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        if (problem.attacker != VR_BLACK)
            continue;
        int limit = problem.position.side == VR_BLACK ? 5 : 4;
        struct reference_value expected = reference_solve(problem.sfen, VR_BLACK, REFERENCE_EXACT, limit);
        reference_value(used, &problem.position, 1, 0);
        reference_value(used, &problem.position, limit, 100);
        struct reference_value value = reference_value(used, &problem.position, limit, 0);
        struct reference_value again = reference_value(used, &problem.position, limit, 0);
        cr_assert(value.verdict == expected.verdict && value.plies == expected.plies &&
                      value.leftover == expected.leftover,
                  "%s: %s %d/%d, expected %s %d/%d", problem.sfen, verdict_names[value.verdict], value.plies,
                  value.leftover, verdict_names[expected.verdict], expected.plies, expected.leftover);
        cr_assert(again.verdict == value.verdict && again.plies == value.plies && again.leftover == value.leftover,
                  "%s", problem.sfen);
    }
    reference_free(used);
}

Test(any_position, gives_up_when_told_to) {
    struct vr_position position = position_of("5+P1k1/9/5+rB2/9/9/9/9/9/9 b RPb4g4s4n4l16p 1");
    struct reference *reference = reference_new(VR_BLACK, REFERENCE_EXACT);
    cr_expect(reference_value(reference, &position, 7, 50).verdict == REFERENCE_GAVE_UP);
    cr_expect(reference_nodes(reference) == 50);
    cr_expect(reference_value(reference, &position, 7, 0).plies == 7);
    reference_free(reference);
}
