/* microbench.c: `tsume-microbench`: how often a second the parts of the search can be done. */
#include "bench/numbers.h"
#include "bench/sheet.h"
#include "rules/language.h"
#include "rules/movegen.h"
#include "rules/sfen.h"
#include "solver/dfpn.h"
#include "solver/program.h"
#include "solver/program_language.h"
#include "solver/program_options.h"
#include "solver/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char DOC[] =
    N_("Measures the parts that the search is made of, on the positions of the suite of `tsume bench': operations a "
       "second, the median of several samples, and the slowest and fastest.\v"
       "NAME is one of perft (leaves of the opening's move tree), checks, evasions (lists of moves generated), "
       "mate-in-one (positions examined), table-store, table-probe (of entries that are there), table-miss; without "
       "any, all are measured.");

/* suite.tsv, as the build makes it. */
extern const char suite_text[];

/* ---- What is worked on --------------------------------------------------------------------------------------------- */

enum { TABLE_MIB = 64, KEYS = 1 << 20 }; /* half of the slots */

struct positions {
    struct position *list;
    size_t count;
};

struct work {
    struct position opening;
    struct positions attacks;  /* the attacker is to move */
    struct positions defences; /* the defender is in check */
    uint64_t *keys;            /* KEYS of them */
    struct table *table;
    unsigned generation;
    uint64_t sum; /* of results, so that nothing is optimised away */
};

static void add_position(struct positions *positions, const struct position *pos) {
    if ((positions->count & (positions->count - 1)) == 0)
        positions->list = program_must(realloc(positions->list, (2 * positions->count + 1) * sizeof *positions->list));
    positions->list[positions->count++] = *pos;
}

static bool read_position(const char *sfen, struct position *pos) {
    struct setup setup;
    struct sfen_error error;
    if (sfen_parse(sfen, &setup, &error) == 0 || setup_fault(&setup, NULL, NULL) != FAULT_NONE)
        return false;
    position_set(pos, &setup);
    return true;
}

/* The position, and what its checks lead to. */
static void add_attack(struct work *work, struct position *pos) {
    move checks[MAX_MOVES];
    add_position(&work->attacks, pos);
    int count = generate_checks(pos, checks);
    for (int i = 0; i < count; i++) {
        position_do(pos, checks[i]);
        add_position(&work->defences, pos);
        position_undo(pos, checks[i]);
    }
}

static void read_suite(struct work *work) {
    for (const char *line = suite_text, *end; (end = strchr(line, '\n')); line = end + 1) {
        struct position pos;
        char *sfen = program_must(strndup(line, strcspn(line, "\t\n")));
        if (*sfen != '#' && read_position(sfen, &pos))
            add_attack(work, &pos);
        free(sfen);
    }
}

/* splitmix64 (Steele, Lea & Flood 2014) */
static uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static void prepare(struct work *work) {
    *work = (struct work){0};
    read_position(SFEN_OPENING, &work->opening);
    read_suite(work);
    work->keys = program_must(malloc(KEYS * sizeof *work->keys));
    for (uint64_t i = 0; i < KEYS; i++)
        work->keys[i] = mix(i);
    uint64_t serial;
    work->table = program_must(table_new(TABLE_MIB));
    work->generation = table_open_generation(work->table, &serial);
}

static void clean_up(struct work *work) {
    free(work->attacks.list);
    free(work->defences.list);
    free(work->keys);
    table_free(work->table);
}

/* ---- The operations: each works once through everything, and returns how many it did ------------------------------- */

static uint64_t count_leaves(struct work *work) {
    enum { DEPTH = 4 };
    return perft(&work->opening, DEPTH);
}

static uint64_t make_checks(struct work *work) {
    move moves[MAX_MOVES];
    for (size_t i = 0; i < work->attacks.count; i++)
        work->sum += (uint64_t)generate_checks(&work->attacks.list[i], moves);
    return work->attacks.count;
}

static uint64_t make_evasions(struct work *work) {
    move moves[MAX_MOVES];
    for (size_t i = 0; i < work->defences.count; i++)
        work->sum += (uint64_t)generate_evasions(&work->defences.list[i], moves);
    return work->defences.count;
}

static uint64_t find_mates(struct work *work) {
    for (size_t i = 0; i < work->attacks.count; i++)
        work->sum += mate_in_one(&work->attacks.list[i], NULL);
    return work->attacks.count;
}

