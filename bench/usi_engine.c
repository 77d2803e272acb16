#include "bench/usi_engine.h"

#include "rules/language.h"
#include "solver/program_progress.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

/* Seconds. An engine may read a book or clear a large table before it is ready. */
static const double WAIT_HELLO = 20, WAIT_READY = 120;
static const double GRACE = 1;      /* beyond the limit, for an engine that looks at the clock now and then */
static const double WAIT_STOP = 2;  /* for the answer after `stop` */
static const double WAIT_EXIT = 1;  /* for the end of a process after `quit` */
static const double WAIT_GONE = .2; /* for the status of a process that has closed its output */

enum { LONGEST_LINE = 1 << 20 }; /* bytes; of a longer one only the end is seen */

struct usi_engine {
    const struct usi_spec *spec;
    char name[40];
    char trouble[512];
    char last[60]; /* the last line that said nothing known */
    long peak_kib;
    int to, from; /* its standard input and output, when running */
    char *buffer; /* LONGEST_LINE bytes: what was read and is not yet looked at */
    size_t begin, end;

    pthread_mutex_t lock;  /* guards what follows: a process must not be killed after it was waited for */
    pid_t pid;             /* 0: not running */
    atomic_bool forbidden; /* not to be started any more */
};

__attribute__((format(printf, 2, 3))) static bool fail(struct usi_engine *engine, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(engine->trouble, sizeof engine->trouble, format, arguments);
    va_end(arguments);
    return false;
}

struct usi_engine *usi_new(const struct usi_spec *spec) {
    struct usi_engine *engine = calloc(1, sizeof *engine);
    char *buffer = malloc(LONGEST_LINE);
    if (!engine || !buffer) {
        free(engine);
        free(buffer);
        return NULL;
    }
    engine->spec = spec;
    engine->buffer = buffer;
    pthread_mutex_init(&engine->lock, NULL);
    snprintf(engine->name, sizeof engine->name, "%s", spec->name ? spec->name : spec->command);
    return engine;
}

const char *usi_name(const struct usi_engine *engine) {
    return engine->name;
}
const char *usi_trouble(const struct usi_engine *engine) {
    return engine->trouble;
}
long usi_peak_kib(const struct usi_engine *engine) {
    return engine->peak_kib;
}

/* ---- The end of a process ------------------------------------------------------------------------------------------ */

/* Waits until the process has ended, without taking its status; false if it goes on longer. */
static bool await_exit(pid_t pid, double seconds) {
    static const struct timespec A_MOMENT = {.tv_nsec = 5 * 1000 * 1000};
    double until = progress_clock() + seconds;
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid)
            return true;
        if (progress_clock() >= until)
            return false;
        nanosleep(&A_MOMENT, NULL);
    }
}

/* Notes how much memory the process had in use at most, while it is there. (What wait4 tells would begin with ours.) */
static void note_peak(struct usi_engine *engine) {
    char path[40], line[128];
    snprintf(path, sizeof path, "/proc/%d/status", (int)engine->pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        long kib = strncmp(line, "VmHWM:", 6) == 0 ? strtol(line + 6, NULL, 10) : 0;
        engine->peak_kib = kib > engine->peak_kib ? kib : engine->peak_kib;
    }
    if (file)
        fclose(file);
}

/* Kills what is left of the process and its children, and returns its status. */
static int reap(struct usi_engine *engine) {
    int status = 0;
    note_peak(engine);
    pthread_mutex_lock(&engine->lock);
    kill(-engine->pid, SIGKILL);
    while (waitpid(engine->pid, &status, 0) < 0 && errno == EINTR)
        ;
    engine->pid = 0;
    pthread_mutex_unlock(&engine->lock);
    close(engine->to);
    close(engine->from);
    return status;
}

