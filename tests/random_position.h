/* random_position.h: positions for testing, made by chance from a seed, with solver/verify_rules.h alone.
 *
 * The same seed gives the same positions on every machine. Every position made here is legal: vr_position_fault finds
 * nothing. No global state: each caller holds its own source of chance. */
#ifndef TSUME_TESTS_RANDOM_POSITION_H
#define TSUME_TESTS_RANDOM_POSITION_H

#include "solver/verify_rules.h"

/* splitmix64 (Steele, Lea, Flood 2014); start it at any number. */
struct random_source {
    uint64_t state;
};

uint64_t random_next(struct random_source *random);
/* 0 to below − 1; below > 0. */
int random_below(struct random_source *random, int below);
/* True in that many cases of a hundred. */
bool random_percent(struct random_source *random, int percent);

/* Plays one move of random play: captures, promotions, drops and checks more often than chance would. False if there is
 * none. */
bool random_game_move(struct random_source *random, struct vr_position *position);

/* A position of such play from the opening after that many plies, both kings on the board. A game that ends sooner is
 * begun again; the side to move has a legal move. */
struct vr_position random_game_position(struct random_source *random, int plies);

/* What a random problem may be like. */
struct random_problem_style {
    int two_kings_percent;      /* how often the attacker has a king too */
    int defender_first_percent; /* how often the defender is to move, in check (受先) */
    int white_attacks_percent;  /* how often the colours are exchanged */
};

/* Some of everything: what tests of the rules want. */
extern const struct random_problem_style random_problem_style_any;

struct random_problem {
    struct vr_position position;
    enum vr_color attacker;
    char sfen[VR_SFEN_SIZE];
};

/* A king near an edge, a few pieces of both sides around him, sliders aiming at him from far, pieces in hand or none,
 * some pinned pieces; with one king the defender holds all that is left of the set (sometimes nothing), with two kings
 * what chance gives. NULL for style is random_problem_style_any. Every fourth or so is a mate in five plies or less. */
struct random_problem random_problem(struct random_source *random, const struct random_problem_style *style);

/* A confined king with one open line, and a rook, bishop or lance that checks along it from afar, can soon do so, or is in hand; the
 * squares between empty, guarded by the attacker or not, some pieces behind. Every other time the check is given and the defender to
 * move. What interposing is worth decides most of these. */
struct random_problem random_interposition_problem(struct random_source *random);

/* A legal position much like this one, with the same kings and the same pieces: one or two of them stand elsewhere, are promoted, have
 * changed hands or left the board for the defender's hand. If the defender is to move, he is in check. */
struct vr_position random_alteration(struct random_source *random, const struct vr_position *position,
                                     enum vr_color attacker);

#endif
