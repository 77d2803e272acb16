/* kif.c: reading records and diagrams. */
#include "problems/kif.h"

#include "problems/format.h"
#include "problems/handicap.h"
#include "problems/kif_moves.h"
#include "rules/language.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kinds of line ---- */

enum line_kind {
    LINE_BLANK,
    LINE_REMARK,    /* # and & */
    LINE_COMMENT,   /* * */
    LINE_FILES,     /* ９ ８ ７ … over the board */
    LINE_FRAME,     /* +-----+ */
    LINE_ROW,       /* | … | */
    LINE_HEADER,    /* key：value with a key we know */
    LINE_SIDE,      /* 先手番 */
    LINE_ROTATED,   /* 盤面回転: how a program shows the board; the diagram's own labels count */
    LINE_PLY,       /* 手数＝23 △３四銀 まで */
    LINE_TABLE,     /* 手数----指手 */
    LINE_MOVE,      /* 12 ７六歩(77) */
    LINE_NUMBERED,  /* a number and something else */
    LINE_MARKED,    /* ▲７六歩 △３四歩 */
    LINE_VARIATION, /* 変化：12手 */
    LINE_END,       /* まで12手で詰み */
    LINE_FREE,      /* anything else */
};

enum header {
    HEADER_HANDICAP,
    HEADER_BLACK_HAND,
    HEADER_WHITE_HAND,
    HEADER_NUMBER, /* 作品番号 */
    HEADER_NAME,   /* 作品名 */
    HEADER_TITLE,  /* 表題 */
    HEADER_LENGTH, /* 手数：23 */
    HEADER_OPENER, /* another with which records begin */
    HEADER_OTHER,
};

static const struct header_key {
    const char *key;
    enum header header;
} header_keys[] = {
    {"手合割", HEADER_HANDICAP},
    {"先手の持駒", HEADER_BLACK_HAND},
    {"下手の持駒", HEADER_BLACK_HAND},
    {"詰方の持駒", HEADER_BLACK_HAND},
    {"攻方の持駒", HEADER_BLACK_HAND},
    {"先手の持ち駒", HEADER_BLACK_HAND},
    {"下手の持ち駒", HEADER_BLACK_HAND},
    {"詰方の持ち駒", HEADER_BLACK_HAND},
    {"攻方の持ち駒", HEADER_BLACK_HAND},
    {"後手の持駒", HEADER_WHITE_HAND},
    {"上手の持駒", HEADER_WHITE_HAND},
    {"玉方の持駒", HEADER_WHITE_HAND},
    {"受方の持駒", HEADER_WHITE_HAND},
    {"後手の持ち駒", HEADER_WHITE_HAND},
    {"上手の持ち駒", HEADER_WHITE_HAND},
    {"玉方の持ち駒", HEADER_WHITE_HAND},
    {"受方の持ち駒", HEADER_WHITE_HAND},
    {"作品番号", HEADER_NUMBER},
    {"作品名", HEADER_NAME},
    {"表題", HEADER_TITLE},
    {"題名", HEADER_TITLE},
    {"title", HEADER_TITLE},
    {"手数", HEADER_LENGTH},
    {"開始日時", HEADER_OPENER},
    {"対局日", HEADER_OPENER},
    {"棋戦", HEADER_OPENER},
    {"作者", HEADER_OPENER},
    {"先手", HEADER_OPENER},
    {"後手", HEADER_OPENER},
    {"下手", HEADER_OPENER},
    {"上手", HEADER_OPENER},
    {"詰方", HEADER_OPENER},
    {"玉方", HEADER_OPENER},
    {"攻方", HEADER_OPENER},
    {"受方", HEADER_OPENER},
    {"終了日時", HEADER_OTHER},
    {"戦型", HEADER_OTHER},
    {"場所", HEADER_OTHER},
    {"持ち時間", HEADER_OTHER},
    {"消費時間", HEADER_OTHER},
    {"発表誌", HEADER_OTHER},
    {"発表年月", HEADER_OTHER},
    {"出典", HEADER_OTHER},
    {"完全性", HEADER_OTHER},
    {"分類", HEADER_OTHER},
    {"受賞", HEADER_OTHER},
    {"備考", HEADER_OTHER},
};

