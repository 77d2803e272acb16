/* random_position.c: see random_position.h. */
#include "tests/random_position.h"

#include <stdlib.h>
#include <string.h>

/* ---- Chance ---- */

uint64_t random_next(struct random_source *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int random_below(struct random_source *random, int below) {
    return (int)(random_next(random) % (uint64_t)below);
}

bool random_percent(struct random_source *random, int percent) {
    return random_below(random, 100) < percent;
}

/* ---- Games ---- */

static const char opening[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/* How much likelier than a quiet move. */
static int move_weight(const struct vr_position *position, const struct vr_move *move) {
    int weight = 1;
    if (position->board[move->to.row][move->to.column] != VR_NONE)
        weight += 12;
    if (move->promote)
        weight += 6;
    if (vr_gives_check(position, move))
        weight += 10;
    return weight;
}

/* A drop is one move of very many that are alike, so whether to drop is decided first. */
static bool choose_move(struct random_source *random, const struct vr_position *position, struct vr_move *chosen) {
    struct vr_move moves[VR_MAX_MOVES];
    int count = vr_legal_moves(position, moves);
    bool drop = random_percent(random, 30);
    int total = 0;
    for (int pass = 0; pass < 2 && total == 0; pass++, drop = !drop)
        for (int i = 0; i < count; i++) {
            if (moves[i].drop != drop)
                continue;
            int weight = move_weight(position, &moves[i]);
            total += weight;
            if (random_below(random, total) < weight)
                *chosen = moves[i];
        }
    return total > 0;
}

bool random_game_move(struct random_source *random, struct vr_position *position) {
    struct vr_move move;
    if (!choose_move(random, position, &move))
        return false;
    *position = vr_after(position, &move);
    return true;
}

struct vr_position random_game_position(struct random_source *random, int plies) {
    for (;;) {
        struct vr_position position;
        vr_read_sfen(opening, &position);
        int played = 0;
        while (played < plies && random_game_move(random, &position))
            played++;
        if (played == plies && vr_has_legal_move(&position))
            return position;
    }
}

/* ---- Problems: Black attacks White's king, the colours may be exchanged at the end ---- */

const struct random_problem_style random_problem_style_any = {
    .two_kings_percent = 40, .defender_first_percent = 25, .white_attacks_percent = 30};

/* What of a set is not on the board or in a hand yet. */
struct box {
    int left[VR_HAND_KINDS];
};

static const struct box full_box = {{0, 18, 4, 4, 4, 2, 2, 4}};

/* A base kind that is in the box; strong ones are wanted as often as pawns. */
static int take_kind(struct random_source *random, struct box *box) {
    for (int tries = 0; tries < 20; tries++) {
        int kind = 1 + random_below(random, VR_GOLD);
        if (box->left[kind] > 0) {
            box->left[kind]--;
            return kind;
        }
    }
    return VR_NONE;
}

static bool on_board(int row, int column) {
    return row >= 0 && row < 9 && column >= 0 && column < 9;
}

/* Puts a piece on the square, promoted now and then; leaves it in the box where it would be dead or a second pawn. */
static void put_piece(struct random_source *random, struct box *box, struct vr_position *position, int row, int column,
                      int kind, enum vr_color color) {
    if (kind == VR_NONE)
        return;
    struct vr_position with = *position;
    int placed = kind <= VR_ROOK && random_percent(random, 25) ? kind + VR_PROMOTION : kind;
    with.board[row][column] = (int8_t)(color == VR_BLACK ? placed : -placed);
    /* A check against the side not to move is for the whole position to judge. */
    struct vr_position other_side = with;
    other_side.side = (int8_t)vr_other((enum vr_color)with.side);
    if (vr_position_fault(&with) == NULL || vr_position_fault(&other_side) == NULL)
        *position = with;
    else
        box->left[kind]++;
}

/* A free square at most `reach` steps from the centre. */
static bool free_square_near(struct random_source *random, const struct vr_position *position, struct vr_square centre,
                             int reach, struct vr_square *found) {
    for (int tries = 0; tries < 30; tries++) {
        int row = centre.row - reach + random_below(random, 2 * reach + 1);
        int column = centre.column - reach + random_below(random, 2 * reach + 1);
        if (on_board(row, column) && position->board[row][column] == VR_NONE) {
            *found = (struct vr_square){row, column};
            return true;
        }
    }
    return false;
}

static void scatter(struct random_source *random, struct box *box, struct vr_position *position,
                    struct vr_square centre, int reach, int count, enum vr_color color) {
    struct vr_square square;
    while (count-- > 0 && free_square_near(random, position, centre, reach, &square))
        put_piece(random, box, position, square.row, square.column, take_kind(random, box), color);
}

/* A rook, bishop or lance of `color` on a line through the king, with some piece between them (a pin, or a discovered
 * check to come) in half of all cases. */
static void aim_slider(struct random_source *random, struct box *box, struct vr_position *position,
                       struct vr_square king, enum vr_color color) {
    int row_step = random_below(random, 3) - 1, column_step = random_below(random, 3) - 1;
    if (row_step == 0 && column_step == 0)
        return;
    int kind = row_step != 0 && column_step != 0 ? VR_BISHOP : VR_ROOK;
    if (column_step == 0 && row_step == (color == VR_BLACK ? 1 : -1) && random_percent(random, 50))
        kind = VR_LANCE;
    int distance = 2 + random_below(random, 6);
    int row = king.row + row_step * distance, column = king.column + column_step * distance;
    if (!on_board(row, column) || position->board[row][column] != VR_NONE || box->left[kind] == 0)
        return;
    box->left[kind]--;
    put_piece(random, box, position, row, column, kind, color);
    int between = 1 + random_below(random, distance - 1);
    row = king.row + row_step * between;
    column = king.column + column_step * between;
    if (position->board[row][column] == VR_NONE && random_percent(random, 50))
        put_piece(random, box, position, row, column, take_kind(random, box),
                  random_percent(random, 60) ? vr_other(color) : color);
}

static void give_hand(struct random_source *random, struct box *box, struct vr_position *position, enum vr_color color,
                      int count) {
    while (count-- > 0) {
        int kind = take_kind(random, box);
        if (kind != VR_NONE)
            position->hand[color][kind]++;
    }
}

static void give_the_rest(struct box *box, struct vr_position *position, enum vr_color color) {
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++) {
        position->hand[color][kind] = (int8_t)(position->hand[color][kind] + box->left[kind]);
        box->left[kind] = 0;
    }
}

static void add_attackers_king(struct random_source *random, struct box *box, struct vr_position *position,
                               struct vr_square defender) {
    struct vr_square king, middle = {4, 4};
    bool near = random_percent(random, 40);
    if (!free_square_near(random, position, near ? defender : middle, near ? 3 : 4, &king))
        return;
    position->board[king.row][king.column] = VR_KING;
    for (int sliders = random_below(random, 3); sliders > 0; sliders--)
        aim_slider(random, box, position, king, VR_WHITE);
}

/* Most squares next to the king are taken by his own pieces, and the attacker has sliders: where interpositions decide.
 */
static void confine(struct random_source *random, struct box *box, struct vr_position *position,
                    struct vr_square king) {
    for (int row = king.row - 1; row <= king.row + 1; row++)
        for (int column = king.column - 1; column <= king.column + 1; column++)
            if (on_board(row, column) && position->board[row][column] == VR_NONE && random_percent(random, 65))
                put_piece(random, box, position, row, column, take_kind(random, box),
                          random_percent(random, 80) ? VR_WHITE : VR_BLACK);
    static const int sliders[] = {VR_LANCE, VR_BISHOP, VR_ROOK};
    for (int i = 1 + random_below(random, 3); i > 0; i--) {
        int kind = sliders[random_below(random, 3)];
        if (box->left[kind] > 0) {
            box->left[kind]--;
            position->hand[VR_BLACK][kind]++;
        }
    }
}

static struct vr_position draw_problem(struct random_source *random, bool two_kings) {
    struct vr_position position;
    memset(&position, 0, sizeof position);
    struct box box = full_box;
    bool anywhere = random_percent(random, 20);
    struct vr_square king = {random_below(random, anywhere ? 9 : 3), random_below(random, 9)};
    position.board[king.row][king.column] = -VR_KING;
    if (two_kings)
        add_attackers_king(random, &box, &position, king);
    for (int sliders = random_below(random, 4); sliders > 0; sliders--)
        aim_slider(random, &box, &position, king, VR_BLACK);
    if (random_percent(random, 40))
        confine(random, &box, &position, king);
    scatter(random, &box, &position, king, 2, 1 + random_below(random, 4), VR_BLACK);
    scatter(random, &box, &position, king, 1, random_below(random, 3), VR_WHITE);
    scatter(random, &box, &position, king, 3, random_below(random, 5), VR_WHITE);
    give_hand(random, &box, &position, VR_BLACK, random_below(random, 7));
    if (two_kings && random_percent(random, 70))
        give_hand(random, &box, &position, VR_WHITE, random_below(random, 6));
    else if (random_percent(random, 85))
        give_the_rest(&box, &position, VR_WHITE);
    return position;
}

/* A slider on the line at that distance, or somewhere else, or in hand; guards of the squares between, pieces behind. */
static void open_line(struct random_source *random, struct box *box, struct vr_position *position,
                      struct vr_square king, bool check) {
    int row_step = random_below(random, 3) - 1, column_step = random_below(random, 3) - 1;
    int distance = 2 + random_below(random, 5);
    struct vr_square far = {king.row + row_step * distance, king.column + column_step * distance};
    struct vr_square between = {king.row + row_step, king.column + column_step};
    bool diagonal = row_step != 0 && column_step != 0, ahead = column_step == 0 && row_step == 1;
    int kind = diagonal ? VR_BISHOP : ahead && random_percent(random, 40) ? VR_LANCE : VR_ROOK;
    if ((row_step == 0 && column_step == 0) || !on_board(far.row, far.column))
        return;
    box->left[kind]--;
    if (check || random_percent(random, 30))
        put_piece(random, box, position, far.row, far.column, kind, VR_BLACK);
    else if (random_percent(random, 70))
        position->hand[VR_BLACK][kind]++;
    else if (free_square_near(random, position, far, 2, &far))
        put_piece(random, box, position, far.row, far.column, kind, VR_BLACK);
    else
        box->left[kind]++;
    scatter(random, box, position, between, 2, random_below(random, 3), VR_BLACK);
    scatter(random, box, position, far, 1, random_below(random, 2), random_percent(random, 50) ? VR_BLACK : VR_WHITE);
}

static struct vr_position draw_interposition_problem(struct random_source *random, bool check) {
    struct vr_position position;
    memset(&position, 0, sizeof position);
    struct box box = full_box;
    struct vr_square king = {random_below(random, 3), random_below(random, 9)};
    position.board[king.row][king.column] = -VR_KING;
    open_line(random, &box, &position, king, check);
    for (int row = king.row - 1; row <= king.row + 1; row++)
        for (int column = king.column - 1; column <= king.column + 1; column++)
            if (on_board(row, column) && position.board[row][column] == VR_NONE && random_percent(random, 50))
                put_piece(random, &box, &position, row, column, take_kind(random, &box),
                          random_percent(random, 75) ? VR_WHITE : VR_BLACK);
    scatter(random, &box, &position, king, 2, random_below(random, 3), VR_BLACK);
    give_hand(random, &box, &position, VR_BLACK, random_below(random, 3));
    if (random_percent(random, 80))
        give_the_rest(&box, &position, VR_WHITE);
    else
        give_hand(random, &box, &position, VR_WHITE, 1 + random_below(random, 3));
    return position;
}

/* The same position seen from the other side: board turned round, colours exchanged. */
static struct vr_position exchanged(const struct vr_position *position) {
    struct vr_position other;
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++)
            other.board[row][column] = (int8_t)-position->board[8 - row][8 - column];
    memcpy(other.hand[VR_BLACK], position->hand[VR_WHITE], sizeof other.hand[VR_BLACK]);
    memcpy(other.hand[VR_WHITE], position->hand[VR_BLACK], sizeof other.hand[VR_WHITE]);
    other.side = (int8_t)vr_other((enum vr_color)position->side);
    return other;
}

