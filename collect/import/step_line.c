#include "collect/import/step_line.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER_MAX 64
#define CONTINUED_MAX 200 /* lines of one record */
#define LABEL_MAX 40

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* "5,970": the digits of further groups of three. */
static size_t group_length(const char *s, size_t lead)
{
	if (s[0] != ',' || lead == 0 || lead > 3)
		return 0;
	for (size_t i = 1; i <= 3; i++)
		if (!is_digit(s[i]))
			return 0;
	return is_digit(s[4]) ? 0 : 4;
}

static size_t add_digits(const char *s, char *copy, size_t *length)
{
	size_t n = strspn(s, "0123456789"), lead = n > 0 && s[0] == '0' ? 0 : n;

	for (size_t i = 0; i < n && *length < NUMBER_MAX; i++)
		copy[(*length)++] = s[i];
	for (size_t group = group_length(s + n, lead); group > 0; group = group_length(s + n, lead)) {
		for (size_t i = 1; i < group && *length < NUMBER_MAX; i++)
			copy[(*length)++] = s[n + i];
		n += group;
	}
	return n;
}

static const char *non_finite(const char *s)
{
	if (*s == '-' || *s == '+')
		s++;
	if (strncasecmp(s, "nan", 3) != 0 && strncasecmp(s, "inf", 3) != 0)
		return NULL;
	const char *end = strncasecmp(s, "infinity", 8) == 0 ? s + 8 : s + 3;
	return !is_word(*end) || strncmp(end, "ms", 2) == 0 || (*end == 's' && !is_word(end[1])) ? end : NULL;
}

const char *step_number(const char *place, double *ret_number)
{
	char copy[NUMBER_MAX + 8];
	size_t length = 0, digits;
	const char *s = blanks(place), *end = non_finite(s);

	if (end) {
		*ret_number = NAN;
		return end;
	}
	if (*s == '-' || *s == '+')
		copy[length++] = *s++;
	digits = add_digits(s, copy, &length);
	s += digits;
	if (*s == '.' && is_digit(s[1])) {
		copy[length++] = *s++;
		for (; is_digit(*s); s++, digits++)
			if (length < NUMBER_MAX)
				copy[length++] = *s;
	}
	if (digits == 0)
		return NULL;
	if ((*s == 'e' || *s == 'E') && (is_digit(s[1]) || ((s[1] == '-' || s[1] == '+') && is_digit(s[2])))) {
		copy[length++] = *s++;
		copy[length++] = *s++;
		for (int i = 0; is_digit(*s); s++, i++)
			if (i < 4)
				copy[length++] = *s;
	}
	if (length >= NUMBER_MAX)
		return NULL;
	copy[length] = '\0';
	double number = strtod(copy, NULL);
	*ret_number = isfinite(number) ? number : NAN;
	return s;
}

/* A word may follow the last letter of a colour whose escape was lost: "mloss". */
static bool begins_here(const char *text, const char *s)
{
	if (s == text || (!is_word(s[-1]) && s[-1] != '/' && s[-1] != '-'))
		return true;
	return s[-1] == 'm' && (s - 1 == text || strchr(" \t[;", s[-2]) || is_digit(s[-2]));
}

const char *step_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = strstr(text, word); s; s = strstr(s + 1, word)) {
		bool open = is_word(word[n - 1]) && (is_word(s[n]) || s[n] == '/' || s[n] == '-');
		if (!open && (!is_word(word[0]) || begins_here(text, s)))
			return s;
	}
	return NULL;
}

const char *step_numbered(const char *text, const char *word)
{
	for (const char *s = step_word(text, word); s; s = step_word(s + 1, word)) {
		const char *after = blanks(s + strlen(word));
		if (is_digit(*blanks(*after == ':' || *after == '=' ? after + 1 : after)))
			return s;
	}
	return NULL;
}

