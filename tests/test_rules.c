/* test_rules.c: the rules, against the second rules of solver/verify_rules.h on positions made by chance, and against
 * small positions whose truth a player sees. */
#include "rules/bitboard.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "solver/verify_rules.h"
#include "tests/random_position.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- From one set of rules to the other ---- */

static const int kind_here[VR_KINDS] = {
    [VR_PAWN] = PAWN,
    [VR_LANCE] = LANCE,
    [VR_KNIGHT] = KNIGHT,
    [VR_SILVER] = SILVER,
    [VR_BISHOP] = BISHOP,
    [VR_ROOK] = ROOK,
    [VR_GOLD] = GOLD,
    [VR_KING] = KING,
    [VR_TOKIN] = PRO_PAWN,
    [VR_PROMOTED_LANCE] = PRO_LANCE,
    [VR_PROMOTED_KNIGHT] = PRO_KNIGHT,
    [VR_PROMOTED_SILVER] = PRO_SILVER,
    [VR_HORSE] = HORSE,
    [VR_DRAGON] = DRAGON,
};

static int square_here(struct vr_square square) {
    return square_make(8 - square.column, square.row);
}

static move move_here(const struct vr_position *position, const struct vr_move *m) {
    if (m->drop)
        return move_drop(kind_here[m->kind], square_here(m->to));
    int captured = abs(position->board[m->to.row][m->to.column]);
    return move_make(square_here(m->from), square_here(m->to), kind_here[m->kind], kind_here[captured], m->promote);
}

static struct position position_of(const char *sfen) {
    struct setup setup;
    struct sfen_error error;
    struct position pos;
    cr_assert(sfen_parse(sfen, &setup, &error) == strlen(sfen), "%s: column %zu: %s", sfen, error.column,
              error.message);
    cr_assert(setup_fault(&setup, NULL, NULL) == FAULT_NONE, "%s is no legal position", sfen);
    position_set(&pos, &setup);
    return pos;
}

static struct vr_position verified_position_of(const char *sfen) {
    struct vr_position position;
    cr_assert(vr_read_sfen(sfen, &position) == strlen(sfen), "%s", sfen);
    cr_assert_null(vr_position_fault(&position), "%s", sfen);
    return position;
}

static struct position same_position(const struct vr_position *position) {
    char sfen[VR_SFEN_SIZE];
    vr_write_sfen(position, sfen);
    return position_of(sfen);
}

/* A text that an assertion can show; good until called four times more. */
static const char *shown(const struct vr_position *position) {
    static char text[4][VR_SFEN_SIZE];
    static int next;
    next = (next + 1) % 4;
    vr_write_sfen(position, text[next]);
    return text[next];
}

static const char *usi(move m) {
    static char text[4][USI_MOVE_SIZE];
    static int next;
    next = (next + 1) % 4;
    if (m == NO_MOVE)
        return "none";
    move_to_usi(m, text[next]);
    return text[next];
}

static int compare_moves(const void *a, const void *b) {
    move x = *(const move *)a, y = *(const move *)b;
    return (x > y) - (x < y);
}

/* The same moves in any order? Says of the first that differs where it is missing. */
static void expect_same_moves(const struct vr_position *position, const char *what, move *moves, int count,
                              const struct vr_move *verified, int verified_count) {
    static move expected[VR_MAX_MOVES];
    for (int i = 0; i < verified_count; i++)
        expected[i] = move_here(position, &verified[i]);
    qsort(expected, (size_t)verified_count, sizeof *expected, compare_moves);
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    for (int i = 0; i < count && i < verified_count; i++)
        cr_assert(moves[i] == expected[i], "%s: %s: %s", shown(position), what,
                  moves[i] < expected[i] ? usi(moves[i]) : usi(expected[i]));
    cr_assert(count == verified_count, "%s: %s: %d moves, expected %d", shown(position), what, count, verified_count);
}

/* ---- Positions made by chance ---- */

enum { GAMES = 60, POSITIONS_OF_A_GAME = 12, PLIES_BETWEEN = 13, PROBLEMS = 2400 };

static void for_each_random_position(uint64_t seed, void (*check)(const struct vr_position *)) {
    struct random_source random = {seed};
    for (int game = 0; game < GAMES; game++) {
        struct vr_position position = random_game_position(&random, game % PLIES_BETWEEN);
        for (int i = 0; i < POSITIONS_OF_A_GAME && vr_has_legal_move(&position); i++) {
            check(&position);
            for (int ply = 0; ply < PLIES_BETWEEN; ply++)
                random_game_move(&random, &position);
        }
    }
    for (int i = 0; i < PROBLEMS; i++) {
        struct random_problem problem = random_problem(&random, NULL);
        check(&problem.position);
    }
}

static void legal_moves_are_the_same(const struct vr_position *position) {
    struct position pos = same_position(position);
    struct vr_move verified[VR_MAX_MOVES];
    move moves[MAX_MOVES];
    int verified_count = vr_legal_moves(position, verified);
    expect_same_moves(position, "legal moves", moves, generate_legal(&pos, moves), verified, verified_count);
    cr_assert(position_in_check(&pos) == vr_in_check(position), "%s", shown(position));
    if (vr_in_check(position)) {
        expect_same_moves(position, "evasions", moves, generate_evasions(&pos, moves), verified, verified_count);
        cr_assert(has_evasion(&pos) == (verified_count > 0), "%s", shown(position));
    }
}

Test(random_positions, legal_moves_and_evasions_are_those_of_the_second_rules) {
    for_each_random_position(1, legal_moves_are_the_same);
}

static bool has_king_to_check(const struct vr_position *position) {
    struct vr_square king;
    return vr_find_king(position, vr_other((enum vr_color)position->side), &king);
}

static void checks_are_the_same(const struct vr_position *position) {
    struct position pos = same_position(position);
    struct vr_move verified[VR_MAX_MOVES];
    move moves[MAX_MOVES];
    int count = vr_legal_moves(position, verified);
    for (int i = 0; i < count; i++) {
        move m = move_here(position, &verified[i]);
        cr_assert(move_gives_check(&pos, m) == vr_gives_check(position, &verified[i]), "%s: %s", shown(position),
                  usi(m));
    }
    if (has_king_to_check(position))
        expect_same_moves(position, "checks", moves, generate_checks(&pos, moves), verified,
                          vr_checking_moves(position, verified));
}

Test(random_positions, checks_are_the_legal_moves_that_give_check) {
    for_each_random_position(2, checks_are_the_same);
}

/* Among checks that mate, those that capture leave the attacker most in hand, and drops least. */
static int hand_gain(const struct vr_position *position, const struct vr_move *m) {
    return m->drop ? -1 : position->board[m->to.row][m->to.column] != VR_NONE;
}

