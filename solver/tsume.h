/* tsume.h: the public header of libtsume, a solver of tsume shogi (mate problems).
 *
 *     struct tsume_reader *reader = tsume_reader_new(paths, count, NULL);
 *     struct tsume_solver *solver = tsume_solver_new(1024, NULL);
 *     for (struct tsume_problem *p; (p = tsume_reader_next(reader)); tsume_problem_free(p)) {
 *         struct tsume_answer *answer = tsume_solve(solver, p, NULL);
 *         printf("%s: %s\n", tsume_problem_id(p), tsume_verdict_name(tsume_answer_verdict(answer)));
 *         tsume_answer_free(answer);
 *     }
 *
 * Nothing here prints, exits or keeps global state; two solvers can live in one process. Text is UTF-8, plies count both sides,
 * sizes are MiB, times are seconds of the clock. Functions that return a pointer to text return text owned by the object asked.
 *
 * Messages for people (what is wrong with a problem, a line of a file, a search) are English, or in the language of the user where the
 * program has chosen one: they are looked up by GNU gettext in the domain "tsume", which the library neither binds nor changes, as it leaves
 * the locale alone. A program that wants them translated calls setlocale(LC_MESSAGES, ""), bindtextdomain("tsume", FOLDER) and
 * bind_textdomain_codeset("tsume", "UTF-8"); one that wants English in one thread calls uselocale there. Names of verdicts, findings and formats
 * are for programs, and the same in every language.
 */
#ifndef TSUME_H
#define TSUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TSUME_API __attribute__((visibility("default")))
#else
#define TSUME_API
#endif

/* ---- Version ------------------------------------------------------------------------------------------------------- */

#define TSUME_VERSION "0.1.0"

/* The version of the library in use. */
TSUME_API const char *tsume_version(void);

/* ---- Problems ------------------------------------------------------------------------------------------------------ */

struct tsume_problem; /* one problem of a file, legal or not */
struct tsume_reader;

/* What is wrong, and where: line and column count from 1, 0 where there is none. */
struct tsume_error {
    char message[512];
    long line, column;
};

struct tsume_reader_options {
    /* Take the defender's hand as written, instead of giving him all the pieces that are nowhere else (the rule for problems
     * with one king). */
    bool hands_as_given;
    /* 'b' or 'w' where the attacker is to be Black or White whatever the position says, 0 to find him: the side to move, or, when
     * the side to move is in check and has no other reading, the other side. */
    char attacker;
};

/* A reader of files, folders and "-" (standard input) in that order; options may be NULL. Paths are copied. NULL when memory is
 * short. A reader serves one thread at a time. */
TSUME_API struct tsume_reader *tsume_reader_new(const char *const *paths, size_t count,
                                                const struct tsume_reader_options *options);
/* The next problem, to be freed by the caller; NULL at the end. What cannot be read comes as a problem with an error. */
TSUME_API struct tsume_problem *tsume_reader_next(struct tsume_reader *reader);
/* Bytes read so far, and in all of the input (0: not known). */
TSUME_API void tsume_reader_progress(const struct tsume_reader *reader, unsigned long long *done,
                                     unsigned long long *total);
TSUME_API void tsume_reader_free(struct tsume_reader *reader);

/* A problem from one line of SFEN (as in a list), to be freed by the caller; NULL when memory is short. */
TSUME_API struct tsume_problem *tsume_problem_from_sfen(const char *sfen, const struct tsume_reader_options *options);
TSUME_API void tsume_problem_free(struct tsume_problem *problem);

/* Identifier, "FILE:LINE" where the problem begins, title ("" if none). */
TSUME_API const char *tsume_problem_id(const struct tsume_problem *problem);
TSUME_API const char *tsume_problem_source(const struct tsume_problem *problem);
TSUME_API const char *tsume_problem_title(const struct tsume_problem *problem);
/* The position that is solved, as SFEN with hands complete; "" if none could be read. */
TSUME_API const char *tsume_problem_sfen(const struct tsume_problem *problem);
/* Why this is no legal problem; NULL if it is one. */
TSUME_API const struct tsume_error *tsume_problem_error(const struct tsume_problem *problem);
/* The defender was given pieces that the input did not list. */
TSUME_API bool tsume_problem_hands_completed(const struct tsume_problem *problem);
/* 'b' or 'w'; and whether the defender moves first (受先). */
TSUME_API char tsume_problem_attacker(const struct tsume_problem *problem);
TSUME_API bool tsume_problem_defender_first(const struct tsume_problem *problem);
/* One position for a problem, its mirror image (left and right exchanged), and both with colours reversed: as SFEN with move number 1 in
 * which Black attacks, and that of the two boards which comes first in a fixed order. So two problems are the same, but for how
 * they are looked at, where these texts are equal. False, with nothing set, for a problem with an error. */
