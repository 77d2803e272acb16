/* movegen.c: legal moves, checks and evasions.
 *
 * Two facts carry the generators. A blocker of one's own king may only move along its pin line; and a side in check by a single
 * piece can use no pinned piece at all, because moving one either leaves its line or does not touch the checker. */
#include "rules/movegen.h"

#include "rules/bitboard.h"

/* What every generator needs to know. */
struct view {
    struct position *pos;
    enum color us, them;
    int our_king, their_king;
    bitboard occupied, ours, theirs;
    bitboard pinned; /* our pieces that shield our king */
};

static struct view look(struct position *pos) {
    struct view v = {.pos = pos, .us = (enum color)pos->side, .them = color_other((enum color)pos->side)};
    v.our_king = pos->king[v.us];
    v.their_king = pos->king[v.them];
    v.occupied = position_occupied(pos);
    v.ours = pos->by_color[v.us];
    v.theirs = pos->by_color[v.them];
    v.pinned = position_blockers(pos, v.us) & v.ours;
    return v;
}

/* ---- Uchifuzume ---- */

/* Would a pawn of `us` dropped on `to`, where it attacks the king, leave them no answer? No piece can stand between, so hands do
 * not matter. */
static bool pawn_drop_mates(const struct position *pos, enum color us, int to) {
    enum color them = color_other(us);
    int king = pos->king[them], sq;
    bitboard with_pawn = position_occupied(pos) | bb_square(to), lifted = with_pawn ^ bb_square(king);
    for (struct bb_iter it = bb_iter(attacks_king(king) & ~pos->by_color[them]); bb_next(&it, &sq);)
        if (!position_attacked(pos, sq, us, lifted))
            return false;
    bitboard captors = position_attackers(pos, to, them, with_pawn) & ~bb_square(king);
    for (struct bb_iter it = bb_iter(captors); bb_next(&it, &sq);)
        if (!position_attacked(pos, king, us, with_pawn ^ bb_square(sq)))
            return false;
    return true;
}

static bool is_pawn_drop_mate(const struct position *pos, enum color us, int to) {
    int king = pos->king[color_other(us)];
    return king != NO_SQUARE && bb_has(attacks_step(us, PAWN, to), king) && pawn_drop_mates(pos, us, to);
}

/* ---- Writing moves down ---- */

/* Where a piece goes: promoting, and staying as it is. */
struct goals {
    bitboard promoting, staying;
};

/* Of the squares that the piece on `from` could go to, those where it may promote and where it may stay as it is. */
static struct goals allowed_goals(enum color us, int kind, int from, bitboard promoting, bitboard staying) {
    if (!kind_can_promote(kind))
        return (struct goals){bb_none(), staying};
    if (!bb_has(bb_zone(us), from))
        promoting &= bb_zone(us);
    return (struct goals){promoting, staying & ~bb_dead(us, kind)};
}

static move *write_moves(move *out, const struct position *pos, int from, struct goals goals) {
    int kind = piece_kind(pos->board[from]), to;
    for (struct bb_iter it = bb_iter(goals.promoting); bb_next(&it, &to);)
        *out++ = move_make(from, to, kind, piece_kind(pos->board[to]), true);
    for (struct bb_iter it = bb_iter(goals.staying); bb_next(&it, &to);)
        *out++ = move_make(from, to, kind, piece_kind(pos->board[to]), false);
    return out;
}

/* Squares where a piece of the kind may be dropped, uchifuzume apart. */
static bitboard drop_squares(const struct view *v, int kind) {
    bitboard empty = ~v->occupied & bb_all() & ~bb_dead(v->us, kind);
    return kind == PAWN ? empty & ~bb_files_of(position_pieces(v->pos, v->us, PAWN)) : empty;
}

static move *add_drops(move *out, const struct view *v, int kind, bitboard squares) {
    int to;
    for (struct bb_iter it = bb_iter(squares); bb_next(&it, &to);)
        if (kind != PAWN || !is_pawn_drop_mate(v->pos, v->us, to))
            *out++ = move_drop(kind, to);
    return out;
}

/* The squares that the piece on `from` can go to, its pin minded; not for kings. */
static bitboard destinations(const struct view *v, int from) {
    bitboard to = attacks_of(v->us, piece_kind(v->pos->board[from]), from, v->occupied) & ~v->ours;
    if (bb_has(v->pinned, from))
        to &= bb_line(v->our_king, from);
    return to;
}