/* The key and the colon, full width or ASCII. */
static bool accept_header(struct words *w, enum header *header) {
    static const char *const colons[] = {"：", ":", NULL};
    for (size_t i = 0; i < sizeof header_keys / sizeof *header_keys; i++) {
        struct words start = *w;
        if (words_accept(w, header_keys[i].key) && (words_skip_spaces(w), words_accept_any(w, colons) >= 0)) {
            *header = header_keys[i].header;
            return true;
        }
        *w = start;
    }
    return false;
}

static bool accept_bar(struct words *w) {
    static const char *const bars[] = {"|", "｜", "│", "┃", NULL};
    return words_accept_any(w, bars) >= 0;
}

static bool is_frame(struct words w) {
    static const char *const corners[] = {"+-", "+―", "＋－", "＋―", "＋ー", "＋-", "┌", "└", "┏", "┗", NULL};
    return words_accept_any(&w, corners) >= 0;
}

/* Nine digits and nothing else: the first is returned, 0 if it is no such line. */
static int files_label(struct words w) {
    int first = words_digit(&w), count = 1;
    while (words_skip_spaces(&w), words_digit(&w) > 0)
        count++;
    return first > 0 && count == 9 && words_at_end(&w) ? first : 0;
}

/* The player in 先手番, or −1. */
static int side_line(struct words w) {
    static const char *const sides[] = {"先手番", "下手番", "詰方番", "攻方番", "後手番",
                                        "上手番", "玉方番", "受方番", NULL};
    int found = words_accept_any(&w, sides);
    words_skip_spaces(&w);
    return found < 0 || !words_at_end(&w) ? -1 : found < 4 ? BLACK : WHITE;
}

static bool is_ply_line(struct words w) {
    return words_accept(&w, "手数") && (words_accept(&w, "＝") || words_accept(&w, "="));
}

/* A number, a space, and then the beginning of a move or a word that ends a line of play. */
static enum line_kind numbered_kind(struct words w) {
    if (words_number(&w) < 0 || !words_skip_spaces(&w))
        return LINE_FREE;
    words_mark(&w);
    size_t length;
    if (play_end_of_kif(w.at, BLACK, &length) != END_UNSTATED)
        return LINE_MOVE;
    bool target = words_accept(&w, "同") || words_square(&w) != NO_SQUARE;
    words_skip_spaces(&w);
    return target && words_piece(&w) != NO_KIND ? LINE_MOVE : LINE_NUMBERED;
}

static enum line_kind classify(const char *line, enum header *header) {
    static const char *const rotations[] = {"盤面回転", "盤面反転", NULL};
    struct words w = words_of(line), start;
    words_skip_spaces(&w);
    if (words_at_end(&w))
        return LINE_BLANK;
    if (*w.at == '#' || *w.at == '&')
        return LINE_REMARK;
    if (*w.at == '*')
        return LINE_COMMENT;
    if (is_frame(w))
        return LINE_FRAME;
    start = w;
    if (accept_bar(&w))
        return LINE_ROW;
    if (accept_header(&w, header))
        return LINE_HEADER;
    if (words_mark(&w) >= 0)
        return LINE_MARKED;
    if (words_accept_any(&w, rotations) >= 0)
        return LINE_ROTATED;
    if (words_accept(&w, "変化"))
        return LINE_VARIATION;
    if (words_accept(&w, "まで"))
        return LINE_END;
    if (words_accept(&w, "手数--"))
        return LINE_TABLE;
    w = start;
    return files_label(w) ? LINE_FILES : side_line(w) >= 0 ? LINE_SIDE : is_ply_line(w) ? LINE_PLY : numbered_kind(w);
}

bool kif_recognizes(const char *line) {
    enum header header;
    enum line_kind kind = classify(line, &header);
    return kind > LINE_COMMENT && kind != LINE_NUMBERED && kind != LINE_FREE;
}

/* Where the value begins in a line that is a header, but not about the position; NULL if it is no such line. */
static const char *header_value(const char *line, enum line_kind kind, enum header header) {
    struct words w = words_of(line);
    if (kind == LINE_FREE) {
        const char *colon = strstr(line, "：");
        return colon && colon > line ? colon + strlen("：") : NULL;
    }
    words_skip_spaces(&w);
    return kind == LINE_HEADER && header > HEADER_WHITE_HAND && accept_header(&w, &header) ? w.at : NULL;
}

/* The bytes of the line before the colon that ends where the value begins. */
static size_t header_key_length(const char *line, const char *value) {
    return (size_t)(value - line) - (value[-1] == ':' ? strlen(":") : strlen("："));
}

