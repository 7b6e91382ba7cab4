#include "report/canvas_pdf.h"

#include "base/mem.h"

#include <hpdf.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistr.h>

#define FONT_FOLDER "/usr/share/fonts/truetype"
#define MAX_PAGES 2000

static const char *const font_files[CANVAS_N_FONTS] = {
	[CANVAS_REGULAR] = FONT_FOLDER "/lato/Lato-Regular.ttf",
	[CANVAS_BOLD] = FONT_FOLDER "/lato/Lato-Bold.ttf",
	[CANVAS_ITALIC] = FONT_FOLDER "/lato/Lato-Italic.ttf",
	[CANVAS_MONO] = FONT_FOLDER "/jetbrains-mono/JetBrainsMono-Regular.ttf",
};

struct canvas_pdf {
	struct canvas canvas;
	HPDF_Doc pdf;
	HPDF_Font fonts[CANVAS_N_FONTS];
	HPDF_Page pages[MAX_PAGES];
	HPDF_Page page;
	HPDF_Outline root;
	HPDF_STATUS fault; /* the first libharu error, with its page */
	int fault_page;
	int non_finite; /* page + 1 of the first mark with a NaN or infinite coordinate, 0 when none */
};

static struct canvas_pdf *self(struct canvas *canvas)
{
	return (struct canvas_pdf *)canvas;
}

static void note_fault(struct canvas_pdf *c)
{
	HPDF_STATUS status = HPDF_GetError(c->pdf);
	if (status != HPDF_OK && c->fault == HPDF_OK) {
		c->fault = status;
		c->fault_page = c->canvas.page + 1;
	}
}

/* The one gate: a NaN would corrupt the rest of the page without a word. */
static int finite_all(struct canvas_pdf *c, const double *values, size_t n)
{
	if (c->fault != HPDF_OK || !c->page) /* the error is kept for the end: nothing more is drawn */
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]) || fabs(values[i]) > 14400) {
			if (c->non_finite == 0)
				c->non_finite = c->canvas.page + 1;
			return 0;
		}
	}
	return 1;
}

static HPDF_REAL pt(double value)
{
	return (HPDF_REAL)(round(value * 100) / 100);
}

static int has_glyph(HPDF_Font font, uint32_t character)
{
	if (character > 0xFFFF)
		return 0;
	return HPDF_TTFontDef_GetGlyphid(((HPDF_FontAttr)font->attr)->fontdef, (HPDF_UINT16)character) != 0;
}

/* Valid UTF-8 of characters the font has; anything else becomes U+FFFD, or '?' where the font lacks even that. */
static void printable(HPDF_Font font, const char *utf8, struct text *ret)
{
	const uint8_t *bytes = (const uint8_t *)utf8;
	size_t n = strlen(utf8);
	const char *missing = has_glyph(font, 0xFFFD) ? "\xEF\xBF\xBD" : "?";
	for (size_t i = 0; i < n;) {
		ucs4_t character = 0;
		int length = u8_mbtoucr(&character, bytes + i, n - i);
		if (length < 1) {
			text_add(ret, missing);
			i++;
			continue;
		}
		if (character == '\t' || character == '\n' || character == '\r')
			text_add_char(ret, ' ');
		else if (character < 0x20 || !has_glyph(font, (uint32_t)character))
			text_add(ret, missing);
		else
			text_add_bytes(ret, utf8 + i, (size_t)length);
		i += (size_t)length;
	}
}

static void pdf_page_select(struct canvas *canvas, int page)
{
	struct canvas_pdf *c = self(canvas);
	note_fault(c);
	if (page < 0 || page >= canvas->n_pages)
		return;
	c->page = c->pages[page];
	canvas->page = page;
}

static void pdf_page_new(struct canvas *canvas)
{
	struct canvas_pdf *c = self(canvas);
	note_fault(c);
	if (canvas->n_pages == MAX_PAGES) {
		c->fault = c->fault != HPDF_OK ? c->fault : HPDF_PAGE_INVALID_INDEX;
		return;
	}
	HPDF_Page page = c->fault == HPDF_OK ? HPDF_AddPage(c->pdf) : NULL;
	if (!page) {
		note_fault(c);
		canvas->page = canvas->n_pages++; /* keep count, so that the flow ends */
		c->page = NULL;
		return;
	}
	HPDF_Page_SetWidth(page, (HPDF_REAL)canvas->width);
	HPDF_Page_SetHeight(page, (HPDF_REAL)canvas->height);
	c->pages[canvas->n_pages++] = page;
	pdf_page_select(canvas, canvas->n_pages - 1);
}