/* The engine closed its output: tells how it ended. */
static bool report_end(struct usi_engine *engine) {
    bool ended = await_exit(engine->pid, WAIT_GONE);
    int status = reap(engine);
    if (engine->forbidden)
        return fail(engine, _("interrupted"));
    if (!ended)
        return fail(engine, _("it closed its output, and was killed"));
    if (WIFSIGNALED(status))
        return fail(engine, _("it was killed by signal %d (%s)"), WTERMSIG(status), strsignal(WTERMSIG(status)));
    return fail(engine, _("it ended with exit status %d"), WEXITSTATUS(status));
}

void usi_interrupt(struct usi_engine *engine) {
    pthread_mutex_lock(&engine->lock);
    engine->forbidden = true;
    if (engine->pid > 0)
        kill(-engine->pid, SIGKILL);
    pthread_mutex_unlock(&engine->lock);
}

/* ---- Lines --------------------------------------------------------------------------------------------------------- */

/* Sends a line. False if it cannot be written at once: a pipe holds more than an engine that reads ever leaves in it. */
static bool send_line(struct usi_engine *engine, const char *text) {
    size_t length = strlen(text);
    char *line = malloc(length + 1);
    if (!line)
        return fail(engine, _("out of memory"));
    memcpy(line, text, length);
    line[length] = '\n';
    ssize_t written = write(engine->to, line, length + 1);
    free(line);
    if (written == (ssize_t)length + 1)
        return true;
    if (written < 0 && errno == EPIPE)
        return report_end(engine);
    reap(engine);
    return fail(engine, _("it does not read its input, and was killed"));
}

enum reading { READ_LINE, READ_NOTHING_YET, READ_END };

/* Cuts the next line out of what was read. */
static char *next_line(struct usi_engine *engine) {
    char *begin = engine->buffer + engine->begin;
    char *end = memchr(begin, '\n', engine->end - engine->begin);
    if (!end)
        return NULL;
    engine->begin = (size_t)(end - engine->buffer) + 1;
    if (end > begin && end[-1] == '\r')
        end--;
    *end = '\0';
    return begin;
}

/* Waits for bytes until the deadline (infinite: for ever) and reads them. */
static enum reading read_more(struct usi_engine *engine, double deadline) {
    memmove(engine->buffer, engine->buffer + engine->begin, engine->end - engine->begin);
    engine->end -= engine->begin;
    engine->begin = 0;
    if (engine->end == LONGEST_LINE)
        engine->end = 0;
    struct pollfd descriptor = {.fd = engine->from, .events = POLLIN};
    double left = deadline - progress_clock();
    int ready = poll(&descriptor, 1, left <= 0 ? 0 : left < 1e6 ? (int)(left * 1000) + 1 : -1);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return READ_NOTHING_YET;
    ssize_t count = read(engine->from, engine->buffer + engine->end, LONGEST_LINE - engine->end);
    if (count <= 0)
        return READ_END;
    engine->end += (size_t)count;
    return READ_LINE;
}

/* The next line, which is the engine's until the next call. */
static enum reading read_line(struct usi_engine *engine, double deadline, char **line) {
    for (;;) {
        *line = next_line(engine);
        if (*line)
            return progress_clock() > deadline ? READ_NOTHING_YET : READ_LINE;
        enum reading reading = read_more(engine, deadline);
        if (reading == READ_END || (reading == READ_NOTHING_YET && progress_clock() >= deadline))
            return reading;
    }
}

/* What follows the word at the beginning of the line, without the white space between; NULL if the line begins otherwise. */
static char *after_word(char *line, const char *word) {
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] != '\0' && line[length] != ' ' && line[length] != '\t'))
        return NULL;
    return line + length + strspn(line + length, " \t");
}

static void note_line(struct usi_engine *engine, const char *line) {
    snprintf(engine->last, sizeof engine->last, "%s", line);
}

