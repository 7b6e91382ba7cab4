#include "report/figure/ranking.h"

#include "report/figure/frame_slope.h"
#include "report/format.h"
#include "report/section.h"
#include "report/style.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* More rows than a page holds are left to the table of magnitudes. */
#define ROWS_MAX 30
#define STUB 24.0
#define CROSS 2.4
#define TITLE_HEIGHT 24.0
#define MARGIN_HEIGHT 170.0
#define COUNT_LEADING 13.4

struct ranking {
	struct frame_slope frame;
	const struct analysis_doc *doc;
	const struct doc_parity *parity;
	int64_t ranked, rows; /* rows: with those that stop in the benchmark */
};

static bool is_ranked(const struct doc_parity_setting *row)
{
	return row->x_place > 0 && row->y_place > 0;
}

static bool stops(const struct doc_parity_setting *row)
{
	return text_equal(row->class_name, "benchmark_only");
}

/* Every order of the setting is resolved on both sides. */
static bool is_heavy(const struct doc_parity_setting *row)
{
	return row->unresolved == 0 && row->agree + row->reversed > 0;
}

static struct canvas_colour colour_of(const struct doc_parity_setting *row)
{
	if (!is_heavy(row))
		return STYLE_INACTIVE;
	return row->y_verdict && strncmp(row->y_verdict, "harm", 4) == 0 ? STYLE_LOSS : STYLE_GAIN;
}

static void draw_slope(const struct ranking *ranking, const struct doc_parity_setting *row)
{
	const struct frame_slope *frame = &ranking->frame;
	struct canvas *c = frame->layout->canvas;
	struct canvas_colour colour = colour_of(row);
	double x1 = frame_slope_x(FRAME_SLOPE_LEFT), x2 = frame_slope_x(FRAME_SLOPE_RIGHT);
	double y1 = frame_slope_y(frame, row->x_place), y2 = frame_slope_y(frame, row->y_place);
	bool left = row->x_place <= ROWS_MAX, right = row->y_place <= ROWS_MAX;

	if (left && right)
		c->ops->line(c, x1, y1, x2, y2, is_heavy(row) ? 1.6 : 0.8, is_heavy(row) ? colour : STYLE_HEAD_RULE,
			     CANVAS_SOLID);
	if (left)
		c->ops->dot(c, x1, y1, 2.7, colour, row->x_tied_to > row->x_tied_from ? CANVAS_HOLLOW : CANVAS_FILLED);
	if (right)
		c->ops->dot(c, x2, y2, 2.7, colour, row->y_tied_to > row->y_tied_from ? CANVAS_HOLLOW : CANVAS_FILLED);
}

static void draw_names(const struct ranking *ranking, const struct doc_parity_setting *row, int64_t x_place,
		       int64_t y_place)
{
	CLEANUP(text_release) struct text name = {0};
	CLEANUP(text_release) struct text x_word = {0};
	CLEANUP(text_release) struct text y_word = {0};
	struct canvas_style style = is_heavy(row) ? STYLE_TEXT(BOLD, 8.0, INK) : STYLE_TEXT(REGULAR, 8.0, SECONDARY);

	format_setting(&name, ranking->doc, row->setting);
	format_verdict(&x_word, row->x_verdict ? row->x_verdict : "");
	format_verdict(&y_word, row->y_verdict ? row->y_verdict : "");
	struct frame_slope_label label = {text_string(&name), text_string(&x_word), style};
	if (x_place > 0 && x_place <= ROWS_MAX)
		frame_slope_name(&ranking->frame, FRAME_SLOPE_LEFT, x_place, &label);
	label.word = text_string(&y_word);
	if (y_place > 0 && y_place <= ROWS_MAX)
		frame_slope_name(&ranking->frame, FRAME_SLOPE_RIGHT, y_place, &label);
}

/* A setting that has no number in production ends in a cross, and the reason runs on. */
static void draw_stop(const struct ranking *ranking, const struct doc_parity_setting *row, int64_t place)
{
	const struct frame_slope *frame = &ranking->frame;
	struct canvas *c = frame->layout->canvas;
	double x = frame_slope_x(FRAME_SLOPE_LEFT), y = frame_slope_y(frame, place);
	double end = x + STUB;

	draw_names(ranking, row, place, 0);
	c->ops->line(c, x, y, end - CROSS - 1, y, 0.8, STYLE_HEAD_RULE, CANVAS_SOLID);
	c->ops->dot(c, x, y, 2.7, STYLE_INACTIVE, CANVAS_HOLLOW);
	c->ops->line(c, end - CROSS, y - CROSS, end + CROSS, y + CROSS, 1.3, STYLE_INK, CANVAS_SOLID);
	c->ops->line(c, end - CROSS, y + CROSS, end + CROSS, y - CROSS, 1.3, STYLE_INK, CANVAS_SOLID);
	layout_fitting(c, STYLE_SMALL_ITALIC, end + 7, y + 2.5, frame_slope_right(frame) - end - 7,
		       row->y_lost ? row->y_lost : "no number");
}