static double pdf_measure(struct canvas *canvas, struct canvas_style style, const char *utf8)
{
	struct canvas_pdf *c = self(canvas);
	CLEANUP(text_release) struct text clean = {0};
	printable(c->fonts[style.font], utf8, &clean);
	HPDF_TextWidth width = HPDF_Font_TextWidth(c->fonts[style.font], (const HPDF_BYTE *)text_string(&clean),
						   (HPDF_UINT)clean.length);
	return (double)width.width * style.size / 1000;
}

static void pdf_text(struct canvas *canvas, struct canvas_style style, double x, double y, const char *utf8)
{
	struct canvas_pdf *c = self(canvas);
	const double values[] = {x, y, style.size};
	if (!finite_all(c, values, 3) || *utf8 == '\0')
		return;
	CLEANUP(text_release) struct text clean = {0};
	printable(c->fonts[style.font], utf8, &clean);
	HPDF_Page_SetRGBFill(c->page, (HPDF_REAL)style.colour.r, (HPDF_REAL)style.colour.g, (HPDF_REAL)style.colour.b);
	HPDF_Page_BeginText(c->page);
	HPDF_Page_SetFontAndSize(c->page, c->fonts[style.font], pt(style.size));
	HPDF_Page_TextOut(c->page, pt(x), pt(canvas->height - y), text_string(&clean));
	HPDF_Page_EndText(c->page);
}

static void stroke_colour(struct canvas_pdf *c, struct canvas_colour colour)
{
	HPDF_Page_SetRGBStroke(c->page, (HPDF_REAL)colour.r, (HPDF_REAL)colour.g, (HPDF_REAL)colour.b);
}

static void pdf_line(struct canvas *canvas, double x1, double y1, double x2, double y2, double width,
		     struct canvas_colour colour, enum canvas_dash dash)
{
	struct canvas_pdf *c = self(canvas);
	const double values[] = {x1, y1, x2, y2, width};
	if (!finite_all(c, values, 5))
		return;
	static const HPDF_UINT16 pattern[] = {3, 2};
	stroke_colour(c, colour);
	HPDF_Page_SetLineWidth(c->page, pt(width));
	if (dash == CANVAS_DASHED)
		HPDF_Page_SetDash(c->page, pattern, 2, 0);
	HPDF_Page_MoveTo(c->page, pt(x1), pt(canvas->height - y1));
	HPDF_Page_LineTo(c->page, pt(x2), pt(canvas->height - y2));
	HPDF_Page_Stroke(c->page);
	if (dash == CANVAS_DASHED)
		HPDF_Page_SetDash(c->page, NULL, 0, 0);
}

static void pdf_rect(struct canvas *canvas, double x, double y, double width, double height,
		     struct canvas_colour colour)
{
	struct canvas_pdf *c = self(canvas);
	const double values[] = {x, y, width, height};
	if (!finite_all(c, values, 4))
		return;
	HPDF_Page_SetRGBFill(c->page, (HPDF_REAL)colour.r, (HPDF_REAL)colour.g, (HPDF_REAL)colour.b);
	HPDF_Page_Rectangle(c->page, pt(x), pt(canvas->height - y - height), pt(width), pt(height));
	HPDF_Page_Fill(c->page);
}

