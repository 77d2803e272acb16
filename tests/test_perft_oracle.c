/* test_perft_oracle.c: the number of moves three plies deep against Fairy-Stockfish, a program that nobody here wrote.
 *
 * Its perft counts a pawn drop that mates (uchifuzume), though as a move without any after it: there the drop is a
 * loss, not an illegal move. So the last ply is counted here in the same way, and all else must agree.
 *
 * Skipped where it is not installed (Debian: apt install fairy-stockfish), unless TSUME_REQUIRE_ORACLE is set in the
 * environment: then its absence is a failure. */
#include "rules/bitboard.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "tests/random_position.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The program at the other end of two pipes. */
struct oracle {
    pid_t pid;
    int to, from; /* file descriptors */
    char buffer[4096];
    size_t length;
};

enum { POSITIONS = 50, MOST_LEAVES_OF_TWO_PLIES = 9000, ANSWER_SECONDS = 120 };

/* Where the program is; NULL if it is nowhere. */
static const char *find_oracle(void) {
    static char path[1024];
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        int length = (int)strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/fairy-stockfish", length, folders);
        if (access(path, X_OK) == 0)
            return path;
        folders += length + (folders[length] == ':');
    }
    return access("/usr/games/fairy-stockfish", X_OK) == 0 ? "/usr/games/fairy-stockfish" : NULL;
}

static bool start_oracle(struct oracle *oracle, const char *path) {
    int in[2], out[2];
    if (pipe(in) != 0)
        return false;
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, in[i]);
        posix_spawn_file_actions_addclose(&actions, out[i]);
    }
    char *const arguments[] = {(char *)path, NULL};
    int failed = posix_spawn(&oracle->pid, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    oracle->to = in[1];
    oracle->from = out[0];
    oracle->length = 0;
    if (failed) {
        close(in[1]);
        close(out[0]);
    }
    return !failed;
}

static bool tell(struct oracle *oracle, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        ssize_t written = write(oracle->to, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        left -= (size_t)written;
    }
    return true;
}