static bitboard king_destinations(const struct view *v) {
    bitboard lifted = v->occupied ^ bb_square(v->our_king);
    return attacks_king(v->our_king) & ~v->ours & ~position_attacked_near(v->pos, v->our_king, v->them, lifted);
}

/* ---- Evasions ---- */

/* Calls for the squares between king and checker from the king outwards. */
static int outward_squares(int king, int checker, int squares[RANKS]) {
    int count = 0, sq;
    for (struct bb_iter it = bb_iter(bb_between(king, checker)); bb_next(&it, &sq);)
        squares[count++] = sq;
    if (checker < king) /* found in order of square: turn it round */
        for (int i = 0; i < count / 2; i++) {
            int swap = squares[i];
            squares[i] = squares[count - 1 - i];
            squares[count - 1 - i] = swap;
        }
    return count;
}

/* Our pieces other than the king that can go to `to`, the checker's square or one between. */
static bitboard helpers(const struct view *v, int to) {
    return position_attackers(v->pos, to, v->us, v->occupied) & ~v->pinned & ~bb_square(v->our_king);
}

static move *add_moves_to(move *out, const struct view *v, int to) {
    int from;
    for (struct bb_iter it = bb_iter(helpers(v, to)); bb_next(&it, &from);)
        out = write_moves(out, v->pos, from,
                          allowed_goals(v->us, piece_kind(v->pos->board[from]), from, bb_square(to), bb_square(to)));
    return out;
}

int generate_evasions(struct position *pos, move *out) {
    struct view v = look(pos);
    move *start = out;
    bitboard checkers = position_checkers(pos, v.us);
    bitboard king_to = king_destinations(&v);
    out = write_moves(out, pos, v.our_king, (struct goals){bb_none(), king_to});
    if (bb_many(checkers))
        return (int)(out - start);
    int checker = bb_first(checkers), squares[RANKS];
    out = add_moves_to(out, &v, checker);
    int count = outward_squares(v.our_king, checker, squares);
    for (int i = 0; i < count; i++)
        out = add_moves_to(out, &v, squares[i]);
    hand h = pos->hand[v.us];
    if (!count || !h)
        return (int)(out - start);
    bitboard allowed[HAND_KINDS];
    for (int kind = PAWN; kind <= GOLD; kind++)
        allowed[kind] = hand_has(h, kind) ? drop_squares(&v, kind) : bb_none();
    for (int i = 0; i < count; i++)
        for (int j = HELD_KINDS - 1; j >= 0; j--)
            out = add_drops(out, &v, kind_by_worth(j), allowed[kind_by_worth(j)] & bb_square(squares[i]));
    return (int)(out - start);
}

/* Can one of them go to `to`? Where staying as it is is illegal, promoting is legal. */
static bool someone_reaches(const struct view *v, int to) {
    return bb_any(helpers(v, to));
}

static bool can_drop_on(const struct view *v, bitboard squares) {
    hand h = v->pos->hand[v->us];
    for (int kind = GOLD; kind >= PAWN; kind--) {
        bitboard to = hand_has(h, kind) ? squares & drop_squares(v, kind) : bb_none();
        if (!bb_any(to))
            continue;
        if (kind != PAWN)
            return true;
        int sq;
        for (struct bb_iter it = bb_iter(to); bb_next(&it, &sq);)
            if (!is_pawn_drop_mate(v->pos, v->us, sq))
                return true;
    }
    return false;
}

enum answers find_answers(struct position *pos) {
    enum color us = (enum color)pos->side, them = color_other(us);
    int king = pos->king[us];
    bitboard lifted = position_occupied(pos) ^ bb_square(king);
    if (bb_any(attacks_king(king) & ~pos->by_color[us] & ~position_attacked_near(pos, king, them, lifted)))
        return ANSWERS_MOVES;
    bitboard checkers = position_checkers(pos, us);
    if (bb_many(checkers))
        return ANSWERS_NONE;
    struct view v = look(pos);
    int checker = bb_first(checkers), sq;
    if (someone_reaches(&v, checker))
        return ANSWERS_MOVES;
    bitboard between = bb_between(king, checker);
    for (struct bb_iter it = bb_iter(between); bb_next(&it, &sq);)
        if (someone_reaches(&v, sq))
            return ANSWERS_MOVES;
    return bb_any(between) && can_drop_on(&v, between) ? ANSWERS_DROPS : ANSWERS_NONE;
}

