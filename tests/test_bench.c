/* test_bench.c: `tsume bench` from outside: its tables, its signature, and how it bears with other engines. */
#include "tests/running.h"

#include <fcntl.h>
#include <signal.h>

/* From the bug reports in problems/cases.tsv: the rook promotes on 8a and mates, since every drop between is futile. */
#define FUTILE_DROPS "8k/R7s/g5N2/1R7/8L/4+b4/9/9/9 b b3g3s3n3l18p 1"
/* After the rook's check along the rank, a drop on 5e is a real interposition. */
#define REAL_DROPS "9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1"
/* A pawn checks; wherever the king goes, a gold mates. */
#define DEFENDER_FIRST "4k4/4P4/4S4/9/9/9/9/9/9 w 2G2r2b2g3s4n4l17p 1"

#define FAKE_ENGINE "sh " TSUME_SOURCE_DIR "/tests/fake_engine.sh "
/* The defence of a test against a machine that is busy: seconds that an engine has for an answer. */
#define AMPLE "20"

/* Three problems for every kind of answer. */
#define THREE MATE_IN_ONE "\tgold\n" NO_MATE "\tescape\n" MATE_IN_ONE "\tgold again\n"

/* ---- Rows ---------------------------------------------------------------------------------------------------------- */

/* Runs `tsume bench` to its end: the arguments after `bench` up to NULL. */
#define BENCH(input, ...) run_list((char *[]){TSUME_PROGRAM, "bench", __VA_ARGS__, NULL}, (input))

/* The rows of a table among JSON lines. */
static json_t *rows_of(const char *text, const char *table) {
    json_t *lines = parse_lines(text), *rows = json_array(), *line;
    size_t i;
    json_array_foreach(lines, i, line) {
        if (strcmp(json_string_value(json_object_get(line, "table")), table) == 0)
            json_array_append(rows, line);
    }
    json_decref(lines);
    return rows;
}

static json_int_t number_at(const json_t *rows, size_t i, const char *key) {
    const json_t *number = json_object_get(json_array_get(rows, i), key);
    cr_assert(json_is_integer(number), "row %zu has no number %s", i, key);
    return json_integer_value(number);
}

static double real_at(const json_t *rows, size_t i, const char *key) {
    return json_number_value(json_object_get(json_array_get(rows, i), key));
}

/* The row of a contestant on a problem. */
static json_t *row_of(const json_t *rows, const char *contestant, const char *id) {
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) {
        if (strcmp(string_at(rows, i, "contestant"), contestant) == 0 && strcmp(string_at(rows, i, "id"), id) == 0)
            return row;
    }
    cr_assert_fail("no row of %s on %s", contestant, id);
    return NULL;
}

static const char *verdict_of(const json_t *rows, const char *contestant, const char *id) {
    return json_string_value(json_object_get(row_of(rows, contestant, id), "verdict"));
}

static const char *fault_of(const json_t *rows, const char *contestant, const char *id) {
    const char *fault = json_string_value(json_object_get(row_of(rows, contestant, id), "fault"));
    return fault ? fault : "";
}

/* ---- tsume alone --------------------------------------------------------------------------------------------------- */

static unsigned long long signature_in(const char *text) {
    const char *line = strstr(text, "\nsignature ");
    cr_assert_not_null(line, "%s", text);
    return strtoull(line + strlen("\nsignature "), NULL, 10);
}

Test(bench, signature_is_the_same_in_two_runs, .timeout = 120) {
    struct outcome first = BENCH("", "--quiet", "--nodes", "2000"), second = BENCH("", "--quiet", "--nodes", "2000");
    cr_expect_eq(first.status, 0);
    cr_expect_gt(signature_in(first.out), 100000);
    cr_expect_eq(signature_in(first.out), signature_in(second.out));
    forget(&first);
    forget(&second);
}

Test(bench, the_suite_is_legal_and_adds_up, .timeout = 120) {
    struct outcome outcome = BENCH("", "--quiet", "--nodes", "200", "--format", "jsonl");
    json_t *problems = rows_of(outcome.out, "problems"), *groups = rows_of(outcome.out, "groups"),
           *contestants = rows_of(outcome.out, "contestants");
    json_int_t nodes = 0, members = 0;
    for (size_t i = 0; i < json_array_size(problems); i++)
        nodes += number_at(problems, i, "nodes");
    for (size_t i = 0; i < json_array_size(groups); i++)
        members += number_at(groups, i, "problems");
    cr_expect_eq(outcome.status, 0, "%s", outcome.err);
    cr_expect_geq(json_array_size(problems), 100);
    cr_expect_eq(json_array_size(groups), 6);
    cr_expect_eq(members, (json_int_t)json_array_size(problems));
    cr_expect_eq(number_at(contestants, 0, "signature"), nodes);
    cr_expect_gt(real_at(contestants, 0, "peak_mib"), 0);
    json_decref(problems);
    json_decref(groups);
    json_decref(contestants);
    forget(&outcome);
}