enum { TSUME_SFEN_SIZE = 256 };
struct tsume_canonical {
    char sfen[TSUME_SFEN_SIZE];
    bool mirrored, reversed; /* what was done to the problem's position to get there */
};
TSUME_API bool tsume_problem_canonical(const struct tsume_problem *problem, struct tsume_canonical *canonical);
/* A legal move of the side to move in USI notation, the best at a glance: it takes what can be had, leaves little to be
 * taken, and allows no mate in one if that can be helped. For playing on where there is no mate; this is no engine for
 * games. False if there is no legal move, or no legal position (a problem with an error may have one). Takes milliseconds. */
enum { TSUME_MOVE_SIZE = 6 };
TSUME_API bool tsume_problem_glance(const struct tsume_problem *problem, char move[TSUME_MOVE_SIZE]);
/* What is wrong with the moves that the file states, as "FILE:LINE:COLUMN: text": they were taken up to there. NULL if
 * nothing is. */
TSUME_API const char *tsume_problem_note(const struct tsume_problem *problem);
/* The board as text for people, several lines: pieces as kanji or (ascii) as letters, hands above and below. malloc'd. */
TSUME_API char *tsume_problem_board(const struct tsume_problem *problem, bool ascii);

/* What stands on a square, for those who draw boards themselves. */
struct tsume_piece {
    char letter; /* of SFEN, capital for Black; that of the piece before it promoted. 0: the square is empty */
    bool promoted;
    const char *kanji; /* one character, with 全, 圭, 杏, と for the small promotions; "" on an empty square. Static */
};
/* That of the position that is solved, which must have been read (tsume_problem_sfen is not ""). file and rank from 1: ７六 is 7, 6. */
TSUME_API struct tsume_piece tsume_problem_piece(const struct tsume_problem *problem, int file, int rank);
/* The hand of a player, 'b' or 'w', there, as diagrams have it: "飛　金二　歩十八", "なし" if it is empty. malloc'd, NULL when memory is
 * short. *count (which may be NULL): how many pieces it holds. */
TSUME_API char *tsume_problem_hand(const struct tsume_problem *problem, char player, int *count);

/* Header i of those that the file states, as key and value in the words of KIF (作者, 発表誌 …), in their order, id and title among
 * them; false past the end. */
TSUME_API bool tsume_problem_header(const struct tsume_problem *problem, size_t i, const char **key,
                                    const char **value);
/* The solution that the file states, its main line. Copies the first `room` of its moves in USI notation (moves may be NULL
 * where room is 0); returns how many there are. */
TSUME_API size_t tsume_problem_stated(const struct tsume_problem *problem, char (*moves)[TSUME_MOVE_SIZE], size_t room);
/* The length of the solution, by what the file says of it, or because its moves are said to end in mate; 0 where it says neither. */
TSUME_API long tsume_problem_stated_plies(const struct tsume_problem *problem);
/* The same problem, as tsume_problem_bare gives it, after moves in USI notation have been played, to be shown: it may be at its end. To be
 * freed by the caller; NULL when memory is short or a move is not legal. */
TSUME_API struct tsume_problem *tsume_problem_after(const struct tsume_problem *problem, const char *const *moves,
                                                    size_t count);

/* ---- Solving ------------------------------------------------------------------------------------------------------- */

struct tsume_solver;
struct tsume_answer;

enum tsume_verdict {
    TSUME_MATE,    /* proved: mate */
    TSUME_NO_MATE, /* proved: the defender escapes */
    TSUME_UNKNOWN, /* a limit was reached first */
    TSUME_INVALID, /* no legal problem: see tsume_problem_error */
};
/* "mate", "nomate", "unknown", "invalid". */
TSUME_API const char *tsume_verdict_name(enum tsume_verdict verdict);

struct tsume_limits {
    double seconds;    /* of the clock, for one problem; 0: none */
    uint64_t nodes;    /* positions searched; 0: none */
    bool any;          /* stop at the first mate found instead of looking for a shorter one */
    bool count_futile; /* count the plies of futile interpositions (無駄合) too */
    bool certificate;  /* write a certificate: see tsume_answer_certificate, tsume_report_certificate */