/* Reads until a line that begins with the word. Takes up the engine's name on the way. */
static bool await_word(struct usi_engine *engine, const char *word, double seconds) {
    double deadline = progress_clock() + seconds;
    engine->last[0] = '\0';
    for (;;) {
        char *line = NULL;
        enum reading reading = read_line(engine, deadline, &line);
        if (reading == READ_END)
            return report_end(engine);
        if (reading == READ_NOTHING_YET) {
            reap(engine);
            if (engine->last[0])
                return fail(engine, _("no '%s' within %.0f seconds; its last line: '%s'"), word, seconds, engine->last);
            return fail(engine, _("no '%s' within %.0f seconds"), word, seconds);
        }
        char *name = after_word(line, "id name");
        if (name && *name && !engine->spec->name)
            snprintf(engine->name, sizeof engine->name, "%s", name);
        if (after_word(line, word))
            return true;
        note_line(engine, line);
    }
}

/* ---- The beginning of a process ------------------------------------------------------------------------------------ */

/* The pipes: ends[0] ours, ends[1] the child's, for its standard input and its output. */
struct pipes {
    int in[2], out[2];
};

static bool open_pipes(struct pipes *pipes) {
    if (pipe2(pipes->in, O_CLOEXEC) != 0)
        return false;
    if (pipe2(pipes->out, O_CLOEXEC) != 0) {
        close(pipes->in[0]);
        close(pipes->in[1]);
        return false;
    }
    fcntl(pipes->in[1], F_SETFL, O_NONBLOCK);
    return true;
}

/* Starts the program in a process group of its own, with signals as usual. Returns 0 or an errno. */
static int spawn(const struct usi_engine *engine, char *const *words, const struct pipes *pipes, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes->in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->out[1], STDOUT_FILENO);
    if (!engine->spec->shows_messages)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    int error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Runs the words as a program. */
static bool launch(struct usi_engine *engine, char *const *words) {
    struct pipes pipes;
    if (!open_pipes(&pipes))
        return fail(engine, _("no pipe could be opened: %s"), strerror(errno));
    pthread_mutex_lock(&engine->lock);
    int error = engine->forbidden ? EINTR : spawn(engine, words, &pipes, &engine->pid);
    if (error)
        engine->pid = 0;
    pthread_mutex_unlock(&engine->lock);
    close(pipes.in[0]);
    close(pipes.out[1]);
    if (error) {
        close(pipes.in[1]);
        close(pipes.out[0]);
        return fail(engine, _("'%s' cannot be started: %s"), words[0], strerror(error));
    }
    engine->to = pipes.in[1];
    engine->from = pipes.out[0];
    engine->begin = engine->end = 0;
    return true;
}

static bool launch_command(struct usi_engine *engine) {
    wordexp_t words;
    if (wordexp(engine->spec->command, &words, WRDE_NOCMD) != 0)
        return fail(engine, _("the command cannot be understood; characters like | & ; < > ( ) want quoting"));
    bool started = words.we_wordc > 0 ? launch(engine, words.we_wordv) : fail(engine, _("the command is empty"));
    wordfree(&words);
    return started;
}

static bool send_option(struct usi_engine *engine, const char *option) {
    const char *value = strchr(option, '=');
    char *line;
    if (asprintf(&line, "setoption name %.*s value %s", (int)(value - option), option, value + 1) < 0)
        return fail(engine, _("out of memory"));
    bool sent = send_line(engine, line);
    free(line);
    return sent;
}

bool usi_start(struct usi_engine *engine) {
    if (engine->pid > 0)
        return true;
    if (!launch_command(engine) || !send_line(engine, "usi") || !await_word(engine, "usiok", WAIT_HELLO))
        return false;
    for (size_t i = 0; i < engine->spec->option_count; i++)
        if (!send_option(engine, engine->spec->options[i]))
            return false;
    return send_line(engine, "isready") && await_word(engine, "readyok", WAIT_READY);
}

void usi_quit(struct usi_engine *engine) {
    if (engine->pid > 0)
        note_peak(engine);
    if (engine->pid > 0 && send_line(engine, "quit")) {
        await_exit(engine->pid, WAIT_EXIT);
        reap(engine);
    }
}

void usi_free(struct usi_engine *engine) {
    if (!engine)
        return;
    usi_quit(engine);
    pthread_mutex_destroy(&engine->lock);
    free(engine->buffer);
    free(engine);
}

