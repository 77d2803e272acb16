#include "program_language.h"

#include <dirent.h>
#include <errno.h>
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_NO_LANGUAGE = 2, NAME_SIZE = 32, PATH_SIZE = 4096 };

static const char DOMAIN[] = "tsume", SOURCE_LANGUAGE[] = "en";

/* Of what programs read; 0 before language_begin. */
static locale_t english_locale;

/* ---- Catalogues ---------------------------------------------------------------------------------------------------- */

/* The folder of the catalogues: in the build beside the program, else where they are installed. It is found from where the program is, so that
 * all can be moved together. False if there is none. */
static bool find_catalogues(char folder[PATH_SIZE]) {
    static const char *const PLACES[] = {"locale", TSUME_CATALOGUES};
    char program[PATH_SIZE / 2];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return false;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        snprintf(folder, PATH_SIZE, "%s/%s/.", program, PLACES[i]); /* no file: /usr/bin has a program called locale */
        if (access(folder, R_OK | X_OK) == 0)
            return true;
    }
    return false;
}

static bool has_catalogue(const char *folder, const char *language) {
    char path[PATH_SIZE + NAME_SIZE + 32];
    snprintf(path, sizeof path, "%s/%s/LC_MESSAGES/%s.mo", folder, language, DOMAIN);
    return access(path, R_OK) == 0;
}

static bool is_known(const char *language) {
    char folder[PATH_SIZE];
    return strcmp(language, SOURCE_LANGUAGE) == 0 || (find_catalogues(folder) && has_catalogue(folder, language));
}

/* The language that a name means, "ja_JP.UTF-8" or "ja": with its country where there is a catalogue for that, else without. False if it means
 * none that is known. */
static bool find_language(const char *name, char language[NAME_SIZE]) {
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    size_t length = strcspn(name, ".@");
    if (length == 0 || length >= NAME_SIZE || strspn(name, LETTERS) < length)
        return false;
    snprintf(language, NAME_SIZE, "%.*s", (int)length, name);
    if (!is_known(language))
        language[strcspn(language, "_")] = '\0';
    return *language && is_known(language);
}

char *language_list(void) {
    char folder[PATH_SIZE], *list = NULL;
    size_t size;
    FILE *out = open_memstream(&list, &size);
    if (!out)
        return NULL;
    fputs(SOURCE_LANGUAGE, out);
    struct dirent **entries = NULL;
    int count = find_catalogues(folder) ? scandir(folder, &entries, NULL, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        if (strlen(entries[i]->d_name) < NAME_SIZE && has_catalogue(folder, entries[i]->d_name))
            fprintf(out, " %s", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return fclose(out) == 0 ? list : NULL;
}

/* ---- The locale ---------------------------------------------------------------------------------------------------- */

/* Has the C library look into the catalogues. */
static void open_catalogues(void) {
    char folder[PATH_SIZE];
    if (!find_catalogues(folder))
        return;
    bindtextdomain(DOMAIN, folder);
    bind_textdomain_codeset(DOMAIN, "UTF-8");
    textdomain(DOMAIN); /* for argp */
}

/* gettext listens to LANGUAGE, but not in the locale "C", nor (since glibc 2.39) in those whose names begin with "C.". A locale that is there on every
 * machine, by a name that begins otherwise, is C.UTF-8 with a country, which the C library leaves out when it looks for its files. */
static void leave_locale_c(void) {
    static const char *const LOCALES[] = {"C_US.UTF-8", "en_US.UTF-8", "C.UTF-8"};
    const char *now = setlocale(LC_MESSAGES, NULL);
    if (now && strcmp(now, "C") != 0 && strncmp(now, "C.", 2) != 0)
        return;
    for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES; i++)
        if (setlocale(LC_MESSAGES, LOCALES[i]))
            return;
}

bool language_choose(const char *name) {
    char language[NAME_SIZE];
    if (!find_language(name, language))
        return false;
    setenv("LANGUAGE", language, 1);
    leave_locale_c();
    open_catalogues(); /* again, so that gettext notices */
    return true;
}

/* What the environment says of the language of messages, in the order of POSIX. */
static const char *locale_asked_for(void) {
    static const char *const VARIABLES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof VARIABLES / sizeof *VARIABLES; i++) {
        const char *value = getenv(VARIABLES[i]);
        if (value && *value)
            return value;
    }
    return "C";
}

/* ---- The command line ---------------------------------------------------------------------------------------------- */

static _Noreturn void fail_on(const char *name) {
    char *list = language_list();
    fprintf(stderr, gettext("%s: there is no language '%s'; there are: %s\n"), program_invocation_short_name, name,
            list ? list : SOURCE_LANGUAGE);
    exit(STATUS_NO_LANGUAGE);
}

/* The value of --lang if it stands at this place; *used: how many arguments that takes. */
static const char *value_at(char **argv, int *used) {
    static const char OPTION[] = "--lang";
    size_t length = sizeof OPTION - 1;
    *used = 0;
    if (strncmp(argv[0], OPTION, length) != 0 || (argv[0][length] != '\0' && argv[0][length] != '='))
        return NULL;
    *used = argv[0][length] == '=' ? 1 : argv[1] ? 2 : 0;
    return *used == 1 ? argv[0] + length + 1 : *used == 2 ? argv[1] : NULL;
}

/* Takes --lang out of the command line; the last one counts. NULL if there is none. */
static const char *take_option(int *argc, char **argv) {
    const char *chosen = NULL;
    int kept = 1;
    bool options = true;
    for (int i = 1; i < *argc; i++) {
        int used = 0;
        const char *value = options ? value_at(argv + i, &used) : NULL;
        options = options && strcmp(argv[i], "--") != 0;
        if (value)
            chosen = value;
        else
            argv[kept++] = argv[i];
        i += used > 1;
    }
    *argc = kept;
    argv[kept] = NULL;
    return chosen;
}

void language_begin(int *argc, char **argv) {
    const char *chosen = take_option(argc, argv);
    setlocale(LC_CTYPE, "C.UTF-8");
    if (!setlocale(LC_MESSAGES, ""))
        (void)language_choose(locale_asked_for());
    open_catalogues();
    if (chosen && !language_choose(chosen))
        fail_on(chosen);
    english_locale = newlocale(LC_MESSAGES_MASK, "C", duplocale(LC_GLOBAL_LOCALE));
}

void language_english(bool english) {
    uselocale(english ? english_locale : LC_GLOBAL_LOCALE);
}
