/* test_program.c: the program `tsume` from outside: what it prints, in which order, and how it ends. */
#include "tests/running.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Mate in five by the rook; the defender who is stated to go to the corner could hold out longer. */
#define MISSTATED "9/5S3/7k1/9/8B/9/9/9/9 b Rrb4g3s4n4l18p 1"

/* ---- JSON lines ---------------------------------------------------------------------------------------------------- */

Test(program, json_has_exactly_these_keys) {
    static const char *const KEYS[] = {"id",    "source", "sfen",  "verdict", "plies", "leftover",
                                       "exact", "line",   "nodes", "seconds", "error"};
    json_t *lines = records_of("solve --quiet --hash 16 --nodes 1000 --format jsonl -",
                               MATE_IN_ONE "\tmate\n" NO_MATE "\tescape\n" HARD "\thard\n" NIFU "\tnifu\nnonsense\n");
    cr_assert_eq(json_array_size(lines), 5);
    for (size_t i = 0; i < 5; i++) {
        json_t *object = json_array_get(lines, i);
        cr_expect_eq(json_object_size(object), sizeof KEYS / sizeof KEYS[0]);
        for (size_t k = 0; k < sizeof KEYS / sizeof KEYS[0]; k++)
            cr_expect_not_null(json_object_get(object, KEYS[k]), "line %zu lacks %s", i, KEYS[k]);
    }
    json_decref(lines);
}

Test(program, json_of_a_mate) {
    json_t *lines =
        records_of("solve --quiet --hash 16 --threads 1 --format jsonl -", "# a comment\n" MATE_IN_ONE "\tgold\n");
    json_t *object = json_array_get(lines, 0);
    cr_expect_str_eq(string_at(lines, 0, "id"), "gold");
    cr_expect_str_eq(string_at(lines, 0, "source"), "-:2");
    cr_expect_str_eq(string_at(lines, 0, "sfen"), MATE_IN_ONE);
    cr_expect_str_eq(string_at(lines, 0, "verdict"), "mate");
    cr_expect_eq(json_integer_value(json_object_get(object, "plies")), 1);
    cr_expect_eq(json_integer_value(json_object_get(object, "leftover")), 0);
    cr_expect(json_is_true(json_object_get(object, "exact")));
    json_t *line = json_object_get(object, "line");
    cr_assert_eq(json_array_size(line), 1);
    cr_expect_str_eq(json_string_value(json_array_get(line, 0)), "G*5b");
    cr_expect(json_is_integer(json_object_get(object, "nodes")));
    cr_expect(json_is_real(json_object_get(object, "seconds")));
    cr_expect(json_is_null(json_object_get(object, "error")));
    json_decref(lines);
}

Test(program, json_of_no_mate) {
    json_t *lines = records_of("solve --quiet --hash 16 --format jsonl -", NO_MATE "\n");
    json_t *object = json_array_get(lines, 0);
    cr_expect_str_eq(string_at(lines, 0, "verdict"), "nomate");
    cr_expect(json_is_null(json_object_get(object, "plies")));
    cr_expect(json_is_null(json_object_get(object, "leftover")));
    cr_expect(json_is_boolean(json_object_get(object, "exact")));
    cr_expect_eq(json_array_size(json_object_get(object, "line")), 0);
    json_decref(lines);
}

Test(program, json_of_an_error_says_where) {
    json_t *lines =
        records_of("solve --quiet --hash 16 --format jsonl -", MATE_IN_ONE "\n4k4/9/9/9x/9/9/9/9/9 b G 1\n");
    cr_expect_str_eq(string_at(lines, 1, "verdict"), "invalid");
    json_t *error = json_object_get(json_array_get(lines, 1), "error");
    cr_expect_eq(json_object_size(error), 3);
    cr_expect(json_is_string(json_object_get(error, "message")));
    cr_expect_eq(json_integer_value(json_object_get(error, "line")), 2);
    cr_expect_eq(json_integer_value(json_object_get(error, "column")), 10);
    json_decref(lines);
}

/* Easy, hard and broken problems in turn, each with its number as id. */
static char *mixed_list(int count) {
    static const char *const KINDS[] = {MATE_IN_ONE, HARD, NO_MATE, NIFU};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s\t%d\n", KINDS[i % 4], i);
    fclose(out);
    return text;
}

Test(program, output_keeps_the_order_of_the_input, .timeout = 120) {
    enum { COUNT = 200 };
    char *list = mixed_list(COUNT);
    json_t *lines = records_of("solve --quiet --hash 16 --nodes 3000 --threads 3 --format jsonl -", list);
    cr_assert_eq(json_array_size(lines), COUNT);
    for (int i = 0; i < COUNT; i++)
        cr_expect_eq(atoi(string_at(lines, (size_t)i, "id")), i);
    json_decref(lines);
    free(list);
}