static void draw_ties(const struct ranking *ranking, const struct doc_parity_setting *row)
{
	struct canvas_style style = STYLE_TEXT(REGULAR, 8.0, INK);

	if (row->x_place == row->x_tied_from && row->x_tied_to <= ROWS_MAX)
		frame_slope_places(&ranking->frame, FRAME_SLOPE_LEFT, row->x_tied_from, row->x_tied_to, style);
	if (row->y_place == row->y_tied_from && row->y_tied_to <= ROWS_MAX)
		frame_slope_places(&ranking->frame, FRAME_SLOPE_RIGHT, row->y_tied_from, row->y_tied_to, style);
}

static void draw_rows(const struct ranking *ranking)
{
	const struct doc_parity *parity = ranking->parity;
	int64_t place = ranking->ranked;

	/* Thin lines first, so that the heavy ones lie on top. */
	for (int heavy = 0; heavy < 2; heavy++)
		for (size_t i = 0; i < parity->n_settings; i++)
			if (is_ranked(&parity->settings[i]) && is_heavy(&parity->settings[i]) == (heavy == 1))
				draw_slope(ranking, &parity->settings[i]);
	for (size_t i = 0; i < parity->n_settings; i++) {
		const struct doc_parity_setting *row = &parity->settings[i];
		if (is_ranked(row)) {
			draw_names(ranking, row, row->x_place, row->y_place);
			draw_ties(ranking, row);
		}
	}
	for (size_t i = 0; i < parity->n_settings && place < ROWS_MAX; i++)
		if (stops(&parity->settings[i]))
			draw_stop(ranking, &parity->settings[i], ++place);
}

/* "Of 4 benchmark wins, / 1 was a win, / ... in production." @return the height used */
static double draw_sentence(struct layout *layout, const struct doc_parity_sentence *sentence, double x, double top)
{
	struct canvas *c = layout->canvas;
	const struct {
		int64_t n;
		const char *one, *many;
		struct canvas_colour colour;
	} parts[] = {{sentence->win, "was a win", "were wins", STYLE_GAIN},
		     {sentence->null, "was null", "were null", STYLE_INK},
		     {sentence->harm, "was harmful", "were harmful", STYLE_LOSS},
		     {sentence->crashed, "did not finish", "did not finish", STYLE_LOSS},
		     {sentence->other, "is not settled", "are not settled", STYLE_SECONDARY}};
	struct canvas_style style = STYLE_TEXT(BOLD, 9.0, INK);
	CLEANUP(text_release) struct text head = {0};
	double y = top + 9;

	if (sentence->benchmark_wins == 0) {
		const struct layout_box box = {x, layout->right - x, COUNT_LEADING, LAYOUT_LEFT};
		return layout_plain(c, LAYOUT_DRAW, &box, top, style, "The benchmark shows no win.");
	}
	text_format(&head, "Of %" PRId64 " benchmark win%s,", sentence->benchmark_wins,
		    sentence->benchmark_wins == 1 ? "" : "s");
	canvas_text(c, style, x, y, text_string(&head));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		CLEANUP(text_release) struct text digits = {0};
		if (parts[i].n == 0)
			continue;
		y += COUNT_LEADING;
		text_format(&digits, "%" PRId64, parts[i].n);
		canvas_text_right(c, (struct canvas_style){CANVAS_BOLD, 9.0, parts[i].colour}, x + 13, y,
				  text_string(&digits));
		canvas_text(c, style, x + 18, y, parts[i].n == 1 ? parts[i].one : parts[i].many);
	}
	canvas_text(c, style, x, y + COUNT_LEADING, "in production.");
	return y + COUNT_LEADING + 5 - top;
}

static double draw_count(struct layout *layout, const char *name, int64_t n, double x, double y)
{
	CLEANUP(text_release) struct text digits = {0};

	text_format(&digits, "%" PRId64, n);
	canvas_text(layout->canvas, STYLE_CELL_SECOND, x, y, name);
	canvas_text_right(layout->canvas, STYLE_TEXT(BOLD, 8.0, INK), layout->right, y, text_string(&digits));
	return y + 12;
}

