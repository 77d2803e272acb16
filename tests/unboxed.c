/* unboxed.c: runs Criterion tests one after another in this very process, for builds with sanitizers.
 *
 * Criterion gives each test a process and shared memory at an address of its choice, which the thread sanitizer needs for
 * itself, and it leaves a block unfreed. So this stands in for its runner: the parts of Criterion that tests call while they run, and a
 * main function. `init`, `fini`, `disabled` and `timeout` of a test are observed; tests that expect a signal or an exit
 * status are passed over. */
#include <criterion/criterion.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The tests and suites of the program: the linker names the ends of the sections that Test() and TestSuite() fill. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];      /* NOLINT(bugprone-reserved-identifier) */
extern struct criterion_suite *__start_cr_sts[] __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */
extern struct criterion_suite *__stop_cr_sts[] __attribute__((weak));  /* NOLINT(bugprone-reserved-identifier) */

/* What is stated for the whole suite of a test. */
static const struct criterion_test_extra_data *suite_data(const struct criterion_test *test) {
    static const struct criterion_test_extra_data none;
    for (struct criterion_suite **suite = __start_cr_sts; suite < __stop_cr_sts; suite++)
        if (*suite && (*suite)->data && strcmp((*suite)->name, test->category) == 0)
            return (*suite)->data;
    return &none;
}

/* The test that runs now. */
static struct {
    const struct criterion_test *test;
    jmp_buf end;
    bool failed, skipped;
} current;

/* ---- What tests call ----------------------------------------------------------------------------------------------- */

void criterion_internal_test_setup(void) {
    if (suite_data(current.test)->init)
        suite_data(current.test)->init();
    if (current.test->data->init)
        current.test->data->init();
}

void criterion_internal_test_main(void (*fn)(void)) {
    fn();
}

void criterion_internal_test_teardown(void) {
    if (current.test->data->fini)
        current.test->data->fini();
    if (suite_data(current.test)->fini)
        suite_data(current.test)->fini();
}

void criterion_send_assert(struct criterion_assert_stats *stats) {
    if (stats->passed)
        return;
    current.failed = true;
    fprintf(stderr, "[----] %s:%u: %s\n", stats->file, stats->line, stats->message);
}

void cri_asserts_passed_incr(void) {}

void criterion_continue_test(void) {}

_Noreturn void criterion_abort_test(void) {
    longjmp(current.end, 1);
}

_Noreturn void criterion_skip_test(const char *format, ...) {
    (void)format;
    current.skipped = true;
    longjmp(current.end, 1);
}

void criterion_test_die(const char *message, ...) {
    fprintf(stderr, "[----] %s\n", message);
    current.failed = true;
    longjmp(current.end, 1);
}

/* ---- The runner ---------------------------------------------------------------------------------------------------- */

static void run_current(void) {
    if (setjmp(current.end) == 0)
        current.test->test();
}

/* The whole process ends if a test takes longer than it may, as the message of SIGALRM tells. */
static bool passes(const struct criterion_test *test) {
    current.test = test;
    current.failed = current.skipped = false;
    printf("[RUN ] %s::%s\n", test->category, test->name);
    fflush(stdout);
    alarm((unsigned)(test->data->timeout > 0 ? test->data->timeout : suite_data(test)->timeout));
    run_current();
    alarm(0);
    return !current.failed;
}

/* Runs the tests whose names, as suite::test, contain an argument, if there is any. */
static bool is_wanted(const struct criterion_test *test, int argc, char **argv) {
    if (test->data->disabled || test->data->signal || test->data->exit_code)
        return false;
    char name[256];
    snprintf(name, sizeof name, "%s::%s", test->category, test->name);
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return argc < 2;
}

int main(int argc, char **argv) {
    int tested = 0, failing = 0;
    for (struct criterion_test **test = __start_cr_tst; test < __stop_cr_tst; test++) {
        if (!*test || !is_wanted(*test, argc, argv))
            continue;
        tested++;
        if (!passes(*test)) {
            failing++;
            printf("[FAIL] %s::%s\n", (*test)->category, (*test)->name);
        }
    }
    printf("[====] Synthesis: Tested: %d | Passing: %d | Failing: %d\n", tested, tested - failing, failing);
    return failing > 0;
}