struct random_problem random_problem(struct random_source *random, const struct random_problem_style *style) {
    if (style == NULL)
        style = &random_problem_style_any;
    bool two_kings = random_percent(random, style->two_kings_percent);
    bool defender_first = random_percent(random, style->defender_first_percent);
    struct random_problem problem = {.attacker = VR_BLACK};
    do {
        problem.position = draw_problem(random, two_kings);
        problem.position.side = (int8_t)(defender_first ? VR_WHITE : VR_BLACK);
    } while (vr_position_fault(&problem.position) != NULL || (defender_first && !vr_in_check(&problem.position)));
    if (random_percent(random, style->white_attacks_percent)) {
        problem.position = exchanged(&problem.position);
        problem.attacker = VR_WHITE;
    }
    vr_write_sfen(&problem.position, problem.sfen);
    return problem;
}

struct random_problem random_interposition_problem(struct random_source *random) {
    struct random_problem problem = {.attacker = VR_BLACK};
    bool check = random_percent(random, 50);
    do {
        problem.position = draw_interposition_problem(random, check);
        problem.position.side = (int8_t)(check ? VR_WHITE : VR_BLACK);
    } while (vr_position_fault(&problem.position) != NULL || (check && !vr_in_check(&problem.position)));
    vr_write_sfen(&problem.position, problem.sfen);
    return problem;
}