/* From behind a word over what may stand before its number. */
static const char *value_place(const char *s)
{
	s += *s == '\'' || *s == '"';
	s = blanks(s);
	s += *s == ':' || *s == '=';
	s = blanks(s);
	if (strncmp(s, "tensor(", 7) == 0)
		s += 7;
	return s + (*s == '[' || *s == '\'' || *s == '"');
}

static const char *find_value(const char *record, const char *word, double *ret_number)
{
	for (const char *s = step_word(record, word); s; s = step_word(s + 1, word)) {
		const char *end = step_number(value_place(s + strlen(word)), ret_number);
		if (end)
			return end;
	}
	return NULL;
}

bool step_value(const char *record, const char *word, double *ret_number)
{
	return find_value(record, word, ret_number) != NULL;
}

/* The number before a unit: "| 3056.36 ms |", "dt: 271.5ms". */
static const char *find_before(const char *record, const char *unit, double *ret_number)
{
	size_t n = strlen(unit);

	for (const char *s = strstr(record, unit); s; s = strstr(s + 1, unit)) {
		const char *start = s;
		while (start > record && (start[-1] == ' ' || start[-1] == '\t'))
			start--;
		const char *last = start;
		while (start > record && (is_word(start[-1]) || strchr(".,+-", start[-1])))
			start--;
		if (start < last && !(is_word(unit[n - 1]) && is_word(s[n])) && step_number(start, ret_number) == last)
			return s + n;
	}
	return NULL;
}

static bool scale_by_unit(const char *end, double *number)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"sec", 1}, {"s", 1}};

	end = blanks(end);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i].name);
		if (strncmp(end, units[i].name, n) == 0 && !is_word(end[n])) {
			*number *= units[i].seconds;
			return true;
		}
	}
	return false;
}

/* "3/ 1000": the planned number of steps stands behind the step. */
static void take_total(const char *end, struct iterations *iterations)
{
	double total = NAN;

	end = blanks(end);
	if (*end == '/' && step_number(end + 1, &total) && total >= 1 && total < 1e15)
		iterations->total = (int64_t)total;
}

enum record_end { RECORD_WHOLE, RECORD_CUT };

static void read_key(const char *record, enum record_end ending, const struct step_key *key,
		     struct iterations *iterations, struct iteration *row)
{
	bool taken = row->printed[key->field];
	double number = NAN;

	if (key->field == ITERATION_THROUGHPUT && iterations->throughput_unit && key->unit &&
	    strcmp(key->unit, iterations->throughput_unit) != 0)
		return;
	if (taken && key->field != ITERATION_STEP)
		return;
	const char *end = key->side == STEP_KEY_LAST ? find_before(record, key->word, &number)
						     : find_value(record, key->word, &number);
	if (!end || (ending == RECORD_CUT && key->side == STEP_KEY_FIRST && !end[strspn(end, "0123456789,.eE+-")]))
		return;
	if (key->field == ITERATION_STEP)
		take_total(end, iterations);
	if (taken || (key->scale <= 0 && !scale_by_unit(end, &number)))
		return;
	if (key->field == ITERATION_THROUGHPUT && key->unit && !iterations->throughput_unit)
		iterations->throughput_unit = mem_dup_string(key->unit);
	iterations_set(iterations, row, key->field, key->scale > 0 ? number * key->scale : number);
}

static void read_record(const char *record, enum record_end ending, size_t line, const struct step_format *format,
			struct iterations *iterations)
{
	struct iteration *row = iterations_add(iterations, line);
	bool steps = false;

	for (size_t i = 0; i < format->n_keys; i++) {
		steps = steps || format->keys[i].field == ITERATION_STEP;
		read_key(record, ending, &format->keys[i], iterations, row);
	}
	if (steps && isnan(row->values[ITERATION_STEP]) && format->repeats == STEP_REPEATS_RANKS)
		iterations->n--;
}

/* A record's text without what is left of colours whose escape was lost: "[32m". */
static void copy_record(const char *start, const char *end, struct text *ret)
{
	for (const char *s = start; s < end;) {
		size_t n = *s == '[' ? 1 + strspn(s + 1, "0123456789;") : 0;
		if (n > 0 && s + n < end && s[n] == 'm' && (n > 1 || isspace((unsigned char)s[n + 1]) || !s[n + 1]))
			s += n + 1;
		else
			text_add_char(ret, *s++);
	}
}

