/* certificate_file.h: the bytes of a certificate: words, references, header, compression. The format is in certificate.h. */
#ifndef TSUME_SOLVER_CERTIFICATE_FILE_H
#define TSUME_SOLVER_CERTIFICATE_FILE_H

#include "solver/certificate.h"

enum {
    WORD_MARK = 1 << 15,
    WORD_REFERENCE = 0x3f80,
    MOST_NUMBERED = 1 << 24,
    KIND_MATE = 1,
    KIND_NO_MATE = 2,
    KIND_SOUND = 3,
    KIND_COOK = 4,
};

/* What the header says besides lengths. */
struct certificate_header {
    int kind, verdict, plies;
    uint64_t numbered;
};

/* The word of a move, without the mark. */
unsigned move_word(move m);
/* Puts moves in the order of their words. */
void sort_by_word(move *moves, int count);

/* The payload while it grows. When memory is short, `failed` is set and stays. */
struct payload {
    unsigned char *bytes;
    size_t length, room;
    bool failed;
};

void put_byte(struct payload *payload, unsigned byte);
void put_word(struct payload *payload, unsigned word);
void put_number(struct payload *payload, uint64_t number);
/* What every payload begins with. */
void put_start(struct payload *payload, const struct position *start, enum color attacker);

/* The file around the payload, in certificate->bytes and size. */
enum certificate_outcome wrap_payload(const struct payload *payload, const struct certificate_header *header,
                                      struct certificate *certificate);

#endif