bool kif_reads_header(const char *line, const char *key, const char *value) {
    enum header header = HEADER_OTHER;
    enum line_kind kind = classify(line, &header);
    const char *found = header_value(line, kind, header);
    return found && strcmp(found, value) == 0 && header_key_length(line, found) == strlen(key) &&
           strncmp(line, key, strlen(key)) == 0 && !format_changes(FORMAT_KIF, line);
}

/* ---- A record ---- */

struct record {
    struct reading *reading;
    struct tsume_problem *problem; /* NULL until the first line that is no comment */
    struct text_line line;         /* being read */
    struct setup setup;
    unsigned seen; /* bits of enum header, and SEEN_PLY */
    int rows, frames;
    long board_line;     /* the last line of the board */
    bool rotated;        /* the rows go from nine to one */
    bool rest_of_set[2]; /* 残り全部 in this hand */
    int handicap;        /* index of handicaps, −1 if none is named */
    int side;            /* to move, −1 while not stated */
    long ply;            /* 手数＝, −1 if not stated */
    int last_to;         /* target of the last move made, NO_SQUARE if not stated */
    bool settled, moves_begun;
    bool has_moves;           /* as opposed to words about them */
    bool implied;             /* no position is stated: the opening position, if the moves can be played from there */
    struct text_line damaged; /* the first line with bad bytes (its text is gone), if number is not 0 */
    struct comments comments; /* before the moves */
    struct kif_moves moves;
};

enum { SEEN_PLY = 1 << 16, BLACK_HAND_BIT = 1 << HEADER_BLACK_HAND, WHITE_HAND_BIT = 1 << HEADER_WHITE_HAND };

/* Marks the problem invalid for what stands at w. Where the line has bad bytes they are the reason. */
__attribute__((format(printf, 3, 4))) static void fail_at(struct record *r, const struct words *w, const char *format,
                                                          ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (r->line.fault != TEXT_FINE)
        problem_fail(r->problem, r->line.number, r->line.fault_column, "%s", r->line.fault_message);
    else
        problem_fail(r->problem, r->line.number, words_column(w), "%s", message);
}

/* ---- The board ---- */

static bool board_complete(const struct record *r) {
    return r->rows == RANKS;
}

static void read_files(struct record *r, const char *text) {
    struct words w = words_of(text);
    words_skip_spaces(&w);
    r->rotated = files_label(w) == 1;
}

static void read_frame(struct record *r, const char *text) {
    struct words w = words_of(text);
    r->board_line = r->line.number;
    if (++r->frames == 2 && r->rows < RANKS)
        fail_at(r, &w, _("the board ends after %d of 9 rows"), r->rows);
}

/* One square of a diagram: a mark of the owner, if any, and a piece, or a sign for no piece. False if it is neither. */
static bool read_cell(struct words *w, piece *p) {
    static const char *const white[] = {"v", "V", "ｖ", "Ｖ", "▽", "△", "☖", NULL};
    static const char *const black[] = {"^", "＾", "▲", "☗", NULL};
    static const char *const empty[] = {"・", "･", "．", ".", "□", "口", "*", "＊", "‥", NULL};
    words_skip_spaces(w);
    bool marked_white = words_accept_any(w, white) >= 0;
    if (!marked_white && words_accept_any(w, black) < 0 && words_accept_any(w, empty) >= 0) {
        *p = NO_PIECE;
        return true;
    }
    words_skip_spaces(w);
    int kind = words_piece(w);
    *p = piece_make(marked_white ? WHITE : BLACK, kind);
    return kind != NO_KIND;
}

static bool read_cells(struct record *r, struct words *w, piece cells[FILES]) {
    char shown[WORDS_SHOWN_SIZE];
    for (int i = 0; i < FILES; i++)
        if (!read_cell(w, &cells[i])) {
            fail_at(r, w, _("square %d of the row: expected a piece or ・, found %s"), i + 1, words_shown(w, shown));
            return false;
        }
    words_skip_spaces(w);
    if (!accept_bar(w)) {
        fail_at(r, w, _("expected '|' after nine squares, found %s"), words_shown(w, shown));
        return false;
    }
    return true;
}

