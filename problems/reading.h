/* reading.h: what the parsers of the formats share while one text is read. */
#ifndef TSUME_PROBLEMS_READING_H
#define TSUME_PROBLEMS_READING_H

#include "problems/reader.h"
#include "problems/text.h"

struct reading {
    struct text *text;
    const char *file; /* as the user named it */
    struct reader_options options;
    bool out_of_memory; /* set by a parser that had to give up */
};

#endif