/* A pawn on the square in front of the king, but for uchifuzume. */
static bool is_pawn_drop_forbidden_only_as_mate(const struct vr_position *position, const struct vr_move *checks,
                                                int count) {
    struct vr_position with_lance = *position; /* a lance checks where a pawn does */
    if (with_lance.hand[position->side][VR_PAWN] == 0)
        return false;
    with_lance.hand[position->side][VR_LANCE] = 1;
    struct vr_square king;
    vr_find_king(position, vr_other((enum vr_color)position->side), &king);
    int row = king.row + (position->side == VR_BLACK ? 1 : -1);
    for (int r = 0; r < 9; r++)
        if (position->board[r][king.column] == (position->side == VR_BLACK ? VR_PAWN : -VR_PAWN))
            return false;
    for (int i = 0; i < count; i++)
        if (checks[i].drop && checks[i].kind == VR_PAWN)
            return false;
    struct vr_move lance = {.kind = VR_LANCE, .drop = true, .to = {row, king.column}};
    return row >= 0 && row < 9 && vr_is_legal(&with_lance, &lance);
}

/* What the hand gains by the best mate in one; −2 if there is none. */
static int best_mate_gain(const struct vr_position *position, const struct vr_move *checks, int count) {
    int best = -2;
    for (int i = 0; i < count; i++) {
        struct vr_position after = vr_after(position, &checks[i]);
        int gain = hand_gain(position, &checks[i]);
        if (gain > best && vr_is_mate(&after))
            best = gain;
    }
    return best;
}

static void expect_best_mate(const struct vr_position *position, move m, int best_gain) {
    char text[USI_MOVE_SIZE];
    struct vr_move found;
    move_to_usi(m, text);
    cr_assert(vr_read_move(text, position, &found) && vr_is_legal(position, &found), "%s: %s", shown(position), text);
    struct vr_position after = vr_after(position, &found);
    cr_assert(vr_is_mate(&after), "%s: %s", shown(position), text);
    cr_assert(hand_gain(position, &found) == best_gain, "%s: %s leaves less in hand", shown(position), text);
}

/* Does a check leave only drops as answers? */
static bool has_check_but_for_drops(const struct vr_position *position, const struct vr_move *checks, int count) {
    for (int i = 0; i < count; i++) {
        struct vr_position after = vr_after(position, &checks[i]);
        struct vr_move answers[VR_MAX_MOVES];
        int answer_count = vr_legal_moves(&after, answers), drops = 0;
        for (int j = 0; j < answer_count; j++)
            drops += answers[j].drop;
        if (answer_count > 0 && drops == answer_count)
            return true;
    }
    return false;
}

static void mate_in_one_is_found(const struct vr_position *position) {
    if (!has_king_to_check(position))
        return;
    struct vr_move checks[VR_MAX_MOVES];
    int count = vr_checking_moves(position, checks), best_gain = best_mate_gain(position, checks, count);
    struct position pos = same_position(position), before = pos;
    struct mate_scan scan;
    move m = mate_in_one(&pos, &scan);
    cr_assert(position_equal(&pos, &before), "%s", shown(position));
    cr_assert(mate_in_one(&pos, NULL) == m, "%s", shown(position));
    cr_assert((m != NO_MOVE) == (best_gain > -2), "%s: found %s", shown(position), usi(m));
    if (m != NO_MOVE) {
        expect_best_mate(position, m, best_gain);
        return;
    }
    cr_assert(scan.but_for_drops == has_check_but_for_drops(position, checks, count), "%s", shown(position));
    if (!vr_in_check(position))
        count += is_pawn_drop_forbidden_only_as_mate(position, checks, count);
    cr_assert(scan.checks == count, "%s: %d checks, expected %d", shown(position), scan.checks, count);
}

Test(random_positions, mate_in_one_is_found_where_there_is_one) {
    for_each_random_position(3, mate_in_one_is_found);
}

static int random_bits(struct random_source *random, int bits) {
    return (int)(random_next(random) >> (64 - bits));
}

static void only_legal_moves_are_legal(const struct vr_position *position) {
    static struct random_source random = {99};
    struct position pos = same_position(position), before = pos;
    move moves[MAX_MOVES];
    int count = generate_legal(&pos, moves); /* right by another test */
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    for (int i = 0; i < count; i++)
        cr_assert(move_is_legal(&pos, moves[i]), "%s: %s", shown(position), usi(moves[i]));
    for (int i = 0; i < 300; i++) {
        move m = (move)random_bits(&random, 24);
        if (count > 0 && i % 3 > 0) { /* a legal move with one or two bits wrong, or of which a field is */
            m = moves[random_below(&random, count)] ^ (move)1 << random_below(&random, 24);
            if (i % 3 > 1)
                m ^= (move)1 << random_below(&random, 24);
        }
        bool legal = bsearch(&m, moves, (size_t)count, sizeof *moves, compare_moves) != NULL;
        cr_assert(move_is_legal(&pos, m) == legal, "%s: %06x is said to be %s", shown(position), m,
                  legal ? "illegal" : "legal");
    }
    cr_assert(position_equal(&pos, &before), "%s", shown(position));
}

Test(random_positions, any_24_bits_are_judged_as_a_move) {
    for_each_random_position(4, only_legal_moves_are_legal);
}

static void moves_are_understood_from_usi(const struct vr_position *position) {
    struct position pos = same_position(position);
    struct vr_move verified[VR_MAX_MOVES];
    int count = vr_legal_moves(position, verified);
    for (int i = 0; i < count; i++) {
        char text[VR_MOVE_SIZE + 4], here[USI_MOVE_SIZE];
        vr_write_move(&verified[i], text);
        move m = move_here(position, &verified[i]);
        move_to_usi(m, here);
        cr_assert_str_eq(here, text);
        cr_assert(move_from_usi(&pos, text) == m, "%s: %s", shown(position), text);
        memcpy(text + strlen(here), " 1a", 4);
        cr_assert(move_from_usi(&pos, text) == m, "%s: %s", shown(position), text);
        text[strlen(here)] = 'x';
        cr_assert(move_from_usi(&pos, text) == NO_MOVE, "%s: %s", shown(position), text);
        cr_assert(move_complete(&pos, move_is_drop(m) ? NO_SQUARE : move_from(m), move_to(m),
                                move_is_drop(m) ? move_kind(m) : NO_KIND, move_promotes(m)) == m,
                  "%s: %s", shown(position), here);
    }
}

Test(random_positions, usi_notation_names_every_move) {
    for_each_random_position(5, moves_are_understood_from_usi);
}

static bool same_set(bitboard a, bitboard b) {
    return a[0] == b[0] && a[1] == b[1];
}

static bool same_in_every_part(const struct position *a, const struct position *b) {
    for (int kind = 0; kind < KINDS; kind++)
        if (!same_set(a->by_kind[kind], b->by_kind[kind]))
            return false;
    return same_set(a->by_color[BLACK], b->by_color[BLACK]) && same_set(a->by_color[WHITE], b->by_color[WHITE]) &&
           same_set(a->golds, b->golds) && memcmp(a->board, b->board, sizeof a->board) == 0 && a->side == b->side &&
           memcmp(a->king, b->king, sizeof a->king) == 0 && memcmp(a->hand, b->hand, sizeof a->hand) == 0 &&
           a->key == b->key && position_equal(a, b);
}

