#include "program_picture.h"

#include "program.h"

#include <stdlib.h>
#include <string.h>

/* ---- The stated solution ------------------------------------------------------------------------------------------- */

struct stated_line stated_line_of(const struct tsume_problem *problem) {
    struct stated_line line = {.length = tsume_problem_stated(problem, NULL, 0)};
    line.texts = program_must(malloc((line.length + 1) * sizeof *line.texts));
    line.moves = program_must(malloc((line.length + 1) * sizeof *line.moves));
    tsume_problem_stated(problem, line.texts, line.length);
    for (size_t i = 0; i < line.length; i++)
        line.moves[i] = line.texts[i];
    return line;
}

void stated_line_free(struct stated_line *line) {
    free(line->moves);
    free(line->texts);
}

char *stated_line_text(const struct tsume_problem *problem, const struct stated_line *line, size_t from, size_t count,
                       enum tsume_notation notation) {
    return program_must(tsume_moves_text(problem, line->moves, count, from, notation));
}

/* ---- Squares ------------------------------------------------------------------------------------------------------- */

static bool is_black(struct tsume_piece piece) {
    return piece.letter >= 'A' && piece.letter <= 'Z';
}

/* Where a square, file and rank from 1, lies on the picture. */
static int place_of(int file, int rank, bool flipped) {
    int row = flipped ? DRAW_SIDE - rank : rank - 1, column = flipped ? file - 1 : DRAW_SIDE - file;
    return row * DRAW_SIDE + column;
}

static void fill_squares(struct draw_diagram *diagram, const struct tsume_problem *position) {
    for (int file = 1; file <= DRAW_SIDE; file++) {
        for (int rank = 1; rank <= DRAW_SIDE; rank++) {
            struct tsume_piece piece = tsume_problem_piece(position, file, rank);
            diagram->squares[place_of(file, rank, diagram->flipped)] =
                (struct draw_square){piece.kanji, is_black(piece) == diagram->flipped};
        }
    }
}

/* The square that a move in USI notation goes to. */
static int target_of(const char *usi, bool flipped) {
    return place_of(usi[2] - '0', usi[3] - 'a' + 1, flipped);
}

/* ---- Hands --------------------------------------------------------------------------------------------------------- */

/* Takes over a malloc'd text, to live as long as the picture. */
static const char *keep(struct picture *picture, char *text) {
    return picture->texts[picture->text_count++] = program_must(text);
}

/* Are all pieces of a set somewhere, but for a second king? */
static bool set_is_complete(const struct tsume_problem *position, int in_hands) {
    int pieces = in_hands, kings = 0;
    for (int file = 1; file <= DRAW_SIDE; file++) {
        for (int rank = 1; rank <= DRAW_SIDE; rank++) {
            char letter = tsume_problem_piece(position, file, rank).letter;
            pieces += letter != 0;
            kings += letter == 'K' || letter == 'k';
        }
    }
    return kings == 1 && pieces == 39;
}

static struct draw_hand defender_hand(const char *label, const char *pieces, bool is_rest, enum defender_hand wanted) {
    if (wanted == DEFENDER_HAND_NONE || (wanted == DEFENDER_HAND_AUTO && is_rest))
        return (struct draw_hand){0};
    return (struct draw_hand){label, wanted == DEFENDER_HAND_REST && is_rest ? "残り全部" : pieces};
}

static void fill_hands(struct picture *picture, const struct tsume_problem *position, enum defender_hand wanted) {
    struct draw_hand hands[2]; /* Black's, White's */
    int counts[2];
    bool black_attacks = tsume_problem_attacker(position) == 'b';
    hands[0] = (struct draw_hand){"☗持駒", keep(picture, tsume_problem_hand(position, 'b', &counts[0]))};
    hands[1] = (struct draw_hand){"☖持駒", keep(picture, tsume_problem_hand(position, 'w', &counts[1]))};
    struct draw_hand *defender = &hands[black_attacks];
    *defender =
        defender_hand(defender->label, defender->pieces, set_is_complete(position, counts[0] + counts[1]), wanted);
    picture->diagram.right = hands[picture->diagram.flipped];
    picture->diagram.left = hands[!picture->diagram.flipped];
}

/* ---- Words --------------------------------------------------------------------------------------------------------- */

static const char *author_of(const struct tsume_problem *problem) {
    const char *key, *value;
    for (size_t i = 0; tsume_problem_header(problem, i, &key, &value); i++)
        if (strcmp(key, "作者") == 0)
            return value;
    return "";
}

/* "7手詰" */
static const char *length_of(struct picture *picture, const struct tsume_problem *problem) {
    long plies = tsume_problem_stated_plies(problem);
    char text[32];
    snprintf(text, sizeof text, "%ld手詰", plies);
    return plies > 0 ? keep(picture, strdup(text)) : "";
}

/* The identifier, and the title where that is something else. */
static const char *name_of(struct picture *picture, const struct tsume_problem *problem) {
    const char *id = tsume_problem_id(problem), *title = tsume_problem_title(problem);
    if (!*title || strcmp(id, title) == 0)
        return id;
    size_t size = strlen(id) + strlen(title) + sizeof "　";
    char *name = program_must(malloc(size));
    snprintf(name, size, "%s　%s", id, title);
    return keep(picture, name);
}

/* Who attacks and who moves, where that is not Black. */
static const char *caption_of(const struct tsume_problem *problem) {
    static const char *const CAPTIONS[2][2] = {{"", "受先"}, {"攻方☖", "攻方☖　受先"}};
    return CAPTIONS[tsume_problem_attacker(problem) == 'w'][tsume_problem_defender_first(problem)];
}

/* "3手目 ▲５二金 まで" */
static char *last_move_text(const struct tsume_problem *problem, const struct stated_line *line, size_t plies,
                            enum tsume_notation notation) {
    char text[96], *move = stated_line_text(problem, line, plies - 1, plies, notation);
    snprintf(text, sizeof text, "%zu手目 %s まで", plies, move);
    free(move);
    return strdup(text);
}

void picture_make(struct picture *picture, const struct tsume_problem *problem, const struct tsume_problem *position,
                  const struct stated_line *line, size_t plies, const struct picture_options *options) {
    struct draw_diagram *diagram = &picture->diagram;
    *picture = (struct picture){.diagram.flipped = options->flipped, .diagram.marked = DRAW_NO_SQUARE};
    diagram->name = name_of(picture, problem);
    diagram->author = author_of(problem);
    diagram->length = length_of(picture, problem);
    diagram->caption = caption_of(problem);
    diagram->solution = "";
    fill_squares(diagram, position);
    fill_hands(picture, position, options->defender_hand);
    if (plies > 0) {
        diagram->marked = target_of(line->moves[plies - 1], options->flipped);
        diagram->caption = keep(picture, last_move_text(problem, line, plies, options->notation));
    }
    if (options->solution)
        diagram->solution = keep(picture, stated_line_text(problem, line, 0, line->length, options->notation));
}

void picture_free(struct picture *picture) {
    for (size_t i = 0; i < picture->text_count; i++)
        free(picture->texts[i]);
}