    /* These are for tsume_solve alone. */
    int plies; /* a mate of more plies counts as none, and `no mate` says no more then (without certificate); 0: any */
    bool others; /* find the attacker's other first moves that mate too: see tsume_answer_other */
    /* Called whenever a mate, a shorter one or another first move that mates was found (not for the first mate with
     * `any`: that is the answer), by the thread that is in tsume_solve, with what the answer would be now. The answer is
     * valid during the call. Lines are rebuilt for it, which takes nodes that are not spent otherwise. NULL: not called. */
    void (*on_mate)(void *context, const struct tsume_answer *answer);
    void *context;
};

/* A solver with one table of hash_mib MiB (0: a default that suits the machine, a quarter of its memory, at least 256). NULL on
 * failure, with *error (which may be NULL) saying why. */
TSUME_API struct tsume_solver *tsume_solver_new(size_t hash_mib, struct tsume_error *error);
TSUME_API void tsume_solver_free(struct tsume_solver *solver);
TSUME_API size_t tsume_solver_hash_mib(const struct tsume_solver *solver);

/* Solves one problem; limits may be NULL (none). Any number of threads may call this at once on one solver: they share its table
 * and each solves its own problem. With one thread the answer, the line and the nodes are the same every time. The answer
 * is to be freed by the caller; NULL only when memory is short. */
TSUME_API struct tsume_answer *tsume_solve(struct tsume_solver *solver, const struct tsume_problem *problem,
                                           const struct tsume_limits *limits);
/* Lends the calling thread to the searches that other threads have running in tsume_solve and tsume_check on this solver, and returns
 * when none is left (at once if there is none). */
TSUME_API void tsume_assist(struct tsume_solver *solver);
/* Ends all running searches soon (within milliseconds); their answers are `unknown` unless already proved, and so are all later
 * ones. Safe to call from a signal handler and from any thread. */
TSUME_API void tsume_stop(struct tsume_solver *solver);
/* Takes tsume_stop back: later searches run again. To be called while none is running. */
TSUME_API void tsume_resume(struct tsume_solver *solver);

/* The effort of the searches that are running now. */
struct tsume_effort {
    uint64_t nodes;         /* positions searched */
    int depth, deepest;     /* plies from where a question began: some line looked at just now, the longest so far */
    unsigned hash_permille; /* share of the table in use, in thousandths */
};
/* Safe to call from any thread at any time; it waits for no search. */
TSUME_API struct tsume_effort tsume_solver_effort(struct tsume_solver *solver);

TSUME_API void tsume_answer_free(struct tsume_answer *answer);
TSUME_API enum tsume_verdict tsume_answer_verdict(const struct tsume_answer *answer);
/* Plies to mate and pieces left in the attacker's hand after the line; −1 without a mate. `exact`: proved that neither
 * the attacker mates sooner nor the defender holds out longer; otherwise plies is an upper bound. */
TSUME_API int tsume_answer_plies(const struct tsume_answer *answer);
TSUME_API int tsume_answer_leftover(const struct tsume_answer *answer);
TSUME_API bool tsume_answer_exact(const struct tsume_answer *answer);
/* The main line: its length, and move i in USI notation (i from 0). Empty without a mate. Every line has been replayed by the
 * rules: each attacker's move checks, and the last position is mate or leaves the defender only futile interpositions. */
TSUME_API size_t tsume_answer_line_length(const struct tsume_answer *answer);
TSUME_API const char *tsume_answer_line_move(const struct tsume_answer *answer, size_t i);
/* Where `others` was asked for and the attacker is to move: his other first moves that mate, the best for him first, each as an answer with
 * plies, leftover, exact and a line that begins with the move; owned by the answer. NULL past the end. Those that a limit left
 * undecided are missing. */
TSUME_API const struct tsume_answer *tsume_answer_other(const struct tsume_answer *answer, size_t i);
/* Effort: positions searched, the plies of the longest line looked at, seconds of the clock. */
TSUME_API uint64_t tsume_answer_nodes(const struct tsume_answer *answer);
TSUME_API int tsume_answer_deepest(const struct tsume_answer *answer);
TSUME_API double tsume_answer_seconds(const struct tsume_answer *answer);
/* The certificate, in the format that certificate.h describes: it proves the answer to a checker that knows only the rules. A mate is proved
 * within a number of plies that counts every interposition, so it may be larger than tsume_answer_plies. NULL if none was
 * asked for, nothing was decided, or it could not be built; then certificate_error says why (NULL: there was nothing to
 * certify). Building has limits of its own, of the size of those of the search. */
TSUME_API const void *tsume_answer_certificate(const struct tsume_answer *answer, size_t *size);
TSUME_API const char *tsume_answer_certificate_error(const struct tsume_answer *answer);
/* What went wrong inside the solver (a line that could not be rebuilt, memory), NULL if nothing did. */
TSUME_API const char *tsume_answer_error(const struct tsume_answer *answer);