bool has_evasion(struct position *pos) {
    return find_answers(pos) != ANSWERS_NONE;
}

/* ---- All legal moves ---- */

int generate_legal(struct position *pos, move *out) {
    if (position_in_check(pos))
        return generate_evasions(pos, out);
    struct view v = look(pos);
    move *start = out;
    int from;
    for (struct bb_iter it = bb_iter(v.ours & ~pos->by_kind[KING]); bb_next(&it, &from);) {
        bitboard to = destinations(&v, from);
        out = write_moves(out, pos, from, allowed_goals(v.us, piece_kind(pos->board[from]), from, to, to));
    }
    if (v.our_king != NO_SQUARE)
        out = write_moves(out, pos, v.our_king, (struct goals){bb_none(), king_destinations(&v)});
    for (int kind = PAWN; kind <= GOLD; kind++)
        if (hand_has(pos->hand[v.us], kind))
            out = add_drops(out, &v, kind, drop_squares(&v, kind));
    return (int)(out - start);
}

/* ---- Checks ---- */

/* From where a piece could give check in one move if nothing stood in its way: [colour][king's square][kind]. */
static bitboard checking_origins[2][SQUARES][KINDS];

__attribute__((constructor(200))) static void fill_checking_origins(void);

static bool reaches_in_one_move(enum color c, int kind, int from, int king) {
    int to;
    for (struct bb_iter it = bb_iter(attacks_reach(c, kind, from)); bb_next(&it, &to);) {
        if (bb_has(attacks_reach(c, kind, to), king))
            return true;
        if (kind_can_promote(kind) && (square_in_zone(c, from) || square_in_zone(c, to)) &&
            bb_has(attacks_reach(c, kind + PROMOTED, to), king))
            return true;
    }
    return false;
}

static void fill_checking_origins(void) {
    for (int c = BLACK; c <= WHITE; c++)
        for (int kind = PAWN; kind < KINDS; kind++)
            for (int king = 0; king < SQUARES && kind != KING; king++)
                for (int from = 0; from < SQUARES; from++)
                    if (reaches_in_one_move((enum color)c, kind, from, king))
                        checking_origins[c][king][kind] |= bb_square(from);
}

static bool gives_check(const struct position *pos, move m, bitboard their_blockers) {
    enum color us = (enum color)pos->side;
    int king = pos->king[color_other(us)], to = move_to(m);
    if (king == NO_SQUARE)
        return false;
    bitboard occupied = position_occupied(pos) | bb_square(to);
    if (!move_is_drop(m)) {
        occupied ^= bb_square(move_from(m));
        if (bb_has(their_blockers, move_from(m)) && !bb_has(bb_line(king, move_from(m)), to))
            return true;
    }
    return bb_has(attacks_of(us, move_kind_after(m), to, occupied), king);
}

bool move_gives_check(const struct position *pos, move m) {
    return gives_check(pos, m, position_blockers(pos, color_other((enum color)pos->side)));
}

/* Answers to a check that give check themselves (two kings). */
static int generate_checking_evasions(struct position *pos, move *out) {
    int count = generate_evasions(pos, out), kept = 0;
    bitboard blockers = position_blockers(pos, color_other((enum color)pos->side));
    for (int i = 0; i < count; i++)
        if (gives_check(pos, out[i], blockers))
            out[kept++] = out[i];
    return kept;
}

/* Our pieces that may give check by moving; the discoverers surely can. */
static bitboard checking_pieces(const struct view *v, bitboard discoverers) {
    bitboard candidates = discoverers;
    for (int kind = PAWN; kind < KINDS; kind++)
        candidates |= v->pos->by_kind[kind] & checking_origins[v->us][v->their_king][kind];
    return candidates & v->ours;
}

/* Where the piece on `from` gives check; v->us is not in check. */
static struct goals checking_goals(const struct view *v, bitboard discoverers, int from) {
    int kind = piece_kind(v->pos->board[from]), king = v->their_king;
    bitboard to = kind == KING ? king_destinations(v) : destinations(v, from);
    bitboard discovering = bb_has(discoverers, from) ? to & ~bb_line(king, from) : bb_none();
    bitboard staying = discovering, promoting = discovering;
    if (kind != KING)
        staying |= to & attacks_of(v->them, kind, king, v->occupied);
    if (kind_can_promote(kind))
        promoting |= to & attacks_of(v->them, kind + PROMOTED, king, v->occupied);
    return allowed_goals(v->us, kind, from, promoting, staying);
}

