/* jkf.h: records in JSON Kifu Format (the npm package json-kifu-format), one JSON object a record, any number of them
 * in a text.
 *
 *     {"header": {"作品名": "…"},
 *      "initial": {"preset": "OTHER",
 *                  "data": {"color": 0, "board": [[{"color": 1, "kind": "OU"}, {}, …], …], "hands": [{"KI": 1}, {}]}},
 *      "moves": [{"comments": ["…"]},
 *                {"move": {"to": {"x": 2, "y": 2}, "piece": "KI"}, "time": …, "forks": [[…]]},
 *                {"special": "TSUMI"}]}
 *
 * board[x-1][y-1] is the square x, y; color 0 is Black; forks are other moves in place of the one that has them. */
#ifndef TSUME_PROBLEMS_JKF_H
#define TSUME_PROBLEMS_JKF_H

#include "problems/reading.h"

enum { JKF_FORKS_DEEP = 500 }; /* forks in forks: JSON goes no deeper than 2048 brackets, and a fork takes three */

/* Does the line begin a JSON object? */
bool jkf_recognizes(const char *line);

/* The next problem; NULL at the end of the text, before a line of another format, or when memory is short. */
struct tsume_problem *jkf_next(struct reading *reading);

#endif
