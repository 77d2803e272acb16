/* certificate.h: proofs of mate, of no mate and of soundness that others can check, and the format of their files.
 *
 * A certificate says of one position that the attacker mates in at most so many plies, every interposition counted, or that he never
 * mates; or, of a composed problem, that he mates along its main line and in no other way, or in another way too (tsume_check). Whoever knows the
 * rules of shogi can check it without knowing how it was found: solver/verify.c does, with rules of its own.
 *
 * THE FILE. Numbers are little-endian.
 *
 *     offset  bytes
 *          0      9  "TSUMECERT"
 *          9      1  version: 1 for the kinds 1 and 2, 2 for the others
 *         10      1  kind: 1 mate, 2 no mate, 3 sound, 4 cook
 *         11      1  sound: 0 sound, 1 blemished, 2 pieces left over; otherwise 0
 *         12      4  in how many plies at most the attacker mates; no mate: 0
 *         16      8  length of the payload, at most 2^32, and at most 64 times that of the compressed one
 *         24      8  numbered positions in the payload, at most 2^24, and at most half its length
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
 * MAIN LINE. Kinds 3 and 4 go on, behind the position to start from, with the main line: the number of its moves (LEB128), at most 2^16, and their words. All
 * are legal, each of the attacker's gives check, and after the last, which is his, no answer is left but interposing drops. Then comes a mate from
 * the first position on, described as in MATE, in which the attacker follows the line as long as the defender does: at the positions of
 * the line stands its move, never a reference. The bound in the header is that of this mate. After it numbering begins anew.
 *
 * SOUND. First come the equal variations, which nothing proves: how many (LEB128), and for each how many moves of the line come before it (LEB128)
 * and the word of a legal answer other than the line's. Then a set of attacker's positions as in NO MATE. Its first ones are those of the main
 * line, numbered 0, 1, … in their order; where they are concerned, the line's own check is passed over, and for each other one a byte
 * stands in front of the answer:
 *     0  it fails;
 *     1  it fails but for mates that repeat a position of the line up to the present one;
 *     2  it fails but for mates that go back to the line, earlier or later, or to its end (迂回手順, 手順前後);
 *     3  it is a check at the line's last move (最終手余詰);
 *     4  it is the line's move but for promoting or not (成・不成非限定);
 *     5  it drops the line's lance, bishop or rook at another distance on the same side of the king, and the rest of the line can be played with
 *        it there: it takes the place of the line's piece when that moves or is taken; the end is as the line's has to be (打点非限定);
 *     6  it is not decided: only where pieces are left over, which is a fault whatever becomes of it.
 * Only the very position is back on the line: the line's board with another hand is a position like any other.
 *
 * After 3, 4, 5 and 6 there is no answer. After 0, 1 and 2 the answer may lead into the set as follows, and so may those from the positions that
 * are new with it: after 0, to no position of the line; after 1, to those up to the present one; after 2, to all of them. References from these
 * positions lead to others only that are not allowed more. A position that is allowed any, as each of the line's own is, covers only itself:
 * with less in hand the attacker would not come back to the line where with more he does. So nothing is given when one is new, and the bytes for
 * that are left out. After 2 a check is without an answer, too, if it leads to the end of the line.
 *
 * The header's verdict is 2 if the attacker has pieces in hand at the end of the line, else 1 if there are equal variations or bytes above 1,
 * else 0.
 *
 * COOK. How many moves of the line come before (LEB128), then the word of a check there that is none of 3, 4 and 5 above (as to 5, with no answer
 * left at the end, be it an interposition), and for each legal answer to it the description of the position after it, as in MATE. No attacker's
 * position in it is one of the line's, nor does a check lead to the end of the line. Where a board of the line, or of its end, comes up in the
 * mate of a numbered position, with whatever hands, that position covers only itself: with more in hand the same moves might lead back to the
 * line.
 *
 * A file is right only if nothing is left over in it. A checker takes time proportional to the payload. */
#ifndef TSUME_SOLVER_CERTIFICATE_H
#define TSUME_SOLVER_CERTIFICATE_H

#include "solver/alternative.h"
#include "solver/dfpn.h"
#include "solver/orientation.h"

struct certificate {
    unsigned char *bytes; /* the file; malloc'd */
    size_t size;
    int plies;        /* mate: the bound it proves */
    size_t positions; /* attacker's positions described */
    uint64_t nodes;   /* searched for it by searches of its own */
};

enum certificate_outcome {
    CERTIFICATE_BUILT,
    CERTIFICATE_STOPPED,  /* a limit of the search came first */
    CERTIFICATE_TOO_LONG, /* more than the format holds */
    CERTIFICATE_BROKEN,   /* what was decided does not hold when asked again: a fault of the solver */
    CERTIFICATE_NO_MEMORY
};

/* What became of a move in place of the main line's. All but the last stand for another check, as the bytes of the format do. */
enum fate {
    FATE_FAILS,
    FATE_REPEATS,          /* mates only by repeating a position of the line up to this one */
    FATE_RETURNS,          /* mates only by going back to the line: detour or transposition */
    FATE_FINAL_DUAL,       /* at the last move */
    FATE_PROMOTION_CHOICE, /* differs in promoting */
    FATE_SQUARE_CHOICE,    /* differs in distance */
    FATE_UNDECIDED,        /* only where pieces are left over */
    FATE_EQUAL,            /* another answer: an equal variation */
};

struct judged_move {
    size_t turn; /* index of the line's move */
    move move;
    enum fate fate;
};

/* A main line and what was found out about it. */
struct certified_line {
    const struct played_line *played;
    struct orientation orientation; /* of played and all moves here; the file shows them as they were before */
    /* all other checks at the attacker's turns, and the equal variations, in the order of the turns */
    const struct judged_move *judged;
    size_t judged_count;
    const struct search *plain;  /* the search that has decided all that */
    const struct search *strict; /* the one for which all positions of the line, and its end, are failures */
    double deadline;             /* limits of each search that is asked; as in struct search */
    uint64_t node_limit;         /* must be set */
};

/* The certificate of what the worker's search has decided of its position without a bound: PROVED (then `bound` is a code by which the
 * attacker mates with every interposition counted, and the certificate stays within its plies) or DISPROVED. The table's proofs are used, and
 * searched again where the table lost them. When the search leaves out futile interpositions, no bounded question may have been asked
 * in it yet: the table would mix up both ways to count. The file shows the
 * position as it was before it got this orientation. The position is the same afterwards; certificate->bytes is the caller's to free, NULL
 * unless built. */
enum certificate_outcome certificate_build(struct worker *worker, struct orientation orientation, enum outcome verdict,
                                           code bound, struct certificate *certificate);

/* The certificate that the line is sound but for what the judged moves say, that there is a cook at this turn of it. No worker of the calling thread
 * may be at work. certificate->bytes as above. */
enum certificate_outcome certificate_build_sound(const struct certified_line *line, struct certificate *certificate);
enum certificate_outcome certificate_build_cook(const struct certified_line *line, size_t turn, move cook,
                                                struct certificate *certificate);

/* Why there is no certificate; NULL if it was built. */
const char *certificate_outcome_text(enum certificate_outcome outcome);
/* How many nodes building may take, where finding out what is certified took so many. */
uint64_t certificate_nodes(uint64_t nodes);

#endif