/* ---- Soundness ----------------------------------------------------------------------------------------------------- */

enum tsume_soundness {
    TSUME_SOUND,     /* 完全: mates, leaves nothing over, and the attacker has no other way */
    TSUME_BLEMISHED, /* キズ: only findings that composers tolerate */
    TSUME_UNSOUND,   /* 不完全: no mate, a cook, pieces left over, or a stated solution that is not optimal */
    TSUME_NOT_LEGAL, /* no legal problem: see tsume_problem_error */
    TSUME_UNDECIDED, /* a limit was reached first: something is named that could make it unsound, or blemished */
};
/* "sound", "blemished", "unsound", "invalid", "undecided". */
TSUME_API const char *tsume_soundness_name(enum tsume_soundness soundness);

/* What can be found. The first four, `leftover` and `undecided` without a ply concern the problem as a whole or its length; the others a
 * move in place of the main line's. */
enum tsume_finding_kind {
    TSUME_FINDING_NO_MATE,          /* 不詰: the defender escapes */
    TSUME_FINDING_COOK,             /* 余詰: another check mates too */
    TSUME_FINDING_EARLY_MATE,       /* 早詰: another check mates sooner */
    TSUME_FINDING_FINAL_DUAL,       /* 最終手余詰: a cook at the last move only (tolerated) */
    TSUME_FINDING_PROMOTION_CHOICE, /* 成・不成非限定: the same move, promoting or not, mates too (tolerated) */
    TSUME_FINDING_SQUARE_CHOICE,    /* 打点非限定: the same drop from another distance mates too (tolerated) */
    TSUME_FINDING_DETOUR,           /* 迂回手順: the other check only leads back to the main line (tolerated) */
    TSUME_FINDING_TRANSPOSITION,    /* 手順前後: it does so by the same moves in another order (tolerated) */
    TSUME_FINDING_LEFTOVER,         /* 駒余り: pieces are left in the attacker's hand after the main line */
    TSUME_FINDING_EQUAL_VARIATION,  /* 変化同手数: another answer holds out as long (tolerated) */
    TSUME_FINDING_LONGER_VARIATION, /* 変化長手数: an answer holds out longer than the stated solution */
    TSUME_FINDING_STATED_NOT_OPTIMAL, /* the stated solution is not optimal play, or does not end in mate */
    TSUME_FINDING_UNDECIDED,          /* a limit was reached before this was decided */
};
/* "no-mate", "cook", "early-mate", "final-dual", "promotion-choice", "square-choice", "detour", "transposition", "leftover",
 * "equal-variation", "longer-variation", "stated-not-optimal", "undecided". */
TSUME_API const char *tsume_finding_kind_name(enum tsume_finding_kind kind);

struct tsume_finding {
    enum tsume_finding_kind kind;
    int ply; /* at which ply of the main line (of the stated solution, for `stated-not-optimal`), from 1; 0: the problem */
    const char *move;        /* USI: what else could be played there; NULL where no move is meant */
    int plies, leftover;     /* the value of the line from this ply on, the move included; −1: not known */
    bool exact;              /* plies is proved, otherwise an upper bound */
    size_t line_length;      /* 0 where there is none to show */
    const char *const *line; /* USI, beginning with the move */
};

struct tsume_check_options {
    struct tsume_limits limits; /* for the problem as a whole; `any` means nothing here */
    double seconds_per_move;    /* of the clock, for each alternative to the main line; 0: none */
    bool first;                 /* stop at the first cook */
    bool all_lines;             /* find equal variations in the last two plies too, which are no blemish */
};

struct tsume_report;

/* Examines one problem: finds its main line, then decides at every attacker's turn on it every other check, and at every defender's
 * turn which other answers hold out as long. The main line is the stated solution as far as that is optimal. options may be NULL
 * (no limits). Any number of threads may call this and tsume_solve at once on one solver; threads in tsume_assist take
 * alternatives. With one thread, and no limit of time, the report is the same every time. A problem mirrored left to right or with colours reversed has the
 * mirrored report. The report is to be freed by the caller; NULL only when memory is short. */
TSUME_API struct tsume_report *tsume_check(struct tsume_solver *solver, const struct tsume_problem *problem,
                                           const struct tsume_check_options *options);
