/* test_batch.c: large files and many machines: runs that are killed and go on, shards, results put together, duplicates. */
#include "solver/tsume.h"
#include "tests/bundled.h"
#include "tests/running.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

/* ---- Files in a folder of the test's own --------------------------------------------------------------------------- */

static char folder[64];

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/tsume-batch-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static const char *path_of(const char *name) {
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void remove_folder(void) {
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            unlink(path_of(entry->d_name));
    closedir(directory);
    cr_expect_eq(rmdir(folder), 0);
}

TestSuite(batch, .init = make_folder, .fini = remove_folder, .timeout = 300);
TestSuite(merge, .init = make_folder, .fini = remove_folder, .timeout = 120);
TestSuite(duplicates, .timeout = 120);

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static char *read_file(const char *name) {
    FILE *file = fopen(path_of(name), "r");
    cr_assert_not_null(file, "%s", name);
    char *text = contents(file);
    fclose(file);
    return text;
}

static void expect_file(const char *name, const char *text) {
    char *found = read_file(name);
    cr_expect_str_eq(found, text);
    free(found);
}

static long size_of(const char *name) {
    struct stat status;
    return stat(path_of(name), &status) == 0 ? (long)status.st_size : 0;
}

/* ---- Running ------------------------------------------------------------------------------------------------------- */

/* Runs `tsume COMMAND ARGUMENTS` in the folder. */
__attribute__((format(printf, 1, 2))) static struct outcome tsume(const char *format, ...) {
    char command_line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(command_line, sizeof command_line, format, args);
    va_end(args);
    cr_assert_eq(chdir(folder), 0);
    struct outcome outcome = run(command_line, "");
    cr_assert_eq(chdir("/"), 0);
    return outcome;
}

/* The same, with nothing on stdout and this exit status. */
#define expect_status(status_wanted, ...)                                                                              \
    do {                                                                                                               \
        struct outcome outcome_ = tsume(__VA_ARGS__);                                                                  \
        cr_expect_eq(outcome_.status, (status_wanted), "exits %d: %s", outcome_.status, outcome_.err);                 \
        cr_expect_str_empty(outcome_.out);                                                                             \
        forget(&outcome_);                                                                                             \
    } while (0)

/* That it ends with STATUS_INVALID and says this. */
#define expect_refusal(message, ...)                                                                                   \
    do {                                                                                                               \
        struct outcome outcome_ = tsume(__VA_ARGS__);                                                                  \
        cr_expect_eq(outcome_.status, 3, "exits %d", outcome_.status);                                                 \
        cr_expect_not_null(strstr(outcome_.err, (message)), "%s", outcome_.err);                                       \
        forget(&outcome_);                                                                                             \
    } while (0)

/* What a record says but for effort, and for which of several equal lines it has. */
static void drop_accidents(json_t *records) {
    size_t i;
    json_t *record;
    json_array_foreach(records, i, record) {
        json_object_del(record, "seconds");
        json_object_del(record, "nodes");
        json_object_del(record, "line");
    }
}

static json_t *records_in(const char *name) {
    char *text = read_file(name);
    json_t *records = parse_lines(text);
    drop_accidents(records);
    free(text);
    return records;
}

static void expect_same_records(const char *name, const char *other) {
    json_t *records = records_in(name), *others = records_in(other);
    cr_expect_gt(json_array_size(records), 0);
    cr_expect(json_equal(records, others), "%s and %s differ", name, other);
    json_decref(records);
    json_decref(others);
}

static long long number_at(const json_t *records, size_t i, const char *key) {
    return json_integer_value(json_object_get(json_array_get(records, i), key));
}

/* Short mates from games, no mates, and what is no problem (from 8 on): a list of `count`. */
static void write_list(const char *name, int count) {
    static const char *const OTHERS[] = {NO_MATE, NIFU, MATE_IN_ONE};
    char line[BUNDLED_LINE];
    FILE *games = open_bundled("games.tsv"), *list = fopen(path_of(name), "w");
    cr_assert_not_null(list);
    for (int written = 0; written < count;) {
        cr_assert_not_null(fgets(line, sizeof line, games));
        if (!strstr(line, "\t3\t") && !strstr(line, "\t5\t") && !strstr(line, "\t7\t"))
            continue;
        line[strcspn(line, "\t")] = '\0';
        fprintf(list, "%s\t%d\n", written % 4 == 3 ? OTHERS[written / 4 % 3] : line, written);
        written++;
    }
    fclose(games);
    fclose(list);
}

#define SOLVE "solve --quiet --hash 16 "

/* ---- Being killed and going on ------------------------------------------------------------------------------------- */

/* Lets the command run for so many milliseconds and kills it. False if it ended before; its exit status then in *status. */
static bool kill_after(const char *command_line, int milliseconds, int signal_number, int *status) {
    int null = open("/dev/null", O_RDONLY);
    cr_assert_eq(chdir(folder), 0);
    struct process process = start(command_line, null, -1);
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L}, NULL);
    siginfo_t ended = {.si_pid = 0};
    waitid(P_PID, (id_t)process.pid, &ended, WEXITED | WNOHANG | WNOWAIT);
    bool running = ended.si_pid == 0;
    if (running)
        kill(process.pid, signal_number);
    struct outcome outcome = finish(&process);
    *status = outcome.status;
    forget(&outcome);
    close(null);
    cr_assert_eq(chdir("/"), 0);
    return running;
}

