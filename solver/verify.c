/* verify.c: see verify.h; the format is in certificate.h. */
#include "solver/verify.h"

#include "solver/verify_rules.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum {
    HEADER_SIZE = 40,
    CHECKSUM_AT = 32,
    VERSION = 1,
    KIND_MATE = 1,
    KIND_NO_MATE = 2,
    MARK = 1 << 15,
    REFERENCE = 0x3f80,
    FIRST_DROP = 81,
    MOST_POSITIONS = 1 << 24,
    MOST_DEPTH = 1 << 15, /* attacker's moves in a line */
    CHUNK = 1 << 16,
};

static const char MAGIC[] = "TSUMECERT";
static const uint64_t MOST_PAYLOAD = UINT64_C(1) << 32;

/* A numbered position. */
struct known {
    struct vr_position position;
    uint32_t plies; /* mate: in which the attacker mates */
};

/* A move with its word. */
struct listed {
    uint16_t word;
    struct vr_move move;
};

/* Mate: a defender's position whose answers are being described. */
struct level {
    struct vr_position before; /* the attacker's, before his move */
    struct vr_position position;
    uint16_t *answers; /* of all levels in one array: from `first` on */
    size_t first;
    int count, next;
    uint32_t longest; /* plies from here, by the answers described so far */
    bool numbered;
};

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
    /* numbered positions */
    struct known *known;
    size_t known_count, known_room;
    /* mate */
    struct level *levels;
    size_t depth, levels_room;
    uint16_t *answers;
    size_t answers_used, answers_room;
};

/* ---- What is wrong ---- */

/* Notes the first thing that is wrong. Always false. */
__attribute__((format(printf, 3, 4))) static bool fail(struct checker *c, enum verify_result result, const char *format,
                                                       ...) {
    if (c->failed)
        return false;
    c->failed = true;
    c->report->result = result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->report->message, sizeof c->report->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool out_of_memory(struct checker *c) {
    return fail(c, VERIFY_UNREADABLE, "out of memory");
}

/* Something wrong at a position; a word of the move may be part of it. */
static bool wrong_at(struct checker *c, const struct vr_position *position, const char *what) {
    char sfen[VR_SFEN_SIZE];
    vr_write_sfen(position, sfen);
    return fail(c, VERIFY_WRONG, "%s (byte %llu of the payload, at %s)", what, (unsigned long long)c->read, sfen);
}

static bool wrong_move(struct checker *c, const struct vr_position *position, const struct vr_move *move,
                       const char *what) {
    char text[VR_MOVE_SIZE], message[128];
    vr_write_move(move, text);
    snprintf(message, sizeof message, "%s %s", text, what);
    return wrong_at(c, position, message);
}

/* Makes room for one more item in a growing array. */
static bool make_room(struct checker *c, void *array, size_t used, size_t *room, size_t size) {
    if (used < *room)
        return true;
    size_t more = *room ? *room * 2 : 64;
    void *grown, *old;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, more * size);
    if (!grown)
        return out_of_memory(c);
    memcpy(array, &grown, sizeof grown);
    *room = more;
    /* cppcheck-suppress memleak ; the caller's pointer holds it */
    return true;
}

/* ---- The payload, byte by byte ---- */

static bool next_chunk(struct checker *c) {
    ZSTD_outBuffer out = {c->chunk, CHUNK, 0};
    while (out.pos == 0) {
        size_t consumed = c->in.pos;
        size_t left = c->frame_ended ? 1 : ZSTD_decompressStream(c->zstd, &out, &c->in);
        if (ZSTD_isError(left))
            return fail(c, VERIFY_WRONG, "the payload cannot be decompressed: %s", ZSTD_getErrorName(left));
        c->frame_ended |= left == 0;
        if (out.pos == 0 && (c->frame_ended || c->in.pos == consumed))
            return fail(c, VERIFY_WRONG, "the payload ends too soon, after %llu bytes", (unsigned long long)c->read);
    }
    c->chunk_used = 0;
    c->chunk_length = out.pos;
    return true;
}

static bool read_byte(struct checker *c, unsigned *byte) {
    if (c->failed || (c->chunk_used == c->chunk_length && !next_chunk(c)))
        return false;
    if (c->read == c->length)
        return fail(c, VERIFY_WRONG, "the payload is longer than its header says");
    *byte = c->chunk[c->chunk_used++];
    c->read++;
    return true;
}

