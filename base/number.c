#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static size_t digits(const char *bytes, size_t n, size_t at)
{
	size_t start = at;

	while (at < n && bytes[at] >= '0' && bytes[at] <= '9')
		at++;
	return at - start;
}

static bool is_decimal(const char *bytes, size_t n)
{
	size_t at = n > 0 && (bytes[0] == '-' || bytes[0] == '+');
	size_t whole = digits(bytes, n, at), part = 0;

	at += whole;
	if (at < n && bytes[at] == '.') {
		part = digits(bytes, n, at + 1);
		at += 1 + part;
	}
	if (whole + part == 0)
		return false;
	if (at < n && (bytes[at] == 'e' || bytes[at] == 'E')) {
		at++;
		at += at < n && (bytes[at] == '-' || bytes[at] == '+');
		size_t power = digits(bytes, n, at);
		if (power == 0)
			return false;
		at += power;
	}
	return at == n;
}

static bool parse_non_finite(const char *bytes, size_t n, double *ret_value)
{
	static const struct {
		const char *name;
		double value;
	} words[] = {{"inf", (double)INFINITY}, {"infinity", (double)INFINITY}, {"nan", (double)NAN}};
	bool minus = n > 0 && bytes[0] == '-';
	size_t sign = n > 0 && (bytes[0] == '-' || bytes[0] == '+');

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (n - sign == strlen(words[i].name) && strncasecmp(bytes + sign, words[i].name, n - sign) == 0) {
			*ret_value = minus ? -words[i].value : words[i].value;
			return true;
		}
	}
	return false;
}

bool number_parse_double_allow(const char *bytes, size_t n, enum number_allow allow, double *ret_value)
{
	char buffer[512];

	if (!is_decimal(bytes, n))
		return allow == NUMBER_NON_FINITE && parse_non_finite(bytes, n, ret_value);
	if (n >= sizeof(buffer))
		return false;
	memcpy(buffer, bytes, n);
	buffer[n] = '\0';
	pthread_once(&locale_once, make_locale);
	double value = strtod_l(buffer, NULL, c_locale);
	if (!isfinite(value))
		return false;
	*ret_value = value;
	return true;
}

bool number_parse_double(const char *bytes, size_t n, double *ret_value)
{
	return number_parse_double_allow(bytes, n, NUMBER_FINITE, ret_value);
}

bool number_parse_int(const char *bytes, size_t n, int64_t *ret_value)
{
	bool minus = n > 0 && bytes[0] == '-';
	size_t at = n > 0 && (bytes[0] == '-' || bytes[0] == '+');
	int64_t value = 0;

	if (at == n)
		return false;
	for (; at < n; at++) {
		int digit = bytes[at] - '0';

		if (digit < 0 || digit > 9)
			return false;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, minus ? -digit : digit, &value))
			return false;
	}
	*ret_value = value;
	return true;
}