static void moves_are_made_and_taken_back(const struct vr_position *position) {
    struct position pos = same_position(position);
    const struct position before = pos;
    struct vr_move verified[VR_MAX_MOVES];
    int count = vr_legal_moves(position, verified);
    for (int i = 0; i < count; i++) {
        move m = move_here(position, &verified[i]);
        struct vr_position verified_after = vr_after(position, &verified[i]);
        struct position expected = same_position(&verified_after); /* made from nothing: its key is from scratch */
        uint64_t key = position_key_after(&pos, m);
        hand mover_hand = position_hand_after(&pos, m);
        position_do(&pos, m);
        cr_assert(same_in_every_part(&pos, &expected), "%s: after %s", shown(position), usi(m));
        cr_assert(key == pos.key, "%s: key after %s", shown(position), usi(m));
        cr_assert(mover_hand == pos.hand[before.side], "%s: hand after %s", shown(position), usi(m));
        position_undo(&pos, m);
        cr_assert(same_in_every_part(&pos, &before), "%s: %s taken back", shown(position), usi(m));
    }
}

Test(random_positions, a_move_made_gives_the_position_after_it_and_taken_back_the_one_before) {
    for_each_random_position(6, moves_are_made_and_taken_back);
}

static void sfen_comes_back(const struct vr_position *position) {
    struct position pos = same_position(position), again;
    char text[SFEN_SIZE];
    struct setup setup, set_again;
    position_to_sfen(&pos, text);
    cr_assert_str_eq(text, shown(position));
    again = position_of(text);
    cr_assert(same_in_every_part(&pos, &again), "%s", text);
    position_get(&pos, &setup);
    position_set(&again, &setup);
    cr_assert(same_in_every_part(&pos, &again), "%s", text);
    position_get(&again, &set_again);
    cr_assert_eq(memcmp(set_again.board, setup.board, sizeof setup.board), 0);
    sfen_write(&setup, text);
    cr_assert_str_eq(text, shown(position));
}

Test(random_positions, sfen_written_and_read_is_the_same_position) {
    for_each_random_position(7, sfen_comes_back);
}

static void attacks_are_the_same(const struct vr_position *position) {
    struct position pos = same_position(position);
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            for (int color = 0; color < 2; color++) {
                struct vr_square square = {row, column};
                int sq = square_here(square);
                bool attacked = vr_attacked(position, square, (enum vr_color)color);
                cr_assert(position_attacked(&pos, sq, (enum color)color, position_occupied(&pos)) == attacked, "%s: %d",
                          shown(position), sq);
                cr_assert(bb_any(position_attackers(&pos, sq, (enum color)color, position_occupied(&pos))) == attacked,
                          "%s: %d", shown(position), sq);
            }
}

Test(random_positions, the_same_squares_are_attacked) {
    for_each_random_position(8, attacks_are_the_same);
}

/* Can a piece of that kind and colour slide from one square towards the other, a file, rank or diagonal apart? */
static bool slides_towards(int kind, enum vr_color color, struct vr_square from, struct vr_square to) {
    struct vr_position board = {0}; /* with nothing but the slider */
    board.board[from.row][from.column] = (int8_t)(color == VR_BLACK ? kind : -kind);
    bool step = abs(from.row - to.row) <= 1 && abs(from.column - to.column) <= 1;
    return !step && kind != VR_KNIGHT && vr_attacked(&board, to, color);
}

/* Does the piece, alone, stand between the king of `color` and a slider of the other colour? */
static bool shields(const struct vr_position *position, struct vr_square square, enum vr_color color) {
    struct vr_square king;
    if (!vr_find_king(position, color, &king) || position->board[square.row][square.column] == VR_NONE)
        return false;
    int row_step = (square.row > king.row) - (square.row < king.row);
    int column_step = (square.column > king.column) - (square.column < king.column);
    int met = 0;
    bool met_square = false;
    struct vr_square at = king;
    for (;;) { /* from the king through the square */
        at.row += row_step;
        at.column += column_step;
        if ((row_step == 0 && column_step == 0) || at.row < 0 || at.row > 8 || at.column < 0 || at.column > 8)
            return false;
        int8_t found = position->board[at.row][at.column];
        if (found == VR_NONE)
            continue;
        met_square = met_square || (at.row == square.row && at.column == square.column);
        if (++met == 2)
            return met_square && (found > 0) != (color == VR_BLACK) &&
                   (at.row != square.row || at.column != square.column) &&
                   slides_towards(abs(found), vr_other(color), at, king);
    }
}

static void blockers_are_the_pieces_that_shield(const struct vr_position *position) {
    struct position pos = same_position(position);
    for (int color = 0; color < 2; color++) {
        bitboard blockers = position_blockers(&pos, (enum color)color);
        for (int row = 0; row < 9; row++)
            for (int column = 0; column < 9; column++) {
                struct vr_square square = {row, column};
                int sq = square_here(square);
                cr_assert(bb_has(blockers, sq) == shields(position, square, (enum vr_color)color), "%s: %d",
                          shown(position), sq);
            }
    }
}

Test(random_positions, blockers_are_the_pieces_that_alone_shield_a_king) {
    for_each_random_position(9, blockers_are_the_pieces_that_shield);
}

/* Has the side to move a pawn on the file? */
static bool would_be_nifu(const struct vr_position *position, int column) {
    for (int row = 0; row < 9; row++)
        if (position->board[row][column] == (position->side == VR_BLACK ? VR_PAWN : -VR_PAWN))
            return true;
    return false;
}

/* Could the side to move drop the kind on the square if it had one, uchifuzume apart? */
static bool could_drop(const struct vr_position *position, int kind, int row, int column, struct vr_position *after) {
    int from_far = position->side == VR_BLACK ? row : 8 - row;
    if (position->board[row][column] != VR_NONE || (kind == VR_PAWN && would_be_nifu(position, column)) ||
        ((kind == VR_PAWN || kind == VR_LANCE) && from_far == 0) || (kind == VR_KNIGHT && from_far < 2))
        return false;
    *after = *position;
    after->board[row][column] = (int8_t)(position->side == VR_BLACK ? kind : -kind);
    bool safe = !vr_in_check(after);
    after->side = (int8_t)vr_other((enum vr_color)position->side);
    return safe;
}

static void other_hands_are_foreseen(const struct vr_position *position) {
    struct position pos = same_position(position);
    hand checking = HAND_EMPTY, interposing = HAND_EMPTY;
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++)
        for (int i = 0; i < 81; i++) {
            struct vr_position after;
            if (!could_drop(position, kind, i / 9, i % 9, &after))
                continue;
            interposing |= hand_field(kind_here[kind]);
            if (vr_in_check(&after))
                checking |= hand_field(kind_here[kind]);
        }
    if (vr_in_check(position))
        cr_assert(kinds_that_interpose(&pos) == interposing, "%s: %x, expected %x", shown(position),
                  kinds_that_interpose(&pos), interposing);
    else if (has_king_to_check(position))
        cr_assert(kinds_that_check_by_drop(&pos) == checking, "%s: %x, expected %x", shown(position),
                  kinds_that_check_by_drop(&pos), checking);
}

Test(random_positions, kinds_that_could_be_dropped_with_another_hand) {
    for_each_random_position(10, other_hands_are_foreseen);
}