static void pdf_dot(struct canvas *canvas, double x, double y, double radius, struct canvas_colour colour,
		    enum canvas_dot kind)
{
	struct canvas_pdf *c = self(canvas);
	const double values[] = {x, y, radius};
	const double halo = 0.55;
	if (!finite_all(c, values, 3))
		return;
	HPDF_REAL px = pt(x);
	HPDF_REAL py = pt(canvas->height - y);
	HPDF_Page_SetRGBFill(c->page, 1, 1, 1);
	HPDF_Page_Circle(c->page, px, py, pt(radius + halo));
	HPDF_Page_Fill(c->page);
	if (kind == CANVAS_HOLLOW) {
		stroke_colour(c, colour);
		HPDF_Page_SetLineWidth(c->page, 1);
		HPDF_Page_Circle(c->page, px, py, pt(radius - 0.4));
		HPDF_Page_Stroke(c->page);
		return;
	}
	HPDF_Page_SetRGBFill(c->page, (HPDF_REAL)colour.r, (HPDF_REAL)colour.g, (HPDF_REAL)colour.b);
	HPDF_Page_Circle(c->page, px, py, pt(radius));
	HPDF_Page_Fill(c->page);
}

static void pdf_outline(struct canvas *canvas, const char *title, double y)
{
	struct canvas_pdf *c = self(canvas);
	if (!finite_all(c, &y, 1))
		return;
	CLEANUP(text_release) struct text clean = {0};
	printable(c->fonts[CANVAS_REGULAR], title, &clean);
	HPDF_Encoder encoder = HPDF_GetEncoder(c->pdf, "UTF-8");
	HPDF_Outline entry = HPDF_CreateOutline(c->pdf, c->root, text_string(&clean), encoder);
	HPDF_Destination destination = HPDF_Page_CreateDestination(c->page);
	HPDF_Destination_SetFitH(destination, pt(canvas->height - y)); /* SetXYZ refuses zoom 0 */
	HPDF_Outline_SetDestination(entry, destination);
}

static const struct canvas_ops pdf_ops = {
	.page_new = pdf_page_new,
	.page_select = pdf_page_select,
	.text = pdf_text,
	.measure = pdf_measure,
	.line = pdf_line,
	.rect = pdf_rect,
	.dot = pdf_dot,
	.outline = pdf_outline,
};