/* ---- Questions ----------------------------------------------------------------------------------------------------- */

/* `isready` before each question, so that nothing is left over from the one before, and no table has to be cleared while the clock runs. */
static bool prepare(struct usi_engine *engine, const char *sfen) {
    char position[512];
    snprintf(position, sizeof position, "position sfen %s", sfen);
    return usi_start(engine) && send_line(engine, "isready") && await_word(engine, "readyok", WAIT_READY) &&
           send_line(engine, "usinewgame") && send_line(engine, position);
}

static bool send_go(struct usi_engine *engine, double seconds) {
    char go[40] = "go mate infinite";
    if (seconds > 0)
        snprintf(go, sizeof go, "go mate %.0f", ceil(seconds * 1000));
    return send_line(engine, go);
}

/* What stands behind `checkmate`. */
static enum usi_verdict judge(struct usi_engine *engine, char *text) {
    if (after_word(text, "nomate"))
        return USI_NO_MATE;
    if (after_word(text, "timeout"))
        return USI_TIMEOUT;
    if (after_word(text, "notimplemented"))
        fail(engine, _("it does not implement 'go mate'"));
    else if (*text)
        return USI_MATE;
    else
        fail(engine, _("it answered 'checkmate' with nothing behind it"));
    return USI_FAILED;
}

/* Takes one line of the engine. True if it is the answer. */
static bool take_line(struct usi_engine *engine, char *line, struct usi_answer *answer) {
    char *text = after_word(line, "checkmate");
    if (text) {
        answer->line = text;
        answer->verdict = judge(engine, text);
        return true;
    }
    if (after_word(line, "bestmove")) {
        answer->verdict = USI_FAILED;
        fail(engine, _("it answered 'go mate' with 'bestmove'"));
        return true;
    }
    if (after_word(line, "info")) {
        const char *nodes = strstr(line, " nodes ");
        if (nodes)
            answer->nodes = strtoull(nodes + strlen(" nodes "), NULL, 10);
    } else {
        note_line(engine, line);
    }
    return false;
}

/* Nothing came until a little after the limit. */
static void stop_late(struct usi_engine *engine, struct usi_answer *answer) {
    struct usi_answer late = {0};
    double deadline = progress_clock() + WAIT_STOP;
    answer->verdict = USI_FAILED;
    if (!send_line(engine, "stop"))
        return;
    for (;;) {
        char *line;
        enum reading reading = read_line(engine, deadline, &line);
        if (reading == READ_END) {
            report_end(engine);
            return;
        }
        if (reading == READ_NOTHING_YET) {
            reap(engine);
            if (engine->last[0])
                fail(engine, _("it did not answer, nor stop when told to, and was killed; its last line: '%s'"),
                     engine->last);
            else
                fail(engine, _("it did not answer, nor stop when told to, and was killed"));
            return;
        }
        if (take_line(engine, line, &late)) {
            answer->verdict = late.verdict == USI_FAILED ? USI_FAILED : USI_TIMEOUT;
            return;
        }
    }
}

static void await_answer(struct usi_engine *engine, double deadline, struct usi_answer *answer) {
    for (;;) {
        char *line;
        enum reading reading = read_line(engine, deadline, &line);
        if (reading == READ_END)
            report_end(engine);
        else if (reading == READ_NOTHING_YET)
            stop_late(engine, answer);
        else if (!take_line(engine, line, answer))
            continue;
        return;
    }
}

struct usi_answer usi_solve(struct usi_engine *engine, const char *sfen, double seconds) {
    struct usi_answer answer = {.verdict = USI_FAILED};
    if (!prepare(engine, sfen))
        return answer;
    engine->last[0] = '\0';
    double begun = progress_clock();
    if (send_go(engine, seconds))
        await_answer(engine, seconds > 0 ? begun + seconds + GRACE : INFINITY, &answer);
    answer.seconds = progress_clock() - begun;
    return answer;
}
