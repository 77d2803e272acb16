/* text.c: cutting bytes into lines and decoding them. All decoding is done by iconv. */
#define _POSIX_C_SOURCE 200809L
#include "problems/text.h"

#include "rules/language.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { RAW_SIZE = 1 << 16, BLOCK_SIZE = 2 * RAW_SIZE }; /* UTF-16 grows by half when it becomes UTF-8 */

struct buffer {
    char *data;
    size_t length, capacity;
};

/* What was wrong in the text that a conversion took. */
struct damage {
    size_t count; /* bytes that were replaced */
    size_t first; /* offset of the first replacement in the output */
    unsigned char byte;
};

struct text {
    int fd; /* −1: from memory */
    bool owns;
    const char *memory;
    size_t memory_left;

    size_t raw_length, unit; /* bytes of a code unit of the wide encoding */
    size_t block_at, block_length;
    bool started, ended, skip_newline, again;
    int error;
    unsigned long long bytes_read;
    long number;

    iconv_t wide, utf8, cp932, euc; /* NO_CONVERTER until needed */
    bool declared_euc;
    bool expect_utf8; /* by declaration, or since the last line that told was UTF-8 */
    struct buffer line, decoded, other;
    struct text_line last;

    char raw[RAW_SIZE];     /* read and not yet in `block`: only where `wide` converts the whole file */
    char block[BLOCK_SIZE]; /* to be cut into lines */
};

#define NO_CONVERTER ((iconv_t)-1)
static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* ---- Buffers ---- */

static bool buffer_reserve(struct buffer *b, size_t more) {
    if (b->length + more <= b->capacity)
        return true;
    size_t capacity = (b->length + more) * 2;
    char *data = realloc(b->data, capacity);
    if (!data)
        return false;
    b->data = data;
    b->capacity = capacity;
    return true;
}

static bool buffer_append(struct buffer *b, const char *bytes, size_t length) {
    if (!buffer_reserve(b, length + 1))
        return false;
    memcpy(b->data + b->length, bytes, length);
    b->length += length;
    b->data[b->length] = '\0';
    return true;
}

/* ---- Opening and closing ---- */

static struct text *text_new(int fd, bool owns, const void *data, size_t size) {
    struct text *t = malloc(sizeof *t);
    if (!t) {
        if (owns)
            close(fd);
        return NULL;
    }
    memset(t, 0, offsetof(struct text, raw)); /* what is behind is filled before it is read */
    t->fd = fd;
    t->owns = owns;
    t->memory = data;
    t->memory_left = size;
    t->wide = t->utf8 = t->cp932 = t->euc = NO_CONVERTER;
    return t;
}

struct text *text_from_file(int fd, bool owns) {
    return text_new(fd, owns, NULL, 0);
}

struct text *text_from_memory(const void *data, size_t size) {
    return text_new(-1, false, data, size);
}

static void close_converter(iconv_t converter) {
    if (converter != NO_CONVERTER)
        iconv_close(converter);
}

void text_close(struct text *t) {
    if (!t)
        return;
    if (t->owns)
        close(t->fd);
    close_converter(t->wide);
    close_converter(t->utf8);
    close_converter(t->cp932);
    close_converter(t->euc);
    free(t->line.data);
    free(t->decoded.data);
    free(t->other.data);
    free(t);
}

int text_error(const struct text *t) {
    return t->error;
}
unsigned long long text_bytes_read(const struct text *t) {
    return t->bytes_read;
}
long text_line_number(const struct text *t) {
    return t->number;
}
void text_unread(struct text *t) {
    t->again = true;
}

long text_column(const char *utf8, size_t bytes) {
    long column = 1;
    for (size_t i = 0; i < bytes; i++)
        column += ((unsigned char)utf8[i] & 0xC0) != 0x80;
    return column;
}

/* ---- Blocks ---- */

