/* verify_payload.c: see verify_payload.h; the format is in certificate.h. */
#include "solver/verify_payload.h"

#include "solver/verify_language.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_DROP = 81,
    CHUNK = 1 << 16, /* bytes of the payload at a time */
};

/* ---- What is wrong ---- */

bool verify_fail(struct checker *c, enum verify_result result, const char *format, ...) {
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

bool verify_out_of_memory(struct checker *c) {
    return verify_fail(c, VERIFY_UNREADABLE, _("out of memory"));
}

bool verify_wrong_at(struct checker *c, const struct vr_position *position, const char *what) {
    char sfen[VR_SFEN_SIZE];
    vr_write_sfen(position, sfen);
    return verify_fail(c, VERIFY_WRONG, _("%s (byte %llu of the payload, at %s)"), what, (unsigned long long)c->read,
                       sfen);
}

bool verify_wrong_move(struct checker *c, const struct vr_position *position, const struct vr_move *move,
                       const char *what) {
    char text[VR_MOVE_SIZE], message[256];
    vr_write_move(move, text);
    snprintf(message, sizeof message, "%s %s", text, what);
    return verify_wrong_at(c, position, message);
}

bool verify_room(struct checker *c, void *array, size_t used, size_t *room, size_t size) {
    if (used < *room)
        return true;
    size_t more = *room ? *room * 2 : 64;
    void *grown, *old;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, more * size);
    if (!grown)
        return verify_out_of_memory(c);
    memcpy(array, &grown, sizeof grown);
    *room = more;
    /* cppcheck-suppress memleak ; the caller's pointer holds it */
    return true;
}

/* ---- The payload, byte by byte ---- */

bool payload_open(struct checker *c, const unsigned char *bytes, size_t size) {
    c->in = (ZSTD_inBuffer){bytes, size, 0};
    c->zstd = ZSTD_createDCtx();
    c->chunk = malloc(CHUNK);
    return (c->zstd && c->chunk) || verify_out_of_memory(c);
}

void payload_close(struct checker *c) {
    ZSTD_freeDCtx(c->zstd);
    free(c->chunk);
}

static bool next_chunk(struct checker *c) {
    ZSTD_outBuffer out = {c->chunk, CHUNK, 0};
    while (out.pos == 0) {
        size_t consumed = c->in.pos;
        size_t left = c->frame_ended ? 1 : ZSTD_decompressStream(c->zstd, &out, &c->in);
        if (ZSTD_isError(left))
            return verify_fail(c, VERIFY_WRONG, _("the payload cannot be decompressed: %s"), ZSTD_getErrorName(left));
        c->frame_ended |= left == 0;
        if (out.pos == 0 && (c->frame_ended || c->in.pos == consumed))
            return verify_fail(c, VERIFY_WRONG, _("the payload ends too soon, after %llu bytes"),
                               (unsigned long long)c->read);
    }
    c->chunk_used = 0;
    c->chunk_length = out.pos;
    return true;
}

bool read_byte(struct checker *c, unsigned *byte) {
    if (c->failed || (c->chunk_used == c->chunk_length && !next_chunk(c)))
        return false;
    if (c->read == c->length)
        return verify_fail(c, VERIFY_WRONG, _("the payload is longer than its header says"));
    *byte = c->chunk[c->chunk_used++];
    c->read++;
    return true;
}

bool read_word(struct checker *c, unsigned *word) {
    unsigned low = 0, high = 0;
    if (!read_byte(c, &low) || !read_byte(c, &high))
        return false;
    *word = low | high << 8;
    return true;
}

bool read_number(struct checker *c, uint64_t *number) {
    unsigned byte = 0;
    int shift = 0;
    *number = 0;
    do {
        if (!read_byte(c, &byte))
            return false;
        if (shift > 28)
            return verify_fail(c, VERIFY_WRONG, _("a number is too long (byte %llu of the payload)"),
                               (unsigned long long)c->read);
        *number |= (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return true;
}

bool read_end(struct checker *c) {
    if (c->failed)
        return false;
    if (c->read != c->length || c->chunk_used != c->chunk_length)
        return verify_fail(c, VERIFY_WRONG, _("the payload goes on after its end at byte %llu"),
                           (unsigned long long)c->read);
    while (!c->frame_ended) {
        unsigned char spare;
        ZSTD_outBuffer out = {&spare, 1, 0};
        size_t consumed = c->in.pos;
        size_t left = ZSTD_decompressStream(c->zstd, &out, &c->in);
        if (ZSTD_isError(left) || out.pos > 0 || (left != 0 && c->in.pos == consumed))
            return verify_fail(c, VERIFY_WRONG, _("the payload does not end where its header says"));
        c->frame_ended = left == 0;
    }
    return c->in.pos == c->in.size || verify_fail(c, VERIFY_WRONG, _("bytes follow the payload"));
}

/* ---- Moves and their words ---- */

static uint16_t word_of(const struct vr_move *move) {
    int from = move->drop ? FIRST_DROP + move->kind : move->from.row * 9 + move->from.column;
    return (uint16_t)((move->to.row * 9 + move->to.column) | from << 7 | (int)move->promote << 14);
}

bool move_of(unsigned word, const struct vr_position *position, struct vr_move *move) {
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

bool read_legal_move(struct checker *c, const struct vr_position *position, unsigned *word, struct vr_move *move) {
    if (!read_word(c, word))
        return false;
    if (!move_of(*word, position, move))
        return verify_wrong_at(c, position, _("no move"));
    return vr_is_legal(position, move) || verify_wrong_move(c, position, move, _("is not legal"));
}

static int by_word(const void *a, const void *b) {
    const struct listed *x = a, *y = b;
    return (x->word > y->word) - (x->word < y->word);
}

void put_in_order(const struct vr_move *moves, int count, struct listed *list) {
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

bool at_least_as_good(const struct checker *c, const struct vr_position *better, const struct vr_position *worse) {
    enum vr_color attacker = c->attacker, defender = vr_other(attacker);
    return better->side == worse->side && memcmp(better->board, worse->board, sizeof better->board) == 0 &&
           holds(better->hand[attacker], worse->hand[attacker]) && holds(worse->hand[defender], better->hand[defender]);
}

bool number_position(struct checker *c, const struct vr_position *position) {
    if (c->numbered == c->announced)
        return verify_fail(c, VERIFY_WRONG, _("more numbered positions than the %llu that the header says"),
                           (unsigned long long)c->announced);
    if (!verify_room(c, &c->known, c->known_count, &c->known_room, sizeof *c->known))
        return false;
    c->known[c->known_count++] = (struct known){.position = *position};
    c->numbered++;
    return true;
}

void number_anew(struct checker *c) {
    c->known_count = 0;
}

const struct known *read_reference(struct checker *c, const struct vr_position *position) {
    uint64_t back;
    if (!read_number(c, &back))
        return NULL;
    if (back >= c->known_count) {
        verify_wrong_at(c, position, _("a reference to a position that is not there yet"));
        return NULL;
    }
    return &c->known[c->known_count - 1 - back];
}