static void outlets_are_the_kings_steps(const struct vr_position *position) {
    enum vr_color side = (enum vr_color)position->side;
    struct vr_square king;
    if (!vr_find_king(position, vr_other(side), &king))
        return;
    struct position pos = same_position(position);
    bitboard outlets = king_outlets(&pos);
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++) {
            int8_t found = position->board[row][column];
            bool own = found != VR_NONE && (found > 0) != (side == VR_BLACK);
            bool next_to = abs(row - king.row) <= 1 && abs(column - king.column) <= 1;
            struct vr_position stepped = *position;
            stepped.board[king.row][king.column] = VR_NONE;
            stepped.board[row][column] = position->board[king.row][king.column];
            struct vr_square square = {row, column};
            bool outlet = next_to && !own && !vr_attacked(&stepped, square, side);
            cr_assert(bb_has(outlets, square_here(square)) == outlet, "%s: %d", shown(position), square_here(square));
        }
}

Test(random_positions, outlets_are_the_squares_a_king_could_step_to) {
    for_each_random_position(11, outlets_are_the_kings_steps);
}

static uint64_t verified_perft(const struct vr_position *position, int depth) {
    struct vr_move moves[VR_MAX_MOVES];
    int count = vr_legal_moves(position, moves);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        struct vr_position after = vr_after(position, &moves[i]);
        leaves += verified_perft(&after, depth - 1);
    }
    return leaves;
}

Test(random_positions, two_plies_deep_the_moves_are_as_many) {
    struct random_source random = {12};
    for (int i = 0; i < 40; i++) {
        struct vr_position position =
            i % 2 ? random_game_position(&random, 5 * i) : random_problem(&random, NULL).position;
        struct position pos = same_position(&position);
        cr_assert(perft(&pos, 2) == verified_perft(&position, 2), "%s", shown(&position));
    }
}

/* ---- Counting ---- */

Test(perft, from_the_opening_position) {
    static const uint64_t leaves[] = {1, 30, 900, 25470, 719731};
    struct position pos = position_of(SFEN_OPENING);
    for (int depth = 0; depth <= 4; depth++)
        cr_expect(perft(&pos, depth) == leaves[depth], "depth %d", depth);
#ifdef NDEBUG
    cr_expect(perft(&pos, 5) == 19861490, "depth 5");
#endif
}