/* Up to `room` bytes of the source; 0 at its end or on an error, which is stored. */
static size_t read_source(struct text *t, char *to, size_t room) {
    size_t got = 0;
    if (t->fd < 0) {
        got = t->memory_left < room ? t->memory_left : room;
        if (got > 0)
            memcpy(to, t->memory, got);
        t->memory += got;
        t->memory_left -= got;
    } else {
        ssize_t n;
        do
            n = read(t->fd, to, room);
        while (n < 0 && errno == EINTR);
        if (n < 0)
            t->error = errno;
        else
            got = (size_t)n;
    }
    t->ended = got == 0;
    t->bytes_read += got;
    return got;
}

/* Moves what is complete in `raw` to `block` as UTF-8. A bad unit becomes the byte FF, which the line decoder reports. */
static void convert_raw(struct text *t) {
    char *in = t->raw, *out = t->block;
    size_t left = t->raw_length, room = BLOCK_SIZE;
    while (left > 0 && iconv(t->wide, &in, &left, &out, &room) == (size_t)-1) {
        if (errno == E2BIG || (errno == EINVAL && !t->ended))
            break;
        if (room == 0)
            break;
        size_t skipped = left < t->unit ? left : t->unit;
        in += skipped;
        left -= skipped;
        *out++ = '\xFF';
        room--;
    }
    memmove(t->raw, in, left);
    t->raw_length = left;
    t->block_length = BLOCK_SIZE - room;
}

/* The byte order marks. The four-byte ones first: the mark of UTF-32 LE begins with that of UTF-16 LE. */
static const struct mark {
    const char *bytes;
    size_t length, unit;
    const char *encoding; /* NULL: UTF-8, which is read line by line */
} marks[] = {
    {"\xFF\xFE\0\0", 4, 4, "UTF-32LE"}, {"\0\0\xFE\xFF", 4, 4, "UTF-32BE"}, {"\xEF\xBB\xBF", 3, 1, NULL},
    {"\xFF\xFE", 2, 2, "UTF-16LE"},     {"\xFE\xFF", 2, 2, "UTF-16BE"},
};

/* Reads the first bytes and sees to a byte order mark. */
static void start(struct text *t) {
    t->started = true;
    while (t->raw_length < 4 && !t->ended)
        t->raw_length += read_source(t, t->raw + t->raw_length, RAW_SIZE - t->raw_length);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const struct mark *mark = &marks[i];
        if (t->raw_length < mark->length || memcmp(t->raw, mark->bytes, mark->length) != 0)
            continue;
        t->raw_length -= mark->length;
        memmove(t->raw, t->raw + mark->length, t->raw_length);
        t->unit = mark->unit;
        t->expect_utf8 = true;
        if (mark->encoding)
            t->wide = iconv_open("UTF-8", mark->encoding);
        break;
    }
}

/* Fills the empty block; false at the end. */
static bool next_block(struct text *t) {
    if (!t->started)
        start(t);
    t->block_at = t->block_length = 0;
    if (t->wide == NO_CONVERTER) {
        memcpy(t->block, t->raw, t->raw_length);
        t->block_length = t->raw_length;
        t->raw_length = 0;
        if (t->block_length == 0 && !t->ended)
            t->block_length = read_source(t, t->block, RAW_SIZE);
        return t->block_length > 0;
    }
    do {
        if (!t->ended && t->raw_length < RAW_SIZE)
            t->raw_length += read_source(t, t->raw + t->raw_length, RAW_SIZE - t->raw_length);
        convert_raw(t);
    } while (t->block_length == 0 && !(t->ended && t->raw_length == 0));
    return t->block_length > 0;
}

/* ---- Lines of bytes ---- */

static size_t line_end(const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length && bytes[at] != '\n' && bytes[at] != '\r')
        at++;
    return at;
}

/* Takes bytes into the line, as far as it may grow. */
static bool take(struct text *t, const char *bytes, size_t length, bool *too_long) {
    size_t room = TEXT_LINE_MAX - t->line.length;
    *too_long = *too_long || length > room;
    return buffer_append(&t->line, bytes, length < room ? length : room);
}

