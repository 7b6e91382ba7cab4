#include "collect/import/unmess.h"

#include "base/mem.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ESC 0x1b
#define TAG_MAX 64

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

/* The bytes of an escape sequence that begins at s (ESC included). */
static size_t escape_length(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 2)
		return n;
	switch (s[1]) {
	case '[': /* CSI: parameters, then one byte 0x40..0x7e */
		while (i < n && !((unsigned char)s[i] >= 0x40 && (unsigned char)s[i] <= 0x7e))
			i++;
		return i < n ? i + 1 : n;
	case ']': /* OSC and its kin: to BEL or ESC \ */
	case 'P':
	case '_':
	case '^':
		while (i < n && s[i] != '\a' && s[i] != ESC)
			i++;
		if (i < n && s[i] == ESC)
			return i + 1 < n && s[i + 1] == '\\' ? i + 2 : i;
		return i < n ? i + 1 : n;
	default:
		return 2;
	}
}

/* Colours and erased lines are the mess of progress bars; whatever else steers a terminal is worth telling. */
static bool steers(const char *s, size_t length)
{
	return length > 2 && !(s[1] == '[' && strchr("mK", s[length - 1]));
}

/* Gives the number of sequences removed that steer a terminal. */
static size_t strip_escapes(const char *s, size_t n, struct text *ret)
{
	size_t steering = 0;

	text_clear(ret);
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)s[i];
		if (c == ESC) {
			size_t length = escape_length(s + i, n - i);
			steering += steers(s + i, length);
			i += length;
		} else {
			if (c == '\t' || (c >= 0x20 && c != 0x7f))
				text_add_char(ret, s[i]);
			i++;
		}
	}
	return steering;
}

/* "[1,0]<stdout>:" at s: its length, else 0. */
static size_t tag_length(const char *s)
{
	size_t i = 1;

	if (s[0] != '[' || !is_digit(s[1]))
		return 0;
	while (is_digit(s[i]))
		i++;
	if (s[i++] != ',')
		return 0;
	while (is_digit(s[i]))
		i++;
	if (s[i++] != ']')
		return 0;
	static const char *const streams[] = {"<stdout>:", "<stderr>:", "<stddiag>:"};
	for (size_t k = 0; k < sizeof(streams) / sizeof(*streams); k++)
		if (strncmp(s + i, streams[k], strlen(streams[k])) == 0)
			return i + strlen(streams[k]);
	return 0;
}

static size_t bracket_label_length(const char *s)
{
	size_t i = 1;

	if (strncmp(s, "[rank", 5) == 0) {
		i = 5;
		while (is_digit(s[i]))
			i++;
	} else if (is_digit(s[1])) { /* "[0] " */
		while (is_digit(s[i]))
			i++;
		return i < 8 && s[i] == ']' && s[i + 1] == ' ' ? i + 2 : 0;
	} else { /* "[host:3]: " */
		while (isalnum((unsigned char)s[i]) || (s[i] && strchr("._-", s[i])))
			i++;
		if (i < 2 || s[i] != ':' || !is_digit(s[i + 1]))
			return 0;
		i++;
		while (is_digit(s[i]))
			i++;
	}
	if (s[i] != ']' || s[i + 1] != ':')
		return 0;
	return i + 2 + (s[i + 2] == ' ' ? 1 : 0);
}

/* A launcher's label at the start of a line: "0: ", "[0] ", "[rank1]: ", "(Worker pid=1, ip=…) ". 0: none. */
static size_t prefix_length(const char *s)
{
	size_t i = 0;

	if (is_digit(s[0])) {
		while (is_digit(s[i]))
			i++;
		return i < 7 && s[i] == ':' && (s[i + 1] == ' ' || !s[i + 1]) ? i + 1 + (s[i + 1] == ' ') : 0;
	}
	if (s[0] == '[')
		return bracket_label_length(s);
	if (s[0] == '(' && (isalpha((unsigned char)s[1]))) {
		const char *end = strchr(s, ')');
		const char *pid = strstr(s, " pid=");
		if (end && pid && pid < end && end - s < TAG_MAX && end[1] == ' ')
			return (size_t)(end - s) + 2;
	}
	return 0;
}

static const char *after_prefixes(const char *s)
{
	for (int i = 0; i < 3; i++) {
		size_t n = prefix_length(s);
		if (n == 0)
			break;
		s += n;
	}
	return s;
}

struct nccl_place {
	const char *host, *colon, *message; /* message: from "NCCL INFO" */
	int64_t pid, device;
};

