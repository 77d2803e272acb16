#include "tests/described.h"

#include "rules/sfen.h"

#include <stdlib.h>
#include <string.h>

static void describe_time(FILE *out, int32_t time_ms, unsigned parts) {
    bool whole = !(parts & DESCRIBED_MILLISECONDS);
    if (time_ms != TIME_UNSTATED && parts & DESCRIBED_TIMES)
        fprintf(out, " T%d", (int)(whole ? time_ms / 1000 * 1000 : time_ms));
}

/* The lines of a comment, parted by \n in letters. */
static void describe_comment(FILE *out, const char *comment, unsigned parts) {
    if (!comment || !(parts & DESCRIBED_COMMENTS))
        return;
    bool blanks = !(parts & DESCRIBED_NO_BLANKS), any = false;
    while (!blanks && *comment == '\n')
        comment++;
    if (!blanks && *comment == '\0')
        return;
    fputs(" \"", out);
    for (const char *line = comment; line;) {
        const char *end = strchr(line, '\n');
        int length = (int)(end ? end - line : (long)strlen(line));
        if (blanks || length > 0) {
            fprintf(out, "%s%.*s", any ? "\\n" : "", length, line);
            any = true;
        }
        line = end ? end + 1 : NULL;
    }
    fputc('"', out);
}

static void describe_end(FILE *out, enum play_end end, int32_t time_ms, unsigned parts) {
    if (end == END_UNSTATED || !(parts & DESCRIBED_ENDS))
        return;
    if (play_end_csa(end))
        fprintf(out, " %%%s", play_end_csa(end));
    else
        fprintf(out, " %%%d", (int)end);
    describe_time(out, time_ms, parts);
}

static void describe_line(FILE *out, const struct stated_move *first, bool side_line, unsigned parts) {
    for (const struct stated_move *m = first; m; m = m->next) {
        char usi[USI_MOVE_SIZE];
        bool first_of_side_line = side_line && m == first;
        move_to_usi(m->move, usi);
        fprintf(out, "%s%s", first_of_side_line ? "" : " ", usi);
        describe_time(out, m->time_ms, parts);
        describe_comment(out, m->comment, parts);
        for (const struct stated_move *v = m->variation; v && parts & DESCRIBED_VARIATIONS && !first_of_side_line;
             v = v->variation) {
            fputs(" (", out);
            describe_line(out, v, true, parts);
            fputc(')', out);
        }
        describe_end(out, stated_move_end(m), m->end_time_ms, parts);
    }
}

void described_moves(FILE *out, const struct stated_move *first, unsigned parts) {
    describe_line(out, first, false, parts);
}

static void describe_position(FILE *out, const struct tsume_problem *problem, unsigned parts) {
    char sfen[SFEN_SIZE];
    sfen_write(&problem->setup, sfen);
    if (!(parts & DESCRIBED_MOVE_NUMBER))
        *strrchr(sfen, ' ') = '\0';
    fputs(sfen, out);
}

static void describe_tree(FILE *out, const struct tsume_problem *problem, unsigned parts) {
    describe_comment(out, problem->comment, parts);
    if (parts & DESCRIBED_MOVES)
        described_moves(out, problem->stated, parts);
    if (!problem->stated)
        describe_end(out, problem->end, TIME_UNSTATED, parts);
}

char *described_play(const struct tsume_problem *problem, unsigned parts) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    describe_position(out, problem, parts);
    describe_tree(out, problem, parts);
    fclose(out);
    return text;
}

/* As stated, or as a complete solution shows: a list has one column for both. */
static long plies_of(const struct tsume_problem *problem) {
    long count = 0;
    for (const struct stated_move *m = problem->stated; m; m = m->next)
        count++;
    return problem->stated_plies == 0 && stated_line_mates(problem) ? count : problem->stated_plies;
}

/* All headers with this key, of which the first is given, but for those that are described already. */
static void describe_headers_like(FILE *out, const struct problem_header *first) {
    if (strcmp(first->key, "作品番号") == 0 || strcmp(first->key, "手数") == 0)
        return;
    for (const struct problem_header *header = first; header; header = header->next)
        if (strcmp(header->key, first->key) == 0)
            fprintf(out, "%s：%s\n", header->key, header->value);
}

static bool is_first_of_key(const struct tsume_problem *problem, const struct problem_header *header) {
    return problem_header(problem, header->key) == header->value;
}

/* The players, whom CSA names before all else, then the others; those of the same key together, as JKF has them. */
static void describe_headers(FILE *out, const struct tsume_problem *problem) {
    static const char *const players[] = {"先手", "後手"};
    const struct problem_header *header;
    for (int i = 0; i < 2; i++)
        for (header = problem->headers; header; header = header->next)
            if (strcmp(header->key, players[i]) == 0)
                fprintf(out, "%s：%s\n", header->key, header->value);
    for (header = problem->headers; header; header = header->next)
        if (is_first_of_key(problem, header) && strcmp(header->key, players[0]) != 0 &&
            strcmp(header->key, players[1]) != 0)
            describe_headers_like(out, header);
}

unsigned described_parts_kept(enum format format, unsigned lost) {
    enum { TEXTS = DESCRIBED_HEADERS | DESCRIBED_COMMENTS, PLAY = DESCRIBED_MOVES | DESCRIBED_ENDS };
    static const unsigned held[FORMATS] = {
        [FORMAT_SFEN] = DESCRIBED_HEADERS | DESCRIBED_MOVES | DESCRIBED_MOVE_NUMBER,
        [FORMAT_KIF] = TEXTS | PLAY | DESCRIBED_VARIATIONS | DESCRIBED_TIMES,
        [FORMAT_KI2] = TEXTS | PLAY | DESCRIBED_VARIATIONS,
        [FORMAT_BOD] = TEXTS | DESCRIBED_MOVE_NUMBER,
        [FORMAT_CSA] = TEXTS | PLAY | DESCRIBED_TIMES | DESCRIBED_MILLISECONDS,
        [FORMAT_JKF] = TEXTS | PLAY | DESCRIBED_VARIATIONS | DESCRIBED_TIMES,
    };
    static const struct {
        unsigned loss, parts;
    } losses[] = {{LOST_MOVES, PLAY | DESCRIBED_VARIATIONS},
                  {LOST_VARIATIONS, DESCRIBED_VARIATIONS},
                  {LOST_COMMENTS, DESCRIBED_COMMENTS},
                  {LOST_HEADERS, DESCRIBED_HEADERS},
                  {LOST_ENDS, DESCRIBED_ENDS}};
    unsigned kept = held[format];
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        kept &= lost & losses[i].loss ? ~losses[i].parts : ~0u;
    return kept;
}

char *described_problem(const struct tsume_problem *problem, unsigned parts) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    describe_position(out, problem, parts);
    fprintf(out, "\nplies %ld\n", parts & DESCRIBED_MOVES ? plies_of(problem) : problem->stated_plies);
    if (parts & DESCRIBED_HEADERS) {
        fprintf(out, "id %s, title %s\n", problem->named ? problem->id : "-", problem->title ? problem->title : "-");
        describe_headers(out, problem);
    }
    describe_tree(out, problem, parts);
    fclose(out);
    return text;
}
