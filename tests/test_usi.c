/* test_usi.c: the USI engine, driven by a scripted client. */
#include "tests/bundled.h"
#include "tests/running.h"

#include "solver/tsume.h"

/* Two kings; a gold dropped before White's mates. */
#define GAME "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"
/* The same after the gold: White is checkmated; and without a king of Black's. */
#define MATED_IN_GAME "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1"
#define MATED "4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1"
/* Mate in 3, by G*2b 2c2b 3d3b+; and the same with two kings. */
#define MATE_IN_THREE "7nl/9/5S1kp/6R1s/9/7p1/9/9/9 b Gr2b3g2s3n3l16p 1"
#define MATE_IN_THREE_IN_GAME "7nl/9/5S1kp/6R1s/9/7p1/9/9/K8 b Gr2b3g2s3n3l16p 1"
/* Either gold mates, and a rook dropped on file 1 from any distance needs three plies. */
#define MANY_MATES "8k/9/7G1/9/9/9/9/9/9 b RG2br2g4s4n4l18p 1"
/* Mate in 3; in 5 if every interposition counts. */
#define FUTILE "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1"

/* An engine that hangs must not hang the test. */
TestSuite(usi, .timeout = 100);

static struct client begin(void) {
    struct client client = talk(TSUME_USI_ENGINE, NULL);
    send_text(&client, "setoption name USI_Hash value 16\nsetoption name PvInterval value 20\n");
    return client;
}

static int end(struct client *client) {
    send_text(client, "quit\n");
    return part(client);
}

/* Sends a position and a `go`; the answer. */
static const char *ask(struct client *client, const char *position, const char *go) {
    fprintf(client->to, "position %s\n%s\n", position, go);
    send_text(client, "");
    const char *word = strncmp(go, "go mate", strlen("go mate")) == 0 ? "checkmate" : "bestmove";
    return await_line(client, word);
}

/* The next line is the answer to `isready`: nothing else was said before. */
static void expect_silence(struct client *client) {
    send_text(client, "isready\n");
    for (const char *line = hear(client); line; line = hear(client)) {
        if (strncmp(line, "info ", strlen("info ")) == 0)
            continue;
        cr_expect_str_eq(line, "readyok");
        return;
    }
    cr_assert_fail("it ended");
}

/* Waits for information with this text in it. */
static void await_info(struct client *client, const char *text) {
    while (!strstr(await_line(client, "info depth "), text))
        continue;
}

static size_t count_words(const char *text) {
    size_t count = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        count++;
        text += strcspn(text, " ");
    }
    return count;
}

/* ---- The beginning ---- */

Test(usi, handshake_names_the_engine_and_its_options) {
    static const char *const OPTIONS[] = {"USI_Hash type spin default ",
                                          "Threads type spin default ",
                                          "MultiPV type spin default 1 min 1 ",
                                          "USI_Ponder type check default false",
                                          "Order type combo default shortest var shortest var any",
                                          "Futile type combo default exact var exact var none",
                                          "PvInterval type spin default 300 min 0 "};
    struct client client = talk(TSUME_USI_ENGINE, NULL);
    send_text(&client, "usi\n");
    cr_expect_str_eq(hear(&client), "id name tsume " TSUME_VERSION);
    cr_expect(strncmp(hear(&client), "id author ", strlen("id author ")) == 0);
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        const char *line = hear(&client);
        cr_assert(line && strncmp(line, "option name ", strlen("option name ")) == 0);
        cr_expect(strncmp(line + strlen("option name "), OPTIONS[i], strlen(OPTIONS[i])) == 0, "%s", line);
    }
    cr_expect_str_eq(hear(&client), "usiok");
    send_text(&client, "isready\r\nusinewgame\r\n");
    cr_expect_str_eq(hear(&client), "readyok");
    cr_expect_eq(end(&client), 0);
}