static bool parse_nccl_at(const char *colon, struct nccl_place *ret)
{
	char *end = NULL;
	const char *s = colon + 1;

	if (!is_digit(*s))
		return false;
	ret->pid = strtoll(s, &end, 10);
	if (*end != ':' || !is_digit(end[1]))
		return false;
	strtoll(end + 1, &end, 10);
	if (strncmp(end, " [", 2) != 0 || !(is_digit(end[2]) || end[2] == '-'))
		return false;
	ret->device = strtoll(end + 2, &end, 10);
	if (*end != ']')
		return false;
	const char *message = strstr(end, "NCCL ");
	if (!message || message - end > 120)
		return false;
	if (strncmp(message, "NCCL INFO", 9) != 0 && strncmp(message, "NCCL WARN", 9) != 0 &&
	    strncmp(message, "NCCL TRACE", 10) != 0)
		return false;
	ret->message = message;
	ret->colon = colon;
	return true;
}

/* The first "host:pid:tid [dev] … NCCL INFO" of a line. */
static bool find_nccl(const char *s, struct nccl_place *ret)
{
	if (!strstr(s, "NCCL "))
		return false;
	for (const char *colon = strchr(s, ':'); colon; colon = strchr(colon + 1, ':')) {
		if (!parse_nccl_at(colon, ret))
			continue;
		const char *host = colon;
		while (host > s && (isalnum((unsigned char)host[-1]) || strchr("._-", host[-1])))
			host--;
		if (host == colon)
			continue;
		ret->host = host;
		return true;
	}
	return false;
}

struct hosts {
	char **names;
	size_t n, capacity;
};

static void hosts_add(struct hosts *hosts, const char *name, size_t n)
{
	for (size_t i = 0; i < hosts->n; i++)
		if (strlen(hosts->names[i]) == n && memcmp(hosts->names[i], name, n) == 0)
			return;
	hosts->names = mem_grow(hosts->names, &hosts->capacity, hosts->n + 1, sizeof(char *));
	hosts->names[hosts->n++] = mem_dup_bytes(name, n);
}

/* Where a host glued to the end of a number begins: a host seen elsewhere, else after the number. */
static const char *glued_host(const struct hosts *hosts, const char *start, const char *colon)
{
	size_t n = (size_t)(colon - start), best = 0;

	for (size_t i = 0; i < hosts->n; i++) {
		size_t m = strlen(hosts->names[i]);
		if (m <= n && m > best && memcmp(colon - m, hosts->names[i], m) == 0)
			best = m;
	}
	if (best > 0)
		return colon - best;
	const char *s = start;
	while (s < colon && (is_digit(*s) || *s == '-' || *s == '.'))
		s++;
	return s < colon ? s : start;
}

static void add_line(struct clean_lines *lines, const char *bytes, size_t n, size_t line, int64_t stream)
{
	lines->items = mem_grow(lines->items, &lines->capacity, lines->n + 1, sizeof(*lines->items));
	struct clean_line *clean = &lines->items[lines->n++];
	*clean = (struct clean_line){
		.raw = mem_dup_bytes(bytes, n), .line = line, .stream = stream, .pid = -1, .device = -1};
	clean->text = after_prefixes(clean->raw);
}

static bool is_fence(const char *s, size_t n)
{
	while (n > 0 && (*s == ' ' || *s == '\t'))
		s++, n--;
	return n >= 3 && memcmp(s, "```", 3) == 0;
}

/* One line without escapes: cut at launcher tags of another stream, glued over tags of the same one. */
static void add_tagged(struct clean_lines *lines, const char *s, size_t line)
{
	struct text piece = {0};
	char current[TAG_MAX] = "";
	bool tagged = false;
	int64_t stream = -1;

	for (; *s; s++) {
		size_t n = *s == '[' ? tag_length(s) : 0;
		if (n == 0 || n >= TAG_MAX) {
			text_add_char(&piece, *s);
			continue;
		}
		if (!tagged || strncmp(current, s, n) != 0) {
			if (piece.length > 0)
				add_line(lines, text_string(&piece), piece.length, line, stream);
			text_clear(&piece);
			memcpy(current, s, n);
			current[n] = '\0';
			tagged = true;
			stream = strtoll(strchr(current, ',') + 1, NULL, 10);
		}
		s += n - 1;
	}
	if (!is_fence(text_string(&piece), piece.length))
		add_line(lines, text_string(&piece), piece.length, line, stream);
	text_release(&piece);
}

/* A physical line while it is cut where the cursor went back to its start. */
struct rewritten {
	struct text piece, later; /* without escapes: the last state so far, and the one that overwrites it */
	bool any;
};