static void drop_seconds(json_t *lines) {
    size_t i;
    json_t *object;
    json_array_foreach(lines, i, object) json_object_del(object, "seconds");
}

Test(program, one_thread_is_deterministic, .timeout = 120) {
    static const char COMMAND[] = "solve --quiet --hash 16 --nodes 20000 --threads 1 --format jsonl -";
    char *list = mixed_list(8);
    json_t *first = records_of(COMMAND, list), *second = records_of(COMMAND, list);
    drop_seconds(first);
    drop_seconds(second);
    cr_expect(json_equal(first, second));
    json_decref(first);
    json_decref(second);
    free(list);
}

/* ---- Text ---------------------------------------------------------------------------------------------------------- */

Test(program, text_has_a_line_a_problem_and_the_main_line_below) {
    struct outcome outcome = run("solve --quiet --hash 16 -", MATE_IN_ONE "\tgold\n" NO_MATE "\tescape\n");
    cr_expect_not_null(strstr(outcome.out, "gold  mate in 1 ply  "), "%s", outcome.out);
    cr_expect_not_null(strstr(outcome.out, "\n  G*5b\n"), "%s", outcome.out);
    cr_expect_not_null(strstr(outcome.out, "\nescape  no mate  "), "%s", outcome.out);
    cr_expect_eq(line_count(outcome.out), 3);
    forget(&outcome);
}

Test(program, text_shows_errors_as_compilers_do) {
    struct outcome outcome = run("solve --quiet --hash 16 -", "4k4/9/9/9x/9/9/9/9/9 b G 1\n");
    cr_expect_not_null(strstr(outcome.out, "invalid  -:1:10: error: "), "%s", outcome.out);
    forget(&outcome);
}

Test(program, board_shows_a_diagram) {
    struct outcome kanji = run("solve --quiet --hash 16 --board -", MATE_IN_ONE "\n");
    cr_expect_not_null(strstr(kanji.out, "v玉"), "%s", kanji.out);
    cr_expect_not_null(strstr(kanji.out, "先手の持駒：金\n"), "%s", kanji.out);
    forget(&kanji);
    struct outcome letters = run("solve --quiet --hash 16 --board --ascii -", MATE_IN_ONE "\n");
    cr_expect_not_null(strstr(letters.out, "|  .  .  .  .  k  .  .  .  . |a\n"), "%s", letters.out);
    cr_expect_not_null(strstr(letters.out, "Black in hand: G\n"), "%s", letters.out);
    forget(&letters);
}

Test(program, colour_only_when_asked_or_on_a_terminal) {
    struct outcome plain = run("solve --quiet --hash 16 -", MATE_IN_ONE "\n");
    cr_expect_null(strchr(plain.out, '\033'));
    forget(&plain);
    struct outcome colored = run("solve --quiet --hash 16 --color always -", MATE_IN_ONE "\n");
    cr_expect_not_null(strchr(colored.out, '\033'));
    forget(&colored);
}

Test(program, quiet_says_nothing_on_stderr) {
    struct outcome loud = run("solve --hash 16 -", MATE_IN_ONE "\n");
    cr_expect_not_null(strstr(loud.err, "1 problem: 1 mate;"), "%s", loud.err);
    forget(&loud);
    struct outcome quiet = run("solve --hash 16 --quiet -", MATE_IN_ONE "\n");
    cr_expect_str_empty(quiet.err);
    forget(&quiet);
}

/* ---- How it ends --------------------------------------------------------------------------------------------------- */

Test(program, exit_status_says_what_was_found) {
    cr_expect_eq(status_of("solve --quiet --hash 16 -", ""), 0);
    cr_expect_eq(status_of("solve --quiet --hash 16 -", MATE_IN_ONE "\n" NO_MATE "\n"), 0);
    cr_expect_eq(status_of("solve --quiet --hash 16 --nodes 1000 -", MATE_IN_ONE "\n" HARD "\n"), 1);
    cr_expect_eq(status_of("solve --quiet --hash 16 -", MATE_IN_ONE "\n" NIFU "\n"), 3);
    cr_expect_eq(status_of("solve --quiet --hash 16 --nodes 1000 -", NIFU "\n" HARD "\n"), 3);
    cr_expect_eq(status_of("solve --quiet --hash 16 /no/such/file -", MATE_IN_ONE "\n"), 3);
}

Test(program, bad_usage_exits_2) {
    static const char *const COMMAND_LINES[] = {
        "nosuchcommand",
        "solve",
        "solve --no-such-option -",
        "solve --threads 0 -",
        "solve --threads x -",
        "solve --time -1 -",
        "solve --nodes 1e3 -",
        "solve --format xml -",
        "solve --hands none -",
        "solve --attacker red -",
    };
    for (size_t i = 0; i < sizeof COMMAND_LINES / sizeof COMMAND_LINES[0]; i++)
        expect_bad_usage(COMMAND_LINES[i]);
}

