#include "solver/draw_text.h"

#include <math.h>
#include <string.h>

/* Of the height of a Japanese character, how much lies above the base line; its square is as high as the font. */
static const double ASCENT = .88;

/* The usual families: Mincho, as books are set in; then whatever has Japanese. */
static const char FAMILIES[] = "IPAexMincho,IPAMincho,Noto Serif CJK JP,Noto Serif JP,TakaoMincho,Hiragino Mincho ProN,"
                               "Yu Mincho,MS Mincho,serif";

static PangoFontDescription *describe_font(const char *font) {
    char *families = font ? g_strconcat(font, ",", FAMILIES, NULL) : g_strdup(FAMILIES);
    PangoFontDescription *description = pango_font_description_new();
    pango_font_description_set_family(description, families);
    g_free(families);
    return description;
}

/* The same on every surface: without rounding to dots of a screen. */
static void set_exact(PangoContext *context) {
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("ja"));
}

void pen_begin(struct pen *pen, cairo_t *cairo, const char *font) {
    PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
    set_exact(context);
    *pen = (struct pen){.cairo = cairo, .layout = pango_layout_new(context), .font = describe_font(font)};
    pango_layout_set_single_paragraph_mode(pen->layout, TRUE);
    g_object_unref(context);
}

void pen_end(struct pen *pen) {
    g_object_unref(pen->layout);
    pango_font_description_free(pen->font);
}

/* ---- Text into the layout ------------------------------------------------------------------------------------------ */

/* The text as UTF-8 whatever it was, "?" for control characters; to be freed with g_free. */
static char *clean_text(const char *text) {
    char *clean = g_utf8_make_valid(text, -1);
    for (char *c = clean; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = '?';
    return clean;
}

/* Sets the text, one line of any width unless told otherwise afterwards. */
static void set_text(struct pen *pen, const char *text, double size) {
    char *clean = clean_text(text);
    pango_font_description_set_absolute_size(pen->font, size * PANGO_SCALE);
    pango_layout_set_font_description(pen->layout, pen->font);
    pango_layout_set_attributes(pen->layout, NULL);
    pango_layout_set_ellipsize(pen->layout, PANGO_ELLIPSIZE_NONE);
    pango_layout_set_width(pen->layout, -1);
    pango_layout_set_text(pen->layout, clean, -1);
    g_free(clean);
}

int pen_lacks(struct pen *pen, const char *text) {
    set_text(pen, text, 1);
    return pango_layout_get_unknown_glyphs_count(pen->layout);
}

static double width_of(PangoLayout *layout) {
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    return (double)logical.width / PANGO_SCALE;
}

/* ---- One line ------------------------------------------------------------------------------------------------------ */

/* Writes the layout, one line, with its left end at x and the middle of its characters at the height y. */
static void show_line(struct pen *pen, double size, double x, double y) {
    PangoLayoutLine *line = pango_layout_get_line_readonly(pen->layout, 0);
    pen->missing += (size_t)pango_layout_get_unknown_glyphs_count(pen->layout);
    cairo_move_to(pen->cairo, x, y + (ASCENT - .5) * size);
    pango_cairo_show_layout_line(pen->cairo, line);
}

void pen_character(struct pen *pen, const char *character, double size, double x, double y, bool turned) {
    set_text(pen, character, size);
    cairo_save(pen->cairo);
    cairo_translate(pen->cairo, x, y);
    if (turned)
        cairo_rotate(pen->cairo, M_PI);
    show_line(pen, size, -width_of(pen->layout) / 2, 0);
    cairo_restore(pen->cairo);
}

double pen_line(struct pen *pen, const char *text, double size, double x, double y, double width,
                PangoAlignment align) {
    set_text(pen, text, size);
    if (width_of(pen->layout) > width) {
        pango_layout_set_width(pen->layout, (int)(width * PANGO_SCALE));
        pango_layout_set_ellipsize(pen->layout, PANGO_ELLIPSIZE_END);
    }
    double taken = fmin(width_of(pen->layout), width), left = width - taken;
    show_line(pen, size, x + (align == PANGO_ALIGN_LEFT ? 0 : align == PANGO_ALIGN_CENTER ? left / 2 : left), y);
    return taken;
}

/* ---- Paragraphs ---------------------------------------------------------------------------------------------------- */

/* Japanese may be broken between any two characters; moves may not. */
static PangoAttrList *unbroken_words(const char *text) {
    PangoAttrList *attributes = pango_attr_list_new();
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " ");
        PangoAttribute *unbroken = pango_attr_allow_breaks_new(FALSE);
        unbroken->start_index = (guint)(word - text);
        unbroken->end_index = (guint)(word - text + (ptrdiff_t)length);
        pango_attr_list_insert(attributes, unbroken);
        word += length + strspn(word + length, " ");
    }
    return attributes;
}

static PangoLayout *lay_out_paragraph(struct pen *pen, const char *text, double size, double width) {
    set_text(pen, text, size);
    PangoLayout *layout = pango_layout_copy(pen->layout);
    PangoAttrList *attributes = unbroken_words(pango_layout_get_text(layout));
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    return layout;
}

void pen_paragraph(struct pen *pen, const char *text, double size, double width, pen_place *place, void *context) {
    PangoLayout *layout = lay_out_paragraph(pen, text, size, width);
    PangoLayoutIter *lines = pango_layout_get_iter(layout);
    pen->missing += (size_t)pango_layout_get_unknown_glyphs_count(layout);
    do {
        double x, y;
        place(context, &x, &y);
        if (!pen->cairo)
            continue;
        cairo_move_to(pen->cairo, x, y + ASCENT * size);
        pango_cairo_show_layout_line(pen->cairo, pango_layout_iter_get_line_readonly(lines));
    } while (pango_layout_iter_next_line(lines));
    pango_layout_iter_free(lines);
    g_object_unref(layout);
}
