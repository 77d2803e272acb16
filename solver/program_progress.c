#include "program_progress.h"

#include "rules/language.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24, LEAST_COLUMNS = 20 };
static const double DRAW_EVERY = 0.1; /* seconds */

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_begin(struct progress *bar, bool quiet) {
    *bar = (struct progress){
        .enabled = !quiet && isatty(STDERR_FILENO),
        .shares = isatty(STDOUT_FILENO),
        .started = progress_clock(),
    };
    bar->next = bar->started + 0.5; /* short runs need none */
}

/* "1:02:03" or "2:03". */
static void write_duration(char *text, size_t size, double seconds) {
    long whole = seconds < 1e8 ? (long)(seconds + 0.5) : 99999999;
    if (whole >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

static size_t write_bar(char *text, size_t size, double share) {
    int full = (int)(share * BAR_WIDTH + 0.5);
    char cells[BAR_WIDTH + 1];
    memset(cells, ' ', BAR_WIDTH);
    memset(cells, '#', (size_t)full);
    cells[BAR_WIDTH] = '\0';
    return (size_t)snprintf(text, size, "[%s] %3.0f %%  ", cells, share * 100);
}

/* How many columns the terminal has; 80 if it does not say. */
static int terminal_columns(void) {
    struct winsize window;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= LEAST_COLUMNS)
        return window.ws_col;
    return 80;
}

void progress_draw(struct progress *bar, const struct progress_state *state) {
    double now = progress_clock();
    if (!bar->enabled || now < bar->next)
        return;
    bar->next = now + DRAW_EVERY;

    char text[300], spent[24], left[24];
    size_t length = 0;
    double elapsed = now - bar->started;
    double share = state->bytes_total > 0 ? (double)state->bytes_done / (double)state->bytes_total : -1;
    if (share > 1)
        share = 1;
    if (share >= 0)
        length = write_bar(text, sizeof text, share);
    write_duration(spent, sizeof spent, elapsed);
    length += (size_t)snprintf(text + length, sizeof text - length,
                               Q_("%llu problem  %.1f/s  %s", "%llu problems  %.1f/s  %s", state->problems),
                               (unsigned long long)state->problems, (double)state->problems / elapsed, spent);
    if (share > 0) {
        write_duration(left, sizeof left, elapsed / share * (1 - share));
        snprintf(text + length, sizeof text - length, _("  %s left"), left);
    }
    fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, text);
    fflush(stderr);
    bar->drawn = true;
}

static void erase(struct progress *bar) {
    if (!bar->drawn)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    bar->drawn = false;
}

void progress_make_way(struct progress *bar) {
    if (bar->shares) {
        erase(bar);
    }
}

void progress_end(struct progress *bar) {
    erase(bar);
    bar->enabled = false;
}
