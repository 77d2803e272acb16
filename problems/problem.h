/* problem.h: one tsume problem, as read from a file and handed to the solver.
 *
 * Every reader makes these and nothing else; every writer takes them. A problem that could not be read, or is no legal
 * problem, is a problem too: it carries an error instead of a position, so that nothing in a file is lost. */
#ifndef TSUME_PROBLEMS_PROBLEM_H
#define TSUME_PROBLEMS_PROBLEM_H

#include "problems/play_end.h"
#include "rules/position.h"

#include <stddef.h>

/* What is wrong, and where. file is owned by whoever owns the error; line and column count from 1, 0 where unknown; column
 * counts characters, not bytes. */
struct problem_error {
    char message[512];
    char *file;
    long line, column;
};

enum { TIME_UNSTATED = -1, TIME_MAX_S = 1000000 /* seconds: a longer time counts as unstated */ };

/* A node of the stated moves: a tree, since a record may have variations. `next` is the move played after this one,
 * `variation` another move in place of this one. Times are those spent, in milliseconds. */
struct stated_move {
    move move;
    enum play_end end; /* the line of play is stated to end so after this move */
    int32_t time_ms, end_time_ms;
    char *comment; /* UTF-8, lines parted by newlines, or NULL */
    struct stated_move *next, *variation;
};

/* What else a record says of a problem: 作者：…, 発表誌：…, in the words of KIF. Key and value are UTF-8 without line breaks.
 * */
struct problem_header {
    char *key, *value;
    struct problem_header *next;
};

/* How to read what the position alone does not say. */
enum hands_rule { HANDS_COMPLETE, HANDS_AS_GIVEN };
enum attacker_rule { ATTACKER_AUTO, ATTACKER_BLACK, ATTACKER_WHITE };

struct tsume_problem {
    char *id;    /* second column of a list, 作品番号 or title of a record, else "FILE:LINE" */
    char *title; /* UTF-8, NULL if none */
    char *file;  /* as named by the user, "-" for standard input */
    long line;   /* where it begins, from 1 */
    bool named;  /* the file stated the id */

    struct problem_header *headers; /* all that are stated, in order, but for the position; id and title among them */
    struct problem_header *last_header;
    unsigned stated_once; /* bits of what only one header may say */
    char *comment;        /* on the position, before any move; as those of moves */

    bool invalid;               /* then `error` says why, and `position` may be unset */
    struct problem_error error; /* error.file may be NULL where memory was short: it is `file` then */

    struct setup setup; /* what is solved: hands completed, stated moves before the problem played */
    struct position position;
    bool position_is_set;       /* setup could be read (and is shown), though it may be invalid as a problem */
    bool hands_completed;       /* the defender was given pieces that the input did not list */
    enum color attacker;        /* 攻方 */
    bool defender_to_move;      /* 受先: the line has an even length */
    struct stated_move *stated; /* the stated solution, NULL if none */
    enum play_end end;          /* how it ends where there is no move at all */
    char *stated_note; /* the first stated move that is not legal, and why the rest was dropped; NULL if all are fine */
    long stated_plies; /* length the file states in a column or 手数, 0 if none */

    void *view; /* what the public interface keeps with a problem: one malloc'd block or NULL; freed with the problem */
};

/* A problem without a position yet, whose id is "FILE:LINE". NULL when memory is short. */
struct tsume_problem *problem_new(const char *file, long line);
/* A copy of a problem without stated moves, comments, and what it stated of its length; `view` is NULL. NULL when
 * memory is short. */
struct tsume_problem *problem_bare(const struct tsume_problem *problem);
/* Frees a problem and all it owns; NULL is fine. (It is part of the library's public header too, hence visible.) */
__attribute__((visibility("default"))) void tsume_problem_free(struct tsume_problem *problem);

/* Gives the problem another id or title; white space around it does not count, control characters become spaces, and an
 * empty one changes nothing. False when memory is short. */
bool problem_set_id(struct tsume_problem *problem, const char *utf8);
bool problem_set_title(struct tsume_problem *problem, const char *utf8);

/* Adds a header, white space around key and value left out, control characters being spaces, and takes from it what it says:
 * the id (作品番号, else the title), the title (作品名, 表題 …), the length of the solution (手数). One of these that is stated a
 * second time, or has no key, is a note (備考); one of these that is empty, or that is about the position (手合割 …), is left
 * out. False when memory is short. */
bool problem_add_header(struct tsume_problem *problem, const char *key, const char *value);
/* The value of the first header with this key, NULL if there is none. */
const char *problem_header(const struct tsume_problem *problem, const char *key);

/* Where the comments go that are being read: lines are added to *at, which is NULL before the first. */
struct comments {
    char **at;
    size_t length; /* of *at, bytes */
    size_t total;  /* bytes of all comments so far */
};
/* Goes on with another comment. */
void comments_turn_to(struct comments *comments, char **at);
/* Adds a text (UTF-8, to NUL) as a line. Past a MiB it is left out, which is noted with the problem, and where. False
 * when memory is short. */
bool comments_add(struct comments *comments, const char *text, struct tsume_problem *problem, long line);

/* Marks the problem invalid for a reason at a line and column (0: unknown). The first reason stays. */
__attribute__((format(printf, 4, 5))) void problem_fail(struct tsume_problem *problem, long line, long column,
                                                        const char *format, ...);
/* Notes what is wrong with the stated moves, as "FILE:LINE:COLUMN: text". The first note stays. */
__attribute__((format(printf, 4, 5))) void problem_note(struct tsume_problem *problem, long line, long column,
                                                        const char *format, ...);

/* A time in milliseconds; TIME_UNSTATED if it is negative or too long. */
int32_t stated_time(long seconds);

/* The move among the variations that hang from *first, added behind them if it is not there. NULL when memory is short. */
struct stated_move *stated_move_add(struct stated_move **first, move m);

/* How the line of play ends after the move; END_UNSTATED where moves follow, even if a variation of them was stated to
 * end there. */
static inline enum play_end stated_move_end(const struct stated_move *m) {
    return m->next ? END_UNSTATED : m->end;
}

/* Is the main line of the stated moves said to end in mate? */
bool stated_line_mates(const struct tsume_problem *problem);

/* Gives the defender of a setup with one king what is nowhere else of a full set; true if that was anything. Leaves a setup with
 * two kings, or with more pieces than a set has, as it is. */
bool setup_complete_hands(struct setup *setup);
/* Gives this player what is nowhere else of a full set, kings apart; true if that was anything. */
bool setup_give_rest(struct setup *setup, enum color color);

/* Makes a problem from a setup as it was read: finds the attacker, completes the defender's hand (tsume-rules: one king → the
 * rest of the set is the defender's; two kings → as given), judges whether it is a legal problem, sets `position`. On a fault
 * the problem is marked invalid with the reason as a sentence. The caller has filled file and line. */
void problem_from_setup(struct tsume_problem *problem, const struct setup *setup, enum hands_rule hands,
                        enum attacker_rule attacker);

#endif