/* More bytes into the buffer; false at the end, on an error, or when the time is over. */
static bool hear_more(struct oracle *oracle, time_t until) {
    for (;;) {
        time_t now = time(NULL);
        struct pollfd wait = {.fd = oracle->from, .events = POLLIN};
        int ready = now < until ? poll(&wait, 1, (int)(until - now) * 1000) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t got = read(oracle->from, oracle->buffer + oracle->length, sizeof oracle->buffer - oracle->length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        oracle->length += (size_t)got;
        return true;
    }
}

/* The next line without its end. A line longer than the buffer comes in pieces. */
static bool hear_line(struct oracle *oracle, char *line, size_t size, time_t until) {
    char *end;
    while (!(end = memchr(oracle->buffer, '\n', oracle->length))) {
        if (oracle->length == sizeof oracle->buffer)
            oracle->length = 0;
        if (!hear_more(oracle, until))
            return false;
    }
    size_t length = (size_t)(end - oracle->buffer);
    snprintf(line, size, "%.*s", (int)length, oracle->buffer);
    oracle->length -= length + 1;
    memmove(oracle->buffer, end + 1, oracle->length);
    return true;
}

/* Reads on to a line that begins with `start`, and gives what follows it. */
static bool hear(struct oracle *oracle, const char *start, char *rest, size_t size) {
    char line[512];
    time_t until = time(NULL) + ANSWER_SECONDS;
    while (hear_line(oracle, line, sizeof line, until))
        if (strncmp(line, start, strlen(start)) == 0) {
            snprintf(rest, size, "%s", line + strlen(start));
            return true;
        }
    return false;
}

static void stop_oracle(struct oracle *oracle) {
    tell(oracle, "quit\n");
    close(oracle->to);
    close(oracle->from);
    while (waitpid(oracle->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static bool oracle_perft(struct oracle *oracle, const char *sfen, unsigned long long *leaves) {
    char text[SFEN_SIZE + 64], rest[64];
    snprintf(text, sizeof text, "position sfen %s\ngo perft 3\n", sfen);
    if (!tell(oracle, text) || !hear(oracle, "Nodes searched: ", rest, sizeof rest))
        return false;
    *leaves = strtoull(rest, NULL, 10);
    return true;
}

/* Is a pawn drop on the square in front of the other king forbidden as mate, and by nothing else? */
static bool has_pawn_drop_mate(struct position *pos) {
    enum color us = (enum color)pos->side, them = color_other(us);
    int king = pos->king[them], rank = square_rank(king) + (us == BLACK ? 1 : -1);
    if (!hand_has(pos->hand[us], PAWN) || rank < 0 || rank >= RANKS)
        return false;
    int to = square_make(square_file(king), rank);
    for (int r = 0; r < RANKS; r++)
        if (pos->board[square_make(square_file(king), r)] == piece_make(us, PAWN))
            return false;
    bool safe = !position_attacked(pos, pos->king[us], them, position_occupied(pos) | bb_square(to));
    return pos->board[to] == NO_PIECE && safe && !move_is_legal(pos, move_drop(PAWN, to));
}

static unsigned long long perft_as_oracle(struct position *pos, int depth) {
    move moves[MAX_MOVES];
    int count = generate_legal(pos, moves);
    if (depth == 1)
        return (unsigned long long)count + has_pawn_drop_mate(pos);
    unsigned long long leaves = 0;
    for (int i = 0; i < count; i++) {
        position_do(pos, moves[i]);
        leaves += perft_as_oracle(pos, depth - 1);
        position_undo(pos, moves[i]);
    }
    return leaves;
}

/* A position of random play with few enough moves. */
static struct position draw_position(struct random_source *random, int plies) {
    for (;;) {
        struct vr_position drawn = random_game_position(random, plies);
        char sfen[VR_SFEN_SIZE];
        struct setup setup;
        struct sfen_error error;
        struct position pos;
        vr_write_sfen(&drawn, sfen);
        cr_assert(sfen_parse(sfen, &setup, &error) > 0, "%s: %s", sfen, error.message);
        position_set(&pos, &setup);
        uint64_t leaves = perft(&pos, 2);
        if (leaves > 0 && leaves <= MOST_LEAVES_OF_TWO_PLIES)
            return pos;
    }
}

Test(oracle, counts_as_many_moves_three_plies_deep, .timeout = 600) {
    const char *path = find_oracle();
    if (!path) {
        cr_assert(!getenv("TSUME_REQUIRE_ORACLE"), "fairy-stockfish is not installed, but TSUME_REQUIRE_ORACLE is set");
        fprintf(stderr, "test_perft_oracle: skipped, fairy-stockfish is not installed\n");
        fflush(stderr); /* Criterion itself shows the reason only when asked to be verbose */
        cr_skip_test("fairy-stockfish is not installed");
    }
    struct oracle oracle;
    char rest[64];
    signal(SIGPIPE, SIG_IGN);
    cr_assert(start_oracle(&oracle, path), "%s does not start", path);
    cr_assert(tell(&oracle, "uci\n") && hear(&oracle, "uciok", rest, sizeof rest), "%s does not answer", path);
    cr_assert(tell(&oracle, "setoption name UCI_Variant value shogi\nisready\n") &&
                  hear(&oracle, "readyok", rest, sizeof rest),
              "%s does not answer", path);
    struct random_source random = {50};
    for (int i = 0; i < POSITIONS; i++) {
        struct position pos = draw_position(&random, 4 * i);
        char sfen[SFEN_SIZE];
        unsigned long long expected = 0;
        position_to_sfen(&pos, sfen);
        cr_assert(oracle_perft(&oracle, sfen, &expected), "no answer about %s", sfen);
        unsigned long long leaves = perft_as_oracle(&pos, 3);
        cr_expect(leaves == expected, "%s: %llu, expected %llu", sfen, leaves, expected);
    }
    stop_oracle(&oracle);
}
