#include "bench/sheet.h"

#include "rules/language.h"
#include "solver/program_report.h"
#include "solver/program_width.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMALS_FOR_PROGRAMS = 6 };

/* ---- Text ---------------------------------------------------------------------------------------------------------- */

/* The cell as people read it, malloc'd. */
static char *shown(const struct cell *cell, int decimals) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    switch (cell->kind) {
    case CELL_NONE:
        break;
    case CELL_TEXT:
        report_write_text(out, cell->text);
        break;
    case CELL_COUNT:
        fprintf(out, "%llu", (unsigned long long)cell->count);
        break;
    case CELL_REAL:
        fprintf(out, "%.*f", decimals, cell->real);
        break;
    case CELL_TRUTH:
        fputs(cell->truth ? _("yes") : _("no"), out);
        break;
    }
    return report_text_record(out, &text);
}

static bool make_room(struct sheet *sheet) {
    if (sheet->cell_count + sheet->column_count <= sheet->room)
        return true;
    size_t room = 2 * sheet->room + 16 * sheet->column_count;
    char **cells = realloc(sheet->cells, room * sizeof *cells);
    if (!cells)
        return false;
    sheet->cells = cells;
    bool *right = realloc(sheet->right, room * sizeof *right);
    if (!right)
        return false;
    sheet->right = right;
    sheet->room = room;
    return true;
}

static bool keep_row(struct sheet *sheet, const struct cell *cells) {
    if (!make_room(sheet))
        return false;
    for (size_t i = 0; i < sheet->column_count; i++) {
        char *text = shown(&cells[i], sheet->columns[i].decimals);
        if (!text)
            return false;
        sheet->right[sheet->cell_count] = cells[i].kind == CELL_COUNT || cells[i].kind == CELL_REAL;
        sheet->cells[sheet->cell_count++] = text;
    }
    return true;
}

/* Is the column made of numbers? Then its heading stands right too. */
static bool column_is_right(const struct sheet *sheet, size_t column) {
    for (size_t i = column; i < sheet->cell_count; i += sheet->column_count)
        if (sheet->right[i])
            return true;
    return false;
}

/* How wide the column is in print; 0 if it is not for people, or has no values. */
static int column_width(const struct sheet *sheet, size_t column) {
    const char *heading = sheet->columns[column].heading;
    int widest = 0;
    for (size_t i = column; heading && i < sheet->cell_count; i += sheet->column_count) {
        int width = text_width(sheet->cells[i]);
        widest = width > widest ? width : widest;
    }
    return widest > 0 && text_width(heading) > widest ? text_width(heading) : widest;
}

static void write_padded(FILE *out, const char *text, int width, bool right, bool last) {
    int padding = width - text_width(text);
    if (right)
        fprintf(out, "%*s%s", padding, "", text);
    else
        fprintf(out, "%s%*s", text, last ? 0 : padding, "");
    fputs(last ? "\n" : "  ", out);
}

static void write_table(const struct sheet *sheet) {
    int width[SHEET_COLUMNS];
    size_t last = 0;
    for (size_t c = 0; c < sheet->column_count; c++) {
        width[c] = column_width(sheet, c);
        last = width[c] > 0 ? c : last;
    }
    for (size_t c = 0; c < sheet->column_count; c++)
        if (width[c] > 0)
            write_padded(sheet->out, sheet->columns[c].heading, width[c], column_is_right(sheet, c), c == last);
    for (size_t row = 0; row < sheet->cell_count; row += sheet->column_count)
        for (size_t c = 0; c < sheet->column_count; c++)
            if (width[c] > 0)
                write_padded(sheet->out, sheet->cells[row + c], width[c], sheet->right[row + c], c == last);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

static json_t *json_cell(const struct cell *cell) {
    switch (cell->kind) {
    case CELL_TEXT:
        return report_json_text(cell->text);
    case CELL_COUNT:
        return json_integer((json_int_t)cell->count);
    case CELL_REAL:
        return json_real(round(cell->real * 1e6) / 1e6);
    case CELL_TRUTH:
        return json_boolean(cell->truth);
    case CELL_NONE:
        break;
    }
    return json_null();
}

static bool write_object(const struct sheet *sheet, const struct cell *cells) {
    json_t *record = json_object();
    bool filled = record && report_json_set(record, "table", json_string(sheet->table));
    for (size_t i = 0; filled && i < sheet->column_count; i++)
        if (sheet->columns[i].name)
            filled = report_json_set(record, sheet->columns[i].name, json_cell(&cells[i]));
    if (!filled) {
        json_decref(record);
        return false;
    }
    size_t length;
    char *line = report_json_record(record, &length);
    if (line)
        fwrite(line, 1, length, sheet->out);
    free(line);
    return line != NULL;
}

/* ---- CSV ----------------------------------------------------------------------------------------------------------- */

static void write_quoted(FILE *out, const char *text) {
    if (!strpbrk(text, "\",\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* One field of the line, after a comma if it is not the first. */
static void begin_field(FILE *out, bool *first) {
    if (!*first)
        fputc(',', out);
    *first = false;
}

static bool write_fields(const struct sheet *sheet, const struct cell *cells) {
    bool first = true, fine = true;
    for (size_t i = 0; fine && i < sheet->column_count; i++) {
        if (!sheet->columns[i].name)
            continue;
        begin_field(sheet->out, &first);
        char *text = shown(&cells[i], DECIMALS_FOR_PROGRAMS);
        fine = text != NULL;
        if (fine)
            write_quoted(sheet->out, text);
        free(text);
    }
    fputs("\r\n", sheet->out);
    return fine;
}

static void write_names(const struct sheet *sheet) {
    bool first = true;
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!sheet->columns[i].name)
            continue;
        begin_field(sheet->out, &first);
        write_quoted(sheet->out, sheet->columns[i].name);
    }
    fputs("\r\n", sheet->out);
}

/* ---- The sheet ----------------------------------------------------------------------------------------------------- */

void sheet_begin(struct sheet *sheet, FILE *out, enum sheet_format format, const char *table,
                 const struct column *columns, size_t column_count) {
    *sheet =
        (struct sheet){.out = out, .format = format, .table = table, .columns = columns, .column_count = column_count};
    if (format == SHEET_CSV)
        write_names(sheet);
}

void sheet_row(struct sheet *sheet, const struct cell *cells) {
    bool fine = true;
    switch (sheet->format) {
    case SHEET_TEXT:
        fine = keep_row(sheet, cells);
        break;
    case SHEET_JSONL:
        fine = write_object(sheet, cells);
        break;
    case SHEET_CSV:
        fine = write_fields(sheet, cells);
        break;
    }
    sheet->failed |= !fine;
}

bool sheet_end(struct sheet *sheet) {
    if (sheet->cell_count > 0 && !sheet->failed)
        write_table(sheet);
    for (size_t i = 0; i < sheet->cell_count; i++)
        free(sheet->cells[i]);
    free(sheet->cells);
    free(sheet->right);
    bool written = fflush(sheet->out) == 0 && !ferror(sheet->out);
    return written && !sheet->failed;
}