/* The squares where a drop of the kind gives check, pawn and uchifuzume apart. */
static bitboard checking_drops(const struct view *v, int kind) {
    return attacks_of(v->them, kind, v->their_king, v->occupied) & ~v->occupied;
}

int generate_checks(struct position *pos, move *out) {
    if (position_in_check(pos))
        return generate_checking_evasions(pos, out);
    struct view v = look(pos);
    move *start = out;
    bitboard discoverers = position_blockers(pos, v.them) & v.ours;
    int from;
    for (struct bb_iter it = bb_iter(checking_pieces(&v, discoverers)); bb_next(&it, &from);)
        out = write_moves(out, pos, from, checking_goals(&v, discoverers, from));
    hand h = pos->hand[v.us];
    if (hand_has(h, PAWN))
        out = add_drops(out, &v, PAWN, attacks_step(v.them, PAWN, v.their_king) & drop_squares(&v, PAWN));
    for (int kind = LANCE; kind <= GOLD; kind++)
        if (hand_has(h, kind))
            out = add_drops(out, &v, kind, checking_drops(&v, kind));
    return (int)(out - start);
}

/* ---- Judging single moves ---- */

/* Is it a move of the kind that it says, on this board: piece, capture, promotion, drop possible? King safety apart. */
static bool is_pseudo_legal(const struct view *v, move m) {
    int to = move_to(m), from = move_from(m), kind = move_kind(m);
    if (m >> 24 || to >= SQUARES || from >= SQUARES || kind < PAWN || kind >= KINDS)
        return false;
    if (move_is_drop(m))
        return m == move_drop(kind, to) && kind <= GOLD && hand_has(v->pos->hand[v->us], kind) &&
               bb_has(drop_squares(v, kind), to) && (kind != PAWN || !is_pawn_drop_mate(v->pos, v->us, to));
    if (v->pos->board[from] != piece_make(v->us, kind) || bb_has(v->ours, to) ||
        move_captured(m) != piece_kind(v->pos->board[to]) || !bb_has(attacks_of(v->us, kind, from, v->occupied), to))
        return false;
    return move_promotes(m) ? kind_can_promote(kind) && (square_in_zone(v->us, from) || square_in_zone(v->us, to))
                            : !kind_is_dead_on(kind, v->us, to);
}

bool move_is_legal(struct position *pos, move m) {
    struct view v = look(pos);
    if (m == NO_MOVE || !is_pseudo_legal(&v, m) || move_captured(m) == KING)
        return false;
    if (v.our_king == NO_SQUARE)
        return true;
    position_do(pos, m);
    bool safe = !position_attacked(pos, pos->king[v.us], v.them, position_occupied(pos));
    position_undo(pos, m);
    return safe;
}

move move_complete(struct position *pos, int from, int to, int kind, bool promotes) {
    move m = NO_MOVE;
    if (from == NO_SQUARE)
        m = move_drop(kind, to);
    else if (pos->board[from] != NO_PIECE)
        m = move_make(from, to, piece_kind(pos->board[from]), piece_kind(pos->board[to]), promotes);
    return m != NO_MOVE && move_is_legal(pos, m) ? m : NO_MOVE;
}

move move_from_usi(struct position *pos, const char *text) {
    int from, to, kind;
    bool promotes;
    int length = usi_parse_move(text, &from, &to, &kind, &promotes);
    if (!length || (text[length] != '\0' && text[length] != ' ' && text[length] != '\t' && text[length] != '\r' &&
                    text[length] != '\n'))
        return NO_MOVE;
    return move_complete(pos, from, to, kind, promotes);
}

/* ---- Other hands ---- */

hand kinds_that_check_by_drop(const struct position *pos) {
    enum color us = (enum color)pos->side, them = color_other(us);
    int king = pos->king[them];
    bitboard occupied = position_occupied(pos), empty = ~occupied;
    hand kinds = HAND_EMPTY;
    bitboard pawn = attacks_step(them, PAWN, king) & empty;
    if (bb_any(pawn & ~bb_files_of(position_pieces(pos, us, PAWN))))
        kinds |= hand_field(PAWN);
    for (int kind = LANCE; kind <= GOLD; kind++)
        if (bb_any(attacks_of(them, kind, king, occupied) & empty))
            kinds |= hand_field(kind);
    return kinds;
}