static void rewritten_release(struct rewritten *rewritten)
{
	text_release(&rewritten->piece);
	text_release(&rewritten->later);
}
CLEANUP_VALUE(struct rewritten, rewritten_release)

static bool says_something(const struct text *piece)
{
	for (size_t i = 0; i < piece->length; i++)
		if (isalnum((unsigned char)piece->bytes[i]))
			return true;
	return false;
}

/* A state of a progress bar that was overwritten by itself, or that holds no letter or digit, is no line: some programs
 * redraw millions of them. */
static bool overwritten_for_nothing(const struct rewritten *rewritten)
{
	const struct text *piece = &rewritten->piece, *later = &rewritten->later;

	return !says_something(piece) ||
	       (piece->length == later->length && memcmp(piece->bytes, later->bytes, piece->length) == 0);
}

static void add_piece(struct clean_lines *lines, const char *bytes, size_t n, struct rewritten *rewritten)
{
	size_t steering = strip_escapes(bytes, n, &rewritten->later);

	if (steering > 0 && lines->steering == 0)
		lines->steering_line = lines->physical;
	lines->steering += steering;
	if (rewritten->any && !overwritten_for_nothing(rewritten))
		add_tagged(lines, text_string(&rewritten->piece), lines->physical);
	struct text last = rewritten->piece;
	rewritten->piece = rewritten->later;
	rewritten->later = last;
	rewritten->any = true;
}

static void split_physical(const char *bytes, size_t n, struct clean_lines *lines)
{
	CLEANUP(rewritten_release) struct rewritten rewritten = {0};

	for (size_t i = 0; i < n;) {
		const char *end = memchr(bytes + i, '\n', n - i);
		size_t stop = end ? (size_t)(end - bytes) : n;
		lines->physical++;
		rewritten.any = false;
		for (size_t j = i; j <= stop;) {
			const char *back = memchr(bytes + j, '\r', stop - j);
			size_t k = back ? (size_t)(back - bytes) : stop;
			if (k > j || j == i)
				add_piece(lines, bytes + j, k - j, &rewritten);
			j = k + 1;
		}
		add_tagged(lines, text_string(&rewritten.piece), lines->physical);
		i = stop + 1;
	}
	lines->ends_with_line = n == 0 || bytes[n - 1] == '\n';
}

static void mark_nccl(struct clean_line *line, const struct nccl_place *place)
{
	line->host = mem_dup_bytes(place->host, (size_t)(place->colon - place->host));
	line->pid = place->pid;
	line->device = place->device;
	line->nccl = place->message;
	line->text = place->host;
}

/* Marks NCCL lines, and cuts those that were written into the middle of another line. */
static void separate_nccl(struct clean_lines *lines)
{
	struct hosts hosts = {0};
	struct clean_lines out = *lines;
	out.items = NULL;
	out.n = 0;
	out.capacity = 0;
	struct nccl_place place;
	size_t found_ones = 0;

	for (size_t i = 0; i < lines->n; i++) {
		if (!find_nccl(lines->items[i].text, &place))
			continue;
		found_ones++;
		if (place.host == lines->items[i].text)
			hosts_add(&hosts, place.host, (size_t)(place.colon - place.host));
	}
	if (found_ones == 0)
		return;
	for (size_t i = 0; i < lines->n; i++) {
		const char *text = lines->items[i].text;
		size_t line = lines->items[i].line;
		int64_t stream = lines->items[i].stream;
		bool found = find_nccl(text, &place);
		if (!found) {
			out.items = mem_grow(out.items, &out.capacity, out.n + 1, sizeof(*out.items));
			out.items[out.n++] = lines->items[i];
			lines->items[i].raw = NULL;
		} else {
			place.host = glued_host(&hosts, place.host, place.colon);
			size_t before = (size_t)(place.host - text);
			if (strspn(text, " \t") < before)
				add_line(&out, text, before, line, stream);
			add_line(&out, place.host, strlen(place.host), line, stream);
			struct clean_line *clean = &out.items[out.n - 1];
			if (find_nccl(clean->raw, &place))
				mark_nccl(clean, &place);
		}
		free(lines->items[i].raw);
	}
	for (size_t i = 0; i < hosts.n; i++)
		free(hosts.names[i]);
	free(hosts.names);
	free(lines->items);
	*lines = out;
}

void unmess(const char *bytes, size_t n, struct clean_lines *ret_lines)
{
	*ret_lines = (struct clean_lines){0};
	split_physical(bytes, n, ret_lines);
	separate_nccl(ret_lines);
}

void clean_lines_release(struct clean_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		free(lines->items[i].raw);
		free(lines->items[i].host);
	}
	free(lines->items);
	*lines = (struct clean_lines){0};
}
