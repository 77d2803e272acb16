/* shell.h: running a command line of the shell, for tests. */
#ifndef TSUME_TESTS_SHELL_H
#define TSUME_TESTS_SHELL_H

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

/* What the command writes to stdout, in English unless it says otherwise, to be freed; its exit status in *status. */
__attribute__((format(printf, 2, 3))) static inline char *shell(int *status, const char *format, ...) {
    char command[4096], *text = NULL;
    size_t length;
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    setenv("LC_ALL", "C", 1); /* English, whatever the machine speaks */
    FILE *pipe = popen(command, "r"), *copy = open_memstream(&text, &length);
    cr_assert(pipe && copy, "%s", command);
    for (int byte; (byte = fgetc(pipe)) != EOF;)
        fputc(byte, copy);
    fclose(copy);
    int ended = pclose(pipe);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return text;
}

#endif