bitboard interposition_squares(const struct position *pos) {
    enum color us = (enum color)pos->side;
    bitboard checkers = position_checkers(pos, us);
    return bb_any(checkers) && !bb_many(checkers) ? bb_between(pos->king[us], bb_first(checkers)) : bb_none();
}

hand kinds_that_interpose(const struct position *pos) {
    enum color us = (enum color)pos->side;
    bitboard between = interposition_squares(pos);
    if (!bb_any(between))
        return HAND_EMPTY;
    hand kinds = HAND_EMPTY;
    if (bb_any(between & ~bb_dead(us, PAWN) & ~bb_files_of(position_pieces(pos, us, PAWN))))
        kinds |= hand_field(PAWN);
    for (int kind = LANCE; kind <= GOLD; kind++)
        if (bb_any(between & ~bb_dead(us, kind)))
            kinds |= hand_field(kind);
    return kinds;
}

bitboard king_outlets(const struct position *pos) {
    enum color us = (enum color)pos->side, them = color_other(us);
    int king = pos->king[them];
    bitboard lifted = position_occupied(pos) ^ bb_square(king);
    return attacks_king(king) & ~pos->by_color[them] & ~position_attacked_near(pos, king, us, lifted);
}

/* ---- Mate in one ---- */

/* Does the check mate? Notes a check that only drops answer. */
static bool mates(struct position *pos, move m, struct mate_scan *scan) {
    position_do(pos, m);
    enum answers answers = find_answers(pos);
    position_undo(pos, m);
    scan->but_for_drops |= answers == ANSWERS_DROPS;
    return answers == ANSWERS_NONE;
}

/* Captures before plain moves before drops. */
static int mate_rank(move m) {
    return move_is_drop(m) ? 0 : move_captured(m) ? 2 : 1;
}

static move mate_by_answering_check(struct position *pos, struct mate_scan *scan) {
    move checks[MAX_MOVES], best = NO_MOVE;
    scan->checks = generate_checking_evasions(pos, checks);
    for (int i = 0; i < scan->checks; i++)
        if ((best == NO_MOVE || mate_rank(checks[i]) > mate_rank(best)) && mates(pos, checks[i], scan))
            best = checks[i];
    return best;
}

/* What our sliders attack: moving a piece from such a square may open a line. */
static bitboard slider_attacks(const struct view *v) {
    const struct position *pos = v->pos;
    bitboard attacked = bb_none();
    int sq;
    bitboard rooks = (pos->by_kind[ROOK] | pos->by_kind[DRAGON]) & v->ours;
    bitboard bishops = (pos->by_kind[BISHOP] | pos->by_kind[HORSE]) & v->ours;
    for (struct bb_iter it = bb_iter(rooks); bb_next(&it, &sq);)
        attacked |= attacks_rook(sq, v->occupied);
    for (struct bb_iter it = bb_iter(bishops); bb_next(&it, &sq);)
        attacked |= attacks_bishop(sq, v->occupied);
    for (struct bb_iter it = bb_iter(pos->by_kind[LANCE] & v->ours); bb_next(&it, &sq);)
        attacked |= attacks_lance(v->us, sq, v->occupied);
    return attacked;
}

/* What a check is judged by before it is tried. */
struct judging {
    struct view v;
    struct mate_scan *scan;
    bitboard discoverers; /* our pieces that shield their king from us */
    bitboard outlets;     /* see king_outlets */
    bitboard lines;       /* what our sliders attack: a piece that leaves such a square may open a line */
    bitboard free;        /* their pieces but for the king and those that shield him */
    move best;
};

/* Of `squares`, those from where a piece of ours would cover all outlets. */
static bitboard covering_squares(enum color them, int kind, bitboard squares, bitboard outlets, bitboard lifted) {
    int outlet;
    for (struct bb_iter it = bb_iter(outlets); bb_any(squares) && bb_next(&it, &outlet);)
        squares &= attacks_of(them, kind, outlet, lifted);
    return squares;
}

/* Can a free piece take a checker that has come to `to`, or step between? */
static bool is_parried(const struct judging *j, int to, bitboard occupied) {
    bitboard free = j->free & ~bb_square(to); /* a piece taken there helps no more */
    int sq;
    for (struct bb_iter it = bb_iter(bb_square(to) | bb_between(j->v.their_king, to)); bb_next(&it, &sq);)
        if (bb_meet(position_attackers(j->v.pos, sq, j->v.them, occupied), free))
            return true;
    return false;
}