Test(usi, tsume_is_an_engine_too) {
    static const char COMMANDS[] =
        "setoption name USI_Hash value 16\nposition sfen " MATE_IN_ONE "\ngo mate infinite\n";
    static const char *const COMMAND_LINES[] = {"", "usi"};
    for (int i = 0; i < 2; i++) {
        struct outcome outcome = run(COMMAND_LINES[i], COMMANDS);
        cr_expect_eq(outcome.status, 0);
        cr_expect(strstr(outcome.out, "\ncheckmate G*5b\n"), "%s", outcome.out);
        forget(&outcome);
    }
    cr_expect_eq(status_of("usi argument", ""), 2);
}

/* ---- go mate ---- */

Test(usi, go_mate_answers_mates_and_no_mates) {
    struct client client = begin();
    cr_expect_str_eq(ask(&client, "sfen " MATE_IN_ONE, "go mate infinite"), "checkmate G*5b");
    cr_expect_str_eq(ask(&client, "sfen " MATE_IN_ONE, "go mate 10000"), "checkmate G*5b");
    cr_expect_str_eq(ask(&client, "sfen " GAME, "go mate"), "checkmate G*5b");
    cr_expect_str_eq(ask(&client, "sfen " NO_MATE, "go mate infinite"), "checkmate nomate");
    cr_expect_str_eq(ask(&client, "startpos", "go mate infinite"), "checkmate nomate");
    cr_expect_str_eq(ask(&client, "sfen " MATED, "go mate infinite"), "checkmate nomate");
    cr_expect_eq(end(&client), 0);
}

Test(usi, go_mate_times_out) {
    struct client client = begin();
    cr_expect_str_eq(ask(&client, "sfen " HARD, "go mate 60"), "checkmate timeout");
    cr_expect_str_eq(ask(&client, "sfen " HARD, "go mate 0"), "checkmate timeout");
    cr_expect_str_eq(ask(&client, "sfen " MATE_IN_ONE, "go mate infinite"), "checkmate G*5b");
    cr_expect_eq(end(&client), 0);
}

Test(usi, stop_is_answered_once) {
    struct client client = begin();
    send_text(&client, "stop\n");
    expect_silence(&client);
    for (int i = 0; i < 3; i++) {
        send_text(&client, "position sfen " HARD "\ngo mate infinite\n");
        const char *info = await_line(&client, "info depth ");
        cr_expect(strstr(info, " seldepth ") && strstr(info, " nodes ") && strstr(info, " nps ") &&
                      strstr(info, " hashfull ") && strstr(info, " time "),
                  "%s", info);
        send_text(&client, "stop\nstop\n");
        cr_expect_str_eq(await_line(&client, "checkmate"), "checkmate timeout");
        expect_silence(&client);
    }
    cr_expect_eq(end(&client), 0);
}

Test(usi, stop_and_go_without_a_pause) {
    struct client client = begin();
    send_text(&client, "position sfen " HARD "\n");
    for (int i = 0; i < 50; i++)
        send_text(&client, "go mate infinite\nstop\n");
    for (int i = 0; i < 50; i++)
        cr_expect_str_eq(await_line(&client, "checkmate"), "checkmate timeout");
    send_text(&client, "go mate infinite\ngo mate infinite\n"); /* the second ends the first */
    cr_expect_str_eq(await_line(&client, "checkmate"), "checkmate timeout");
    send_text(&client, "stop\n");
    cr_expect_str_eq(await_line(&client, "checkmate"), "checkmate timeout");
    cr_expect_eq(end(&client), 0);
}

Test(usi, positions_that_are_none) {
    struct client client = begin();
    cr_expect_str_eq(ask(&client, "sfen x", "go mate infinite"), "checkmate notimplemented");
    cr_expect_str_eq(ask(&client, "sfen " NIFU, "go mate infinite"), "checkmate notimplemented");
    cr_expect_str_eq(ask(&client, "startpos moves 7g7f 7g7f", "go mate infinite"), "checkmate notimplemented");
    cr_expect_str_eq(ask(&client, "", "go"), "bestmove resign");
    cr_expect_eq(end(&client), 0);
}

