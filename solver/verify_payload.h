/* verify_payload.h: what the parts of the checker share: the payload read byte by byte, the moves it tells, the numbered positions, and the
 * first thing that is wrong. All functions return false (or NULL) once something is. */
#ifndef TSUME_SOLVER_VERIFY_PAYLOAD_H
#define TSUME_SOLVER_VERIFY_PAYLOAD_H

#include "solver/verify.h"
#include "solver/verify_rules.h"

#include <stdbool.h>
#include <zstd.h>

enum { MARK = 1 << 15, REFERENCE = 0x3f80 };

/* A numbered position. */
struct known {
    struct vr_position position;
    union {
        uint32_t plies; /* mate: in which the attacker mates */
        uint32_t
            back_to; /* no mate: from it play may lead back to positions of the line with numbers below this one; 0: to none */
    };
    bool meets_line; /* a cook: the boards of the main line come up in its mate, with whatever hands */
};

/* A move with its word. */
struct listed {
    uint16_t word;
    struct vr_move move;
};

/* The main line: positions[i] is the one before moves[i], positions[length] the end. Empty where there is none. */
struct main_line {
    struct vr_move *moves;
    struct vr_position *positions;
    size_t length, moves_room, positions_room;
    size_t first_turn;          /* moves before the attacker's first: 0 or 1 */
    uint32_t turns;             /* his moves */
    struct vr_position *sorted; /* the positions before them and the end, in order; NULL until a cook is read */
};

struct level; /* verify_proofs.c */

struct checker {
    struct verify_report *report;
    enum vr_color attacker;
    bool failed;
    /* the payload */
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer in;
    unsigned char *chunk;
    size_t chunk_used, chunk_length;
    bool frame_ended;
    uint64_t read, length;
    /* numbered positions: those of the proof being read, how many in all, and how many the header announces */
    struct known *known;
    size_t known_count, known_room;
    uint64_t numbered, announced;
    struct main_line line;
    /* a mate being read */
    struct level *levels;
    size_t depth, levels_room;
    uint16_t *answers;
    size_t answers_used, answers_room;
    bool barred; /* it must not come back to the main line */
};

/* Notes the first thing that is wrong. Always false. */
__attribute__((format(printf, 3, 4))) bool verify_fail(struct checker *c, enum verify_result result, const char *format,
                                                       ...);
bool verify_out_of_memory(struct checker *c);
/* Something wrong at a position; with a move of which something is to be said. */
bool verify_wrong_at(struct checker *c, const struct vr_position *position, const char *what);
bool verify_wrong_move(struct checker *c, const struct vr_position *position, const struct vr_move *move,
                       const char *what);

/* Makes room for one more item in a growing array. */
bool verify_room(struct checker *c, void *array, size_t used, size_t *room, size_t size);

/* Opens the compressed payload; to be closed even where that fails. */
bool payload_open(struct checker *c, const unsigned char *bytes, size_t size);
void payload_close(struct checker *c);

bool read_byte(struct checker *c, unsigned *byte);
bool read_word(struct checker *c, unsigned *word);
bool read_number(struct checker *c, uint64_t *number);
/* Nothing may be left over. */
bool read_end(struct checker *c);

/* The move that a word says; kinds come from the position. False if it says none. */
bool move_of(unsigned word, const struct vr_position *position, struct vr_move *move);
/* Reads a move that must be legal in the position; *word has its mark. */
bool read_legal_move(struct checker *c, const struct vr_position *position, unsigned *word, struct vr_move *move);
/* The moves in the order of their words. */
void put_in_order(const struct vr_move *moves, int count, struct listed *list);

/* Is `better`, for the attacker, the same position as `worse` or one with more in his hand and less in the defender's? */
bool at_least_as_good(const struct checker *c, const struct vr_position *better, const struct vr_position *worse);

/* Gives the position the next number; it is new at known[known_count - 1]. */
bool number_position(struct checker *c, const struct vr_position *position);
/* Another proof begins, with its own numbers. */
void number_anew(struct checker *c);
/* Reads which numbered position is meant. */
const struct known *read_reference(struct checker *c, const struct vr_position *position);

#endif