/* Reads the next line as bytes into t->line; false at the end of the text. */
static bool next_raw_line(struct text *t, bool *too_long) {
    bool any = false;
    *too_long = false;
    t->line.length = 0;
    for (;;) {
        if (t->block_at == t->block_length && !next_block(t))
            return any && t->error == 0;
        if (t->skip_newline) {
            t->skip_newline = false;
            if (t->block[t->block_at] == '\n') {
                t->block_at++;
                continue;
            }
        }
        const char *from = t->block + t->block_at;
        size_t left = t->block_length - t->block_at, length = line_end(from, left);
        if (!take(t, from, length, too_long)) {
            t->error = ENOMEM;
            return false;
        }
        t->block_at += length + (length < left);
        any = true;
        if (length < left) {
            t->skip_newline = from[length] == '\r';
            return true;
        }
    }
}

/* ---- Decoding a line ---- */

/* How many bytes the converter may be asked to take: up to a NUL, or up to what stands for more than U+10FFFF in UTF-8,
 * which iconv lets pass. */
static size_t fit_length(const char *bytes, size_t length, bool utf8) {
    size_t at = 0;
    for (; at < length && bytes[at] != '\0'; at++) {
        unsigned char byte = (unsigned char)bytes[at];
        if (utf8 && (byte > 0xF4 || (byte == 0xF4 && at + 1 < length && (unsigned char)bytes[at + 1] > 0x8F)))
            break;
    }
    return at;
}

/* Converts bytes to UTF-8, replacing what cannot be converted and every NUL. False when memory is short. */
static bool convert(iconv_t converter, bool utf8, const struct buffer *from, struct buffer *out,
                    struct damage *damage) {
    char *in = from->data;
    const char *fit = NULL; /* where the bytes end that the converter may be asked to take */
    size_t left = from->length;
    memset(damage, 0, sizeof *damage);
    out->length = 0;
    iconv(converter, NULL, NULL, NULL, NULL);
    while (left > 0) {
        if (!buffer_reserve(out, 3 * left + 16))
            return false;
        if (!fit || in > fit)
            fit = in + fit_length(in, left, utf8);
        size_t run = (size_t)(fit - in), run_left = run;
        char *to = out->data + out->length;
        size_t room = out->capacity - out->length - sizeof REPLACEMENT;
        bool failed = run > 0 && iconv(converter, &in, &run_left, &to, &room) == (size_t)-1;
        bool full = failed && errno == E2BIG;
        left -= run - run_left;
        out->length = (size_t)(to - out->data);
        if (full || left == 0)
            continue;
        if (damage->count++ == 0) {
            damage->first = out->length;
            damage->byte = (unsigned char)*in;
        }
        memcpy(out->data + out->length, REPLACEMENT, 3);
        out->length += 3;
        in++;
        left--;
        iconv(converter, NULL, NULL, NULL, NULL);
    }
    if (!buffer_reserve(out, 1))
        return false;
    out->data[out->length] = '\0';
    return true;
}

static iconv_t opened(iconv_t *converter, const char *encoding) {
    if (*converter == NO_CONVERTER)
        *converter = iconv_open("UTF-8", encoding);
    return *converter;
}

/* Bytes that are not ASCII; NULs count too. */
static size_t count_foreign(const struct buffer *line) {
    size_t count = 0;
    for (size_t i = 0; i < line->length; i++)
        count += (signed char)line->data[i] <= 0;
    return count;
}

static void swap(struct buffer *a, struct buffer *b) {
    struct buffer c = *a;
    *a = *b;
    *b = c;
}

/* Is the line damaged UTF-8 rather than another encoding? When most of its foreign bytes make UTF-8 and so did the lines before. A
 * short line in Shift-JIS may do the first by chance. */
static bool is_damaged_utf8(const struct text *t, const struct damage *damage, size_t foreign) {
    return t->expect_utf8 && damage->count * 2 < foreign;
}