Test(usi, futile_interpositions_count_if_asked_for) {
    struct client client = begin();
    cr_expect_eq(count_words(ask(&client, "sfen " FUTILE, "go mate infinite")), 1 + 3);
    send_text(&client, "setoption name Futile value none\n");
    cr_expect_eq(count_words(ask(&client, "sfen " FUTILE, "go mate infinite")), 1 + 5);
    cr_expect_eq(end(&client), 0);
}

/* ---- go ---- */

Test(usi, go_plays_the_mate_by_every_clock) {
    static const char *const GO[] = {"go",
                                     "go btime 60000 wtime 60000",
                                     "go btime 60000 wtime 60000 byoyomi 1000",
                                     "go btime 0 wtime 0",
                                     "go btime 0 wtime 0 byoyomi 5000",
                                     "go btime 60000 wtime 60000 binc 1000 winc 1000",
                                     "go movetime 5000",
                                     "go depth 1",
                                     "go nodes 1000",
                                     "go unheard of"};
    struct client client = begin();
    for (size_t i = 0; i < sizeof GO / sizeof GO[0]; i++)
        cr_expect_str_eq(ask(&client, "sfen " GAME, GO[i]), "bestmove G*5b", "%s", GO[i]);
    cr_expect_eq(end(&client), 0);
}

Test(usi, information_tells_the_mate) {
    struct client client = begin();
    send_text(&client, "position sfen " MATE_IN_ONE "\ngo\n");
    await_info(&client, " score mate 1 pv G*5b");
    cr_expect_str_eq(await_line(&client, "bestmove"), "bestmove G*5b");
    cr_expect_eq(end(&client), 0);
}

/* Whether the engine takes the move for a legal one there. */
static bool is_legal(struct client *client, const char *position, const char *move) {
    fprintf(client->to, "position %s moves %s\nisready\n", position, move);
    send_text(client, "");
    return strcmp(hear(client), "readyok") == 0;
}

Test(usi, go_plays_on_where_there_is_no_mate) {
    static const char *const POSITIONS[] = {"startpos", "sfen 4k4/9/9/9/9/9/9/4r4/4K4 b 2b4g4s4n4lr18p 1"};
    struct client client = begin();
    for (int i = 0; i < 2; i++) {
        char move[8];
        const char *answer = ask(&client, POSITIONS[i], "go btime 1000 wtime 1000");
        cr_assert_eq(sscanf(answer, "bestmove %7s", move), 1);
        cr_expect_str_neq(move, "resign");
        if (i == 0)
            cr_expect(is_legal(&client, "startpos", move), "%s", move);
    }
    cr_expect_eq(end(&client), 0);
}

Test(usi, go_depth_and_nodes_limit_the_search) {
    struct client client = begin();
    send_text(&client, "position sfen " MATE_IN_THREE "\ngo depth 1\n");
    cr_expect_null(strstr(await_line(&client, "info depth "), "mate"));
    await_line(&client, "bestmove");
    send_text(&client, "go depth 3\n");
    await_info(&client, " score mate 3 pv ");
    await_line(&client, "bestmove");
    send_text(&client, "position sfen " HARD "\ngo nodes 1000\n");
    await_line(&client, "bestmove");
    cr_expect_eq(end(&client), 0);
}

Test(usi, the_defender_plays_the_longest_defence) {
    struct client client = begin();
    cr_expect_str_eq(ask(&client, "sfen " MATE_IN_THREE " moves G*2b", "go mate infinite"), "checkmate 2c2b 3d3b+");
    send_text(&client, "go\n");
    await_info(&client, " score mate -2 pv 2c2b 3d3b+");
    cr_expect_str_eq(await_line(&client, "bestmove"), "bestmove 2c2b");
    cr_expect_str_eq(ask(&client, "sfen " MATE_IN_THREE_IN_GAME " moves G*2b", "go"), "bestmove 2c2b");
    cr_expect_eq(end(&client), 0);
}

