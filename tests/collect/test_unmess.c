#include "collect/import/unmess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void read_lines(const char *bytes, struct clean_lines *lines)
{
	unmess(bytes, strlen(bytes), lines);
}

static void test_unmess__tags_inside_line(void **state)
{
	struct clean_lines lines;
	(void)state;
	read_lines("[1,0]<stderr>:loading ..[1,0]<stdout>: 8 2 float 66[1,0]<stdout>:.30 7\n[1,1]<stdout>:x\n", &lines);
	assert_int_equal(lines.n, 3);
	assert_string_equal(lines.items[0].text, "loading ..");
	assert_string_equal(lines.items[1].text, " 8 2 float 66.30 7");
	assert_int_equal(lines.items[1].line, 1);
	assert_string_equal(lines.items[2].text, "x");
	assert_int_equal(lines.items[2].line, 2);
	clean_lines_release(&lines);
}

static void test_unmess__prefixes_keep_raw(void **state)
{
	struct clean_lines lines;
	(void)state;
	read_lines("3: loss 2\n[0] text\n238: [rank238]: Error\n(Worker pid=7, ip=10.0.0.1) y\n[it   1] z", &lines);
	assert_int_equal(lines.n, 5);
	assert_string_equal(lines.items[0].text, "loss 2");
	assert_string_equal(lines.items[0].raw, "3: loss 2");
	assert_string_equal(lines.items[1].text, "text");
	assert_string_equal(lines.items[2].text, "Error");
	assert_string_equal(lines.items[3].text, "y");
	assert_string_equal(lines.items[4].text, "[it   1] z");
	assert_false(lines.ends_with_line);
	clean_lines_release(&lines);
}

static void test_unmess__escapes_and_returns(void **state)
{
	struct clean_lines lines;
	(void)state;
	read_lines("\033[31mred\033[0m\033]0;title\007 end\r\n 10%\r 90%\r100% done\n```\n", &lines);
	assert_int_equal(lines.n, 4);
	assert_string_equal(lines.items[0].text, "red end");
	assert_string_equal(lines.items[1].text, " 10%");
	assert_string_equal(lines.items[3].text, "100% done");
	assert_int_equal(lines.items[3].line, 2);
	clean_lines_release(&lines);
}

/* A bar that is redrawn for nothing leaves its last state; other states stay, also at the end of a file. */
static void test_unmess__redrawn_for_nothing(void **state)
{
	struct clean_lines lines;
	(void)state;
	read_lines("x\rx\rx\r\nstep 1\r\033[Kstep 1\rstep 2\r-\r\\\r\n|\r\n\ra\ra\rb", &lines);
	assert_int_equal(lines.n, 7);
	assert_string_equal(lines.items[0].text, "x");
	assert_string_equal(lines.items[1].text, "step 1");
	assert_string_equal(lines.items[2].text, "step 2");
	assert_string_equal(lines.items[3].text, "\\");
	assert_int_equal(lines.items[3].line, 2);
	assert_string_equal(lines.items[4].text, "|");
	assert_string_equal(lines.items[5].text, "a");
	assert_string_equal(lines.items[6].text, "b");
	assert_int_equal(lines.items[6].line, 4);
	clean_lines_release(&lines);
}

static void test_unmess__glued_nccl(void **state)
{
	struct clean_lines lines;
	(void)state;
	read_lines(
		"h0:10:11 [1] NCCL INFO A\n 8 2 float sum -1h0:10:11 [1] NCCL INFO B\n 5 6 0h9:1:2 [0] NCCL WARN C\n",
		&lines);
	assert_int_equal(lines.n, 5);
	assert_string_equal(lines.items[1].text, " 8 2 float sum -1");
	assert_string_equal(lines.items[2].host, "h0");
	assert_int_equal(lines.items[2].pid, 10);
	assert_string_equal(lines.items[2].nccl, "NCCL INFO B");
	assert_string_equal(lines.items[3].text, " 5 6 0");
	assert_string_equal(lines.items[4].host, "h9");
	clean_lines_release(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unmess__tags_inside_line),    cmocka_unit_test(test_unmess__prefixes_keep_raw),
		cmocka_unit_test(test_unmess__escapes_and_returns), cmocka_unit_test(test_unmess__redrawn_for_nothing),
		cmocka_unit_test(test_unmess__glued_nccl),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