/* The same, or the king takes the piece that goes from `from` to `to`. A piece that opens a line may pin others, or give check from afar. */
static bool is_move_parried(const struct judging *j, int from, int to) {
    const struct view *v = &j->v;
    bitboard gone = bb_square(from), occupied = (v->occupied ^ gone) | bb_square(to);
    if (bb_has(attacks_king(v->their_king), to) &&
        !bb_any(position_attackers(v->pos, to, v->us, occupied ^ bb_square(v->their_king)) & ~gone))
        return true;
    return !bb_meet(gone, j->lines | j->discoverers) && is_parried(j, to, occupied);
}

static void try_moves(struct judging *j, int from, bitboard squares, bool promotes) {
    struct position *pos = j->v.pos;
    int to;
    for (struct bb_iter it = bb_iter(squares); bb_next(&it, &to);) {
        move m = move_make(from, to, piece_kind(pos->board[from]), piece_kind(pos->board[to]), promotes);
        if ((j->best == NO_MOVE || (mate_rank(m) > mate_rank(j->best))) && !is_move_parried(j, from, to) &&
            mates(pos, m, j->scan))
            j->best = m;
    }
}

/* Looks for mates by moving a piece. One that opens a line may cover outlets by that. */
static void find_mating_moves(struct judging *j) {
    const struct view *v = &j->v;
    int from;
    for (struct bb_iter it = bb_iter(checking_pieces(v, j->discoverers)); bb_next(&it, &from);) {
        struct goals goals = checking_goals(v, j->discoverers, from);
        if (!bb_any(goals.promoting | goals.staying))
            continue;
        j->scan->checks += bb_count(goals.promoting) + bb_count(goals.staying);
        int kind = piece_kind(v->pos->board[from]);
        bitboard lifted = v->occupied ^ bb_square(from) ^ bb_square(v->their_king), outlets = j->outlets;
        if (bb_has(j->lines, from))
            outlets &= ~position_attacked_near(v->pos, v->their_king, v->us, lifted);
        try_moves(j, from, covering_squares(v->them, kind + PROMOTED, goals.promoting, outlets, lifted), true);
        try_moves(j, from, covering_squares(v->them, kind, goals.staying, outlets, lifted), false);
    }
}

static void find_mating_drops(struct judging *j) {
    const struct view *v = &j->v;
    hand h = v->pos->hand[v->us];
    bitboard lifted = v->occupied ^ bb_square(v->their_king);
    int to;
    for (int kind = LANCE; kind <= GOLD; kind++) {
        if (!hand_has(h, kind))
            continue;
        bitboard squares = checking_drops(v, kind);
        j->scan->checks += bb_count(squares);
        for (struct bb_iter it = bb_iter(covering_squares(v->them, kind, squares, j->outlets, lifted));
             bb_next(&it, &to);)
            if (!is_parried(j, to, v->occupied | bb_square(to)) && mates(v->pos, move_drop(kind, to), j->scan)) {
                j->best = move_drop(kind, to);
                return;
            }
    }
    if (hand_has(h, PAWN))
        j->scan->checks += bb_meet(attacks_step(v->them, PAWN, v->their_king), drop_squares(v, PAWN));
}

/* Most checks have an answer that is seen without making them: an outlet left open, a piece that takes the checker or steps between. Only
 * the rest is tried. */
move mate_in_one(struct position *pos, struct mate_scan *scan) {
    struct mate_scan ignored;
    struct judging j = {.scan = scan ? scan : &ignored, .best = NO_MOVE};
    *j.scan = (struct mate_scan){0, false};
    if (position_in_check(pos))
        return mate_by_answering_check(pos, j.scan);
    j.v = look(pos);
    bitboard blockers = position_blockers(pos, j.v.them);
    j.discoverers = blockers & j.v.ours;
    j.outlets = king_outlets(pos);
    j.lines = slider_attacks(&j.v);
    j.free = j.v.theirs & ~blockers & ~bb_square(j.v.their_king);
    find_mating_moves(&j);
    if (j.best == NO_MOVE)
        find_mating_drops(&j);
    return j.best;
}

/* ---- Perft ---- */

uint64_t perft(struct position *pos, int depth) {
    if (depth == 0)
        return 1;
    move moves[MAX_MOVES];
    int count = generate_legal(pos, moves);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        position_do(pos, moves[i]);
        leaves += perft(pos, depth - 1);
        position_undo(pos, moves[i]);
    }
    return leaves;
}