/* @return the bottom of the zone */
static double draw_margin(struct layout *layout, const struct doc_parity *parity, double x, double top)
{
	const struct doc_parity_ranking *ranking = &parity->ranking;
	double y = top + draw_sentence(layout, &parity->sentence, x, top) + 16;
	CLEANUP(text_release) struct text tau = {0};

	canvas_text(layout->canvas, STYLE_SMALL, x, y, "Orders of two settings");
	canvas_rule(layout->canvas, x, layout->right, y + 4, 0.4, STYLE_HEAD_RULE);
	y = draw_count(layout, "agree", ranking->agree, x, y + 15);
	y = draw_count(layout, "reversed", ranking->reversed, x, y);
	y = draw_count(layout, "unresolved", ranking->unresolved, x, y);
	canvas_rule(layout->canvas, x, layout->right, y - 8, 0.4, STYLE_HEAD_RULE);
	y = draw_count(layout, "pairs", ranking->agree + ranking->reversed + ranking->unresolved, x, y + 2);
	if (isfinite(ranking->tau_b)) {
		text_add(&tau, "Kendall's tau-b ");
		format_fixed(&tau, ranking->tau_b, 2, FORMAT_SIGN_MINUS_ONLY);
		if (isfinite(ranking->p_exact)) {
			text_add(&tau, ", exact p ");
			format_fixed(&tau, ranking->p_exact, 2, FORMAT_SIGN_MINUS_ONLY);
		} else if (ranking->p_exact_reason) {
			text_format(&tau, "; its exact p is %s", ranking->p_exact_reason);
		}
		text_add(&tau, ranking->unresolved > 0 ? ". It counts unresolved orders like resolved ones: read the "
							 "three counts first."
						       : ".");
		const struct layout_box box = {x, layout->right - x, 9.8, LAYOUT_LEFT};
		y += layout_plain(layout->canvas, LAYOUT_DRAW, &box, y - 2, STYLE_SMALL, text_string(&tau));
	}
	return y;
}

static int64_t blocks_of(const struct ranking *ranking, const char *harness)
{
	int64_t most = 0;

	for (size_t i = 0; i < ranking->doc->n_effects; i++) {
		const struct doc_effect *effect = &ranking->doc->effects[i];
		if (text_equal(effect->harness, harness) && !effect->relabelled && effect->blocks > most)
			most = effect->blocks;
	}
	return most;
}

static void caption(const struct ranking *ranking)
{
	const struct doc_parity *parity = ranking->parity;
	CLEANUP(text_release) struct text words = {0};
	size_t unranked = 0;

	text_format(
		&words,
		"Places by point estimate, n = %" PRId64 " settings, up to %" PRId64 " blocks of %s and %" PRId64
		" of %s. Heavy: every order of the setting is resolved on both sides (the 95" FORMAT_NBSP
		"%% t interval of the difference by block excludes 0); thin and grey: at least one is not. Hollow, in "
		"a bracket: neighbours that cannot be told apart, or no number in production. No length here is a "
		"size, in units of rank alone.",
		ranking->ranked, blocks_of(ranking, parity->bench), parity->bench, blocks_of(ranking, parity->slice),
		parity->slice);
	for (size_t i = 0; i < parity->n_settings; i++) {
		const struct doc_parity_setting *row = &parity->settings[i];
		CLEANUP(text_release) struct text name = {0};
		if (is_ranked(row) || stops(row))
			continue;
		format_setting(&name, ranking->doc, row->setting);
		if (unranked < 8)
			text_format(&words, "%s%s", unranked == 0 ? " Not ranked: " : ", ", text_string(&name));
		unranked++;
	}
	if (unranked > 8)
		text_format(&words, " and %zu more", unranked - 8);
	text_add(&words, unranked > 0 ? "." : "");
	if (ranking->rows > ROWS_MAX)
		text_format(&words, " The first %d places are drawn; all are in the table of magnitudes.", ROWS_MAX);
	section_caption(ranking->frame.layout, text_string(&words));
}

static void draw(struct layout *layout, const struct analysis_doc *doc, const struct doc_parity *parity)
{
	struct ranking ranking = {
		.frame = {.layout = layout, .heads = {"Benchmark", "Production"}}, .doc = doc, .parity = parity};
	CLEANUP(text_release) struct text title = {0};

	for (size_t i = 0; i < parity->n_settings; i++) {
		ranking.ranked += is_ranked(&parity->settings[i]);
		ranking.rows += is_ranked(&parity->settings[i]) || stops(&parity->settings[i]);
	}
	text_format(&title, "Rank in the benchmark (%s) and in production (%s)", parity->bench, parity->slice);
	if (ranking.rows == 0) {
		section_missing(layout, text_string(&title), ": no setting has a number on both sides");
		return;
	}
	int64_t rows = ranking.rows < ROWS_MAX ? ranking.rows : ROWS_MAX;
	double height = FRAME_SLOPE_PITCH * (double)rows + 20;
	height = height > MARGIN_HEIGHT ? height : MARGIN_HEIGHT;
	layout_need(layout, TITLE_HEIGHT + height + 50);
	layout_title(layout, "Figure", ++layout->figures, text_string(&title));
	double top = layout->y;
	frame_slope_open(&ranking.frame);
	draw_rows(&ranking);
	double bottom = draw_margin(layout, parity, frame_slope_right(&ranking.frame) + 14, top);
	double rows_end = ranking.frame.top + FRAME_SLOPE_PITCH * (double)rows;
	layout->y = (bottom > rows_end ? bottom : rows_end) + 6;
	caption(&ranking);
}

void figure_ranking(struct layout *layout, const struct analysis_doc *doc)
{
	if (doc->n_parities == 0)
		section_missing(layout, "Rank in the benchmark and in production",
				": the plan sets no benchmark against a slice");
	for (size_t i = 0; i < doc->n_parities; i++)
		draw(layout, doc, &doc->parities[i]);
}