/* What tells one rank's lines from another's: the launcher's label, a host, a rank named before the record. */
static void set_stream(const struct clean_line *line, const char *record, struct iterations *iterations,
		       struct iteration *row)
{
	CLEANUP(text_release) struct text label = {0};
	const char *raw = line->raw;
	size_t host = strcspn(raw, " \t:["), tag = strcspn(raw, " \t:]"); /* "node7: ", "[default3]:" */

	if (line->stream >= 0)
		text_format(&label, "%lld ", (long long)line->stream);
	if (line->text > raw)
		text_add_bytes(&label, raw, (size_t)(line->text - raw));
	else if (raw[0] == '[' && tag > 1 && tag < LABEL_MAX && strncmp(raw + tag, "]:", 2) == 0)
		text_add_bytes(&label, raw, tag);
	else if (host > 0 && raw[host] == ':' && raw[host + 1] == ' ' && raw + host < record)
		text_add_bytes(&label, raw, host);
	for (const char *s = raw; s + 4 < record; s++)
		if (strncasecmp(s, "rank", 4) == 0 && (s[4] == '=' || s[4] == ' ' || s[4] == '-' || is_digit(s[4])))
			text_format(&label, " rank %.*s", (int)strspn(s + 4 + !is_digit(s[4]), "0123456789"),
				    s + 4 + !is_digit(s[4]));
	struct string_list *streams = &iterations->streams;
	for (row->stream = 0; row->stream < streams->n; row->stream++)
		if (strcmp(streams->items[row->stream], text_string(&label)) == 0)
			return;
	string_list_add(streams, text_string(&label));
}

static size_t gather(const struct clean_lines *lines, size_t i, const char *start, const struct step_format *format,
		     struct text *ret)
{
	copy_record(start, start + strlen(start), ret);
	size_t last = i;
	for (size_t k = i + 1; k < lines->n && k - i < CONTINUED_MAX; k++) {
		const struct clean_line *line = &lines->items[k];
		if (line->nccl)
			continue;
		if (format->find(line->text) || !format->continues(line->text))
			break;
		text_add_char(ret, '\n');
		copy_record(line->text, line->text + strlen(line->text), ret);
		last = k;
	}
	return last;
}

static void read_line(const struct clean_lines *lines, size_t i, const struct step_format *format,
		      struct iterations *iterations)
{
	const struct clean_line *line = &lines->items[i];
	const char *start = line->nccl ? NULL : format->find(line->text);

	while (start) {
		CLEANUP(text_release) struct text record = {0};
		const char *next = format->continues ? NULL : format->find(start + 1);
		size_t last = i, n = iterations->n;
		if (format->continues)
			last = gather(lines, i, start, format, &record);
		else
			copy_record(start, next ? next : start + strlen(start), &record);
		bool cut = !next && last + 1 == lines->n && !lines->ends_with_line;
		read_record(text_string(&record), cut ? RECORD_CUT : RECORD_WHOLE, line->line, format, iterations);
		if (iterations->n > n)
			set_stream(line, start, iterations, &iterations->rows[n]);
		start = next;
	}
}

void step_lines_read(const struct clean_lines *lines, const struct step_format *format,
		     struct iterations *ret_iterations)
{
	*ret_iterations = (struct iterations){0};
	for (size_t i = 0; i < lines->n; i++)
		read_line(lines, i, format, ret_iterations);
	if (format->repeats == STEP_REPEATS_PARTS)
		iterations_join_steps(ret_iterations);
	iterations_merge_streams(ret_iterations);
}

bool step_lines_detect(const struct clean_lines *lines, const struct step_format *format)
{
	for (size_t i = 0; i < lines->n; i++)
		if (!lines->items[i].nccl && format->find(lines->items[i].text))
			return true;
	return false;
}