/* ---- Alterations ---- */

/* A piece of either side that is no king; false if there is none on the board. */
static bool choose_piece(struct random_source *random, const struct vr_position *position, struct vr_square *chosen) {
    int count = 0;
    *chosen = (struct vr_square){0, 0};
    for (int row = 0; row < 9; row++)
        for (int column = 0; column < 9; column++) {
            int8_t piece = position->board[row][column];
            if (piece != VR_NONE && abs(piece) != VR_KING && random_below(random, ++count) == 0)
                *chosen = (struct vr_square){row, column};
        }
    return count > 0;
}

static void move_a_piece(struct random_source *random, struct vr_position *position) {
    struct vr_square from, to;
    if (!choose_piece(random, position, &from) || !free_square_near(random, position, from, 2, &to))
        return;
    position->board[to.row][to.column] = position->board[from.row][from.column];
    position->board[from.row][from.column] = VR_NONE;
}

static void promote_a_piece(struct random_source *random, struct vr_position *position) {
    struct vr_square square;
    if (!choose_piece(random, position, &square))
        return;
    int8_t *piece = &position->board[square.row][square.column];
    int kind = abs(*piece), sign = *piece < 0 ? -1 : 1;
    if (kind <= VR_ROOK)
        *piece = (int8_t)(sign * (kind + VR_PROMOTION));
    else if (kind > VR_KING)
        *piece = (int8_t)(sign * (kind - VR_PROMOTION));
}