/* A generation of its own each time: what an earlier one stored is taken over, as from one problem to the next. */
static uint64_t store_all(struct work *work) {
    uint64_t serial;
    table_close_generation(work->table, work->generation);
    work->generation = table_open_generation(work->table, &serial);
    for (uint64_t i = 0; i < KEYS; i++) {
        const struct entry entry = {.pn = 1 + (i & 7), .dn = 1 + (i & 3), .code = CODE_INFINITE, .work = 1 + (i & 255)};
        table_store(work->table, work->generation, work->keys[i], HAND_EMPTY, CODE_INFINITE, &entry);
    }
    return KEYS;
}

static uint64_t probe(struct work *work, uint64_t change) {
    for (uint64_t i = 0; i < KEYS; i++) {
        struct entry found;
        work->sum += table_probe(work->table, work->keys[i] ^ change, HAND_EMPTY, CODE_INFINITE, &found);
    }
    return KEYS;
}

static uint64_t probe_stored(struct work *work) {
    return probe(work, 0);
}

static uint64_t probe_absent(struct work *work) {
    return probe(work, 0x5555555555555555u);
}

struct operation {
    const char *name;
    uint64_t (*run)(struct work *work);
};

/* Stored before probed. */
static const struct operation OPERATIONS[] = {
    {"perft", count_leaves},      {"checks", make_checks},    {"evasions", make_evasions},
    {"mate-in-one", find_mates},  {"table-store", store_all}, {"table-probe", probe_stored},
    {"table-miss", probe_absent},
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS };

/* ---- The command line ---------------------------------------------------------------------------------------------- */

enum { KEY_FORMAT = 1000, KEY_SECONDS };

static const struct argp_option OPTIONS[] = {
    {"format", KEY_FORMAT, "text|jsonl|csv", 0, N_("A table for people, JSON lines, or CSV (default: text)"), 0},
    {"seconds", KEY_SECONDS, "SECONDS", 0, N_("Measure each operation for so long (default: 1)"), 0},
    {0},
};

struct microbench_options {
    enum sheet_format format;
    double seconds;
    bool any, wanted[OPERATION_COUNT];
};

static void want(struct argp_state *state, const char *name, struct microbench_options *options) {
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (strcmp(name, OPERATIONS[i].name) == 0) {
            options->wanted[i] = options->any = true;
            return;
        }
    }
    argp_error(state, _("'%s' is nothing that is measured"), name);
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct microbench_options *options = state->input;
    switch (key) {
    case KEY_FORMAT:
        options->format = (enum sheet_format)option_choice(state, "format", text,
                                                           (const char *const[]){"text", "jsonl", "csv", NULL});
        return 0;
    case KEY_SECONDS:
        options->seconds = option_seconds(state, "seconds", text);
        return 0;
    case ARGP_KEY_ARG:
        want(state, text, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Measuring ----------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 7 };

/* Operations a second, from so many seconds and at least one time through. */
static double sample(const struct operation *operation, struct work *work, double seconds) {
    double begun = clock_seconds(), spent;
    uint64_t done = 0;
    do {
        done += operation->run(work);
        spent = clock_seconds() - begun;
    } while (spent < seconds);
    return (double)done / spent;
}

static void measure(const struct operation *operation, struct work *work, double seconds, struct sheet *sheet) {
    double speeds[SAMPLES];
    operation->run(work); /* warms the caches */
    for (int i = 0; i < SAMPLES; i++)
        speeds[i] = sample(operation, work, seconds / SAMPLES);
    double median = numbers_median(speeds, SAMPLES);
    const struct cell cells[] = {cell_text(operation->name), cell_count((uint64_t)median),
                                 cell_count((uint64_t)speeds[0]), cell_count((uint64_t)speeds[SAMPLES - 1]),
                                 cell_real(1e9 / median)};
    sheet_row(sheet, cells);
}

int main(int argc, char **argv) {
    static const struct argp ARGP = {.options = OPTIONS, .parser = parse_option, .args_doc = "[NAME...]", .doc = DOC};
    struct microbench_options options = {.seconds = 1};
    language_begin(&argc, argv);
    options_read(argc, argv, &ARGP, &options);
    language_english(options.format != SHEET_TEXT);
    const struct column columns[] = {{"operation", _("operation"), 0},
                                     {"per_second", _("a second"), 0},
                                     {"per_second_min", _("least"), 0},
                                     {"per_second_max", _("most"), 0},
                                     {"nanoseconds", _("ns each"), 1}};
    struct work work;
    struct sheet sheet;
    prepare(&work);
    table_enter(work.table);
    store_all(&work); /* there must be something to probe */
    sheet_begin(&sheet, stdout, options.format, "operations", columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (options.wanted[i] || !options.any)
            measure(&OPERATIONS[i], &work, options.seconds, &sheet);
    table_leave(work.table);
    clean_up(&work);
    if (!sheet_end(&sheet))
        program_fail(errno, _("the output could not be written"));
    return 0;
}