Test(perft, no_position_has_more_moves_than_593) {
    struct position pos = position_of("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    cr_expect(perft(&pos, 1) == 593);
}

/* ---- Small positions ---- */

static bool is_legal(const char *sfen, const char *text) {
    struct position pos = position_of(sfen);
    struct vr_position verified = verified_position_of(sfen);
    struct vr_move m;
    bool legal = move_from_usi(&pos, text) != NO_MOVE;
    bool verified_legal = vr_read_move(text, &verified, &m) == strlen(text) && vr_is_legal(&verified, &m);
    cr_expect(legal == verified_legal, "%s: the two rules do not agree on %s", sfen, text);
    return legal;
}

static bool checks(const char *sfen, const char *text) {
    struct position pos = position_of(sfen);
    move m = move_from_usi(&pos, text);
    cr_assert(m != NO_MOVE, "%s: %s", sfen, text);
    return move_gives_check(&pos, m);
}

static bool mates(const char *sfen, const char *text) {
    struct position pos = position_of(sfen);
    move m = move_from_usi(&pos, text);
    cr_assert(m != NO_MOVE, "%s: %s", sfen, text);
    position_do(&pos, m);
    return position_in_check(&pos) && !has_evasion(&pos);
}

Test(uchifuzume, a_pawn_may_not_be_dropped_to_mate_but_another_piece_may) {
    const char *sfen = "7nk/9/7G1/9/9/9/9/9/9 b LP 1";
    cr_expect(!is_legal(sfen, "P*1b"));
    cr_expect(is_legal(sfen, "L*1b"));
    cr_expect(mates(sfen, "L*1b"));
}

Test(uchifuzume, a_pawn_on_the_board_may_mate) {
    const char *sfen = "7nk/9/7GP/9/9/9/9/9/9 b - 1";
    cr_expect(is_legal(sfen, "1c1b"));
    cr_expect(mates(sfen, "1c1b"));
    cr_expect(mates(sfen, "1c1b+"));
}

Test(uchifuzume, is_none_when_the_king_may_take_the_pawn) {
    cr_expect(is_legal("7nk/9/6G2/9/9/9/9/9/9 b P 1", "P*1b"));
}

Test(uchifuzume, is_none_when_the_king_has_a_flight) {
    cr_expect(is_legal("8k/9/7G1/9/9/9/9/9/9 b P 1", "P*1b"));
}

Test(uchifuzume, is_none_when_a_piece_may_take_the_pawn) {
    cr_expect(is_legal("7sk/9/7G1/9/9/9/9/9/9 b P 1", "P*1b"));
    cr_expect(is_legal("5R1sk/7P1/7G1/9/9/9/9/9/8r b P 1", "P*1b"), "the rook on 1i takes");
}

Test(uchifuzume, stands_when_the_piece_that_could_take_is_pinned) {
    cr_expect(!is_legal("5R1sk/9/7G1/9/9/9/9/9/9 b P 1", "P*1b"));
}

Test(uchifuzume, is_none_when_the_pawn_shuts_off_its_own_rook) {
    cr_expect(is_legal("3lkl3/R8/9/9/9/9/9/9/9 b P 1", "P*5b"), "the king goes to 4b");
    cr_expect(!is_legal("3lkl3/R8/5G3/9/9/9/9/9/9 b P 1", "P*5b"), "the gold covers 4b");
}

Test(uchifuzume, binds_the_defender_who_interposes_a_pawn_with_mate) {
    /* White is in check by the rook, which is pinned by the bishop: after P*5h nobody may take the pawn and the king is
     * mated. */
    const char *pinned = "9/9/9/9/9/9/4g1b2/2k2R3/3LKL3 w lp 1";
    cr_expect(!is_legal(pinned, "P*5h"));
    cr_expect(is_legal(pinned, "L*5h"));
    cr_expect(mates(pinned, "L*5h"));
    cr_expect(is_legal(pinned, "P*6h"), "no check, so no mate");
    cr_expect(is_legal("9/9/9/9/9/9/4g4/2k2R3/3LKL3 w lp 1", "P*5h"), "the rook may take");
}

Test(nifu, an_own_pawn_on_the_file_forbids_another) {
    const char *sfen = "4k4/9/5p3/4+P4/9/9/3P5/9/4K4 b P 1";
    cr_expect(!is_legal(sfen, "P*6e"));
    cr_expect(is_legal(sfen, "P*5f"), "a tokin is no pawn");
    cr_expect(is_legal(sfen, "P*4f"), "a pawn of the other side does not count");
    cr_expect(!is_legal("4k4/9/5p3/4+P4/9/9/3P5/9/4K4 w p 1", "P*4f"));
    cr_expect(is_legal("4k4/9/5p3/4+P4/9/9/3P5/9/4K4 w p 1", "P*6e"));
}

Test(dead_pieces, are_not_dropped) {
    const char *black = "4k4/9/9/9/9/9/9/9/4K4 b NLP 1", *white = "4k4/9/9/9/9/9/9/9/4K4 w nlp 1";
    cr_expect(!is_legal(black, "P*1a"));
    cr_expect(!is_legal(black, "L*1a"));
    cr_expect(!is_legal(black, "N*1a"));
    cr_expect(!is_legal(black, "N*1b"));
    cr_expect(is_legal(black, "P*1b"));
    cr_expect(is_legal(black, "L*1b"));
    cr_expect(is_legal(black, "N*1c"));
    cr_expect(is_legal(black, "P*1i"));
    cr_expect(!is_legal(white, "P*1i"));
    cr_expect(!is_legal(white, "L*1i"));
    cr_expect(!is_legal(white, "N*1h"));
    cr_expect(is_legal(white, "N*1g"));
    cr_expect(is_legal(white, "L*1h"));
}

Test(promotion, is_forced_where_the_piece_could_not_move_again) {
    const char *sfen = "8k/P1L6/4N3S/3N5/9/9/9/9/4K4 b - 1";
    cr_expect(is_legal(sfen, "9b9a+"));
    cr_expect(!is_legal(sfen, "9b9a"));
    cr_expect(is_legal(sfen, "7b7a+"));
    cr_expect(!is_legal(sfen, "7b7a"));
    cr_expect(is_legal(sfen, "5c4a+"));
    cr_expect(!is_legal(sfen, "5c4a"));
    cr_expect(is_legal(sfen, "6d5b+"));
    cr_expect(!is_legal(sfen, "6d5b"));
}

Test(promotion, is_free_into_inside_and_out_of_the_zone) {
    const char *sfen = "k8/4s4/3S5/P1G2PR1L/4S4/9/9/9/4K4 b - 1";
    cr_expect(is_legal(sfen, "6c5d+"), "out of it");
    cr_expect(is_legal(sfen, "6c5d"));
    cr_expect(is_legal(sfen, "6c6b+"), "inside");
    cr_expect(is_legal(sfen, "4d4c+"), "into it");
    cr_expect(is_legal(sfen, "4d4c"));
    cr_expect(is_legal(sfen, "3d3a+"));
    cr_expect(is_legal(sfen, "3d3a"), "a rook need not");
    cr_expect(is_legal(sfen, "1d1b"), "a lance may wait on the second rank");
    cr_expect(!is_legal(sfen, "1d1a"));
    cr_expect(!is_legal(sfen, "7d7c+"), "a gold cannot");
    cr_expect(is_legal(sfen, "5e6d"));
    cr_expect(!is_legal(sfen, "5e6d+"), "outside");
    cr_expect(!is_legal(sfen, "5i5h+"), "a king cannot");
}

Test(promotion, what_is_promoted_or_dropped_does_not_promote) {
    const char *sfen = "k8/9/4+S4/9/9/9/9/9/4K4 b S 1";
    cr_expect(is_legal(sfen, "5c5b"));
    cr_expect(!is_legal(sfen, "5c5b+"));
    cr_expect(is_legal(sfen, "S*4a"));
    cr_expect(!is_legal(sfen, "S*4a+"));
}

Test(promotion, a_captured_piece_is_unpromoted_in_the_hand) {
    struct position pos = position_of("4k4/9/9/9/4+p4/4P4/9/9/4K4 b - 1");
    position_do(&pos, move_from_usi(&pos, "5f5e"));
    cr_expect(pos.hand[BLACK] == hand_unit(PAWN));
}

Test(check, two_checkers_leave_only_king_moves) {
    struct position pos = position_of("4k4/3g1p3/5N3/9/9/9/9/9/4R4 w 2g 1");
    move moves[MAX_MOVES];
    int count = generate_evasions(&pos, moves);
    cr_expect(count > 0);
    cr_expect(bb_count(position_checkers(&pos, WHITE)) == 2);
    for (int i = 0; i < count; i++)
        cr_expect(move_kind(moves[i]) == KING, "%s", usi(moves[i]));
}

Test(check, a_knight_is_not_blocked) {
    struct position pos = position_of("4k4/3g1g3/5N3/9/9/9/9/9/9 w 2g 1");
    move moves[MAX_MOVES];
    int count = generate_evasions(&pos, moves);
    for (int i = 0; i < count; i++)
        cr_expect(!move_is_drop(moves[i]), "%s", usi(moves[i]));
}

Test(check, a_promoted_piece_discovers_it_by_leaving_the_line) {
    const char *sfen = "4k4/9/4+P4/9/9/9/9/9/4R4 b - 1";
    cr_expect(checks(sfen, "5c4c"));
    cr_expect(checks(sfen, "5c6b"), "both pieces");
    cr_expect(!checks(sfen, "5c5d"), "it stays on the line");
    cr_expect(checks("4k4/9/4+N4/9/9/9/9/9/4R4 b - 1", "5c5b"), "by itself");
}

Test(check, a_king_discovers_it_too) {
    const char *sfen = "4k4/9/9/4K4/9/9/9/9/4R4 b - 1";
    cr_expect(checks(sfen, "5d4d"));
    cr_expect(!checks(sfen, "5d5e"));
}

Test(check, a_horse_steps_and_slides) {
    const char *sfen = "9/4k4/9/9/9/4+B4/9/9/9 b - 1";
    cr_expect(checks(sfen, "5f3d"), "along the diagonal");
    cr_expect(!checks(sfen, "5f5e"), "straight ahead it goes one step only");
    cr_expect(checks("9/4k4/9/4+B4/9/9/9/9/9 b - 1", "5d5c"));
}

Test(pins, a_pinned_piece_keeps_to_its_line) {
    const char *sfen = "4r3k/9/9/9/9/9/9/4G4/4K4 b - 1";
    cr_expect(is_legal(sfen, "5h5g"));
    cr_expect(!is_legal(sfen, "5h4h"));
    cr_expect(!is_legal(sfen, "5h4g"));
    cr_expect(is_legal("8k/9/9/9/8b/9/9/5S3/4K4 b - 1", "4h3g"));
    cr_expect(!is_legal("8k/9/9/9/8b/9/9/5S3/4K4 b - 1", "4h4g"));
    cr_expect(is_legal("8k/9/8b/9/9/9/9/5S3/4K4 b - 1", "4h4g"), "not on the bishop's line");
}

Test(pins, a_pinned_slider_may_take_the_pinner) {
    const char *sfen = "4r3k/9/9/9/9/9/9/4R4/4K4 b - 1";
    cr_expect(is_legal(sfen, "5h5a+"));
    cr_expect(!is_legal(sfen, "5h1h"));
}

Test(pins, a_lance_pins_forwards_only) {
    cr_expect(!is_legal("4l3k/9/9/9/9/9/9/4G4/4K4 b - 1", "5h4h"));
    cr_expect(is_legal("4K3k/4G4/9/9/9/9/9/4l4/9 b - 1", "5b4b"));
}

Test(pins, a_pinned_piece_neither_answers_a_check_nor_stops_guarding) {
    /* The gold on 5h is pinned by the rook; the knight on 4g gives check and may not be taken by it. */
    cr_expect(!is_legal("4r3k/9/9/9/9/9/5n3/4G4/4K4 b - 1", "5h4g"));
    /* A pinned piece still takes the square from the enemy king. */
    cr_expect(!is_legal("9/4K4/4G4/3k5/9/9/4r4/9/9 w - 1", "6d5d"));
}

Test(kings, may_not_step_next_to_each_other_or_into_an_attack) {
    const char *sfen = "9/4k4/9/4K4/9/9/9/9/8r b - 1";
    cr_expect(!is_legal(sfen, "5d5c"));
    cr_expect(is_legal(sfen, "5d5e"));
    cr_expect(!is_legal("4k4/9/9/4K4/8r/9/9/9/9 b - 1", "5d5e"));
}

Test(kings, do_not_flee_along_the_line_of_the_checker) {
    cr_expect(is_legal("4k4/9/9/9/4K4/9/9/4l4/9 b - 1", "5e5f"), "a lance attacks downwards only");
    cr_expect(!is_legal("4r3k/9/9/9/4K4/9/9/9/9 b - 1", "5e5f"));
    cr_expect(!is_legal("4r3k/9/9/9/4K4/9/9/9/9 b - 1", "5e5d"));
    cr_expect(is_legal("4r3k/9/9/9/4K4/9/9/9/9 b - 1", "5e4e"));
}

Test(kings, the_attacker_may_have_none) {
    struct position pos = position_of("4k4/9/4P4/9/9/9/9/9/4r4 b G 1");
    cr_expect(pos.king[BLACK] == NO_SQUARE);
    cr_expect(!position_in_check(&pos));
    cr_expect(mates("4k4/9/4P4/9/9/9/9/9/4r4 b G 1", "G*5b"));
    move m = mate_in_one(&pos, NULL);
    cr_expect(m == move_drop(GOLD, square_make(4, 1)), "%s", usi(m));
}

Test(mate_in_one, a_piece_that_is_taken_does_not_step_between) {
    struct position pos = position_of("k1g6/9/1G7/9/9/9/9/9/2R6 b - 1");
    move m = mate_in_one(&pos, NULL);
    cr_expect_str_eq(usi(m), "7i7a+");
    pos = position_of("k1g6/9/1G7/9/9/9/9/9/2R6 b p 1");
    struct mate_scan scan;
    cr_expect(mate_in_one(&pos, &scan) == NO_MOVE);
    cr_expect(scan.but_for_drops, "only a pawn helps");
}

Test(kings, the_side_not_to_move_may_have_none) {
    struct position pos = position_of("4k4/9/9/9/4R4/9/9/9/9 w g 1");
    move moves[MAX_MOVES];
    cr_expect(generate_legal(&pos, moves) == 4 + 3, "four steps off the file, three interpositions");
}

/* ---- Setups ---- */

static void expect_fault(const char *sfen, enum fault expected, int expected_square, int expected_kind) {
    struct setup setup;
    struct sfen_error error;
    int square = -1, kind = -1;
    cr_assert(sfen_parse(sfen, &setup, &error) > 0, "%s: %s", sfen, error.message);
    cr_expect(setup_fault(&setup, &square, &kind) == expected, "%s", sfen);
    cr_expect(square == expected_square, "%s: square %d", sfen, square);
    cr_expect(kind == expected_kind, "%s: kind %d", sfen, kind);
    cr_expect(setup_fault(&setup, NULL, NULL) == expected, "%s", sfen);
    struct vr_position verified;
    if (vr_read_sfen(sfen, &verified))
        cr_expect((vr_position_fault(&verified) == NULL) == (expected == FAULT_NONE), "%s: the second rules say %s",
                  sfen, vr_position_fault(&verified));
}

Test(setup, legal_ones_have_no_fault) {
    expect_fault(SFEN_OPENING, FAULT_NONE, NO_SQUARE, NO_KIND);
    expect_fault("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1", FAULT_NONE, NO_SQUARE, NO_KIND);
    expect_fault("4k4/9/9/9/9/9/9/9/4R4 w - 1", FAULT_NONE, NO_SQUARE, NO_KIND);
}

Test(setup, more_pieces_than_a_set_has) {
    struct setup setup;
    struct sfen_error error;
    int square, kind;
    static const struct {
        const char *sfen;
        int kind;
    } too_many[] = {
        {"4k4/9/9/9/9/9/9/9/9 b 19P 1", PAWN},     {"4k4/9/9/9/9/9/9/9/4+P4 b 18P 1", PAWN},
        {"4k4/9/9/9/9/9/9/9/9 b 3L2l 1", LANCE},   {"4k4/9/9/9/9/4+n4/9/9/9 b 4N 1", KNIGHT},
        {"4k4/9/9/9/9/4+S4/9/9/9 b 4s 1", SILVER}, {"4k4/9/9/9/9/4+B4/9/9/9 b Bb 1", BISHOP},
        {"4k4/9/9/9/9/9/4+R4/9/9 b 2r 1", ROOK},   {"4k4/9/9/9/9/9/9/4G4/9 b 4g 1", GOLD},
    };
    for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++) {
        cr_assert(sfen_parse(too_many[i].sfen, &setup, &error) > 0, "%s", too_many[i].sfen);
        cr_expect(setup_fault(&setup, &square, &kind) == FAULT_TOO_MANY_PIECES, "%s", too_many[i].sfen);
        cr_expect(kind == too_many[i].kind, "%s: kind %d", too_many[i].sfen, kind);
    }
}

