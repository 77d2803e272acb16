/* sheet.h: rows of results, for people or for programs: a table with aligned columns, JSON lines, or CSV (RFC 4180).
 *
 * A cell that has no value is null in JSON and empty elsewhere. JSON objects begin with a member "table" that names the sheet, so that
 * one stream can hold several. A table for people leaves out columns without any value, and is nothing at all without rows. One thread at a
 * time may use a sheet. */
#ifndef TSUME_BENCH_SHEET_H
#define TSUME_BENCH_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum sheet_format { SHEET_TEXT, SHEET_JSONL, SHEET_CSV };

enum cell_kind { CELL_NONE, CELL_TEXT, CELL_COUNT, CELL_REAL, CELL_TRUTH };

/* Text is UTF-8 and only borrowed until sheet_row returns. */
struct cell {
    enum cell_kind kind;
    union {
        const char *text;
        uint64_t count;
        double real;
        bool truth;
    };
};

static inline struct cell cell_none(void) {
    return (struct cell){.kind = CELL_NONE};
}
/* NULL is no value. */
static inline struct cell cell_text(const char *text) {
    return (struct cell){.kind = text ? CELL_TEXT : CELL_NONE, .text = text};
}
static inline struct cell cell_count(uint64_t count) {
    return (struct cell){.kind = CELL_COUNT, .count = count};
}
/* What is not finite is no value. */
static inline struct cell cell_real(double real) {
    return (struct cell){.kind = __builtin_isfinite(real) ? CELL_REAL : CELL_NONE, .real = real};
}
static inline struct cell cell_truth(bool truth) {
    return (struct cell){.kind = CELL_TRUTH, .truth = truth};
}

struct column {
    const char *name;    /* for programs; NULL in a column for people only */
    const char *heading; /* for people; NULL in a column for programs only */
    int decimals;        /* of reals, for people; programs get six */
};

enum { SHEET_COLUMNS = 64 }; /* a sheet has at most so many */

struct sheet {
    FILE *out;
    enum sheet_format format;
    const char *table;
    const struct column *columns;
    size_t column_count;
    /* private: */
    char **cells; /* of a text table, row by row, as printed */
    bool *right;  /* which of them are numbers */
    size_t cell_count, room;
    bool failed;
};

/* Begins a sheet; writes the header of a CSV. All that is passed must stay until sheet_end. */
void sheet_begin(struct sheet *sheet, FILE *out, enum sheet_format format, const char *table,
                 const struct column *columns, size_t column_count);
/* Adds a row of as many cells as there are columns. */
void sheet_row(struct sheet *sheet, const struct cell *cells);
/* Writes what is not yet written. False if memory was short or the output could not be written. */
bool sheet_end(struct sheet *sheet);

#endif
