/* format.c: telling formats apart. */
#include "problems/format.h"

#include "problems/csa.h"
#include "problems/jkf.h"
#include "problems/kif.h"
#include "problems/sfen_list.h"

#include <string.h>
#include <strings.h>

enum format format_of_name(const char *name) {
    static const struct {
        const char *ending;
        enum format format;
    } endings[] = {{".sfen", FORMAT_SFEN}, {".tsv", FORMAT_SFEN}, {".kif", FORMAT_KIF},
                   {".kifu", FORMAT_KIF},  {".ki2", FORMAT_KI2},  {".ki2u", FORMAT_KI2},
                   {".bod", FORMAT_BOD},   {".csa", FORMAT_CSA},  {".jkf", FORMAT_JKF}};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i].ending);
        if (length > ending && strcasecmp(name + length - ending, endings[i].ending) == 0)
            return endings[i].format;
    }
    return FORMAT_UNKNOWN;
}

enum format format_of_line(const char *line) {
    if (sfen_list_recognizes(line)) /* the strictest goes first: a board may begin as a line of CSA does */
        return FORMAT_SFEN;
    if (csa_recognizes(line))
        return FORMAT_CSA;
    if (jkf_recognizes(line))
        return FORMAT_JKF;
    return kif_recognizes(line) ? FORMAT_KIF : FORMAT_UNKNOWN;
}

/* Without asking what costs time and would not change the answer. */
bool format_changes(enum format mine, const char *line) {
    if (sfen_list_recognizes(line))
        return mine != FORMAT_SFEN;
    if (csa_recognizes(line))
        return mine != FORMAT_CSA;
    if (jkf_recognizes(line))
        return mine != FORMAT_JKF;
    return mine != FORMAT_KIF && kif_recognizes(line);
}