Test(setup, kings) {
    struct setup setup;
    struct sfen_error error;
    static const char *const bad[] = {
        "4k4/9/9/9/9/9/9/9/4k4 b - 1",
        "4K4/9/9/9/9/9/9/9/4K4 b - 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert(sfen_parse(bad[i], &setup, &error) > 0, "%s", bad[i]);
        cr_expect(setup_fault(&setup, NULL, NULL) == FAULT_KINGS, "%s", bad[i]);
    }
}

Test(setup, two_pawns_on_a_file) {
    struct setup setup;
    struct sfen_error error;
    int square, kind;
    sfen_parse("4k4/9/P8/9/P8/9/9/9/9 b - 1", &setup, &error);
    cr_expect(setup_fault(&setup, &square, &kind) == FAULT_NIFU);
    cr_expect(square == NO_SQUARE || square_file(square) == 8);
    sfen_parse("4k4/9/P8/9/p8/9/+P8/9/9 b - 1", &setup, &error);
    cr_expect(setup_fault(&setup, NULL, NULL) == FAULT_NONE);
}

Test(setup, dead_pieces) {
    static const struct {
        const char *sfen;
        int square;
    } dead[] = {
        {"P3k4/9/9/9/9/9/9/9/9 b - 1", 8 * 9},     {"L3k4/9/9/9/9/9/9/9/9 b - 1", 8 * 9},
        {"4k4/N8/9/9/9/9/9/9/9 b - 1", 8 * 9 + 1}, {"4k3N/9/9/9/9/9/9/9/9 b - 1", 0},
        {"4k4/9/9/9/9/9/9/9/8p b - 1", 8},         {"4k4/9/9/9/9/9/9/9/7l1 b - 1", 9 + 8},
        {"4k4/9/9/9/9/9/9/n8/9 b - 1", 8 * 9 + 7},
    };
    struct setup setup;
    struct sfen_error error;
    int square;
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        cr_assert(sfen_parse(dead[i].sfen, &setup, &error) > 0);
        cr_expect(setup_fault(&setup, &square, NULL) == FAULT_DEAD_PIECE, "%s", dead[i].sfen);
        cr_expect(square == dead[i].square, "%s: square %d", dead[i].sfen, square);
    }
    cr_assert(sfen_parse("+P2+L4+N/9/N8/4k4/9/9/n8/9/8g b - 1", &setup, &error) > 0);
    cr_expect(setup_fault(&setup, NULL, NULL) == FAULT_NONE);
}

