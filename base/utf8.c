#include "base/utf8.h"

#include "base/text.h"

#include <stdint.h>
#include <string.h>
#include <unistr.h>
#include <uniwidth.h>

bool utf8_check(const char *bytes, size_t n)
{
	return u8_check((const uint8_t *)bytes, n) == NULL;
}

static bool is_control(ucs4_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c <= 0x9f);
}

char *utf8_clean(const char *bytes, size_t n)
{
	struct text out = {0};
	const uint8_t *at = (const uint8_t *)bytes;

	while (n > 0) {
		ucs4_t c;
		int length = u8_mbtoucr(&c, at, n);
		size_t step = length > 0 ? (size_t)length : 1;

		if (length <= 0) {
			/* One replacement for a lead byte and the continuation bytes that follow it. */
			while (step < n && step < 4 && (at[0] & 0xc0) == 0xc0 && (at[step] & 0xc0) == 0x80)
				step++;
			text_add(&out, "\xef\xbf\xbd");
		} else if (is_control(c)) {
			text_add(&out, "\xef\xbf\xbd");
		} else {
			text_add_bytes(&out, (const char *)at, step);
		}
		at += step;
		n -= step;
	}
	return text_take(&out);
}

size_t utf8_width_columns(const char *string)
{
	int width = u8_width((const uint8_t *)string, strlen(string), "UTF-8");

	return width > 0 ? (size_t)width : 0;
}