/* The rank that a row is labelled with must be its own. A first row labelled 九 shows that the board is rotated. */
static void check_label(struct record *r, struct words *w) {
    words_skip_spaces(w);
    struct words start = *w;
    int label = words_digit(w);
    if (label == RANKS && r->rows == 0)
        r->rotated = true;
    int expected = r->rotated ? RANKS - r->rows : r->rows + 1;
    if (label > 0 && label != expected)
        fail_at(r, &start, _("the row is labelled %d, expected %d"), label, expected);
}

static void read_row(struct record *r, const char *text) {
    struct words w = words_of(text);
    piece cells[FILES];
    r->board_line = r->line.number;
    words_skip_spaces(&w);
    if (r->rows == RANKS) {
        fail_at(r, &w, _("the board has more than 9 rows"));
        return;
    }
    accept_bar(&w);
    if (read_cells(r, &w, cells)) {
        check_label(r, &w);
        for (int i = 0; i < FILES; i++) {
            int file = r->rotated ? i : FILES - 1 - i, rank = r->rotated ? RANKS - 1 - r->rows : r->rows;
            r->setup.board[square_make(file, rank)] = cells[i];
        }
    }
    r->rows++;
}

/* ---- Hands ---- */

/* One piece and its number; false (and a fault) if that is not what stands here. */
static bool read_hand_piece(struct record *r, struct words *w, uint8_t counts[HAND_KINDS]) {
    struct words start = *w;
    int kind = words_piece(w);
    if (kind == NO_KIND || kind >= KING) {
        char shown[WORDS_SHOWN_SIZE];
        fail_at(r, &start, _("expected a piece in hand (飛角金銀桂香歩) or なし, found %s"),
                words_shown(&start, shown));
        return false;
    }
    long count = words_number(w);
    words_accept(w, "枚");
    long total = counts[kind] + (count < 0 ? 1 : count);
    if (total > 99) {
        fail_at(r, &start, _("a hand cannot hold %ld of a piece"), total);
        return false;
    }
    counts[kind] = (uint8_t)total;
    return true;
}

static void read_hand(struct record *r, struct words w, enum color color) {
    static const char *const none[] = {"なし", "無し", "ナシ", NULL};
    static const char *const rest[] = {"残り全部", "残り全て", "残り駒全部", "残り駒", "残り", "残駒", "残", NULL};
    static const char *const separators[] = {"、", ",", "，", "・", NULL};
    for (;;) {
        if (words_skip_spaces(&w) || words_accept_any(&w, separators) >= 0 || words_accept_any(&w, none) >= 0)
            continue;
        if (words_at_end(&w))
            return;
        if (words_accept_any(&w, rest) >= 0)
            r->rest_of_set[color] = true;
        else if (!read_hand_piece(r, &w, r->setup.hand[color]))
            return;
    }
}

/* ---- Handicaps ---- */

enum { NO_HANDICAP = -1, UNKNOWN_HANDICAP = -2 };

static void read_handicap(struct record *r, struct words w) {
    words_skip_spaces(&w);
    r->handicap = UNKNOWN_HANDICAP;
    for (int i = 0; i < HANDICAPS; i++) {
        struct words end = w;
        if (words_accept(&end, handicaps[i].kif) && (words_skip_spaces(&end), words_at_end(&end)))
            r->handicap = i;
    }
}

/* ---- Headers and other lines before the moves ---- */

/* Keeps a header whose value begins here. */
static void keep_header(struct record *r, const char *value) {
    char *key = strndup(r->line.bytes, header_key_length(r->line.bytes, value));
    r->reading->out_of_memory |= !key || !problem_add_header(r->problem, key, value);
    free(key);
}

/* Another line "key：value" before the moves. */
static void read_free_line(struct record *r, const char *text) {
    const char *value = r->moves_begun ? NULL : header_value(text, LINE_FREE, HEADER_OTHER);
    if (value)
        keep_header(r, value);
}

static void read_header(struct record *r, const char *text, enum header header) {
    struct words w = words_of(text);
    words_skip_spaces(&w);
    accept_header(&w, &header);
    r->seen |= 1u << header;
    switch (header) {
    case HEADER_HANDICAP:
        read_handicap(r, w);
        break;
    case HEADER_BLACK_HAND:
        read_hand(r, w, BLACK);
        break;
    case HEADER_WHITE_HAND:
        read_hand(r, w, WHITE);
        break;
    case HEADER_NUMBER:
    case HEADER_NAME:
    case HEADER_TITLE:
    case HEADER_LENGTH:
    case HEADER_OPENER:
    case HEADER_OTHER:
        keep_header(r, w.at);
        break;
    }
}

