#include "program_output.h"

#include "program.h"
#include "rules/language.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool text_ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

static void forget_paths(struct output *output) {
    free(output->path);
    free(output->unfinished);
    output->path = output->unfinished = NULL;
    output->file = NULL;
}

_Noreturn void output_fail(struct output *output, int error) {
    char message[512];
    if (output->path)
        snprintf(message, sizeof message, _("'%s' cannot be written"), output->path);
    else
        snprintf(message, sizeof message, "%s", _("the output could not be written"));
    if (output->unfinished)
        unlink(output->unfinished);
    program_fail(error, message);
}

static void open_file(struct output *output, const char *path) {
    size_t size = strlen(path) + sizeof ".part";
    output->path = program_must(strdup(path));
    output->unfinished = program_must(malloc(size));
    snprintf(output->unfinished, size, "%s.part", path);
    output->file = fopen(output->unfinished, "wb");
    if (!output->file)
        output_fail(output, errno);
}

void output_begin(struct output *output, const char *target) {
    struct stat status;
    *output = (struct output){.target = target};
    signal(SIGPIPE, SIG_IGN);
    if (!target) {
        output->file = stdout;
        return;
    }
    bool is_there = stat(target, &status) == 0 && S_ISDIR(status.st_mode);
    output->in_folder = is_there || text_ends_with(target, "/");
    if (output->in_folder && !is_there && mkdir(target, 0777) != 0)
        program_fail(errno, _("the folder cannot be made"));
    if (!output->in_folder)
        open_file(output, target);
}

void output_open_numbered(struct output *output, const char *ending) {
    size_t size = strlen(output->target) + strlen(ending) + 32;
    char *path = program_must(malloc(size));
    snprintf(path, size, "%s%s%05lu%s", output->target, text_ends_with(output->target, "/") ? "" : "/", ++output->made,
             ending);
    open_file(output, path);
    free(path);
}

void output_close(struct output *output) {
    if (!output->file)
        return;
    bool failed = ferror(output->file) != 0;
    if (fclose(output->file) != 0 || failed)
        output_fail(output, failed ? 0 : errno);
    if (output->unfinished && rename(output->unfinished, output->path) != 0)
        output_fail(output, errno);
    forget_paths(output);
}

void output_abandon(struct output *output) {
    if (!output->file)
        return;
    fclose(output->file);
    if (output->unfinished)
        unlink(output->unfinished);
    forget_paths(output);
}