Test(usi, who_is_checkmated_resigns) {
    struct client client = begin();
    cr_expect_str_eq(ask(&client, "sfen " MATED, "go"), "bestmove resign");
    cr_expect_str_eq(ask(&client, "sfen " MATED_IN_GAME, "go"), "bestmove resign");
    cr_expect_eq(end(&client), 0);
}

/* Waits for the information that the i-th best first move mates in so many plies. */
static void await_mate(struct client *client, int i, int plies) {
    char shown[40];
    snprintf(shown, sizeof shown, " multipv %d score mate %d pv ", i, plies);
    await_info(client, shown);
}

Test(usi, multipv_shows_other_mating_moves) {
    struct client client = begin();
    send_text(&client, "setoption name MultiPV value 5\nposition sfen " MANY_MATES "\ngo infinite\n");
    /* they are found one after the other, and what is known stays */
    await_mate(&client, 2, 1);
    await_mate(&client, 5, 3);
    send_text(&client, "stop\n");
    for (int i = 1; i <= 5; i++)
        await_mate(&client, i, i <= 2 ? 1 : 3);
    cr_expect_str_eq(await_line(&client, "bestmove"), "bestmove G*1b");
    cr_expect_eq(end(&client), 0);
}

Test(usi, infinite_waits_for_stop_and_ponder_for_ponderhit) {
    struct client client = begin();
    send_text(&client, "setoption name USI_Ponder value true\nposition sfen " GAME "\ngo infinite\n");
    await_line(&client, "info depth 1 ");
    expect_silence(&client);
    send_text(&client, "stop\n");
    cr_expect_str_eq(await_line(&client, "bestmove"), "bestmove G*5b");
    send_text(&client, "go ponder btime 60000 wtime 60000\n");
    await_line(&client, "info depth 1 ");
    expect_silence(&client);
    send_text(&client, "ponderhit\n");
    cr_expect_str_eq(await_line(&client, "bestmove"), "bestmove G*5b");
    send_text(&client, "position sfen " HARD "\ngo ponder btime 100 wtime 100 byoyomi 100\n");
    await_line(&client, "info depth ");
    expect_silence(&client);
    send_text(&client, "ponderhit btime 100 wtime 100 byoyomi 100\n");
    await_line(&client, "bestmove");
    send_text(&client, "go ponder\nstop\n");
    await_line(&client, "bestmove");
    send_text(&client, "go ponder\ngameover draw\n");
    await_line(&client, "bestmove");
    cr_expect_eq(end(&client), 0);
}

/* ---- Lines of any length, and of any kind ---- */

Test(usi, long_lines_in_both_directions) {
    struct client client = begin();
    send_text(&client, "position startpos moves");
    for (int i = 0; i < 5000; i++)
        fputs(" 2h3h 8b7b 3h2h 7b8b", client.to);
    send_text(&client, " 7g7f\ngo nodes 100\n");
    const char *answer = await_line(&client, "bestmove ");
    cr_expect_str_neq(answer, "bestmove resign");

    char line[BUNDLED_LINE];
    read_zuko(100, line); /* 611 plies */
    send_text(&client, "setoption name Threads value 1\nsetoption name Order value any\n"
                       "setoption name USI_Hash value 256\nisready\n");
    fprintf(client.to, "position sfen %.*s\ngo mate infinite\n", (int)strcspn(line, "\t"), line);
    send_text(&client, "");
    cr_expect_geq(count_words(await_line(&client, "checkmate ")), 1 + 611);
    cr_expect_eq(end(&client), 0);
}