Test(program, help_and_version_exit_0) {
    static const char *const COMMAND_LINES[] = {"--help",       "--version", "help",           "help solve",
                                                "solve --help", "solve -h",  "solve --version"};
    for (size_t i = 0; i < sizeof COMMAND_LINES / sizeof COMMAND_LINES[0]; i++) {
        struct outcome outcome = run(COMMAND_LINES[i], "");
        cr_expect_eq(outcome.status, 0, "'%s' exits %d", COMMAND_LINES[i], outcome.status);
        cr_expect_str_not_empty(outcome.out);
        cr_expect_str_empty(outcome.err);
        forget(&outcome);
    }
}

/* Sends the signal while the second problem is searched, and returns what came of it. */
static struct outcome interrupt(int signal, const char *command_line) {
    FILE *in = file_of(MATE_IN_ONE "\tfirst\n" HARD "\tsecond\n" MATE_IN_ONE "\tthird\n");
    struct process process = start(command_line, fileno(in), -1);
    await_output(&process);
    kill(process.pid, signal);
    struct outcome outcome = finish(&process);
    fclose(in);
    return outcome;
}

Test(program, signals_end_it_in_good_order, .timeout = 120) {
    static const char *const COMMAND_LINES[] = {"solve --hash 16 --threads 1 --format jsonl -",
                                                "solve --hash 16 --threads 3 --format jsonl -"};
    for (int i = 0; i < 4; i++) {
        int signal = i < 2 ? SIGINT : SIGTERM;
        struct outcome outcome = interrupt(signal, COMMAND_LINES[i % 2]);
        cr_expect_eq(outcome.status, 128 + signal, "status %d", outcome.status);
        json_t *lines = parse_lines(outcome.out);
        cr_expect_geq(json_array_size(lines), 1);
        cr_expect_str_eq(string_at(lines, 0, "id"), "first");
        cr_expect_not_null(strstr(outcome.err, "interrupted"), "%s", outcome.err);
        json_decref(lines);
        forget(&outcome);
    }
}

Test(program, a_signal_ends_the_wait_for_input, .timeout = 60) {
    for (int threads = 1; threads <= 3; threads += 2) {
        char command_line[64];
        snprintf(command_line, sizeof command_line, "solve --quiet --hash 16 --threads %d -", threads);
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        struct process process = start(command_line, ends[0], -1);
        static const char LINE[] = MATE_IN_ONE "\n";
        cr_assert_eq(write(ends[1], LINE, sizeof LINE - 1), (ssize_t)sizeof LINE - 1);
        nanosleep(&(struct timespec){.tv_nsec = 500 * 1000 * 1000}, NULL);
        kill(process.pid, SIGTERM);
        struct outcome outcome = finish(&process);
        cr_expect_eq(outcome.status, 128 + SIGTERM);
        close(ends[0]);
        close(ends[1]);
        forget(&outcome);
    }
}

Test(program, a_broken_pipe_ends_it, .timeout = 60) {
    char *list = mixed_list(400);
    FILE *in = file_of(list);
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    struct process process = start("solve --hash 16 --nodes 1000 -", fileno(in), ends[1]);
    struct outcome outcome = finish(&process);
    cr_expect_eq(outcome.status, 4);
    cr_expect_not_null(strstr(outcome.err, "cannot write"), "%s", outcome.err);
    close(ends[1]);
    fclose(in);
    free(list);
    forget(&outcome);
}

Test(program, a_full_disk_is_reported) {
    int full = open("/dev/full", O_WRONLY);
    cr_assert_geq(full, 0);
    FILE *in = file_of(MATE_IN_ONE "\n");
    struct process process = start("solve --quiet --hash 16 -", fileno(in), full);
    struct outcome outcome = finish(&process);
    cr_expect_eq(outcome.status, 4);
    cr_expect_not_null(strstr(outcome.err, "cannot write"), "%s", outcome.err);
    close(full);
    fclose(in);
    forget(&outcome);
}

/* ---- Certificates -------------------------------------------------------------------------------------------------- */

