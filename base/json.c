#include "base/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEPTH_MAX 200

/* A strict pass before cJSON, which is lax: it settles the grammar, cJSON then builds the tree. */
struct scan {
	const char *bytes;
	size_t n, at;
	const char *file;
	size_t line;
	int depth;
	struct error *err;
};

static int scan_value(struct scan *scan);

static int wrong(struct scan *scan, const char *what)
{
	return error_set(scan->err, ERROR_DATA, "%s:%zu: %s", scan->file, scan->line, what);
}

static char peek(const struct scan *scan)
{
	return scan->at < scan->n ? scan->bytes[scan->at] : '\0';
}

static void skip_blanks(struct scan *scan)
{
	for (; scan->at < scan->n; scan->at++) {
		char c = scan->bytes[scan->at];

		if (c == '\n')
			scan->line++;
		else if (c != ' ' && c != '\t' && c != '\r')
			break;
	}
}

static bool hex4(const struct scan *scan, size_t at, unsigned *ret_value)
{
	unsigned value = 0;

	for (size_t i = at; i < at + 4; i++) {
		const char *digits = "0123456789abcdef";
		char c = i < scan->n ? scan->bytes[i] : '\0';
		const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

		if (!found)
			return false;
		value = value * 16 + (unsigned)(found - digits);
	}
	*ret_value = value;
	return true;
}

static int scan_unicode(struct scan *scan)
{
	unsigned c, low;

	if (!hex4(scan, scan->at, &c) || c == 0)
		return wrong(scan, "a \\u escape that is no character");
	scan->at += 4;
	if (c >= 0xdc00 && c <= 0xdfff)
		return wrong(scan, "half a surrogate pair in a string");
	if (c < 0xd800 || c > 0xdbff)
		return 0;
	if (scan->at + 6 > scan->n || memcmp(scan->bytes + scan->at, "\\u", 2) != 0 ||
	    !hex4(scan, scan->at + 2, &low) || low < 0xdc00 || low > 0xdfff)
		return wrong(scan, "half a surrogate pair in a string");
	scan->at += 6;
	return 0;
}

static int scan_string(struct scan *scan)
{
	if (peek(scan) != '"')
		return wrong(scan, "expected a string");
	scan->at++;
	while (scan->at < scan->n) {
		unsigned char c = (unsigned char)scan->bytes[scan->at++];

		if (c == '"')
			return 0;
		if (c < 0x20)
			return wrong(scan, "control character in a string, or its closing quote is missing");
		if (c != '\\')
			continue;
		char escape = peek(scan);
		if (!escape || !strchr("\"\\/bfnrtu", escape))
			return wrong(scan, "unknown escape in a string");
		scan->at++;
		if (escape == 'u') {
			int r = scan_unicode(scan);
			if (r < 0)
				return r;
		}
	}
	return wrong(scan, "a string is not closed");
}

static int scan_number(struct scan *scan)
{
	const char *start = scan->bytes + scan->at;
	size_t n = 0;
	double value;

	while (scan->at + n < scan->n && start[n] && strchr("0123456789+-.eE", start[n]))
		n++;
	size_t digit = start[0] == '-';
	bool zero_led = n > digit + 1 && start[digit] == '0' && start[digit + 1] >= '0' && start[digit + 1] <= '9';
	bool bare_point = false;
	for (size_t i = digit; i < n; i++) {
		if (start[i] == '.')
			bare_point = i == digit || i + 1 == n || start[i + 1] < '0' || start[i + 1] > '9';
	}
	if (n <= digit || start[0] == '+' || zero_led || bare_point)
		return wrong(scan, "a number that is not JSON");
	if (!number_parse_double(start, n, &value))
		return error_set(scan->err, ERROR_DATA, "%s:%zu: number '%.*s' is not JSON or not finite", scan->file,
				 scan->line, (int)(n > 60 ? 60 : n), start);
	scan->at += n;
	return 0;
}

static int scan_word(struct scan *scan, const char *word)
{
	size_t n = strlen(word);

	if (scan->n - scan->at < n || memcmp(scan->bytes + scan->at, word, n) != 0)
		return wrong(scan, "expected a value");
	scan->at += n;
	return 0;
}