Test(usi, garbage_is_passed_over) {
    static const char *const GARBAGE[] = {"hello",
                                          "\x01\x80\xff\x1b[2J",
                                          "setoption",
                                          "setoption name",
                                          "setoption name X value 1",
                                          "setoption name Threads value 0",
                                          "setoption name Threads value many",
                                          "setoption name Futile value perhaps",
                                          "position",
                                          "position sfen 9/9",
                                          "usi_",
                                          "STOP"};
    struct client client = begin();
    for (size_t i = 0; i < sizeof GARBAGE / sizeof GARBAGE[0]; i++) {
        fprintf(client.to, "%s\n", GARBAGE[i]);
        send_text(&client, "\n   \n");
        const char *line = hear(&client);
        cr_assert(line && strncmp(line, "info string ", strlen("info string ")) == 0, "%s", GARBAGE[i]);
        for (const char *at = line; *at; at++)
            cr_expect(*at >= ' ' && *at <= '~', "%s", GARBAGE[i]);
    }
    for (int i = 0; i < 300000; i++)
        fputc('x', client.to);
    send_text(&client, "\n");
    await_line(&client, "info string unknown command: 'xxx");
    cr_expect_str_eq(ask(&client, "sfen " MATE_IN_ONE, "go mate infinite"), "checkmate G*5b");
    cr_expect_eq(end(&client), 0);
}

/* ---- The end ---- */

Test(usi, the_end_of_input_waits_for_answers) {
    static const char *const COMMANDS[] = {
        "position sfen " MATE_IN_THREE "\ngo mate infinite", "position sfen " MATE_IN_THREE "\ngo infinite\n",
        "position sfen " HARD "\ngo mate 300\n", "position sfen " HARD "\ngo ponder\n"};
    static const char *const ANSWERS[] = {"\ncheckmate G*2b 2c2b 3d3b+\n", "\nbestmove ", "\ncheckmate timeout\n",
                                          "\nbestmove "};
    for (int i = 0; i < 4; i++) {
        struct outcome outcome = run("usi", COMMANDS[i]);
        cr_expect_eq(outcome.status, 0);
        cr_expect(strstr(outcome.out, ANSWERS[i]), "%s", outcome.out);
        forget(&outcome);
    }
    cr_expect_eq(status_of("usi", ""), 0);
}

Test(usi, quits_in_the_middle_of_a_search) {
    struct client client = begin();
    send_text(&client, "setoption name Threads value 2\nposition sfen " HARD "\ngo infinite\n");
    await_line(&client, "info depth ");
    cr_expect_eq(end(&client), 0);
}

Test(usi, the_table_changes_its_size) {
    struct client client = begin();
    for (int i = 0; i < 3; i++) {
        cr_expect_str_eq(ask(&client, "sfen " MATE_IN_THREE, "go mate infinite"), "checkmate G*2b 2c2b 3d3b+");
        fprintf(client.to, "setoption name USI_Hash value %d\n", 1 + i);
        if (i > 0)
            expect_silence(&client);
    }
    cr_expect_eq(end(&client), 0);
}

/* A full table is collected again and again; what is said meanwhile is the same. */
Test(usi, stops_with_a_full_table_and_several_threads) {
    struct client client = begin();
    send_text(&client, "setoption name Threads value 3\nsetoption name USI_Hash value 1\nposition sfen " HARD
                       "\ngo mate infinite\n");
    for (int i = 0; i < 10; i++)
        await_line(&client, "info depth ");
    send_text(&client, "stop\n");
    cr_expect_str_eq(await_line(&client, "checkmate"), "checkmate timeout");
    cr_expect_eq(end(&client), 0);
}

/* ---- Against tsume bench ---- */

Test(usi, bench_drives_it) {
    json_t *lines =
        records_of("bench --quiet --any --hash 16 --threads 1 --time 60 --format jsonl --engine " TSUME_USI_ENGINE
                   " --engine-option USI_Hash=16 --engine-name engine -",
                   MATE_IN_ONE "\n" MATE_IN_THREE "\n" NO_MATE "\n");
    int mates = 0, no_mates = 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *table = string_at(lines, i, "table"), *who = string_at(lines, i, "contestant");
        if (strcmp(table, "problems") != 0 || strcmp(who, "engine") != 0)
            continue;
        mates += strcmp(string_at(lines, i, "verdict"), "mate") == 0;
        no_mates += strcmp(string_at(lines, i, "verdict"), "nomate") == 0;
    }
    cr_expect_eq(mates, 2);
    cr_expect_eq(no_mates, 1);
    json_decref(lines);
}