TSUME_API void tsume_report_free(struct tsume_report *report);
TSUME_API enum tsume_soundness tsume_report_verdict(const struct tsume_report *report);
/* Of the main line, as for answers: plies and leftover are −1 without a mate. */
TSUME_API int tsume_report_plies(const struct tsume_report *report);
TSUME_API int tsume_report_leftover(const struct tsume_report *report);
TSUME_API bool tsume_report_exact(const struct tsume_report *report);
TSUME_API size_t tsume_report_line_length(const struct tsume_report *report);
TSUME_API const char *tsume_report_line_move(const struct tsume_report *report, size_t i);
/* The findings, in the order of the plies. NULL past the end. */
TSUME_API size_t tsume_report_finding_count(const struct tsume_report *report);
TSUME_API const struct tsume_finding *tsume_report_finding(const struct tsume_report *report, size_t i);
/* Effort, and what went wrong inside the solver (NULL if nothing did), as for answers. */
TSUME_API uint64_t tsume_report_nodes(const struct tsume_report *report);
TSUME_API double tsume_report_seconds(const struct tsume_report *report);
TSUME_API const char *tsume_report_error(const struct tsume_report *report);
/* The certificate, as for answers: of a problem that is sound, blemished or leaves pieces over, the main line and what becomes of every other
 * check along it; of one with a cook, the main line and the cook; of one without mate, that. There is none where only the stated solution is at
 * fault. What each proves, and what not, is told in certificate.h. */
TSUME_API const void *tsume_report_certificate(const struct tsume_report *report, size_t *size);
TSUME_API const char *tsume_report_certificate_error(const struct tsume_report *report);

/* ---- Writing ------------------------------------------------------------------------------------------------------- */

/* The formats of problem files: lists of SFEN, records with and without origins, diagrams, CSA's, JSON Kifu Format. */
enum tsume_format { TSUME_SFEN, TSUME_KIF, TSUME_KI2, TSUME_BOD, TSUME_CSA, TSUME_JKF };
/* "sfen", "kif", "ki2", "bod", "csa", "jkf". */
TSUME_API const char *tsume_format_name(enum tsume_format format);
/* The ending of file names, with the dot (".kif", ".kifu" for UTF-8). */
TSUME_API const char *tsume_format_ending(enum tsume_format format, bool shift_jis);
/* What stands between the problems of a file, or after each of them. */
TSUME_API const char *tsume_format_separator(enum tsume_format format);
/* Can one file hold several problems? */
TSUME_API bool tsume_format_holds_several(enum tsume_format format);

/* What of a problem may have no place in a format. */
enum tsume_loss {
    TSUME_LOST_MOVES = 1,
    TSUME_LOST_VARIATIONS = 2,
    TSUME_LOST_COMMENTS = 4,
    TSUME_LOST_HEADERS = 8,
    TSUME_LOST_ENDS = 16, /* how a line of play ends, other than in mate */
};
struct tsume_writing {
    enum tsume_format format;
    bool shift_jis;  /* instead of UTF-8 */
    bool more;       /* other problems stand before it in the same file, parted by tsume_format_separator */
    unsigned lost;   /* set: what was left out, as bits of enum tsume_loss */
    size_t replaced; /* set: characters that Shift-JIS does not have; 〓 stands for them */
};
/* The problem, which must have no error, with its stated moves, as text, malloc'd; its length in *length. NULL when
 * memory is short. */
TSUME_API char *tsume_problem_text(const struct tsume_problem *problem, struct tsume_writing *writing, size_t *length);

/* A copy of a problem without stated moves, comments and what it stated of its length, for lines of play to be put in;
 * to be freed by the caller. NULL when memory is short. */
TSUME_API struct tsume_problem *tsume_problem_bare(const struct tsume_problem *problem);
/* States a line of play, moves in USI notation from the problem's position. Moves that are stated already are followed,
 * others are added, as variations where there is another move. The comment (NULL: none) is added to those on the
 * position after the first `at` moves; `mates`: the line is stated to end in mate. False when memory is short or a move
 * is not legal: what was added up to it stays. */
TSUME_API bool tsume_problem_state(struct tsume_problem *problem, const char *const *moves, size_t count, size_t at,
                                   const char *comment, bool mates);

/* How moves are written: in USI; in Japanese, by the rules of the Japan Shogi Association; as in the West (Hodges); as
 * CSA does. */
enum tsume_notation { TSUME_USI, TSUME_JAPANESE, TSUME_WESTERN, TSUME_CSA_MOVES };
/* Moves in USI notation, played from the problem's position, in another notation: those from the index `from` on,
 * parted by spaces. malloc'd; NULL when memory is short or a move is not legal. */
TSUME_API char *tsume_moves_text(const struct tsume_problem *problem, const char *const *moves, size_t count,
                                 size_t from, enum tsume_notation notation);

#ifdef __cplusplus
}
#endif

#endif