/* Kills runs until one comes to its end, each a little later than the one before. */
static void kill_again_and_again(const char *command_line, int signal_number, unsigned seed) {
    int status, kills = 0;
    for (int patience = 10; kill_after(command_line, patience / 2 + rand_r(&seed) % patience, signal_number, &status);
         patience += patience / 8 + 2)
        kills++;
    cr_expect_gt(kills, 0);
    cr_expect_eq(status, 3, "status %d", status); /* of the problems that are none */
}

Test(batch, a_killed_run_goes_on_where_it_stopped) {
    write_list("list", 60);
    expect_status(3, SOLVE "--threads 1 --resume whole list");
    for (int threads = 1; threads <= 3; threads += 2) {
        char command_line[128];
        snprintf(command_line, sizeof command_line, SOLVE "--threads %d --resume killed-%d list", threads, threads);
        kill_again_and_again(command_line, SIGKILL, (unsigned)threads);
        expect_same_records(threads == 1 ? "killed-1" : "killed-3", "whole");
    }
}

Test(batch, a_run_stopped_by_a_signal_goes_on_too) {
    write_list("list", 30);
    expect_status(3, SOLVE "--threads 1 --resume whole list");
    kill_again_and_again(SOLVE "--threads 2 --resume stopped list", SIGTERM, 5);
    expect_same_records("stopped", "whole");
}

