#include "collect/import/token.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER_MAX 64

size_t token_split(const char *line, struct token *ret_tokens, size_t max)
{
	size_t n = 0;

	while (n < max) {
		line += strspn(line, " \t");
		if (!*line)
			break;
		size_t length = strcspn(line, " \t");
		ret_tokens[n++] = (struct token){line, length};
		line += length;
	}
	return n;
}

bool token_is(struct token token, const char *word)
{
	return strlen(word) == token.length && memcmp(word, token.start, token.length) == 0;
}

bool token_number_bytes(const char *bytes, size_t n, double *ret_number)
{
	char copy[NUMBER_MAX];
	size_t length = 0;

	if (n == 0 || n >= NUMBER_MAX)
		return false;
	if (n == 3 && strncasecmp(bytes, "nan", 3) == 0) {
		*ret_number = NAN;
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		char c = bytes[i];
		if (c == ',' && i > 0 && isdigit((unsigned char)bytes[i - 1]) && n - i > 3 &&
		    isdigit((unsigned char)bytes[i + 1]) && isdigit((unsigned char)bytes[i + 2]) &&
		    isdigit((unsigned char)bytes[i + 3]))
			continue;
		if (!isdigit((unsigned char)c) && !strchr("+-.eE", c))
			return false;
		copy[length++] = c;
	}
	copy[length] = '\0';
	char *end = NULL;
	double number = strtod(copy, &end);
	if (end == copy || *end || !isfinite(number))
		return false;
	*ret_number = number;
	return true;
}

bool token_number(struct token token, double *ret_number)
{
	return token_number_bytes(token.start, token.length, ret_number);
}

bool token_integer(struct token token, double *ret_number)
{
	for (size_t i = 0; i < token.length; i++)
		if (!isdigit((unsigned char)token.start[i]))
			return false;
	return token_number(token, ret_number);
}

bool token_number_at(const char *place, double *ret_number)
{
	place += strspn(place, " \t");
	if (strncasecmp(place, "nan", 3) == 0) {
		*ret_number = NAN;
		return true;
	}
	size_t n = 0;
	while (isdigit((unsigned char)place[n]) || (place[n] && strchr("+-.", place[n])) ||
	       ((place[n] == 'e' || place[n] == 'E') && n > 0 &&
		(isdigit((unsigned char)place[n + 1]) ||
		 ((place[n + 1] == '+' || place[n + 1] == '-') && isdigit((unsigned char)place[n + 2])))))
		n++;
	while (n > 0 && place[n - 1] == '.')
		n--;
	return token_number_bytes(place, n, ret_number);
}

bool token_number_after(const char *line, const char *key, double *ret_number)
{
	const char *place = strstr(line, key);

	return place && token_number_at(place + strlen(key), ret_number);
}
