#include "program_width.h"

size_t char_length(const char *text) {
    size_t length = *text != '\0';
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length++;
    return length;
}

bool char_is_wide(const char *text) {
    /* From U+1100 on, which UTF-8 begins with E1 84, most of what stands in titles is wide; U+2000–U+2FFF (E2) is punctuation. */
    unsigned char first = (unsigned char)*text;
    return first >= 0xE3 && first <= 0xEF;
}

int text_width(const char *text) {
    int width = 0;
    for (size_t length; (length = char_length(text)) > 0; text += length)
        width += 1 + char_is_wide(text);
    return width;
}
