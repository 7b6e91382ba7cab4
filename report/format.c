#include "report/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void format_fixed(struct text *out, double value, int decimals, enum format_sign sign)
{
	if (!isfinite(value)) {
		text_add(out, FORMAT_DASH);
		return;
	}
	char digits[400];
	(void)snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
	bool zero = strspn(digits, "0.") == strlen(digits);
	if (value < 0 && !zero)
		text_add(out, FORMAT_MINUS);
	else if (sign == FORMAT_SIGN_ALWAYS && !zero)
		text_add_char(out, '+');
	text_add(out, digits);
}

/* One decimal as a rule, so that columns fall in line; more where one would round a real number away. */
static int decimals_of(double value)
{
	double size = fabs(value);
	if (size >= 1000)
		return 0;
	if (size >= 0.095 || size == 0)
		return 1;
	return size >= 0.0095 ? 2 : 3;
}

/* From here a percent would break its column, and a broken number reads as another one. */
#define FACTOR_FROM_PERCENT 9999.5
#define LEAST_PRINTED 0.001

void format_number(struct text *out, double value, enum format_sign sign)
{
	if (isfinite(value) && value >= FACTOR_FROM_PERCENT) {
		text_format(out, "\xC3\x97%.4g", 1 + value / 100);
		return;
	}
	if (fabs(value) > 0 && fabs(value) < LEAST_PRINTED / 2) { /* "0.000" would be another number */
		text_add(out, value < 0 ? ">" FORMAT_MINUS "0.001" : "<0.001");
		return;
	}
	format_fixed(out, value, isfinite(value) ? decimals_of(value) : 0, sign);
}

void format_percent(struct text *out, double value, enum format_sign sign)
{
	format_number(out, value, sign);
	if (isfinite(value))
		text_add(out, FORMAT_NBSP "%");
}

void format_margin(struct text *out, double value)
{
	if (isfinite(value))
		text_format(out, "%g" FORMAT_NBSP "%%", value);
	else
		text_add(out, FORMAT_DASH);
}

void format_range(struct text *out, struct doc_interval interval)
{
	if (!isfinite(interval.lo) || !isfinite(interval.hi)) {
		text_add(out, FORMAT_DASH);
		return;
	}
	format_number(out, interval.lo, FORMAT_SIGN_MINUS_ONLY);
	text_add(out, interval.lo < 0 || interval.hi < 0 ? FORMAT_NBSP "to" FORMAT_NBSP : FORMAT_DASH);
	format_number(out, interval.hi, FORMAT_SIGN_MINUS_ONLY);
}

void format_done(struct text *out, int64_t done, int64_t planned)
{
	if (done < 0)
		text_add(out, FORMAT_DASH);
	else if (planned >= 0 && planned != done)
		text_format(out, "%" PRId64 " of %" PRId64, done, planned);
	else
		text_format(out, "%" PRId64, done);
}

static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
				     "July",    "August",   "September", "October", "November", "December"};

struct day {
	int year, month, day;
};

static bool day_parse(const char *stamp, struct day *ret)
{
	return stamp && sscanf(stamp, "%4d-%2d-%2d", &ret->year, &ret->month, &ret->day) == 3 && ret->month >= 1 &&
	       ret->month <= 12;
}

void format_date(struct text *out, const char *stamp)
{
	struct day d = {0};
	if (!day_parse(stamp, &d))
		text_add(out, FORMAT_DASH);
	else
		text_format(out, "%d %s %d", d.day, months[d.month - 1], d.year);
}

void format_dates(struct text *out, const char *first, const char *last)
{
	struct day a = {0};
	struct day b = {0};
	if (!day_parse(last, &b))
		return;
	if (day_parse(first, &a) && a.year == b.year) {
		if (a.month != b.month)
			text_format(out, "%d %s " FORMAT_DASH " ", a.day, months[a.month - 1]);
		else if (a.day != b.day)
			text_format(out, "%d" FORMAT_DASH, a.day);
	} else if (a.year != 0) {
		format_date(out, first);
		text_add(out, " " FORMAT_DASH " ");
	}
	format_date(out, last);
}

void format_digest(struct text *out, const char *hex)
{
	size_t n = hex ? strlen(hex) : 0;
	if (n < 24)
		text_add(out, n > 0 ? hex : FORMAT_DASH);
	else
		text_format(out, "%.8s %.8s \xE2\x80\xA6 %.8s", hex, hex + 8, hex + n - 8);
}