static void remove_a_piece(struct random_source *random, struct vr_position *position, enum vr_color attacker) {
    struct vr_square square;
    if (!choose_piece(random, position, &square))
        return;
    int kind = abs(position->board[square.row][square.column]);
    position->hand[vr_other(attacker)][kind > VR_KING ? kind - VR_PROMOTION : kind]++;
    position->board[square.row][square.column] = VR_NONE;
}

/* A piece of the defender's hand comes onto the board near his king, for either side, or changes hands with one of the attacker's. */
static void bring_a_piece(struct random_source *random, struct vr_position *position, enum vr_color attacker) {
    enum vr_color defender = vr_other(attacker);
    int kind = 1 + random_below(random, VR_GOLD), other = 1 + random_below(random, VR_GOLD);
    struct vr_square king, square;
    if (position->hand[defender][kind] == 0 || !vr_find_king(position, defender, &king))
        return;
    position->hand[defender][kind]--;
    if (random_percent(random, 50) && free_square_near(random, position, king, 3, &square)) {
        position->board[square.row][square.column] = (int8_t)(random_percent(random, 50) ? kind : -kind);
        return;
    }
    position->hand[attacker][kind]++;
    if (position->hand[attacker][other] > 0) {
        position->hand[attacker][other]--;
        position->hand[defender][other]++;
    }
}

struct vr_position random_alteration(struct random_source *random, const struct vr_position *position,
                                     enum vr_color attacker) {
    struct vr_position altered;
    do {
        altered = *position;
        for (int i = 1 + random_below(random, 2); i > 0; i--) {
            int what = random_below(random, 8);
            if (what < 4)
                move_a_piece(random, &altered);
            else if (what < 5)
                promote_a_piece(random, &altered);
            else if (what < 6)
                remove_a_piece(random, &altered, attacker);
            else
                bring_a_piece(random, &altered, attacker);
        }
    } while (vr_position_fault(&altered) != NULL || (altered.side != (int8_t)attacker && !vr_in_check(&altered)));
    return altered;
}