Test(setup, the_side_not_to_move_in_check) {
    struct setup setup;
    struct sfen_error error;
    sfen_parse("4k4/9/9/9/9/9/9/9/4R4 b - 1", &setup, &error);
    cr_expect(setup_fault(&setup, NULL, NULL) == FAULT_IN_CHECK);
    sfen_parse("4r3k/9/9/9/9/9/9/9/4K4 w - 1", &setup, &error);
    cr_expect(setup_fault(&setup, NULL, NULL) == FAULT_IN_CHECK);
    sfen_parse("4k4/4K4/9/9/9/9/9/9/9 b - 1", &setup, &error);
    cr_expect(setup_fault(&setup, NULL, NULL) == FAULT_IN_CHECK, "kings next to each other");
}

Test(setup, random_faults_are_seen_by_both_rules) {
    struct random_source random = {13};
    for (int i = 0; i < 3000; i++) {
        struct vr_position position = random_problem(&random, NULL).position;
        /* One or two squares get any piece at all. */
        for (int changes = 1 + random_below(&random, 2); changes > 0; changes--) {
            int kind = random_below(&random, VR_KINDS);
            position.board[random_below(&random, 9)][random_below(&random, 9)] =
                (int8_t)(random_percent(&random, 50) ? kind : -kind);
        }
        struct setup setup;
        struct sfen_error error;
        const char *sfen = shown(&position);
        cr_assert(sfen_parse(sfen, &setup, &error) == strlen(sfen), "%s: %s", sfen, error.message);
        cr_assert((setup_fault(&setup, NULL, NULL) == FAULT_NONE) == (vr_position_fault(&position) == NULL), "%s: %s",
                  sfen, vr_position_fault(&position));
    }
}

/* ---- SFEN ---- */

Test(sfen, hands_come_in_any_order_and_kinds_may_repeat) {
    struct position a = position_of("4k4/9/9/9/9/9/9/9/4K4 b 2P3prGPR 1");
    struct position b = position_of("4k4/9/9/9/9/9/9/9/4K4 b RG3Pr3p 1");
    cr_expect(position_equal(&a, &b));
    cr_expect(hand_count(a.hand[BLACK], PAWN) == 3);
    cr_expect(hand_count(a.hand[WHITE], ROOK) == 1);
}

Test(sfen, the_move_number_may_be_missing_and_what_follows_is_left) {
    struct setup setup;
    struct sfen_error error;
    const char *sfen = "4k4/9/9/9/9/9/9/9/4K4 w -";
    cr_expect(sfen_parse(sfen, &setup, &error) == strlen(sfen));
    cr_expect(setup.move_number == 1);
    cr_expect(setup.side == WHITE);
    cr_expect(sfen_parse("4k4/9/9/9/9/9/9/9/4K4 b 2P 77 moves 5i5h", &setup, &error) ==
              strlen("4k4/9/9/9/9/9/9/9/4K4 b 2P 77 "));
    cr_expect(setup.move_number == 77);
    cr_expect(sfen_parse("4k4/9/9/9/9/9/9/9/4K4 b 2P moves 5i5h", &setup, &error) ==
              strlen("4k4/9/9/9/9/9/9/9/4K4 b 2P "));
    cr_expect(setup.move_number == 1);
}

Test(sfen, the_move_number_is_kept) {
    struct setup setup;
    struct sfen_error error;
    char text[SFEN_SIZE];
    const char *sfen = "4k4/9/9/9/9/9/9/9/4K4 b R18p 42";
    sfen_parse(sfen, &setup, &error);
    sfen_write(&setup, text);
    cr_expect_str_eq(text, sfen);
}

static void expect_error_at(const char *sfen, size_t column) {
    struct setup setup;
    struct sfen_error error = {0, ""};
    cr_expect(sfen_parse(sfen, &setup, &error) == 0, "\"%s\" was taken", sfen);
    cr_expect(error.column == column, "\"%s\": column %zu, expected %zu (%s)", sfen, error.column, column,
              error.message);
    cr_expect(error.message[0] != '\0', "\"%s\"", sfen);
}

Test(sfen, errors_say_where_they_are) {
    expect_error_at("", 0);
    expect_error_at("x", 0);
    expect_error_at("lnsgkgsnx/9/9/9/9/9/9/9/9 b -", 8);
    expect_error_at("4k4/9/9/9/9/9/9/9/8 b - 1", 19);
    expect_error_at("4k4/9/9/9/8/9/9/9/9 b - 1", 11);
    expect_error_at("4k4/9/9/9/9/9/9/9/91 b - 1", 19);
    expect_error_at("4k4/9/9/9/9/9/9/9/9P b - 1", 19);
    expect_error_at("4k4/9/9/9/9/9/9/9 b - 1", 17);
    expect_error_at("4k4/9/9/9/9/9/9/9/9/9 b - 1", 19);
    expect_error_at("4k4/9/+G8/9/9/9/9/9/9 b - 1", 7);
    expect_error_at("4k4/9/+98/9/9/9/9/9/9 b - 1", 7);
    expect_error_at("4k4/0/9/9/9/9/9/9/9 b - 1", 4);
    expect_error_at("4k4/9/9/9/9/9/9/9/9", 19);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 ", 20);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 x - 1", 20);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b", 21);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 bP", 21);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b ", 22);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b -P 1", 23);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b K 1", 22);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b 2 1", 23);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b Px 1", 23);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b P0P 1", 23);
    expect_error_at("4k4/9/9/9/9/9/9/9/9 b 999999999999P 1", 22);
}

Test(sfen, random_damage_neither_crashes_nor_gives_other_than_a_setup) {
    struct random_source random = {14};
    for (int i = 0; i < 20000; i++) {
        char text[SFEN_SIZE];
        struct vr_position position = random_problem(&random, NULL).position, again;
        vr_write_sfen(&position, text);
        size_t length = strlen(text);
        for (int changes = 1 + random_below(&random, 3); changes > 0; changes--)
            text[random_below(&random, (int)length)] = "KRBGSNLPkrbgsnlp+/123456789 -bw\0x"[random_below(&random, 33)];
        struct setup setup;
        struct sfen_error error;
        size_t read = sfen_parse(text, &setup, &error);
        cr_assert(read <= strlen(text), "%s", text);
        if (read == 0)
            cr_assert(error.column <= strlen(text), "%s", text);
        else if (setup_fault(&setup, NULL, NULL) == FAULT_NONE)
            cr_assert(vr_read_sfen(text, &again) == read && vr_position_fault(&again) == NULL, "%s", text);
    }
}

/* ---- USI moves ---- */

Test(usi, texts_that_are_no_moves) {
    static const char *const bad[] = {"",      "7",   "7g",     "7g7",  "7g7j", "0g7f", "7g0f",
                                      "g7f7",  "P*",  "P*5",    "P*5j", "p*5e", "K*5e", "X*5e",
                                      "+P*5e", "*5e", "resign", "none", "0000", "7G7F"};
    int from, to, kind;
    bool promotes;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect(usi_parse_move(bad[i], &from, &to, &kind, &promotes) == 0, "%s", bad[i]);
}