/* 手数＝23　△３四銀　まで: how many moves were made, and the last of them. */
static void read_ply(struct record *r, const char *text) {
    struct words w = words_of(text);
    words_skip_spaces(&w);
    words_accept(&w, "手数");
    if (!words_accept(&w, "＝"))
        words_accept(&w, "=");
    words_skip_spaces(&w);
    r->seen |= SEEN_PLY;
    r->ply = words_number(&w);
    words_skip_spaces(&w);
    int mover = words_mark(&w);
    if (mover >= 0 && r->side < 0)
        r->side = (int)color_other((enum color)mover);
    r->last_to = words_square(&w);
}

static void read_side(struct record *r, const char *text) {
    struct words w = words_of(text);
    words_skip_spaces(&w);
    r->side = side_line(w);
}

/* ---- From the diagram to the problem ---- */

/* Who moves: as stated; else Black, after an odd number of moves the other; but White where he gives a handicap. */
static enum color side_to_move(const struct record *r) {
    if (r->side >= 0)
        return (enum color)r->side;
    enum color first = r->handicap > 0 ? WHITE : BLACK;
    return r->ply > 0 && r->ply % 2 ? color_other(first) : first;
}

/* There is no position; where the text has bad bytes, they are likely to be why. */
static void fail_without_position(struct record *r) {
    if (r->damaged.number != 0)
        problem_fail(r->problem, r->damaged.number, r->damaged.fault_column,
                     _("%s, and there is no position around it"), r->damaged.fault_message);
    else
        problem_fail(r->problem, r->problem->line, 1,
                     _("there is no position: expected a board diagram (+---, nine rows |…|, +---) or 手合割"));
}

/* Sets the setup from a handicap where there is no diagram; false (and a fault) if none is known either. */
static bool set_without_board(struct record *r) {
    r->implied = r->handicap == NO_HANDICAP && r->has_moves && !(r->seen & (BLACK_HAND_BIT | WHITE_HAND_BIT));
    if (r->handicap == UNKNOWN_HANDICAP)
        problem_fail(r->problem, r->problem->line, 1,
                     _("there is no board diagram, and 手合割 is none of 平手, 香落ち … 十枚落ち"));
    else if (r->handicap == NO_HANDICAP && !r->implied)
        fail_without_position(r);
    else
        handicap_setup(r->implied ? 0 : r->handicap, &r->setup);
    return !r->problem->invalid;
}

/* The position is now known as far as it will be: makes the problem of it. */
static void settle(struct record *r) {
    if (r->settled)
        return;
    r->settled = true;
    if (r->problem->invalid)
        return;
    if (r->rows == 0 && r->frames == 0) {
        if (!set_without_board(r))
            return;
        if (r->side >= 0)
            r->setup.side = (enum color)r->side;
    } else if (!board_complete(r)) {
        problem_fail(r->problem, r->board_line, 1, _("the board ends after %d of 9 rows"), r->rows);
        return;
    } else {
        r->setup.side = side_to_move(r);
    }
    for (int color = BLACK; color <= WHITE; color++)
        if (r->rest_of_set[color])
            setup_give_rest(&r->setup, (enum color)color);
    r->setup.move_number = r->ply <= 0 ? 1 : r->ply < MOVE_NUMBER_MAX ? (int)r->ply + 1 : MOVE_NUMBER_MAX;
    problem_from_setup(r->problem, &r->setup, r->reading->options.hands, r->reading->options.attacker);
    if (!r->problem->invalid)
        kif_moves_begin(&r->moves, r->problem, r->last_to, &r->comments);
}

static void begin_moves(struct record *r) {
    r->moves_begun = true;
    settle(r);
}

static void read_move(struct record *r, const char *text) {
    begin_moves(r);
    kif_moves_numbered(&r->moves, text, r->line.number);
}

/* Before the moves it is the position's. */
static void read_comment(struct record *r, const char *text) {
    if (r->settled)
        kif_moves_comment(&r->moves, text, r->line.number);
    else
        r->reading->out_of_memory |= !comments_add(&r->comments, text, r->problem, r->line.number);
}

/* ---- Line by line ---- */