Test(batch, what_a_signal_interrupts_is_not_written_down_as_unknown) {
    write_file("list", MATE_IN_ONE "\tfirst\n" HARD "\tsecond\n" MATE_IN_ONE "\tthird\n");
    cr_assert_eq(chdir(folder), 0);
    int null = open("/dev/null", O_RDONLY);
    struct process process = start("solve --hash 16 --time 0 --threads 1 --resume results list", null, -1);
    for (int i = 0; i < 1000 && size_of("results") == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    kill(process.pid, SIGTERM);
    struct outcome outcome = finish(&process);
    cr_expect_eq(outcome.status, 128 + SIGTERM);
    cr_expect_not_null(strstr(outcome.err, "interrupted after 1 problem: 1 mate;"), "%s", outcome.err);
    json_t *records = records_in("results");
    cr_expect_eq(json_array_size(records), 1);
    cr_expect_str_eq(string_at(records, 0, "id"), "first");
    json_decref(records);
    forget(&outcome);
    close(null);
    cr_assert_eq(chdir("/"), 0);
}

Test(batch, a_torn_last_line_is_cut_off_and_solved_again) {
    write_list("list", 3);
    expect_status(0, SOLVE "--threads 1 --resume whole list");
    char *whole = read_file("whole");
    size_t length = strlen(whole), last = length - 1;
    while (whole[last - 1] != '\n')
        last--;
    for (size_t cut = last + 1; cut < length; cut += (length - last) / 12) {
        FILE *file = fopen(path_of("torn"), "w");
        fwrite(whole, 1, cut, file);
        fclose(file);
        struct outcome outcome = tsume("solve --hash 16 --threads 1 --resume torn list");
        cr_expect_eq(outcome.status, 0);
        cr_expect_not_null(strstr(outcome.err, "torn:3: the last line was cut off"), "%s", outcome.err);
        expect_same_records("torn", "whole");
        forget(&outcome);
    }
    free(whole);
}

Test(batch, what_is_finished_out_of_order_is_not_lost_and_is_put_in_order) {
    write_file("list", HARD "\thard\n" MATE_IN_ONE "\tone\n" NO_MATE "\ttwo\n");
    cr_assert_eq(symlink("elsewhere", path_of("results")), 0);
    int status;
    cr_assert(kill_after(SOLVE "--time 0 --threads 2 --resume results list", 1500, SIGKILL, &status));
    json_t *records = records_in("results");
    cr_assert_eq(json_array_size(records), 2, "the easy ones are there though the hard one before them is not");
    json_decref(records);

    struct outcome outcome = tsume("solve --hash 16 --nodes 1000 --resume results list");
    cr_expect_eq(outcome.status, 1);
    cr_expect_not_null(strstr(outcome.err, "3 problems: 1 mate, 1 no mate, 1 unknown, 2 of them from earlier runs;"),
                       "%s", outcome.err);
    forget(&outcome);
    struct stat link;
    cr_expect(lstat(path_of("results"), &link) == 0 && S_ISLNK(link.st_mode), "a link stays one");
    records = records_in("results");
    cr_assert_eq(json_array_size(records), 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(number_at(records, i, "number"), (long long)i + 1);
    json_decref(records);
}

Test(batch, undecided_problems_are_kept_unless_tried_again) {
    write_list("list", 20);
    expect_status(3, SOLVE "--threads 1 --resume whole list");
    expect_status(3, SOLVE "--threads 1 --nodes 5 --resume results list");
    char *before = read_file("results");
    cr_assert_not_null(strstr(before, "\"unknown\""));
    expect_status(3, SOLVE "--threads 1 --resume results list");
    expect_file("results", before);
    free(before);
    int status;
    kill_after(SOLVE "--threads 1 --retry --resume results list", 20, SIGKILL, &status);
    expect_status(3, SOLVE "--threads 1 --retry --resume results list");
    expect_same_records("results", "whole");
}

Test(batch, the_exit_status_is_that_of_all_problems) {
    write_file("list", HARD "\n" MATE_IN_ONE "\n");
    expect_status(1, SOLVE "--nodes 100 --resume results list");
    expect_status(1, SOLVE "--nodes 100 --resume results list");
}

Test(batch, results_without_numbers_are_taken_in_their_order) {
    write_list("list", 8);
    struct outcome plain = tsume(SOLVE "--threads 1 --format jsonl list");
    char *fourth = plain.out;
    for (int i = 0; i < 3; i++)
        fourth = strchr(fourth, '\n') + 1;
    *fourth = '\0';
    write_file("results", plain.out);
    struct outcome outcome = tsume("solve --hash 16 --threads 1 --resume results list");
    cr_expect_eq(outcome.status, 3);
    cr_expect_not_null(strstr(outcome.err, "3 records do not tell with which options"), "%s", outcome.err);
    cr_expect_not_null(strstr(outcome.err, "3 of them from earlier runs"), "%s", outcome.err);
    char *results = read_file("results");
    cr_expect_eq(strncmp(results, plain.out, strlen(plain.out)), 0);
    cr_expect_eq(line_count(results), 8);
    free(results);
    forget(&plain);
    forget(&outcome);
}

Test(batch, checks_go_on_as_well) {
    write_list("list", 12);
    expect_status(3, "check --quiet --hash 16 --nodes 3000 --threads 1 --resume whole list");
    kill_again_and_again("check --quiet --hash 16 --nodes 3000 --threads 1 --resume killed list", SIGKILL, 3);
    json_t *whole = records_in("whole"), *killed = records_in("killed");
    cr_assert_eq(json_array_size(whole), 12);
    cr_assert_eq(json_array_size(killed), 12);
    for (size_t i = 0; i < 12; i++)
        cr_expect_str_eq(string_at(killed, i, "id"), string_at(whole, i, "id"));
    json_decref(whole);
    json_decref(killed);
    expect_refusal("killed:1:1: error: written with other options: 'check ", SOLVE "--resume killed list");
}

Test(batch, certificates_are_named_as_in_one_run_and_missed_where_they_are_gone) {
    write_file("list", MATE_IN_ONE "\tone\n" HARD "\thard\n" NO_MATE "\tone\n");
    int status;
    cr_assert(kill_after(SOLVE "--time 0 --threads 1 --certificate . --resume results list", 1000, SIGKILL, &status));
    cr_expect_gt(size_of("one.cert"), 0);
    expect_status(1, SOLVE "--nodes 100 --threads 1 --certificate . --resume results list");
    cr_expect_gt(size_of("one-2.cert"), 0);

    write_file("list", MATE_IN_ONE "\tone\n");
    unlink(path_of("results"));
    expect_status(0, SOLVE "--certificate . --resume results list");
    expect_status(0, SOLVE "--certificate . --resume results list");
    unlink(path_of("one.cert"));
    expect_status(1, SOLVE "--certificate . --resume results list");
}

/* ---- Files that do not belong together ----------------------------------------------------------------------------- */

Test(batch, results_of_other_problems_or_options_are_refused_and_stay) {
    write_list("list", 6);
    expect_status(0, SOLVE "--threads 1 --resume results list");
    char *before = read_file("results");

    expect_refusal("results:1:1: error: written with other options: 'solve --order shortest --futile exact --hands "
                   "complete', not 'solve --order any ",
                   SOLVE "--any --resume results list");
    expect_refusal("written with other options", SOLVE "--futile none --resume results list");
    expect_refusal("written with other options", SOLVE "--hands as-given --resume results list");
    expect_refusal("written with other options", SOLVE "--attacker black --resume results list");
    expect_refusal("results:1:1: error: the problem is not one of this shard",
                   SOLVE "--shard 2/2 --resume results list");

    char *list = read_file("list");
    write_file("other", list);
    expect_refusal("results:1:1: error: this is of '0' (list:1), but problem 1 of the input is '0' (other:1)",
                   SOLVE "--resume results other");
    char *third = strchr(strchr(list, '\n') + 1, '\n') + 1;
    char *rest = strdup(strchr(third, '\n') + 1);
    *third = '\0';
    FILE *changed = fopen(path_of("list"), "w");
    fprintf(changed, "%s" MATE_IN_ONE "\t2\n%s", list, rest);
    fclose(changed);
    expect_refusal("results:3:1: error: the position of problem 3, '2' (list:3), is another one",
                   SOLVE "--threads 1 --resume results list");
    write_file("list", list);
    expect_refusal("results:6:1: error: the input ends with problem 2", SOLVE "--threads 1 --resume results list");

    expect_file("results", before);
    free(list);
    free(rest);
    free(before);
}

Test(batch, what_is_no_file_of_results_is_refused_and_stays) {
    static const char *const TEXTS[] = {MATE_IN_ONE "\tone\n", "no newline at the end", "{\"id\":3}\n", "[]\n",
                                        "{\"id\":\"a\",\"source\":\"-:1\",\"sfen\":\"\",\"verdict\":\"perhaps\"}\n"};
    write_list("list", 2);
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        write_file("results", TEXTS[i]);
        expect_refusal("results:1:", SOLVE "--resume results list");
        expect_file("results", TEXTS[i]);
    }
    expect_status(4, SOLVE "--resume . list");
    expect_status(4, SOLVE "--resume /no/such/folder/results list");
}

Test(batch, two_runs_do_not_write_one_file) {
    write_list("list", 2);
    write_file("results", "");
    int fd = open(path_of("results"), O_RDWR);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    struct outcome outcome = tsume(SOLVE "--resume results list");
    cr_expect_eq(outcome.status, 4);
    cr_expect_not_null(strstr(outcome.err, "'results' is being written by another run"), "%s", outcome.err);
    cr_expect_eq(size_of("results"), 0);
    close(fd);
    forget(&outcome);
}

Test(batch, results_cannot_go_to_a_device) {
    write_list("list", 2);
    expect_status(4, SOLVE "--resume /dev/null list");
}

Test(batch, results_do_not_go_to_a_folder_that_is_read) {
    write_list("list", 2);
    expect_status(2, SOLVE "--resume results .");
    expect_status(2, SOLVE "--resume %s/results list ../", folder);
    cr_expect_neq(access(path_of("results"), F_OK), 0, "it is not made");
    expect_status(0, SOLVE "--resume results list");
}

Test(batch, bad_usage_exits_2) {
    static const char *const COMMAND_LINES[] = {"solve --retry -",
                                                "solve --resume results --format text -",
                                                "solve --shard 3 -",
                                                "solve --shard 0/3 -",
                                                "solve --shard 4/3 -",
                                                "solve --shard 1/ -",
                                                "solve --shard -1/3 -",
                                                "solve --shard 1/3/5 -",
                                                "merge",
                                                "merge --no-such-option results",
                                                "duplicates",
                                                "duplicates --format kif -"};
    for (size_t i = 0; i < sizeof COMMAND_LINES / sizeof COMMAND_LINES[0]; i++)
        expect_bad_usage(COMMAND_LINES[i]);
}

/* ---- Shards -------------------------------------------------------------------------------------------------------- */

Test(batch, shards_give_every_problem_once) {
    enum { COUNT = 23, SHARDS = 4 };
    write_list("list", COUNT);
    bool found[COUNT + 1] = {false};
    for (int shard = 1; shard <= SHARDS; shard++) {
        struct outcome outcome = tsume(SOLVE "--nodes 100 --shard %d/%d --format jsonl list", shard, SHARDS);
        json_t *records = parse_lines(outcome.out);
        for (size_t i = 0; i < json_array_size(records); i++) {
            long long number = number_at(records, i, "number");
            cr_assert(number >= 1 && number <= COUNT && !found[number], "problem %lld", number);
            cr_expect_eq(atoi(string_at(records, i, "id")), number - 1);
            found[number] = true;
        }
        cr_expect_leq(json_array_size(records), COUNT / SHARDS + 1, "shards are of one size");
        json_decref(records);
        forget(&outcome);
    }
    for (int number = 1; number <= COUNT; number++)
        cr_expect(found[number], "problem %d", number);
}

Test(batch, shards_that_are_killed_merge_to_the_whole) {
    write_list("list", 30);
    expect_status(3, SOLVE "--threads 1 --resume whole list");
    for (unsigned shard = 1; shard <= 3; shard++) {
        char command_line[128];
        snprintf(command_line, sizeof command_line, SOLVE "--threads 1 --shard %u/3 --resume part-%u list", shard,
                 shard);
        int status;
        kill_after(command_line, 15, SIGKILL, &status);
        struct outcome outcome = run("--version", "");
        forget(&outcome);
        outcome = tsume("%s", command_line);
        cr_expect_leq(outcome.status, 3);
        forget(&outcome);
    }
    expect_status(0, "merge --quiet --input list -o merged part-3 part-1 part-2");
    expect_same_records("merged", "whole");
    expect_status(3, SOLVE "--threads 1 --resume merged list");
    expect_same_records("merged", "whole");
}

/* ---- Putting results together -------------------------------------------------------------------------------------- */

#define OPTIONS_KEY "\"options\":\"solve --order shortest --futile exact --hands complete\""
#define RECORD(number, verdict, plies, exact)                                                                          \
    "{\"id\":\"" #number "\",\"source\":\"list:" #number "\",\"sfen\":\"\",\"verdict\":\"" verdict                     \
    "\",\"plies\":" #plies ",\"exact\":" #exact ",\"number\":" #number "," OPTIONS_KEY "}\n"

/* Merges the files and compares stdout with the text; what is on stderr, to be freed. */
static char *expect_merged(int status, const char *command_line, const char *text) {
    struct outcome outcome = tsume("%s", command_line);
    cr_expect_eq(outcome.status, status, "exits %d: %s", outcome.status, outcome.err);
    cr_expect_str_eq(outcome.out, text);
    free(outcome.out);
    return outcome.err;
}

Test(merge, results_come_in_the_order_of_the_input) {
    write_file("a", RECORD(4, "mate", 3, true) RECORD(1, "mate", 5, true));
    write_file("b", RECORD(3, "nomate", null, true) RECORD(2, "unknown", null, false));
    free(expect_merged(0, "merge --quiet a b",
                       RECORD(1, "mate", 5, true) RECORD(2, "unknown", null, false) RECORD(3, "nomate", null, true)
                           RECORD(4, "mate", 3, true)));
}

Test(merge, missing_problems_are_named) {
    write_file("a", RECORD(2, "mate", 3, true) RECORD(6, "mate", 3, true));
    char *err = expect_merged(1, "merge a", RECORD(2, "mate", 3, true) RECORD(6, "mate", 3, true));
    cr_expect_str_eq(err, "missing: problem 1\nmissing: problems 3 to 5\n2 records merged, 4 missing\n");
    free(err);
}

Test(merge, of_two_records_the_better_one_is_kept) {
    write_file("a", RECORD(1, "unknown", null, false) RECORD(2, "mate", 9, false) RECORD(3, "mate", 7, true));
    write_file("b", RECORD(1, "mate", 5, true) RECORD(2, "mate", 7, true) RECORD(3, "mate", 7, true));
    char *err =
        expect_merged(0, "merge a b", RECORD(1, "mate", 5, true) RECORD(2, "mate", 7, true) RECORD(3, "mate", 7, true));
    cr_expect_str_eq(err, "a:2: problem 2 is there twice, see b:2\nb:3: problem 3 is there twice, see a:3\n"
                          "3 records merged, 2 there twice\n");
    free(err);
}

Test(merge, contradictions_are_errors) {
    write_file("a", RECORD(1, "mate", 5, true) RECORD(2, "mate", 5, true) RECORD(3, "mate", 3, false)
                        RECORD(4, "mate", 1, true) RECORD(5, "mate", 1, true));
    write_file("b",
               RECORD(1, "nomate", null, true) RECORD(2, "mate", 7, true)
                   RECORD(3, "mate", 5,
                          true) "{\"id\":\"5\",\"source\":\"other:5\",\"sfen\":\"\",\"verdict\":\"mate\",\"plies\":1,"
                                "\"exact\":true,\"number\":5," OPTIONS_KEY "}\n");
    char *err = expect_merged(3, "merge a b", RECORD(4, "mate", 1, true));
    static const char *const SAID[] = {"b:1:1: error: problem 1 contradicts a:1, which has another verdict\n",
                                       "b:2:1: error: problem 2 contradicts a:2, which has another length\n",
                                       "b:3:1: error: problem 3 contradicts a:3, which has another length\n",
                                       "b:4:1: error: problem 5 contradicts a:5, which has another problem"};
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
        cr_expect_not_null(strstr(err, SAID[i]), "'%s' is not in: %s", SAID[i], err);
    free(err);
}

Test(merge, lines_that_are_no_records_are_named_and_the_rest_is_merged) {
    write_file("a", RECORD(1, "mate", 5, true) "nonsense\n{\"id\": }\n[]\n\n" RECORD(2, "mate", 5, true) "{\"id\":\"3");
    char *err = expect_merged(3, "merge a no-such-file", RECORD(1, "mate", 5, true) RECORD(2, "mate", 5, true));
    static const char *const SAID[] = {"a:2:8: error: ",
                                       "a:3:8: error: ",
                                       "a:4:1: error: no record",
                                       "a:5:",
                                       "a:7:1: error: the line is cut off",
                                       "no-such-file: error: No such file",
                                       "2 records merged, 6 errors\n"};
    for (size_t i = 0; i < sizeof SAID / sizeof SAID[0]; i++)
        cr_expect_not_null(strstr(err, SAID[i]), "'%s' is not in: %s", SAID[i], err);
    free(err);
}

Test(merge, records_of_other_options_or_without_numbers_are_errors) {
    write_file("a", RECORD(1, "mate", 5, true));
    write_file("b", "{\"id\":\"2\",\"source\":\"list:2\",\"sfen\":\"\",\"verdict\":\"sound\",\"number\":2,"
                    "\"options\":\"check --futile exact\"}\n"
                    "{\"id\":\"3\",\"source\":\"list:3\",\"sfen\":\"\",\"verdict\":\"mate\"}\n");
    char *err = expect_merged(3, "merge a b", RECORD(1, "mate", 5, true));
    cr_expect_not_null(strstr(err, "b:1:1: error: written with other options: 'check --futile exact', not 'solve "),
                       "%s", err);
    cr_expect_not_null(strstr(err, "b:2:1: error: the record has no number"), "%s", err);
    free(err);
}

Test(merge, the_input_tells_what_is_missing_at_the_end_and_what_has_changed) {
    write_file("list", MATE_IN_ONE "\ta\n" NO_MATE "\tb\n" MATE_IN_ONE "\tc\n");
    expect_status(0, SOLVE "--threads 1 --shard 2/3 --resume part-2 list");
    expect_status(0, SOLVE "--threads 1 --shard 1/3 --resume part-1 list");
    struct outcome outcome = tsume("merge --input list part-1 part-2");
    cr_expect_eq(outcome.status, 1);
    cr_expect_eq(line_count(outcome.out), 2);
    cr_expect_str_eq(outcome.err, "missing: c (list:3)\n2 records merged, 1 missing\n");
    forget(&outcome);

    write_file("list", NO_MATE "\ta\n");
    outcome = tsume("merge --input list part-1 part-2");
    cr_expect_eq(outcome.status, 3);
    cr_expect_str_empty(outcome.out);
    cr_expect_not_null(strstr(outcome.err, "part-1:1:1: error: the position of problem 1, 'a' (list:1), is another"),
                       "%s", outcome.err);
    cr_expect_not_null(strstr(outcome.err, "part-2:1:1: error: the input ends with problem 1"), "%s", outcome.err);
    forget(&outcome);
}

Test(merge, the_output_may_be_one_of_the_files) {
    write_file("a", RECORD(2, "mate", 5, true));
    write_file("b", RECORD(1, "mate", 5, true));
    expect_status(0, "merge --quiet -o a a b");
    expect_file("a", RECORD(1, "mate", 5, true) RECORD(2, "mate", 5, true));
    expect_status(4, "merge --quiet -o /no/such/folder/a a");
}

/* ---- Duplicates ---------------------------------------------------------------------------------------------------- */

#define ASIDE "5k3/9/5P3/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
#define ASIDE_MIRRORED "3k5/9/3P5/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 9"
#define ASIDE_REVERSED "9/9/9/9/9/9/3p5/9/3K5 w 2R2B3G4S4N4L17Pg 1"
#define ASIDE_BOTH "9/9/9/9/9/9/5p3/9/5K3 w 2R2B3G4S4N4L17Pg 1"

Test(duplicates, groups_say_how_problems_are_related) {
    struct outcome outcome = run("duplicates -", MATE_IN_ONE
                                 "\tmiddle\n" ASIDE "\taside\n" NO_MATE "\tother\n" ASIDE_BOTH "\tboth\n" ASIDE_MIRRORED
                                 "\tmirrored\n" ASIDE_REVERSED "\treversed\n" ASIDE "\tsame\n" MATE_IN_ONE "\tagain\n");
    cr_expect_eq(outcome.status, 1);
    cr_expect_str_eq(outcome.out, "middle (-:1)\n  again (-:8), the same\n"
                                  "aside (-:2)\n  both (-:4), mirrored, colours reversed\n  mirrored (-:5), mirrored\n"
                                  "  reversed (-:6), colours reversed\n  same (-:7), the same\n");
    cr_expect_str_eq(outcome.err, "8 problems: 5 duplicates in 2 groups\n");
    forget(&outcome);
}

Test(duplicates, json_has_one_group_a_line) {
    json_t *lines = records_of("duplicates --quiet --format jsonl -", ASIDE_MIRRORED "\ta\n" ASIDE_REVERSED "\tb\n");
    json_t *expected = json_loads("[{\"sfen\": \"3k5/9/3P5/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\", \"problems\": ["
                                  "{\"id\": \"a\", \"source\": \"-:1\", \"mirrored\": false, \"reversed\": false},"
                                  "{\"id\": \"b\", \"source\": \"-:2\", \"mirrored\": true, \"reversed\": true}]}]",
                                  0, NULL);
    char *text = json_dumps(lines, 0);
    cr_expect(json_equal(lines, expected), "%s", text);
    free(text);
    json_decref(lines);
    json_decref(expected);
}

Test(duplicates, what_differs_in_hands_or_in_who_moves_is_no_duplicate) {
    struct outcome outcome =
        run("duplicates --quiet --attacker black -", "4k4/9/4P4/9/9/9/9/9/9 b Gr2b3g4s4n4l17p 1\n"
                                                     "4k4/9/4P4/9/9/9/9/9/9 b Sr2b4g3s4n4l17p 1\n"
                                                     "4k4/4G4/4P4/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1\n"
                                                     "4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1\n");
    cr_expect_str_empty(outcome.out, "%s", outcome.out);
    forget(&outcome);
}

Test(duplicates, exit_status_says_whether_there_are_any) {
    cr_expect_eq(status_of("duplicates --quiet -", ASIDE "\n" NO_MATE "\n"), 0);
    cr_expect_eq(status_of("duplicates --quiet -", ASIDE "\n" ASIDE "\n"), 1);
    cr_expect_eq(status_of("duplicates --quiet -", ASIDE "\n" NIFU "\n"), 3);
}

/* The board of an SFEN, each rank from right to left; the rest unchanged. */
static void mirror(const char *sfen, char mirrored[TSUME_SFEN_SIZE]) {
    size_t board = strcspn(sfen, " "), out = 0;
    for (size_t begin = 0; begin < board; begin++) {
        size_t end = begin + strcspn(sfen + begin, "/ ");
        for (size_t i = end; i-- > begin;) {
            bool promoted = i > begin && sfen[i - 1] == '+';
            if (promoted)
                mirrored[out++] = '+';
            mirrored[out++] = sfen[i];
            i -= promoted;
        }
        if (end < board)
            mirrored[out++] = '/';
        begin = end;
    }
    strcpy(mirrored + out, sfen + board);
}

Test(duplicates, mirror_images_have_one_canonical_position) {
    char path[1024];
    snprintf(path, sizeof path, "%s/problems/zukou.tsv", TSUME_SOURCE_DIR);
    struct tsume_reader *reader = tsume_reader_new((const char *[]){path}, 1, NULL);
    int count = 0;
    for (struct tsume_problem *p; (p = tsume_reader_next(reader)); tsume_problem_free(p), count++) {
        char text[TSUME_SFEN_SIZE];
        struct tsume_canonical a, b;
        mirror(tsume_problem_sfen(p), text);
        struct tsume_problem *image = tsume_problem_from_sfen(text, NULL);
        cr_assert(tsume_problem_canonical(p, &a));
        cr_assert(tsume_problem_canonical(image, &b), "%s", text);
        cr_expect_str_eq(a.sfen, b.sfen);
        cr_expect(a.mirrored != b.mirrored || strcmp(tsume_problem_sfen(p), text) == 0, "%s", text);
        cr_expect(!a.reversed && !b.reversed);
        tsume_problem_free(image);
    }
    cr_expect_eq(count, 100);
    tsume_reader_free(reader);
    struct tsume_problem *none = tsume_problem_from_sfen(NIFU, NULL);
    struct tsume_canonical canonical;
    cr_expect_not(tsume_problem_canonical(none, &canonical));
    tsume_problem_free(none);
}