Test(usi, what_a_move_says) {
    int from, to, kind;
    bool promotes;
    cr_expect(usi_parse_move("8h2b+", &from, &to, &kind, &promotes) == 5);
    cr_expect(from == square_make(7, 7) && to == square_make(1, 1) && kind == NO_KIND && promotes);
    cr_expect(usi_parse_move("8h2b", &from, &to, &kind, &promotes) == 4);
    cr_expect(!promotes);
    cr_expect(usi_parse_move("G*5e", &from, &to, &kind, &promotes) == 4);
    cr_expect(from == NO_SQUARE && to == square_make(4, 4) && kind == GOLD && !promotes);
}

Test(usi, a_move_that_is_none_here) {
    struct position pos = position_of(SFEN_OPENING);
    cr_expect(move_from_usi(&pos, "7g7f") != NO_MOVE);
    cr_expect(move_from_usi(&pos, "7g7e") == NO_MOVE);
    cr_expect(move_from_usi(&pos, "5e5d") == NO_MOVE, "nothing stands there");
    cr_expect(move_from_usi(&pos, "3c3d") == NO_MOVE, "White's pawn");
    cr_expect(move_from_usi(&pos, "P*5e") == NO_MOVE, "nothing in hand");
}

/* ---- Squares, moves, hands ---- */

Test(packing, squares) {
    for (int file = 0; file < FILES; file++)
        for (int rank = 0; rank < RANKS; rank++) {
            int sq = square_make(file, rank);
            cr_assert(sq >= 0 && sq < SQUARES);
            cr_assert(square_file(sq) == file && square_rank(sq) == rank);
            cr_assert(square_in_zone(BLACK, sq) == (rank < 3));
            cr_assert(square_in_zone(WHITE, sq) == (rank > 5));
        }
}

Test(packing, a_move_gives_back_what_it_was_made_of) {
    for (int from = 0; from < SQUARES; from++)
        for (int to = 0; to < SQUARES; to++) {
            int kind = PAWN + (from + to) % (DRAGON - PAWN + 1), captured = (from * 7 + to) % KINDS;
            bool promotes = kind_can_promote(kind) && (from + to) % 2;
            move m = move_make(from, to, kind, captured, promotes);
            cr_assert(m >> 24 == 0 && m != NO_MOVE);
            cr_assert(move_from(m) == from && move_to(m) == to && move_kind(m) == kind);
            cr_assert(move_captured(m) == captured && move_promotes(m) == promotes && !move_is_drop(m));
            cr_assert(move_kind_after(m) == (promotes ? kind + PROMOTED : kind));
        }
    for (int kind = PAWN; kind <= GOLD; kind++)
        for (int to = 0; to < SQUARES; to++) {
            move m = move_drop(kind, to);
            cr_assert(m >> 24 == 0 && m != NO_MOVE);
            cr_assert(move_is_drop(m) && move_from(m) == 0 && move_to(m) == to && move_kind(m) == kind);
            cr_assert(move_captured(m) == NO_KIND && !move_promotes(m) && move_kind_after(m) == kind);
        }
}

Test(packing, pieces_and_kinds) {
    for (int kind = PAWN; kind <= DRAGON; kind++) {
        cr_assert(piece_kind(piece_make(BLACK, kind)) == kind && piece_color(piece_make(BLACK, kind)) == BLACK);
        cr_assert(piece_kind(piece_make(WHITE, kind)) == kind && piece_color(piece_make(WHITE, kind)) == WHITE);
        cr_assert(!kind_can_promote(kind) || kind_base(kind + PROMOTED) == kind);
        cr_assert(kind_is_promoted(kind) == (kind_base(kind) != kind));
    }
}

/* Hands as plain arrays. */
struct counts {
    int of[HAND_KINDS];
};

static struct counts random_counts(struct random_source *random) {
    struct counts counts = {{0}};
    for (int kind = PAWN; kind <= GOLD; kind++)
        if (random_percent(random, 70))
            counts.of[kind] = random_below(random, kind_set_size(kind) + 1);
    return counts;
}

static hand hand_of(const struct counts *counts) {
    hand h = HAND_EMPTY;
    for (int kind = PAWN; kind <= GOLD; kind++)
        for (int i = 0; i < counts->of[kind]; i++)
            h = hand_add(h, kind);
    return h;
}

static void expect_hand(hand h, const struct counts *counts) {
    int total = 0;
    for (int kind = PAWN; kind <= GOLD; kind++) {
        cr_assert(hand_count(h, kind) == counts->of[kind]);
        cr_assert(hand_has(h, kind) == (counts->of[kind] > 0));
        total += counts->of[kind];
    }
    cr_assert(hand_total(h) == total);
    cr_assert(h == hand_of(counts) && (h & HAND_GUARDS) == 0);
}

static void compare_hands(const struct counts *a, const struct counts *b) {
    hand x = hand_of(a), y = hand_of(b);
    struct counts least, most, minus;
    bool contains = true;
    for (int kind = PAWN; kind <= GOLD; kind++) {
        int p = a->of[kind], q = b->of[kind];
        contains = contains && p >= q;
        least.of[kind] = p < q ? p : q;
        most.of[kind] = p > q ? p : q;
        minus.of[kind] = p > q ? p - q : 0;
        cr_assert((hand_fields_ge(x, y) & hand_field(kind)) == (p >= q ? hand_field(kind) : 0));
    }
    cr_assert(hand_contains(x, y) == contains);
    expect_hand(hand_min(x, y), &least);
    expect_hand(hand_max(x, y), &most);
    expect_hand(hand_minus(x, y), &minus);
}

Test(hands, do_as_plain_counts_do) {
    struct random_source random = {15};
    for (int i = 0; i < 20000; i++) {
        struct counts a = random_counts(&random), b = random_counts(&random);
        expect_hand(hand_of(&a), &a);
        compare_hands(&a, &b);
        compare_hands(&a, &a);
    }
}

Test(hands, every_pair_of_counts_of_one_kind_among_others) {
    struct random_source random = {16};
    for (int kind = PAWN; kind <= GOLD; kind++)
        for (int p = 0; p <= kind_set_size(kind); p++)
            for (int q = 0; q <= kind_set_size(kind); q++)
                for (int i = 0; i < 20; i++) {
                    struct counts a = random_counts(&random), b = i % 2 ? a : random_counts(&random);
                    a.of[kind] = p;
                    b.of[kind] = q;
                    compare_hands(&a, &b);
                }
}

Test(hands, a_piece_more_and_a_piece_less) {
    struct random_source random = {17};
    for (int i = 0; i < 20000; i++) {
        struct counts counts = random_counts(&random);
        int kind = PAWN + random_below(&random, GOLD);
        hand h = hand_of(&counts);
        if (counts.of[kind] > 0) {
            counts.of[kind]--;
            expect_hand(hand_remove(h, kind), &counts);
            cr_assert(hand_add(hand_remove(h, kind), kind) == h);
        } else {
            counts.of[kind]++;
            expect_hand(hand_add(h, kind), &counts);
        }
    }
}