/* Codes are UCS-2 already: the identity in 256 ranges, since a range may not cross a high byte. */
static void add_to_unicode(struct canvas_pdf *c, HPDF_Font font)
{
	HPDF_Dict map = HPDF_DictStream_New(c->pdf->mmgr, c->pdf->xref);
	if (!map)
		return;
	map->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
	HPDF_Stream_WriteStr(map->stream, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
					  "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
					  "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
					  "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n");
	for (unsigned high = 0; high < 256; high++) {
		char line[64];
		if (high % 64 == 0)
			HPDF_Stream_WriteStr(map->stream, "64 beginbfrange\n");
		(void)snprintf(line, sizeof line, "<%02X00> <%02XFF> <%02X00>\n", high, high, high);
		HPDF_Stream_WriteStr(map->stream, line);
		if (high % 64 == 63)
			HPDF_Stream_WriteStr(map->stream, "endbfrange\n");
	}
	HPDF_Stream_WriteStr(map->stream, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
	HPDF_Dict_Add(font, "ToUnicode", map);
}

static void add_identity(struct canvas_pdf *c, const char *digest)
{
	HPDF_BYTE id[16] = {0};
	for (size_t i = 0; i < sizeof id && strlen(digest) >= 2 * (i + 1); i++) {
		unsigned byte = 0;
		if (sscanf(digest + 2 * i, "%2x", &byte) == 1)
			id[i] = (HPDF_BYTE)byte;
	}
	HPDF_Array pair = HPDF_Array_New(c->pdf->mmgr);
	HPDF_Array_Add(pair, HPDF_Binary_New(c->pdf->mmgr, id, sizeof id));
	HPDF_Array_Add(pair, HPDF_Binary_New(c->pdf->mmgr, id, sizeof id));
	HPDF_Dict_Add(c->pdf->trailer, "ID", pair);
}

static void add_dates(struct canvas_pdf *c, const char *date)
{
	HPDF_Date d = {.ind = '+'};
	if (!date || sscanf(date, "%d-%d-%dT%d:%d:%d", &d.year, &d.month, &d.day, &d.hour, &d.minutes, &d.seconds) != 6)
		return;
	HPDF_SetInfoDateAttr(c->pdf, HPDF_INFO_CREATION_DATE, d);
	HPDF_SetInfoDateAttr(c->pdf, HPDF_INFO_MOD_DATE, d);
	HPDF_ResetError(c->pdf); /* a date out of range is left out, not fatal */
}

static void add_title(struct canvas_pdf *c, const char *title)
{
	HPDF_Dict info = c->pdf->info;
	if (!info) {
		HPDF_SetInfoAttr(c->pdf, HPDF_INFO_CREATOR, "assay");
		info = c->pdf->info;
	}
	CLEANUP(text_release) struct text clean = {0};
	printable(c->fonts[CANVAS_REGULAR], title, &clean);
	HPDF_Encoder encoder = HPDF_GetEncoder(c->pdf, "UTF-8");
	if (info && encoder)
		HPDF_Dict_Add(info, "Title", HPDF_String_New(c->pdf->mmgr, text_string(&clean), encoder));
}

int canvas_pdf_new(const struct canvas_pdf_info *info, struct canvas **ret_canvas, struct error *err)
{
	struct canvas_pdf *c = mem_new(1, sizeof *c);
	CLEANUP(canvas_pdf_free) struct canvas *owner = &c->canvas;
	c->canvas = (struct canvas){&pdf_ops, info->width, info->height, 0, -1};
	c->pdf = HPDF_New(NULL, NULL);
	if (!c->pdf)
		return error_set(err, ERROR_INTERNAL, "cannot start a PDF document");
	HPDF_UseUTFEncodings(c->pdf);
	HPDF_SetCompressionMode(c->pdf, HPDF_COMP_ALL);
	for (int i = 0; i < CANVAS_N_FONTS; i++) {
		const char *name = HPDF_LoadTTFontFromFile(c->pdf, font_files[i], HPDF_TRUE);
		c->fonts[i] = name ? HPDF_GetFont(c->pdf, name, "UTF-8") : NULL;
		if (!c->fonts[i])
			return error_set(err, ERROR_ENVIRONMENT,
					 "cannot load the font '%s' (install fonts-lato and fonts-jetbrains-mono)",
					 font_files[i]);
		add_to_unicode(c, c->fonts[i]);
	}
	add_title(c, info->title);
	add_dates(c, info->date);
	add_identity(c, info->digest);
	c->root = HPDF_CreateOutline(c->pdf, NULL, "Report", NULL);
	HPDF_Outline_SetOpened(c->root, HPDF_TRUE);
	note_fault(c);
	if (c->fault != HPDF_OK)
		return error_set(err, ERROR_INTERNAL, "libharu error 0x%04lx while starting the PDF",
				 (unsigned long)c->fault);
	*ret_canvas = TAKE(owner);
	return 0;
}

int canvas_pdf_finish(struct canvas *canvas, struct text *ret_bytes, struct error *err)
{
	struct canvas_pdf *c = self(canvas);
	note_fault(c);
	if (c->fault == HPDF_OK)
		HPDF_SaveToStream(c->pdf);
	note_fault(c);
	if (c->fault != HPDF_OK)
		return error_set(err, ERROR_INTERNAL, "libharu error 0x%04lx on page %d", (unsigned long)c->fault,
				 c->fault_page);
	if (c->non_finite)
		return error_set(err, ERROR_INTERNAL, "a mark without a finite position on page %d", c->non_finite);
	HPDF_UINT32 size = HPDF_GetStreamSize(c->pdf);
	char *bytes = mem_new(size + 1, 1);
	HPDF_ResetStream(c->pdf);
	HPDF_UINT32 got = size;
	HPDF_STATUS status = HPDF_ReadFromStream(c->pdf, (HPDF_BYTE *)bytes, &got);
	text_clear(ret_bytes);
	text_add_bytes(ret_bytes, bytes, got);
	mem_free_pointer(&bytes);
	if ((status != HPDF_OK && status != HPDF_STREAM_EOF) || got != size)
		return error_set(err, ERROR_INTERNAL, "libharu gave %lu of %lu bytes", (unsigned long)got,
				 (unsigned long)size);
	return 0;
}

void canvas_pdf_free(struct canvas *canvas)
{
	struct canvas_pdf *c = self(canvas);
	if (!c)
		return;
	if (c->pdf)
		HPDF_Free(c->pdf);
	mem_free_pointer(&c);
}
