/* certificate.h: proofs of mate and of no mate that others can check, and the format of their files.
 *
 * A certificate says of one position that the attacker mates in at most so many plies, every interposition counted, or that he never
 * mates. Whoever knows the rules of shogi can check it without knowing how it was found: solver/verify.c does, with rules of its own.
 *
 * THE FILE, version 1. Numbers are little-endian.
 *
 *     offset  bytes
 *          0      9  "TSUMECERT"
 *          9      1  version: 1
 *         10      1  kind: 1 mate, 2 no mate (3 is kept for the soundness of a composed problem)
 *         11      1  0
 *         12      4  mate: in how many plies at most; no mate: 0
 *         16      8  length of the payload, at most 2^32
 *         24      8  numbered positions in the payload, at most 2^24
 *         32      8  XXH3, 64 bits, seed 0, of bytes 0–31 and everything from byte 40 to the end of the file
 *         40      …  the payload, compressed as one zstd frame, to the end of the file
 *
 * The payload begins with the position to start from:
 *
 *          0      1  who attacks: 0 Black, 1 White
 *          1      1  length of the text that follows
 *          2      …  the position as SFEN with its hands complete; where the defender is to move, he is in check
 *
 * Then come moves, each as a word of 16 bits:
 *
 *     bit 0–6    the square moved to
 *     bit 7–13   the square moved from; for a drop 81 + kind: 1 pawn, 2 lance, 3 knight, 4 silver, 5 bishop, 6 rook, 7 gold
 *     bit 14     the piece promotes
 *     bit 15     a mark, see below
 *
 * A square is rank × 9 + column: ranks a–i are 0–8, and so are files 9–1, as SFEN writes them. 0x3f80 is no move but announces a reference:
 * an unsigned LEB128 number follows, r. It stands for numbered position n − 1 − r, where n positions have been numbered so far.
 *
 * A position P is *covered* by a numbered position Q if the boards are the same, the attacker to move in both, the attacker's hand in P
 * contains his hand in Q (mate) or is contained in it (no mate), and the defender's hand the other way round.
 *
 * MATE. A description of an attacker's position is
 *     either  a reference to a numbered position that covers it,
 *     or      a move that gives check; then, for each legal answer to it in the order of their words (bit 15 being 0), the
 *             description of the attacker's position after that answer. When bit 15 of the attacker's move is set, the
 *             position is numbered, now that it is done: the first is 0.
 * The payload goes on with the description of the first position; if the defender is to move in it, with the descriptions of the positions after
 * each of his answers. References lead to positions that are done, so that no proof leans on itself. An attacker's move without
 * legal answers mates; the plies follow from that: one more than those of the longest answer, and no more than the bound in the header,
 * which must be exactly that number.
 *
 * NO MATE. A set of attacker's positions, numbered as they are first met; the first position is number 0 if the attacker is to move in it.
 * For each numbered position in turn, and for each legal check there in the order of their words, comes one answer of the defender:
 *     bit 15 set    the position after it is a new one, and gets the next number. A byte follows: bit k − 1 is set if pieces of kind
 *                   k are to be moved from the defender's hand to the attacker's before, and a byte for each, least kind
 *                   first, says how many;
 *     bit 15 clear  a reference follows, without 0x3f80, to a numbered position that covers the one after it.
 * Where the defender is to move first, one answer stands before all that. From a position of the set the attacker, whatever check he
 * gives, comes back into the set, and never mates.
 *
 * A file is right only if nothing is left over in it. A checker takes time proportional to the payload. */
#ifndef TSUME_SOLVER_CERTIFICATE_H
#define TSUME_SOLVER_CERTIFICATE_H

#include "solver/dfpn.h"

struct certificate {
    unsigned char *bytes; /* the file; malloc'd */
    size_t size;
    int plies;        /* mate: the bound it proves */
    size_t positions; /* attacker's positions described */
};

enum certificate_outcome {
    CERTIFICATE_BUILT,
    CERTIFICATE_STOPPED,  /* a limit of the search came first */
    CERTIFICATE_TOO_LONG, /* more than the format holds */
    CERTIFICATE_BROKEN,   /* what was decided does not hold when asked again: a fault of the solver */
    CERTIFICATE_NO_MEMORY
};

/* The certificate of what the worker's search has decided of its position without a bound: PROVED (then `bound` is a code by which the
 * attacker mates with every interposition counted, and the certificate stays within its plies) or DISPROVED. The table's proofs are used, and
 * searched again where the table lost them. When the search leaves out futile interpositions, no bounded question may have been asked
 * in it yet: the table would mix up both ways to count. The position is the same afterwards; certificate->bytes is the caller's to free, NULL
 * unless built. */
enum certificate_outcome certificate_build(struct worker *worker, enum outcome verdict, code bound,
                                           struct certificate *certificate);

#endif
