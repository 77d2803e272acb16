#include "program_usi_options.h"

#include "program_options.h"
#include "rules/language.h"

#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum option_type { SPIN, CHECK, COMBO };

/* Where an option is kept: an int of a SPIN, a bool of the others (a COMBO of two words: is it the second?). */
struct usi_option {
    const char *name;
    enum option_type type;
    size_t offset;
    int least, most;
    const char *words[2];
};

static const struct usi_option OPTIONS[] = {
    {"USI_Hash", SPIN, offsetof(struct usi_options, hash_mib), 1, OPTION_MAX_HASH_MIB, {0}},
    {"Threads", SPIN, offsetof(struct usi_options, threads), 1, OPTION_MAX_THREADS, {0}},
    {"MultiPV", SPIN, offsetof(struct usi_options, multipv), 1, 600, {0}},
    {"USI_Ponder", CHECK, offsetof(struct usi_options, ponder), 0, 0, {"false", "true"}},
    {"Order", COMBO, offsetof(struct usi_options, any), 0, 0, {"shortest", "any"}},
    {"Futile", COMBO, offsetof(struct usi_options, count_futile), 0, 0, {"exact", "none"}},
    {"PvInterval", SPIN, offsetof(struct usi_options, pv_interval), 0, 3600000, {0}},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

struct usi_options usi_options_defaults(int hash_mib) {
    return (struct usi_options){.hash_mib = hash_mib, .threads = omp_get_num_procs(), .multipv = 1, .pv_interval = 300};
}

static const int *number_of(const struct usi_options *options, const struct usi_option *option) {
    return (const int *)((const char *)options + option->offset);
}
static const char *word_of(const struct usi_options *options, const struct usi_option *option) {
    return option->words[*(const bool *)((const char *)options + option->offset)];
}

void usi_options_list(const struct usi_options *defaults, FILE *out) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct usi_option *option = &OPTIONS[i];
        fprintf(out, "option name %s ", option->name);
        if (option->type == SPIN)
            fprintf(out, "type spin default %d min %d max %d\n", *number_of(defaults, option), option->least,
                    option->most);
        else if (option->type == CHECK)
            fprintf(out, "type check default %s\n", word_of(defaults, option));
        else
            fprintf(out, "type combo default %s var %s var %s\n", word_of(defaults, option), option->words[0],
                    option->words[1]);
    }
}

static const char *set_number(int *number, const struct usi_option *option, const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        return _("the value is no whole number");
    if (value < option->least || value > option->most)
        return _("the value is out of range");
    *number = (int)value;
    return NULL;
}

static const char *set_word(bool *second, const struct usi_option *option, const char *text) {
    for (int i = 0; i < 2; i++)
        if (strcasecmp(option->words[i], text) == 0) {
            *second = i == 1;
            return NULL;
        }
    return _("the option has no such value");
}

const char *usi_options_set(struct usi_options *options, char *text) {
    char *rest = NULL, *word = strtok_r(text, " \t", &rest);
    if (!word || strcmp(word, "name") != 0)
        return _("'setoption' wants 'name NAME value VALUE'");
    const char *name = strtok_r(NULL, " \t", &rest), *value_word = strtok_r(NULL, " \t", &rest);
    const char *value = strtok_r(NULL, " \t", &rest);
    if (!name || !value_word || strcmp(value_word, "value") != 0 || !value)
        return _("'setoption' wants 'name NAME value VALUE'");
    for (int i = 0; i < OPTION_COUNT; i++) {
        void *place = (char *)options + OPTIONS[i].offset;
        if (strcasecmp(OPTIONS[i].name, name) == 0)
            return OPTIONS[i].type == SPIN ? set_number(place, &OPTIONS[i], value)
                                           : set_word(place, &OPTIONS[i], value);
    }
    return _("there is no such option");
}