/* Decodes t->line into t->decoded: as UTF-8 if it is that, else as the other encoding, whichever is less damaged. */
static bool decode(struct text *t, struct damage *damage) {
    memset(damage, 0, sizeof *damage);
    size_t foreign = count_foreign(&t->line);
    if (foreign == 0) {
        t->decoded.length = 0;
        return buffer_append(&t->decoded, t->line.data ? t->line.data : "", t->line.length);
    }
    if (opened(&t->utf8, "UTF-8") == NO_CONVERTER || !convert(t->utf8, true, &t->line, &t->decoded, damage))
        return false;
    if (damage->count == 0)
        t->expect_utf8 = true;
    if (damage->count == 0 || is_damaged_utf8(t, damage, foreign))
        return true;
    iconv_t legacy = t->declared_euc ? opened(&t->euc, "EUC-JP") : opened(&t->cp932, "CP932");
    struct damage other;
    if (legacy == NO_CONVERTER)
        return true;
    if (!convert(legacy, false, &t->line, &t->other, &other))
        return false;
    if (other.count < damage->count) {
        t->expect_utf8 = t->expect_utf8 && other.count > 0;
        *damage = other;
        swap(&t->decoded, &t->other);
    }
    return true;
}

/* A comment line may declare the encoding of what follows; in CSA it begins as here, others are about the game. */
static void note_declaration(struct text *t) {
    static const char word[] = "encoding=", of_csa[] = "'CSA ";
    bool comment = t->line.data && (t->line.data[0] == '#' || strncmp(t->line.data, of_csa, strlen(of_csa)) == 0);
    const char *found = comment ? strstr(t->line.data, word) : NULL;
    if (!found)
        return;
    found += strlen(word);
    t->declared_euc = strncasecmp(found, "EUC", 3) == 0;
    t->expect_utf8 = strncasecmp(found, "UTF-8", 5) == 0;
}

static void describe_fault(struct text *t, const struct damage *damage, bool too_long) {
    struct text_line *line = &t->last;
    line->fault = too_long ? TEXT_TOO_LONG : damage->count > 0 ? TEXT_BAD_BYTES : TEXT_FINE;
    if (too_long) {
        line->fault_column = text_column(line->bytes, line->length);
        snprintf(line->fault_message, sizeof line->fault_message, _("the line is longer than %d bytes; it is skipped"),
                 TEXT_LINE_MAX);
    } else if (damage->count > 0) {
        line->fault_column = text_column(line->bytes, damage->first);
        snprintf(line->fault_message, sizeof line->fault_message,
                 damage->byte == 0 ? _("byte 0x%02X is not text in UTF-8 or %s (UTF-16 without a byte order mark, or a "
                                       "binary file?)")
                                   : _("byte 0x%02X is not text in UTF-8 or %s"),
                 damage->byte, t->declared_euc ? "EUC-JP" : "Shift-JIS");
    }
}

static size_t mark_length(const char *line) {
    static const char mark[] = "\xEF\xBB\xBF";
    return strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

bool text_keeps(const char *line) {
    return mark_length(line) == 0 && !strpbrk(line, "\r\n") && strlen(line) <= TEXT_LINE_MAX;
}

bool text_next(struct text *t, struct text_line *line) {
    if (t->again) {
        t->again = false;
        *line = t->last;
        return true;
    }
    bool too_long;
    struct damage damage;
    if (t->error != 0 || !next_raw_line(t, &too_long))
        return false;
    note_declaration(t);
    if (!decode(t, &damage)) {
        t->error = errno ? errno : ENOMEM;
        return false;
    }
    memset(&t->last, 0, sizeof t->last);
    t->last.number = ++t->number;
    /* Files put together with cat have byte order marks inside. */
    size_t mark = mark_length(t->decoded.data);
    t->last.bytes = t->decoded.data + mark;
    t->last.length = t->decoded.length - mark;
    damage.first -= damage.count > 0 ? mark : 0;
    describe_fault(t, &damage, too_long);
    *line = t->last;
    return true;
}
