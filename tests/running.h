/* running.h: the program `tsume` as a process, for tests: what it prints, and how it ends; and some small problems to give it. */
#ifndef TSUME_TESTS_RUNNING_H
#define TSUME_TESTS_RUNNING_H

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A gold dropped before the king, backed by a pawn. */
#define MATE_IN_ONE "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
/* The only check is a pawn that the king takes. */
#define NO_MATE "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"
/* Microcosmos, 1525 plies: far beyond the limits given here. */
#define HARD "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1"
/* Two pawns on file 5. */
#define NIFU "4k4/9/4P4/4P4/9/9/9/9/9 b G2r2b3g4s4n4l16p 1"

/* ---- Running the program ------------------------------------------------------------------------------------------- */

struct outcome {
    int status;    /* of exit; −1 where a signal killed it */
    char *out;     /* all of stdout */
    char *err;     /* all of stderr */
    long peak_kib; /* of resident memory */
};

struct process {
    pid_t pid;
    FILE *out, *err;
};

enum { MAX_ARGS = 20 };

/* The arguments of a command line, parted by spaces. */
struct arguments {
    char text[1024];
    char *list[MAX_ARGS + 2];
};

static inline void split(struct arguments *arguments, const char *command_line) {
    int count = 0;
    snprintf(arguments->text, sizeof arguments->text, "%s %s", TSUME_PROGRAM, command_line);
    for (char *word = strtok(arguments->text, " "); word && count < MAX_ARGS; word = strtok(NULL, " "))
        arguments->list[count++] = word;
    arguments->list[count] = NULL;
}

static inline FILE *scratch_file(void) {
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    return file;
}

/* A scratch file that holds the text, read from its start. */
static inline FILE *file_of(const char *text) {
    FILE *file = scratch_file();
    fputs(text, file);
    fflush(file);
    rewind(file);
    return file;
}

/* Starts a program with descriptors for stdin and stdout; out_fd −1: into process.out. */
static inline struct process start_list(char *const *arguments, int in_fd, int out_fd) {
    struct process process = {.out = scratch_file(), .err = scratch_file()};
    process.pid = fork();
    cr_assert_geq(process.pid, 0);
    if (process.pid == 0) {
        setenv("LC_ALL", "C", 1); /* English, whatever the machine speaks */
        dup2(in_fd, STDIN_FILENO);
        dup2(out_fd >= 0 ? out_fd : fileno(process.out), STDOUT_FILENO);
        dup2(fileno(process.err), STDERR_FILENO);
        execv(arguments[0], arguments);
        _exit(127);
    }
    return process;
}

/* The same of `tsume` with a command line. */
static inline struct process start(const char *command_line, int in_fd, int out_fd) {
    struct arguments arguments;
    split(&arguments, command_line);
    return start_list(arguments.list, in_fd, out_fd);
}

static inline char *contents(FILE *file) {
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    cr_assert_not_null(text);
    text[fread(text, 1, (size_t)size, file)] = '\0';
    return text;
}

/* Waits for the end. */
static inline struct outcome finish(struct process *process) {
    struct outcome outcome = {0};
    struct rusage usage;
    int status;
    cr_assert_eq(wait4(process->pid, &status, 0, &usage), process->pid);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.peak_kib = usage.ru_maxrss;
    outcome.out = contents(process->out);
    outcome.err = contents(process->err);
    fclose(process->out);
    fclose(process->err);
    return outcome;
}

static inline void forget(struct outcome *outcome) {
    free(outcome->out);
    free(outcome->err);
}

/* Runs a program to its end on the text as standard input. */
static inline struct outcome run_list(char *const *arguments, const char *input) {
    FILE *in = file_of(input);
    struct process process = start_list(arguments, fileno(in), -1);
    struct outcome outcome = finish(&process);
    fclose(in);
    return outcome;
}

/* The same of `tsume` with a command line. */
static inline struct outcome run(const char *command_line, const char *input) {
    struct arguments arguments;
    split(&arguments, command_line);
    return run_list(arguments.list, input);
}