static bool read_word(struct checker *c, unsigned *word) {
    unsigned low, high;
    if (!read_byte(c, &low) || !read_byte(c, &high))
        return false;
    *word = low | high << 8;
    return true;
}

static bool read_number(struct checker *c, uint64_t *number) {
    unsigned byte = 0;
    int shift = 0;
    *number = 0;
    do {
        if (!read_byte(c, &byte))
            return false;
        if (shift > 28)
            return fail(c, VERIFY_WRONG, "a number is too long (byte %llu of the payload)",
                        (unsigned long long)c->read);
        *number |= (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return true;
}

/* Nothing may be left over. */
static bool read_end(struct checker *c) {
    if (c->failed)
        return false;
    if (c->read != c->length || c->chunk_used != c->chunk_length)
        return fail(c, VERIFY_WRONG, "the payload goes on after its end at byte %llu", (unsigned long long)c->read);
    while (!c->frame_ended) {
        unsigned char spare;
        ZSTD_outBuffer out = {&spare, 1, 0};
        size_t consumed = c->in.pos;
        size_t left = ZSTD_decompressStream(c->zstd, &out, &c->in);
        if (ZSTD_isError(left) || out.pos > 0 || (left != 0 && c->in.pos == consumed))
            return fail(c, VERIFY_WRONG, "the payload does not end where its header says");
        c->frame_ended = left == 0;
    }
    return c->in.pos == c->in.size || fail(c, VERIFY_WRONG, "bytes follow the payload");
}

/* ---- Moves and their words ---- */

static uint16_t word_of(const struct vr_move *move) {
    int from = move->drop ? FIRST_DROP + move->kind : move->from.row * 9 + move->from.column;
    return (uint16_t)((move->to.row * 9 + move->to.column) | from << 7 | (int)move->promote << 14);
}

/* The move that a word says; kinds come from the position. False if it says none. */
static bool move_of(unsigned word, const struct vr_position *position, struct vr_move *move) {
    int to = (int)(word & 127), from = (int)(word >> 7 & 127);
    memset(move, 0, sizeof *move);
    if (to >= 81 || from == FIRST_DROP || from > FIRST_DROP + VR_GOLD)
        return false;
    move->to = (struct vr_square){to / 9, to % 9};
    move->drop = from > FIRST_DROP;
    move->promote = (word >> 14 & 1) != 0;
    if (move->drop) {
        move->kind = from - FIRST_DROP;
        return true;
    }
    move->from = (struct vr_square){from / 9, from % 9};
    int piece =
        position->board[move->from.row][move->from.column]; /* NOLINT(bugprone-signed-char-misuse): signed by colour */
    move->kind = piece < 0 ? -piece : piece;
    return move->kind != VR_NONE;
}

static int by_word(const void *a, const void *b) {
    const struct listed *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

static void put_in_order(const struct vr_move *moves, int count, struct listed *list) {
    for (int i = 0; i < count; i++)
        list[i] = (struct listed){word_of(&moves[i]), moves[i]};
    qsort(list, (size_t)count, sizeof *list, by_word);
}

/* ---- Numbered positions ---- */

/* Does `large` hold at least what `small` does? */
static bool holds(const int8_t large[VR_HAND_KINDS], const int8_t small[VR_HAND_KINDS]) {
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++)
        if (large[kind] < small[kind])
            return false;
    return true;
}

/* Is `better`, for the attacker, the same position as `worse` or one with more in his hand and less in the defender's? */
static bool at_least_as_good(const struct checker *c, const struct vr_position *better,
                             const struct vr_position *worse) {
    enum vr_color attacker = c->attacker, defender = vr_other(attacker);
    return better->side == worse->side && memcmp(better->board, worse->board, sizeof better->board) == 0 &&
           holds(better->hand[attacker], worse->hand[attacker]) && holds(worse->hand[defender], better->hand[defender]);
}

static bool number_position(struct checker *c, const struct vr_position *position, uint32_t plies) {
    if (c->known_count == MOST_POSITIONS)
        return fail(c, VERIFY_WRONG, "more than %d numbered positions", MOST_POSITIONS);
    if (!make_room(c, &c->known, c->known_count, &c->known_room, sizeof *c->known))
        return false;
    c->known[c->known_count++] = (struct known){*position, plies};
    return true;
}

/* Reads which numbered position is meant. */
static const struct known *read_reference(struct checker *c, const struct vr_position *position) {
    uint64_t back;
    if (!read_number(c, &back))
        return NULL;
    if (back >= c->known_count) {
        wrong_at(c, position, "a reference to a position that is not there yet");
        return NULL;
    }
    return &c->known[c->known_count - 1 - back];
}

/* ---- Mate ---- */

/* Begins with a defender's position: all his answers are to be described. */
static bool push_level(struct checker *c, const struct vr_position *before, const struct vr_position *position,
                       bool numbered) {
    struct vr_move moves[VR_MAX_MOVES];
    struct listed list[VR_MAX_MOVES];
    if (c->depth == MOST_DEPTH)
        return wrong_at(c, position, "a line is too long");
    if (!make_room(c, &c->levels, c->depth, &c->levels_room, sizeof *c->levels))
        return false;
    struct level *level = &c->levels[c->depth];
    *level = (struct level){.before = *before, .position = *position, .first = c->answers_used, .numbered = numbered};
    level->count = vr_legal_moves(position, moves);
    put_in_order(moves, level->count, list);
    for (int i = 0; i < level->count; i++) {
        if (!make_room(c, &c->answers, c->answers_used, &c->answers_room, sizeof *c->answers))
            return false;
        c->answers[c->answers_used++] = list[i].word;
    }
    c->depth++;
    return true;
}

/* An attacker's position is done: its plies go to the answer that led to it. */
static void answer_loses_in(struct level *level, uint32_t plies) {
    level->next++;
    if (plies + 1 > level->longest)
        level->longest = plies + 1;
}

/* Reads the description of an attacker's position as far as his move, which opens a new level, or the whole of a reference. */
static bool read_attack(struct checker *c, const struct vr_position *position) {
    unsigned word;
    struct vr_move move;
    c->report->positions++;
    if (!read_word(c, &word))
        return false;
    if (word == REFERENCE) {
        const struct known *known = read_reference(c, position);
        if (!known)
            return false;
        if (!at_least_as_good(c, position, &known->position))
            return wrong_at(c, position, "a reference to a position that does not cover this one");
        answer_loses_in(&c->levels[c->depth - 1], known->plies);
        return true;
    }
    if (!move_of(word, position, &move))
        return wrong_at(c, position, "no move");
    if (!vr_is_legal(position, &move))
        return wrong_move(c, position, &move, "is not legal");
    struct vr_position after = vr_after(position, &move);
    if (!vr_in_check(&after))
        return wrong_move(c, position, &move, "is no check");
    return push_level(c, position, &after, (word & MARK) != 0);
}

/* All answers of the top level lose: so the attacker's position before it is done. *plies: from the position before. */
static bool pop_level(struct checker *c, uint32_t *plies) {
    struct level *level = &c->levels[--c->depth];
    c->answers_used = level->first;
    *plies = level->longest + 1;
    return !level->numbered || number_position(c, &level->before, *plies);
}

/* Reads until all levels are done. *plies: of the attacker's position before the lowest of them. */
static bool read_levels(struct checker *c, uint32_t *plies) {
    while (c->depth > 0) {
        struct level *level = &c->levels[c->depth - 1];
        if (level->next == level->count) {
            if (!pop_level(c, plies))
                return false;
            if (c->depth > 0)
                answer_loses_in(&c->levels[c->depth - 1], *plies);
            continue;
        }
        struct vr_move answer;
        struct vr_position defence = level->position;
        if (!move_of(c->answers[level->first + (size_t)level->next], &defence, &answer))
            return wrong_at(c, &defence, "no move");
        struct vr_position after = vr_after(&defence, &answer);
        if (!read_attack(c, &after))
            return false;
    }
    return true;
}

static bool check_mate(struct checker *c, const struct vr_position *first, uint32_t bound) {
    uint32_t plies = 0;
    bool attacks = first->side == (int8_t)c->attacker;
    if (attacks ? !read_attack(c, first) : !push_level(c, first, first, false))
        return false;
    if (!read_levels(c, &plies))
        return false;
    if (!attacks)
        plies--; /* there was no attacker's move before */
    if (plies != bound)
        return fail(c, VERIFY_WRONG, "the moves mate in at most %u plies, the header says %u", plies, bound);
    c->report->plies = plies;
    return true;
}

/* ---- No mate ---- */

/* Moves pieces from the defender's hand to the attacker's, as the certificate says. */
static bool read_gift(struct checker *c, struct vr_position *position) {
    unsigned kinds, number;
    if (!read_byte(c, &kinds))
        return false;
    for (int kind = VR_PAWN; kind <= VR_GOLD; kind++) {
        if (!(kinds >> (kind - VR_PAWN) & 1))
            continue;
        int8_t *from = &position->hand[vr_other(c->attacker)][kind], *to = &position->hand[c->attacker][kind];
        if (!read_byte(c, &number))
            return false;
        if ((int)number > *from)
            return wrong_at(c, position, "more pieces given to the attacker than the defender has");
        *from = (int8_t)(*from - (int)number);
        *to = (int8_t)(*to + (int)number);
    }
    return kinds < 128 || wrong_at(c, position, "no such kind of piece");
}

/* Reads the answer to a check, which must lead into the set. */
static bool read_answer(struct checker *c, const struct vr_position *checked) {
    unsigned word;
    struct vr_move answer;
    if (!read_word(c, &word))
        return false;
    if (!move_of(word, checked, &answer))
        return wrong_at(c, checked, "no move");
    if (!vr_is_legal(checked, &answer))
        return wrong_move(c, checked, &answer, "is not legal");
    struct vr_position after = vr_after(checked, &answer);
    if (word & MARK)
        return read_gift(c, &after) && number_position(c, &after, 0);
    const struct known *known = read_reference(c, &after);
    if (!known)
        return false;
    return at_least_as_good(c, &known->position, &after) ||
           wrong_at(c, &after, "a reference to a position that does not cover this one");
}

/* Reads the answers to all checks of a numbered position. */
static bool read_answers(struct checker *c, const struct vr_position *position) {
    struct vr_move moves[VR_MAX_MOVES];
    struct listed list[VR_MAX_MOVES];
    int count = vr_checking_moves(position, moves);
    put_in_order(moves, count, list);
    for (int i = 0; i < count; i++) {
        struct vr_position checked = vr_after(position, &list[i].move);
        if (!read_answer(c, &checked))
            return false;
    }
    return true;
}

static bool check_no_mate(struct checker *c, const struct vr_position *first) {
    bool attacks = first->side == (int8_t)c->attacker;
    if (attacks ? !number_position(c, first, 0) : !read_answer(c, first))
        return false;
    for (size_t i = 0; i < c->known_count; i++) {
        struct vr_position position = c->known[i].position; /* the array may move */
        c->report->positions++;
        if (!read_answers(c, &position))
            return false;
    }
    return true;
}

/* ---- The file ---- */

static uint64_t number_at(const unsigned char *bytes, int length) {
    uint64_t number = 0;
    for (int i = length - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

static uint64_t checksum_of(const unsigned char *bytes, size_t size) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return 0;
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, bytes, CHECKSUM_AT);
    XXH3_64bits_update(state, bytes + HEADER_SIZE, size - HEADER_SIZE);
    uint64_t sum = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return sum;
}

static bool check_header(struct checker *c, const unsigned char *bytes, size_t size) {
    if (size < HEADER_SIZE || memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
        return fail(c, VERIFY_WRONG, "this is no certificate");
    if (bytes[9] != VERSION)
        return fail(c, VERIFY_WRONG, "version %u of the format is not known here", bytes[9]);
    if (checksum_of(bytes, size) != number_at(bytes + CHECKSUM_AT, 8))
        return fail(c, VERIFY_WRONG, "the checksum is wrong: the file is damaged");
    if (bytes[11] != 0 || (bytes[10] != KIND_MATE && bytes[10] != KIND_NO_MATE))
        return fail(c, VERIFY_WRONG, "kind %u of certificate is not known here", bytes[10]);
    c->length = number_at(bytes + 16, 8);
    if (c->length > MOST_PAYLOAD)
        return fail(c, VERIFY_WRONG, "the payload is too long");
    return true;
}

/* Reads who attacks and the first position. */
static bool read_first(struct checker *c, struct vr_position *first) {
    unsigned attacker, length, byte = 0;
    char text[256] = "";
    if (!read_byte(c, &attacker) || !read_byte(c, &length))
        return false;
    for (unsigned i = 0; i < length; i++) {
        if (!read_byte(c, &byte))
            return false;
        text[i] = (char)byte;
    }
    if (attacker > 1 || strlen(text) != length || vr_read_sfen(text, first) != length)
        return fail(c, VERIFY_WRONG, "the first position cannot be read");
    const char *fault = vr_position_fault(first);
    if (fault)
        return fail(c, VERIFY_WRONG, "the first position is not legal: %s", fault);
    c->attacker = (enum vr_color)attacker;
    c->report->attacker = "bw"[attacker];
    memcpy(c->report->sfen, text, length + 1);
    struct vr_square king;
    if (!vr_find_king(first, vr_other(c->attacker), &king))
        return fail(c, VERIFY_WRONG, "the defender has no king");
    if (first->side != (int8_t)attacker && !vr_in_check(first))
        return fail(c, VERIFY_WRONG, "the defender is to move, but not in check");
    return true;
}

static bool check_all(struct checker *c, const unsigned char *bytes) {
    struct vr_position first;
    uint32_t bound = (uint32_t)number_at(bytes + 12, 4);
    if (!read_first(c, &first))
        return false;
    if (bytes[10] == KIND_MATE ? !check_mate(c, &first, bound) : !check_no_mate(c, &first))
        return false;
    if (bytes[10] == KIND_NO_MATE && bound != 0)
        return fail(c, VERIFY_WRONG, "a bound of %u plies where there is no mate", bound);
    if (number_at(bytes + 24, 8) != c->known_count)
        return fail(c, VERIFY_WRONG, "%zu numbered positions, the header says %llu", c->known_count,
                    (unsigned long long)number_at(bytes + 24, 8));
    if (!read_end(c))
        return false;
    c->report->result = bytes[10] == KIND_MATE ? VERIFY_MATE : VERIFY_NO_MATE;
    return true;
}

void verify_certificate(const void *bytes, size_t size, struct verify_report *report) {
    struct checker c = {.report = report};
    memset(report, 0, sizeof *report);
    report->result = VERIFY_WRONG;
    if (check_header(&c, bytes, size)) {
        c.in = (ZSTD_inBuffer){(const unsigned char *)bytes + HEADER_SIZE, size - HEADER_SIZE, 0};
        c.zstd = ZSTD_createDCtx();
        c.chunk = malloc(CHUNK);
        if (c.zstd && c.chunk)
            (void)check_all(&c, bytes);
        else
            out_of_memory(&c);
    }
    ZSTD_freeDCtx(c.zstd);
    free(c.chunk);
    free(c.known);
    free(c.levels);
    free(c.answers);
}

/* The whole file, malloc'd; NULL with errno set when it cannot be read. */
static unsigned char *read_whole(FILE *file, size_t *size) {
    size_t room = 1 << 16;
    unsigned char *bytes = malloc(room);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, room - *size, file);
        if (*size < room)
            break;
        unsigned char *grown = realloc(bytes, room *= 2);
        if (!grown)
            free(bytes);
        bytes = grown;
    }
    if (bytes && ferror(file)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

void verify_file(const char *path, struct verify_report *report) {
    size_t size = 0;
    unsigned char *bytes = NULL;
    FILE *file = fopen(path, "rb");
    if (file)
        bytes = read_whole(file, &size);
    int error = errno;
    if (file)
        fclose(file);
    if (bytes) {
        verify_certificate(bytes, size, report);
    } else {
        memset(report, 0, sizeof *report);
        report->result = VERIFY_UNREADABLE;
        snprintf(report->message, sizeof report->message, "%s", strerror(error));
    }
    free(bytes);
}

void verify_line(const struct verify_report *report, char line[VERIFY_LINE_SIZE]) {
    switch (report->result) {
    case VERIFY_MATE:
        snprintf(line, VERIFY_LINE_SIZE, "verified: mate in at most %u: %s", report->plies, report->sfen);
        break;
    case VERIFY_NO_MATE:
        snprintf(line, VERIFY_LINE_SIZE, "verified: no mate: %s", report->sfen);
        break;
    case VERIFY_WRONG:
        snprintf(line, VERIFY_LINE_SIZE, "wrong: %s", report->message);
        break;
    case VERIFY_UNREADABLE:
        snprintf(line, VERIFY_LINE_SIZE, "cannot be read: %s", report->message);
        break;
    }
}