/* The number of fields of the CSV record that begins here; *text moves behind it. */
static int take_record(const char **text) {
    int fields = 1;
    bool quoted = false;
    for (; **text && (quoted || **text != '\n'); (*text)++) {
        quoted ^= **text == '"';
        fields += **text == ',' && !quoted;
    }
    cr_assert_eq(**text, '\n', "the last record is cut off");
    (*text)++;
    return fields;
}

Test(bench, csv_is_rectangular_and_quotes) {
    struct outcome outcome =
        BENCH(MATE_IN_ONE "\tgold, \"the\" piece\n" NO_MATE "\tescape\n", "--quiet", "--format", "csv", "-");
    cr_expect_not_null(strstr(outcome.out, ",\"gold, \"\"the\"\" piece\",tsume,1,mate,1,yes,"), "%s", outcome.out);
    const char *text = outcome.out;
    int fields = take_record(&text), records = 1;
    for (; *text; records++)
        cr_expect_eq(take_record(&text), fields);
    cr_expect_eq(records, 3);
    cr_expect_str_empty(outcome.err);
    forget(&outcome);
}

Test(bench, text_is_a_table_with_totals) {
    struct outcome outcome = BENCH(THREE, "--quiet", "-");
    cr_expect_not_null(strstr(outcome.out, "\ngold        mate 1"), "%s", outcome.out);
    cr_expect_not_null(strstr(outcome.out, "\nescape      no mate"), "%s", outcome.out);
    cr_expect_not_null(strstr(outcome.out, "\ntotal         3       3"), "%s", outcome.out);
    cr_expect_not_null(strstr(outcome.out, "\npeak memory "), "%s", outcome.out);
    forget(&outcome);
}