/* A command line that makes no sense: exit status 2, a message, and nothing on stdout. */
static inline void expect_bad_usage(const char *command_line) {
    struct outcome outcome = run(command_line, MATE_IN_ONE "\n");
    cr_expect_eq(outcome.status, 2, "'%s' exits %d", command_line, outcome.status);
    cr_expect_str_empty(outcome.out);
    cr_expect_str_not_empty(outcome.err);
    forget(&outcome);
}

/* What a run exits with. */
static inline int status_of(const char *command_line, const char *input) {
    struct outcome outcome = run(command_line, input);
    forget(&outcome);
    return outcome.status;
}

/* ---- Talking to the program ---------------------------------------------------------------------------------------- */

/* A program that is written to and read from, line by line. */
struct client {
    pid_t pid;
    FILE *to, *from;
    char *line; /* the last one read, without its newline */
    size_t room;
};

/* Starts a program to talk to. */
static inline struct client talk(const char *program, const char *argument) {
    int in[2], out[2];
    cr_assert_eq(pipe(in) | pipe(out), 0);
    struct client client = {.pid = fork()};
    cr_assert_geq(client.pid, 0);
    if (client.pid == 0) {
        setenv("LC_ALL", "C", 1);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
            close(fd);
        execl(program, program, argument, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    client.to = fdopen(in[1], "w");
    client.from = fdopen(out[0], "r");
    cr_assert(client.to && client.from);
    return client;
}

static inline void send_text(struct client *client, const char *text) {
    fputs(text, client->to);
    cr_assert_eq(fflush(client->to), 0);
}

/* The next line it says; NULL at the end. */
static inline const char *hear(struct client *client) {
    ssize_t length = getline(&client->line, &client->room, client->from);
    if (length <= 0)
        return NULL;
    if (client->line[length - 1] == '\n')
        client->line[length - 1] = '\0';
    return client->line;
}

/* The next line that begins so; fails where the program ends before. */
static inline const char *await_line(struct client *client, const char *beginning) {
    for (;;) {
        const char *line = hear(client);
        cr_assert_not_null(line, "it ended without '%s'", beginning);
        if (strncmp(line, beginning, strlen(beginning)) == 0)
            return line;
    }
}

/* Closes the program's input, hears what it still says, and waits for it. Returns its exit status, −1 where a signal killed it. */
static inline int part(struct client *client) {
    int status;
    fclose(client->to);
    while (hear(client))
        continue;
    fclose(client->from);
    free(client->line);
    cr_assert_eq(waitpid(client->pid, &status, 0), client->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Waits, ten seconds at most, until the program has written something. */
static inline void await_output(const struct process *process) {
    static const struct timespec A_MOMENT = {.tv_nsec = 10 * 1000 * 1000};
    for (int i = 0; i < 1000; i++) {
        if (lseek(fileno(process->out), 0, SEEK_END) > 0)
            return;
        nanosleep(&A_MOMENT, NULL);
    }
    cr_assert_fail("no output in ten seconds");
}

/* ---- JSON lines ---------------------------------------------------------------------------------------------------- */

static inline size_t line_count(const char *text) {
    size_t count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

/* All lines of the output as an array of objects; fails on a line that is none, or is not ended. */
static inline json_t *parse_lines(const char *text) {
    json_t *lines = json_array();
    while (*text) {
        const char *end = strchr(text, '\n');
        cr_assert_not_null(end, "the last line is cut off: %s", text);
        json_error_t error;
        json_t *object = json_loadb(text, (size_t)(end - text), JSON_REJECT_DUPLICATES, &error);
        cr_assert_not_null(object, "%s: %.*s", error.text, (int)(end - text), text);
        json_array_append_new(lines, object);
        text = end + 1;
    }
    return lines;
}

static inline const char *string_at(const json_t *lines, size_t i, const char *key) {
    return json_string_value(json_object_get(json_array_get(lines, i), key));
}

/* The records of a run in JSON lines. */
static inline json_t *records_of(const char *command_line, const char *input) {
    struct outcome outcome = run(command_line, input);
    json_t *lines = parse_lines(outcome.out);
    forget(&outcome);
    return lines;
}

#endif