/* A new folder; its path in `path`. */
static void make_folder(char path[64]) {
    snprintf(path, 64, "/tmp/tsume-test-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
}

/* Removes the folder with its files. Returns their names in order, each followed by a space; malloc'd. */
static char *clear_folder(const char *path) {
    struct dirent **entries;
    char *names = NULL;
    size_t size;
    FILE *out = open_memstream(&names, &size);
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && unlink(file) == 0)
            fprintf(out, "%s ", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    fclose(out);
    cr_expect_eq(rmdir(path), 0);
    return names;
}

/* Runs the command with --certificate into a new folder and then `tsume verify` on that. Returns what came of both, and the names of the files. */
static struct outcome certify(const char *command_line, const char *input, struct outcome *verified, char **names) {
    char folder[64], full[256], verify[128];
    make_folder(folder);
    snprintf(full, sizeof full, "%s --certificate %s -", command_line, folder);
    snprintf(verify, sizeof verify, "verify %s", folder);
    struct outcome outcome = run(full, input);
    *verified = run(verify, "");
    *names = clear_folder(folder);
    return outcome;
}

Test(program, certificates_of_both_commands_are_verified) {
    static const char *const COMMANDS[] = {"solve --quiet --hash 16", "check --quiet --hash 16"};
    static const char *const MATE_SAYS[] = {"verified: mate in at most 1:", "verified: sound, mate in at most 1:"};
    for (int i = 0; i < 2; i++) {
        char *names;
        struct outcome verified;
        struct outcome outcome = certify(COMMANDS[i], MATE_IN_ONE "\tone\n" NO_MATE "\tnone\n", &verified, &names);
        cr_expect_eq(outcome.status, 0, "%s: %d %s", COMMANDS[i], outcome.status, outcome.err);
        cr_expect_str_eq(names, "none.cert one.cert ");
        cr_expect_eq(verified.status, 0);
        cr_expect_not_null(strstr(verified.out, MATE_SAYS[i]), "%s", verified.out);
        cr_expect_not_null(strstr(verified.out, "verified: no mate:"), "%s", verified.out);
        forget(&outcome);
        forget(&verified);
        free(names);
    }
}

/* The first problem of a name takes longest, and is the last to be done. */
Test(program, certificates_are_named_in_the_order_of_the_input) {
    static const char INPUT[] =
        HARD "\ta\n" MATE_IN_ONE "\ta\n" NO_MATE "\ta-2\n" MATE_IN_ONE "\ta\n" NO_MATE "\tb/c\n";
    for (int threads = 1; threads <= 3; threads++) {
        char command[64], *names;
        struct outcome verified;
        snprintf(command, sizeof command, "solve --quiet --hash 16 --nodes 20000 --threads %d", threads);
        struct outcome outcome = certify(command, INPUT, &verified, &names);
        cr_expect_eq(outcome.status, 1);
        cr_expect_not_null(strstr(outcome.err, "a: no certificate: it is not decided"), "%s", outcome.err);
        cr_expect_str_eq(names, "a-2-2.cert a-2.cert a-3.cert b_c.cert ", "%d threads: %s", threads, names);
        cr_expect_not_null(strstr(verified.out, "a-2-2.cert: verified: no mate"), "%s", verified.out);
        cr_expect_not_null(strstr(verified.out, "a-3.cert: verified: mate"), "%s", verified.out);
        forget(&outcome);
        forget(&verified);
        free(names);
    }
}

Test(program, a_missing_certificate_shows_in_the_exit_status) {
    static const char INPUT[] = MISSTATED "\tmisstated\t5\t1e3c+ 2c1b R*1a\n";
    cr_expect_eq(status_of("check --quiet --hash 16 -", INPUT), 0);
    char *names;
    struct outcome verified;
    struct outcome outcome = certify("check --hash 16", INPUT, &verified, &names);
    cr_expect_eq(outcome.status, 1);
    cr_expect_not_null(strstr(outcome.err, "misstated: no certificate: only the stated"), "%s", outcome.err);
    cr_expect_not_null(strstr(outcome.err, "1 unsound, 1 without certificate"), "%s", outcome.err);
    cr_expect_str_empty(names);
    forget(&outcome);
    forget(&verified);
    free(names);
}

/* ---- Long lists ---------------------------------------------------------------------------------------------------- */

static struct outcome run_long_list(int count) {
    FILE *in = scratch_file();
    for (int i = 0; i < count; i++)
        fprintf(in, "%s\t%d\n", MATE_IN_ONE, i);
    fflush(in);
    rewind(in);
    struct process process = start("solve --quiet --hash 16 --threads 2 --format jsonl -", fileno(in), -1);
    struct outcome outcome = finish(&process);
    fclose(in);
    cr_expect_eq(outcome.status, 0);
    cr_expect_eq(line_count(outcome.out), (size_t)count);
    return outcome;
}

Test(program, memory_does_not_grow_with_the_list, .timeout = 300) {
    struct outcome few = run_long_list(2000), many = run_long_list(TSUME_SANITIZED ? 4000 : 20000);
    if (!TSUME_SANITIZED) /* sanitizers keep what was freed for a while */
        cr_expect_lt(many.peak_kib, few.peak_kib + 4096, "%ld KiB for 2000 problems, %ld KiB for 20000", few.peak_kib,
                     many.peak_kib);
    forget(&few);
    forget(&many);
}