static int scan_member(struct scan *scan)
{
	int r = scan_string(scan);
	if (r < 0)
		return r;
	skip_blanks(scan);
	if (peek(scan) != ':')
		return wrong(scan, "expected ':' after a key");
	scan->at++;
	return scan_value(scan);
}

static int scan_container(struct scan *scan, char close, int (*item)(struct scan *scan))
{
	if (++scan->depth > DEPTH_MAX)
		return wrong(scan, "nested too deeply");
	scan->at++;
	skip_blanks(scan);
	if (peek(scan) == close) {
		scan->at++;
		scan->depth--;
		return 0;
	}
	for (;;) {
		skip_blanks(scan);
		int r = item(scan);
		if (r < 0)
			return r;
		skip_blanks(scan);
		char c = peek(scan);
		if (c != ',' && c != close)
			return wrong(scan, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
		scan->at++;
		if (c == close) {
			scan->depth--;
			return 0;
		}
	}
}

static int scan_value(struct scan *scan)
{
	skip_blanks(scan);
	switch (peek(scan)) {
	case '{':
		return scan_container(scan, '}', scan_member);
	case '[':
		return scan_container(scan, ']', scan_value);
	case '"':
		return scan_string(scan);
	case 't':
		return scan_word(scan, "true");
	case 'f':
		return scan_word(scan, "false");
	case 'n':
		return scan_word(scan, "null");
	default:
		if (peek(scan) && strchr("-0123456789", peek(scan)))
			return scan_number(scan);
		return wrong(scan, scan->at < scan->n ? "expected a value" : "ends before a value");
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The first key that occurs twice in one object, or NULL. */
static const char *find_duplicate(const cJSON *tree)
{
	int n = cJSON_GetArraySize(tree), i = 0;
	const cJSON *child;
	const char *found = NULL;

	if (cJSON_IsObject(tree) && n > 1) {
		CLEANUP(mem_free) const char **names = mem_new((size_t)n, sizeof(*names));

		cJSON_ArrayForEach(child, tree) names[i++] = child->string;
		qsort(names, (size_t)n, sizeof(*names), compare_names);
		for (i = 1; i < n && !found; i++) {
			if (strcmp(names[i - 1], names[i]) == 0)
				found = names[i];
		}
	}
	cJSON_ArrayForEach(child, tree)
	{
		if (!found && child->child)
			found = find_duplicate(child);
	}
	return found;
}

int json_parse(const char *bytes, size_t n, const char *file, size_t line_base, cJSON **ret_tree, struct error *err)
{
	struct scan scan = {.bytes = bytes, .n = n, .file = file, .line = line_base, .err = err};

	if (!utf8_check(bytes, n)) {
		/* Name the line: the first that does not pass by itself. */
		for (size_t at = 0; at < n;) {
			const char *newline = memchr(bytes + at, '\n', n - at);
			size_t length = newline ? (size_t)(newline - bytes) - at : n - at;

			if (!utf8_check(bytes + at, length))
				break;
			at += length + 1;
			scan.line++;
		}
		return wrong(&scan, "invalid UTF-8");
	}
	int r = scan_value(&scan);
	if (r < 0)
		return r;
	skip_blanks(&scan);
	if (scan.at < n)
		return wrong(&scan, "bytes after the end of the JSON value");

	CLEANUP(json_free) cJSON *tree = cJSON_ParseWithLength(bytes, n);
	if (!tree)
		return error_set(err, ERROR_DATA, "%s:%zu: not JSON", file, line_base);
	const char *twice = find_duplicate(tree);
	if (twice)
		return error_set(err, ERROR_DATA, "%s:%zu: key '%s' occurs twice in one object", file, line_base,
				 twice);
	*ret_tree = TAKE(tree);
	return 0;
}

void json_free(cJSON *tree)
{
	cJSON_Delete(tree);
}

const cJSON *json_get(const cJSON *object, const char *key)
{
	return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *json_get_string(const cJSON *object, const char *key)
{
	return cJSON_GetStringValue(json_get(object, key));
}