Test(bench, repeated_runs_give_least_median_and_most) {
    struct outcome outcome = BENCH(THREE, "--quiet", "--repeat", "4", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems");
    cr_assert_eq(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_leq(real_at(rows, i, "seconds_min"), real_at(rows, i, "seconds"));
        cr_expect_leq(real_at(rows, i, "seconds"), real_at(rows, i, "seconds_max"));
    }
    json_decref(rows);
    forget(&outcome);
}

Test(bench, several_numbers_of_threads_are_compared) {
    struct outcome outcome = BENCH(THREE, "--quiet", "--threads", "1,2", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "contestants");
    cr_assert_eq(json_array_size(rows), 2);
    cr_expect_str_eq(string_at(rows, 0, "contestant"), "tsume, 1 thread");
    cr_expect_str_eq(string_at(rows, 1, "contestant"), "tsume, 2 threads");
    cr_expect_eq(number_at(rows, 1, "solved"), 3);
    cr_expect_eq(number_at(rows, 1, "both_solved"), 3);
    cr_expect_gt(real_at(rows, 1, "speedup"), 0);
    cr_expect(json_is_integer(json_object_get(json_array_get(rows, 0), "signature")));
    cr_expect(json_is_null(json_object_get(json_array_get(rows, 1), "signature")), "threads come when they come");
    json_decref(rows);
    forget(&outcome);
}

Test(bench, illegal_problems_are_named_and_left_out) {
    struct outcome outcome = BENCH(NIFU "\tnifu\n" MATE_IN_ONE "\tgold\n", "--quiet", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems");
    cr_expect_eq(json_array_size(rows), 1);
    cr_expect_eq(outcome.status, 3);
    cr_expect_not_null(strstr(outcome.err, "-:1"), "%s", outcome.err);
    json_decref(rows);
    forget(&outcome);
}

/* ---- Other engines ------------------------------------------------------------------------------------------------- */

/* The rows of THREE with one engine, called `it`, that behaves so. */
static json_t *rows_with(const char *behaviour, int *status) {
    char command[1024];
    snprintf(command, sizeof command, FAKE_ENGINE "%s", behaviour);
    struct outcome outcome =
        BENCH(THREE, "--quiet", "--time", AMPLE, "--engine", command, "--engine-name", "it", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems");
    cr_expect_eq(json_array_size(rows), 6, "%s", outcome.err);
    cr_expect_str_eq(verdict_of(rows, "tsume", "gold again"), "mate");
    *status = outcome.status;
    forget(&outcome);
    return rows;
}

Test(bench, a_right_line_counts, .timeout = 60) {
    int status;
    json_t *rows = rows_with("says 'G*5b'", &status);
    json_t *row = row_of(rows, "it", "gold");
    cr_expect_str_eq(verdict_of(rows, "it", "gold"), "mate");
    cr_expect_eq(json_integer_value(json_object_get(row, "plies")), 1);
    cr_expect_eq(json_integer_value(json_object_get(row, "nodes")), 4711);
    cr_expect_str_eq(verdict_of(rows, "it", "escape"), "wrong", "the same line is illegal there");
    cr_expect_not_null(strstr(fault_of(rows, "it", "escape"), "ply 1: G*5b is not legal"));
    cr_expect_eq(status, 1);
    json_decref(rows);
}

Test(bench, wrong_lines_do_not_count, .timeout = 60) {
    static const struct {
        const char *line, *fault;
    } CASES[] = {
        {"says 'G*5d'", "ply 1: G*5d gives no check"},
        {"says 'G*4b'", "no mate after ply 1"},
        {"says 'G*5b' 5a4b", "ply 2: 5a4b is not legal"},
        {"says abracadabra", "ply 1: abracadabra is not legal"},
        {"says", "nothing behind it"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int status;
        json_t *rows = rows_with(CASES[i].line, &status);
        cr_expect_str_neq(verdict_of(rows, "it", "gold"), "mate");
        cr_expect_not_null(strstr(fault_of(rows, "it", "gold"), CASES[i].fault), "%s: %s", CASES[i].line,
                           fault_of(rows, "it", "gold"));
        cr_expect_eq(status, 1);
        json_decref(rows);
    }
}

Test(bench, no_mate_counts_unless_there_is_one, .timeout = 60) {
    int status;
    json_t *rows = rows_with("says nomate", &status);
    cr_expect_str_eq(verdict_of(rows, "it", "escape"), "nomate");
    cr_expect_str_eq(verdict_of(rows, "it", "gold"), "wrong");
    cr_expect_not_null(strstr(fault_of(rows, "it", "gold"), "tsume mates in 1"));
    json_decref(rows);
}

Test(bench, giving_up_is_no_fault, .timeout = 60) {
    int status;
    json_t *rows = rows_with("says timeout", &status);
    cr_expect_str_eq(verdict_of(rows, "it", "gold"), "unknown");
    cr_expect_eq(status, 0);
    json_decref(rows);
}

Test(bench, engines_that_do_not_answer_are_told_of, .timeout = 120) {
    static const struct {
        const char *behaviour, *fault;
    } CASES[] = {
        {"exits", "exit status 7"},
        {"crashes", "signal 11"},
        {"says notimplemented", "does not implement"},
        {"prints bestmove resign", "'bestmove'"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        int status;
        json_t *rows = rows_with(CASES[i].behaviour, &status);
        cr_expect_str_eq(verdict_of(rows, "it", "gold again"), "failed");
        cr_expect_not_null(strstr(fault_of(rows, "it", "gold"), CASES[i].fault), "%s: %s", CASES[i].behaviour,
                           fault_of(rows, "it", "gold"));
        cr_expect_eq(status, 1);
        json_decref(rows);
    }
}

/* One problem and a short time for an engine that uses all of it. */
static json_t *rows_in_short_time(const char *behaviour) {
    char command[1024];
    snprintf(command, sizeof command, FAKE_ENGINE "%s", behaviour);
    struct outcome outcome = BENCH(NO_MATE "\tescape\n", "--quiet", "--time", "0.1", "--engine", command,
                                   "--engine-name", "it", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems");
    forget(&outcome);
    return rows;
}

Test(bench, slow_engines_are_stopped_then_killed, .timeout = 120) {
    json_t *waits = rows_in_short_time("waits"), *hangs = rows_in_short_time("hangs"),
           *babbles = rows_in_short_time("babbles");
    cr_expect_str_eq(verdict_of(waits, "it", "escape"), "unknown");
    cr_expect_str_eq(verdict_of(hangs, "it", "escape"), "failed");
    cr_expect_not_null(strstr(fault_of(hangs, "it", "escape"), "was killed"));
    cr_expect_str_eq(verdict_of(babbles, "it", "escape"), "failed");
    cr_expect_not_null(strstr(fault_of(babbles, "it", "escape"), "'tick tock'"), "%s",
                       fault_of(babbles, "it", "escape"));
    json_decref(waits);
    json_decref(hangs);
    json_decref(babbles);
}

Test(bench, one_engine_in_trouble_does_not_stop_the_others, .timeout = 60) {
    struct outcome outcome = BENCH(THREE, "--time", AMPLE, "--engine", "/no/such/engine", "--engine-name", "absent",
                                   "--engine", FAKE_ENGINE "deaf", "--engine-name", "deaf", "--engine",
                                   FAKE_ENGINE "says 'G*5b'", "--engine-name", "good", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems"), *contestants = rows_of(outcome.out, "contestants");
    cr_expect_str_eq(verdict_of(rows, "good", "gold again"), "mate");
    cr_expect_eq(number_at(contestants, 3, "mates"), 2);
    cr_expect_eq(number_at(contestants, 1, "failed"), 3);
    cr_expect_not_null(strstr(outcome.err, "absent: '/no/such/engine' cannot be started"), "%s", outcome.err);
    cr_expect_not_null(strstr(outcome.err, "deaf: it ended with exit status 5"), "%s", outcome.err);
    json_decref(rows);
    json_decref(contestants);
    forget(&outcome);
}

Test(bench, options_reach_the_engine_before_them, .timeout = 60) {
    struct outcome outcome = BENCH(MATE_IN_ONE "\tgold\n", "--quiet", "--engine", FAKE_ENGINE "exits 'G*5b'",
                                   "--engine-name", "first", "--engine-option", "How=says", "--engine",
                                   FAKE_ENGINE "says nomate", "--engine-name", "second", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems");
    cr_expect_str_eq(verdict_of(rows, "first", "gold"), "mate");
    cr_expect_str_eq(verdict_of(rows, "second", "gold"), "wrong");
    json_decref(rows);
    forget(&outcome);
}

Test(bench, lines_may_stop_before_futile_interpositions_only, .timeout = 60) {
    struct outcome futile = BENCH(FUTILE_DROPS "\tit\n", "--quiet", "--engine", FAKE_ENGINE "says 8d8a+",
                                  "--engine-name", "it", "--format", "jsonl", "-");
    json_t *rows = rows_of(futile.out, "problems");
    cr_expect_str_eq(verdict_of(rows, "it", "it"), "mate", "%s", fault_of(rows, "it", "it"));
    json_decref(rows);
    forget(&futile);
    struct outcome real = BENCH(REAL_DROPS "\tit\n", "--quiet", "--nodes", "1000", "--engine", FAKE_ENGINE "says 7g7e",
                                "--engine-name", "it", "--format", "jsonl", "-");
    rows = rows_of(real.out, "problems");
    cr_expect_str_eq(verdict_of(rows, "it", "it"), "wrong");
    cr_expect_not_null(strstr(fault_of(rows, "it", "it"), "no mate after ply 1"), "%s", fault_of(rows, "it", "it"));
    json_decref(rows);
    forget(&real);
}

Test(bench, engines_are_not_asked_where_the_defender_moves_first, .timeout = 60) {
    struct outcome outcome = BENCH(DEFENDER_FIRST "\tit\n", "--quiet", "--engine", FAKE_ENGINE "crashes",
                                   "--engine-name", "it", "--format", "jsonl", "-");
    json_t *rows = rows_of(outcome.out, "problems");
    cr_expect_str_eq(verdict_of(rows, "tsume", "it"), "mate");
    cr_expect_str_eq(verdict_of(rows, "it", "it"), "unknown");
    cr_expect_eq(outcome.status, 0);
    json_decref(rows);
    forget(&outcome);
}

Test(bench, differences_are_listed, .timeout = 60) {
    struct outcome outcome =
        BENCH(THREE, "--quiet", "--engine", FAKE_ENGINE "says timeout", "--engine-name", "it", "-");
    cr_expect_not_null(strstr(outcome.out, "\nescape      solved      tsume       it"), "%s", outcome.out);
    forget(&outcome);
}

/* ---- How it ends --------------------------------------------------------------------------------------------------- */

/* Is there a process of this number that still does something? */
static bool is_alive(long pid) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    cr_assert_eq(fscanf(file, "%*d %*s %c", &state), 1);
    fclose(file);
    return state != 'Z';
}

static const struct timespec A_MOMENT = {.tv_nsec = 10 * 1000 * 1000};

/* Waits, ten seconds at most, for the end of a process that has been killed. */
static bool goes_away(long pid) {
    for (int i = 0; i < 1000 && is_alive(pid); i++)
        nanosleep(&A_MOMENT, NULL);
    return !is_alive(pid);
}

/* Waits, ten seconds at most, for two numbers in the file. */
static void await_pids(const char *path, long pids[2]) {
    for (int i = 0; i < 1000; i++) {
        FILE *file = fopen(path, "r");
        int count = file ? fscanf(file, "%ld %ld", &pids[0], &pids[1]) : 0;
        if (file)
            fclose(file);
        if (count == 2)
            return;
        nanosleep(&A_MOMENT, NULL);
    }
    cr_assert_fail("the engine was not asked in ten seconds");
}

Test(bench, a_signal_leaves_no_engine_running, .timeout = 60) {
    char path[] = "/tmp/tsume-bench-XXXXXX";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    setenv("FAKE_ENGINE_PIDS", path, 1);
    FILE *in = file_of(THREE);
    char *arguments[] = {TSUME_PROGRAM, "bench", "--time", "0", "--engine", FAKE_ENGINE "hangs", "-", NULL};
    struct process process = start_list(arguments, fileno(in), -1);
    long pids[2];
    await_pids(path, pids);
    cr_expect(is_alive(pids[0]) && is_alive(pids[1]));
    kill(process.pid, SIGINT);
    struct outcome outcome = finish(&process);
    cr_expect_eq(outcome.status, 128 + SIGINT);
    cr_expect_not_null(strstr(outcome.out, "interrupted"), "%s", outcome.out);
    cr_expect(goes_away(pids[0]) && goes_away(pids[1]), "%ld %ld", pids[0], pids[1]);
    unlink(path);
    fclose(in);
    forget(&outcome);
}

Test(bench, bad_usage_exits_2) {
    static const char *const COMMAND_LINES[] = {
        "bench --threads 0 -",
        "bench --threads 1,x -",
        "bench --threads 1, -",
        "bench --repeat 0 -",
        "bench --format xml -",
        "bench --by file -",
        "bench --engine-option A=B -",
        "bench --engine-name it --engine x -",
        "bench --engine x --engine-option A -",
        "bench --engine x --engine-option =B -",
        "bench --nodes x -",
        "bench --board -",
    };
    for (size_t i = 0; i < sizeof COMMAND_LINES / sizeof COMMAND_LINES[0]; i++)
        expect_bad_usage(COMMAND_LINES[i]);
}

Test(bench, a_full_disk_is_reported) {
    int full = open("/dev/full", O_WRONLY);
    FILE *in = file_of(MATE_IN_ONE "\n");
    struct process process = start("bench --quiet -", fileno(in), full);
    struct outcome outcome = finish(&process);
    cr_expect_eq(outcome.status, 4);
    cr_expect_not_null(strstr(outcome.err, "could not be written"), "%s", outcome.err);
    close(full);
    fclose(in);
    forget(&outcome);
}

/* ---- The plot ------------------------------------------------------------------------------------------------------ */

Test(bench, plot_is_an_svg_picture) {
    char path[] = "/tmp/tsume-bench-XXXXXX";
    int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    setenv("LSAN_OPTIONS", "print_suppressions=0:suppressions=" TSUME_SOURCE_DIR "/tests/leaks.supp", 1);
    struct outcome outcome = BENCH(THREE, "--quiet", "--plot", path, "-");
    cr_expect_eq(outcome.status, 0);
    FILE *file = fdopen(descriptor, "r");
    char *svg = contents(file);
    cr_expect_not_null(strstr(svg, "<svg "), "%.200s", svg);
    cr_expect_not_null(strstr(svg, "</svg>"));
    free(svg);
    fclose(file);
    unlink(path);
    forget(&outcome);
}

Test(bench, a_plot_that_cannot_be_written_is_reported) {
    struct outcome outcome = BENCH(THREE, "--quiet", "--plot", "/no/such/folder/plot.svg", "-");
    cr_expect_eq(outcome.status, 4);
    cr_expect_not_null(strstr(outcome.err, "/no/such/folder/plot.svg"), "%s", outcome.err);
    forget(&outcome);
}

/* ---- The parts of the search --------------------------------------------------------------------------------------- */

Test(bench, microbench_measures_every_part, .timeout = 120) {
    struct outcome outcome = run_list((char *[]){TSUME_MICROBENCH, "--seconds", "0.01", "--format", "jsonl", NULL}, "");
    json_t *rows = rows_of(outcome.out, "operations");
    cr_expect_eq(outcome.status, 0);
    cr_expect_eq(json_array_size(rows), 7);
    for (size_t i = 0; i < json_array_size(rows); i++)
        cr_expect_gt(number_at(rows, i, "per_second"), 0, "%s", string_at(rows, i, "operation"));
    json_decref(rows);
    forget(&outcome);
    outcome = run_list((char *[]){TSUME_MICROBENCH, "nothing", NULL}, "");
    cr_expect_eq(outcome.status, 2);
    forget(&outcome);
}
