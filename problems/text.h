/* text.h: the bytes of a file, a pipe or memory as numbered lines of UTF-8.
 *
 * The encoding is found line by line: a line that is valid UTF-8 is UTF-8; else it is Shift-JIS as Windows writes it (code page
 * 932), or EUC-JP where a line `# … encoding=EUC-JP` declares it, unless it is only damaged UTF-8. A byte order mark of UTF-16 or
 * UTF-32 decides for the whole file. Bytes that are none of these are replaced by U+FFFD and reported with the line. Lines end with
 * LF, CR LF or CR.
 *
 * Memory is bounded: one block of the file and one line, of which no more than TEXT_LINE_MAX bytes are kept.
 * Not thread safe: one thread at a time may use a text. */
#ifndef TSUME_PROBLEMS_TEXT_H
#define TSUME_PROBLEMS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_LINE_MAX = 1 << 24 }; /* bytes: a record in JSON is often a single line */

enum text_fault { TEXT_FINE, TEXT_BAD_BYTES, TEXT_TOO_LONG };

/* A line, without its end. The bytes belong to the text and may be written to by the caller; they end with a NUL, hold no other
 * and last until the next line is asked for. */
struct text_line {
    char *bytes;
    size_t length;
    long number; /* from 1 */
    enum text_fault fault;
    long fault_column; /* in characters, from 1: the first bad byte, or where the line grew too long */
    char fault_message[256];
};

struct text;

/* A text from an open file (closed with it if `owns` is set), and from memory that must stay as it is until text_close. NULL when
 * memory is short; the file is then closed too. */
struct text *text_from_file(int fd, bool owns);
struct text *text_from_memory(const void *data, size_t size);

/* The next line; false at the end, or when reading failed (see text_error). */
bool text_next(struct text *text, struct text_line *line);
/* Makes the next call of text_next give the line that it gave last, once more. That line must not have been written to. */
void text_unread(struct text *text);

/* The errno of what ended the text early (ENOMEM when memory was short); 0 if nothing did. */
int text_error(const struct text *text);
/* Bytes read from the source so far, and the number of the last line given. */
unsigned long long text_bytes_read(const struct text *text);
long text_line_number(const struct text *text);

void text_close(struct text *text);

/* Does the line come back as it is when it is written to a file as UTF-8 and read? Not if it is too long, has ends of lines
 * in it, or begins with what is taken for a byte order mark. */
bool text_keeps(const char *line);

/* How many characters the first `bytes` bytes of UTF-8 are, plus one: the column of what follows them. */
long text_column(const char *utf8, size_t bytes);

#endif