void format_count(struct text *out, size_t n)
{
	static const char *const words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
					    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
	if (n < sizeof words / sizeof *words)
		text_add(out, words[n]);
	else
		text_format(out, "%zu", n);
}

void format_words(struct text *out, const char *name)
{
	for (const char *c = name ? name : ""; *c; c++)
		text_add_char(out, *c == '_' ? ' ' : *c);
}

/* What the codes of the analysis read as on a page: the one place. */
static const struct {
	const char *code, *words;
} codes[] = {
	{"no_evidence_of_effect", "no evidence that it took effect"},
	{"not_quality_neutral", "not quality-neutral"},
	{"not_the_target", "not the target"},
	{"mixed_versions", "mixed versions"},
	{"network_unverified", "network unverified"},
	{"when_it_finishes", "when it finishes"},
	{"win_size_open", "win, size open"},
	{"harm_size_open", "harm, size open"},
	{"no_number", "no number"},
	{"launch_failed", "launch failed"},
};

void format_qualifier(struct text *out, const char *code)
{
	for (size_t i = 0; code && i < sizeof codes / sizeof *codes; i++) {
		if (strcmp(code, codes[i].code) == 0) {
			text_add(out, codes[i].words);
			return;
		}
	}
	format_words(out, code);
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A minus stands where a number can begin; in names and dates a hyphen stays one. */
static bool is_minus(const char *text, const char *at)
{
	if (*at != '-' || !(is_digit(at[1]) || (at[1] == '.' && is_digit(at[2]))))
		return false;
	if (at == text || strchr(" ([=", at[-1]))
		return true;
	return at[-1] == 'e' && at - text >= 2 && is_digit(at[-2]);
}

void format_prose(struct text *out, const char *text)
{
	for (const char *at = text ? text : ""; *at;) {
		size_t n = 0;
		while (is_name(at[n]))
			n++;
		for (size_t i = 0; n > 0 && i < sizeof codes / sizeof *codes; i++) {
			if (strlen(codes[i].code) == n && strncmp(at, codes[i].code, n) == 0) {
				text_add(out, codes[i].words);
				at += n;
				n = 0;
			}
		}
		if (n > 0) {
			text_add_bytes(out, at, n);
			at += n;
		} else if (is_minus(text, at)) {
			text_add(out, FORMAT_MINUS);
			at++;
		} else if (*at && !is_name(*at)) {
			text_add_char(out, *at++);
		}
	}
}

void format_amount(struct text *out, double value)
{
	double size = fabs(value);
	int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
	CLEANUP(text_release) struct text plain = {0};

	format_fixed(&plain, value, decimals, FORMAT_SIGN_MINUS_ONLY);
	const char *digits = text_string(&plain);
	size_t sign = strncmp(digits, FORMAT_MINUS, strlen(FORMAT_MINUS)) == 0 ? strlen(FORMAT_MINUS) : 0;
	size_t n = strspn(digits + sign, "0123456789");
	if (decimals > 0 || n < 5) {
		text_add(out, digits);
		return;
	}
	text_add_bytes(out, digits, sign);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text_add(out, FORMAT_NBSP);
		text_add_char(out, digits[sign + i]);
	}
}

void format_verdict(struct text *out, const char *verdict)
{
	const char *open = verdict ? strstr(verdict, "_size_open") : NULL;
	if (open) {
		text_add_bytes(out, verdict, (size_t)(open - verdict));
		text_add(out, ", size open");
	} else {
		format_words(out, verdict);
	}
}

void format_setting(struct text *out, const struct analysis_doc *doc, const char *setting)
{
	if (!setting) {
		text_add(out, FORMAT_DASH);
		return;
	}
	const char *title = string_map_get(&doc->titles, setting);
	if (title) {
		text_add(out, title);
		return;
	}
	const char *at = strchr(setting, '@');
	if (!at) {
		text_add(out, setting);
		return;
	}
	CLEANUP(mem_free) char *base = mem_dup_bytes(setting, (size_t)(at - setting));
	title = string_map_get(&doc->titles, base);
	text_format(out, "%s, ", title ? title : base);
	for (const char *c = at + 1; *c; c++)
		text_add_char(out, *c == '=' || *c == '_' ? ' ' : *c);
}
