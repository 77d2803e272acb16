/* verify.h: the checker of certificates.
 *
 * It believes nothing: every position follows from the first one by moves that its own rules (verify_rules.h) find legal, and all answers
 * and all checks are its own list. It shares no code with the solver. The format is described in certificate.h. Time and memory are
 * proportional to the certificate's length, and any bytes may be given. Thread safe. */
#ifndef TSUME_SOLVER_VERIFY_H
#define TSUME_SOLVER_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verify_result {
    VERIFY_MATE,      /* the attacker mates in at most `plies` */
    VERIFY_NO_MATE,   /* the defender escapes */
    VERIFY_SOUND,     /* he mates so along the main line, and no other check at any of his turns there does */
    VERIFY_BLEMISHED, /* the same, but for other checks that composers tolerate, or equal variations */
    VERIFY_LEFTOVER,  /* the same as either, but pieces are left over at the end of the line */
    VERIFY_COOK,      /* he mates along the main line, and from a turn of it without that line, too */
    VERIFY_WRONG,     /* the certificate proves nothing */
    VERIFY_UNREADABLE /* the file could not be read, or memory is short */
};

struct verify_report {
    enum verify_result result;
    unsigned plies;
    uint64_t positions; /* attacker's positions looked at */
    char attacker;      /* 'b', 'w'; 0 if the certificate does not get so far */
    char sfen[256];     /* the first position, "" if the certificate does not get so far */
    char message[640];  /* what is wrong, and where; "" if nothing is */

    /* where there is a main line: its length, the pieces left in the attacker's hand at its end, and how many other checks and
     * answers are said to be what; returns go back to the line, repeats would only repeat a position, which is no blemish; of those that are
     * undecided nothing is said */
    unsigned line_length, leftover;
    unsigned final_duals, promotion_choices, square_choices, returns, repeats, undecided, equal_variations;
    /* a cook: at which ply of the line, by which move (USI), in how many plies at most it mates */
    unsigned cook_ply, cook_plies;
    char cook[6];
};

/* Checks the bytes of a certificate. */
void verify_certificate(const void *bytes, size_t size, struct verify_report *report);
/* Checks a file. */
void verify_file(const char *path, struct verify_report *report);

/* Does the certificate prove what it says? */
bool verify_holds(const struct verify_report *report);

/* The report in one line without a newline: "verified: mate in at most 7: SFEN", "verified: no mate: SFEN", "verified: sound, mate in at most
 * 7: SFEN" and the like, or what is wrong. */
enum { VERIFY_LINE_SIZE = 1536 };
void verify_line(const struct verify_report *report, char line[VERIFY_LINE_SIZE]);

#endif