/* Does this line begin another record? */
static bool begins_next(const struct record *r, enum line_kind kind, enum header header) {
    if (!r->problem)
        return false;
    switch (kind) {
    case LINE_HEADER:
        if (header == HEADER_OTHER || header == HEADER_OPENER)
            return r->moves_begun && header == HEADER_OPENER;
        return r->moves_begun || (r->seen & 1u << header) != 0 || (header == HEADER_HANDICAP && board_complete(r));
    case LINE_FILES:
        return r->moves_begun || r->rows > 0;
    case LINE_FRAME:
        return r->moves_begun || r->frames >= 2;
    case LINE_ROW:
        return r->moves_begun || r->frames >= 2;
    case LINE_PLY:
        return r->moves_begun || (r->seen & SEEN_PLY) != 0;
    case LINE_TABLE:
        return r->moves_begun;
    default:
        return false;
    }
}

static void read_line(struct record *r, enum line_kind kind, enum header header) {
    const char *text = r->line.bytes;
    switch (kind) {
    case LINE_FILES:
        read_files(r, text);
        break;
    case LINE_FRAME:
        read_frame(r, text);
        break;
    case LINE_ROW:
        read_row(r, text);
        break;
    case LINE_HEADER:
        read_header(r, text, header);
        break;
    case LINE_SIDE:
        read_side(r, text);
        break;
    case LINE_PLY:
        read_ply(r, text);
        break;
    case LINE_TABLE:
        r->moves_begun = board_complete(r);
        break;
    case LINE_NUMBERED: /* among the moves it is one that was damaged */
        if (r->moves_begun)
            read_move(r, text);
        break;
    case LINE_MOVE:
        r->has_moves = true;
        read_move(r, text);
        break;
    case LINE_MARKED:
        r->has_moves = true;
        begin_moves(r);
        kif_moves_marked(&r->moves, text, r->line.number);
        break;
    case LINE_VARIATION:
        begin_moves(r);
        kif_moves_variation(&r->moves, text, r->line.number);
        break;
    case LINE_END:
        begin_moves(r);
        kif_moves_end(&r->moves, text);
        break;
    case LINE_COMMENT:
        read_comment(r, strchr(text, '*') + 1);
        break;
    case LINE_FREE:
        read_free_line(r, text);
        break;
    case LINE_BLANK:
    case LINE_REMARK:
    case LINE_ROTATED:
        break;
    }
}

/* The problem begins with its first line that is no comment. */
static bool begin_problem(struct record *r) {
    if (r->problem)
        return true;
    r->problem = problem_new(r->reading->file, r->line.number);
    if (r->problem)
        comments_turn_to(&r->comments, &r->problem->comment);
    return r->problem != NULL;
}

/* Reads lines up to the next record or the end; false when memory is short. */
static bool read_record(struct record *r) {
    struct text *text = r->reading->text;
    while (text_next(text, &r->line)) {
        enum header header = HEADER_OTHER;
        enum line_kind kind = classify(r->line.bytes, &header);
        if (kind <= LINE_REMARK || (kind == LINE_COMMENT && !r->problem))
            continue;
        if (begins_next(r, kind, header) || format_changes(FORMAT_KIF, r->line.bytes)) {
            text_unread(text);
            break;
        }
        if (!begin_problem(r))
            return false;
        if (r->line.fault != TEXT_FINE && r->damaged.number == 0)
            r->damaged = r->line;
        if (r->line.fault == TEXT_TOO_LONG && kind != LINE_COMMENT)
            problem_fail(r->problem, r->line.number, r->line.fault_column, "%s", r->line.fault_message);
        read_line(r, kind, header);
        if (r->moves.out_of_memory || r->reading->out_of_memory)
            return false;
    }
    return true;
}

static void finish(struct record *r) {
    settle(r);
    if (r->implied && !r->problem->stated) {
        r->problem->position_is_set = false;
        fail_without_position(r);
    }
}

struct tsume_problem *kif_next(struct reading *reading) {
    struct record *r = calloc(1, sizeof *r);
    if (!r) {
        reading->out_of_memory = true;
        return NULL;
    }
    r->reading = reading;
    r->handicap = NO_HANDICAP;
    r->side = -1;
    r->ply = -1;
    r->last_to = NO_SQUARE;
    bool fine = read_record(r);
    struct tsume_problem *problem = r->problem;
    if (fine && problem)
        finish(r);
    kif_moves_free(&r->moves);
    free(r);
    if (!fine) {
        reading->out_of_memory = true;
        tsume_problem_free(problem);
        problem = NULL;
    }
    return problem;
}
