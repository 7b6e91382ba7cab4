/* The lock of a block: who holds it, when it ends, and what its next holder repairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/temporary_folder.h"

#include "assay/record.h"
#include "base/file.h"
#include "base/text.h"
#include "record/segment.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The holder's words when the block is taken, NULL when this process could take it (and let it go). */
static char *holder_of(const char *block)
{
	CLEANUP(block_lock_release) struct block_lock *lock = NULL;
	char *holder = NULL;
	struct error err;

	int r = block_lock_claim(folder, block, &lock, &holder, NULL, &err);
	if (r == BLOCK_BUSY) {
		assert_null(lock);
		assert_non_null(holder);
		return holder;
	}
	assert_int_equal(r, BLOCK_CLAIMED);
	assert_non_null(lock);
	assert_null(holder);
	return NULL;
}

static void test_claim__second_is_told_the_first(void **state)
{
	CLEANUP(block_lock_release) struct block_lock *lock = NULL;
	CLEANUP(text_release) struct text me = {0};
	char host[256] = "", *none = NULL;

	(void)state;
	gethostname(host, sizeof(host) - 1);
	text_format(&me, "%s, pid %ld", host, (long)getpid());
	assert_int_equal(block_lock_claim(folder, "b1", &lock, &none, NULL, NULL), BLOCK_CLAIMED);
	CLEANUP(mem_free) char *holder = holder_of("b1");
	assert_string_equal(holder, text_string(&me));
	assert_null(holder_of("b2"));
	block_lock_release(TAKE(lock));
	assert_null(holder_of("b1"));
}

static void test_claim__bad_name(void **state)
{
	struct block_lock *lock = NULL;
	char *holder = NULL;
	struct error err;

	(void)state;
	assert_int_equal(block_lock_claim(folder, "../b1", &lock, &holder, NULL, &err), ERROR_ENVIRONMENT);
	assert_non_null(strstr(err.message, "'../b1'"));
	assert_int_equal(block_lock_claim("/proc/no/campaign", "b1", &lock, &holder, NULL, &err), ERROR_ENVIRONMENT);
}

/*
 * A collector that takes b1, leaves a child behind and is killed; gives where the child is heard. The child says a byte
 * when it runs and ends when its input closes: `program` NULL only forks, else it is executed.
 */
static int leave_child(const char *program, int *ret_wake)
{
	int said[2], wake[2];
	char byte;

	assert_int_equal(pipe(said), 0);
	assert_int_equal(pipe(wake), 0);
	pid_t collector = fork();
	assert_true(collector >= 0);
	if (collector == 0) {
		struct block_lock *lock = NULL;
		char *holder = NULL;

		if (block_lock_claim(folder, "b1", &lock, &holder, NULL, NULL) != BLOCK_CLAIMED || fork() != 0) {
			pause();
			_exit(1);
		}
		close(wake[1]);
		dup2(wake[0], STDIN_FILENO);
		dup2(said[1], STDOUT_FILENO);
		if (program)
			execl("/bin/sh", "sh", "-c", program, (char *)NULL);
		if (write(said[1], "x", 1) == 1 && read(wake[0], &byte, 1) == 0)
			_exit(0);
		_exit(1);
	}
	assert_int_equal(read(said[0], &byte, 1), 1);
	close(said[1]);
	close(wake[0]);
	kill(collector, SIGKILL);
	assert_int_equal(waitpid(collector, NULL, 0), collector);
	*ret_wake = wake[1];
	return said[0];
}

static void test_claim__forked_child_keeps_the_block(void **state)
{
	int wake;
	char byte;

	(void)state;
	int said = leave_child(NULL, &wake);
	CLEANUP(mem_free) char *holder = holder_of("b1");
	assert_non_null(holder);
	assert_non_null(strstr(holder, ", pid "));
	close(wake);
	/* Its end of the pipe closes when it is gone, and its lock with it. */
	assert_int_equal(read(said, &byte, 1), 0);
	close(said);
	char *after = NULL;
	for (int i = 0; i < 500 && (after = holder_of("b1")); i++) {
		free(after);
		usleep(10000);
	}
	assert_null(after);
}

static void test_claim__executed_program_does_not(void **state)
{
	int wake;

	(void)state;
	int said = leave_child("printf x; cat", &wake);
	assert_null(holder_of("b1"));
	close(wake);
	close(said);
}

static void append_torn(const char *segment, const char *bytes)
{
	CLEANUP(mem_free) char *path = segment_path(folder, segment, ".jsonl");
	FILE *file = fopen(path, "a");

	assert_non_null(file);
	assert_true(fputs(bytes, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void make_segment(const char *block)
{
	CLEANUP(segment_close) struct segment_writer *writer = NULL;

	assert_int_equal(segment_create(folder, block, "ab", &writer, NULL), 0);
}

static void check_torn(const char *segment, const char *wanted)
{
	CLEANUP(mem_free) char *path = segment_path(folder, segment, ".torn");
	CLEANUP(mem_free) char *bytes = NULL;
	size_t n = 0;

	assert_int_equal(file_exists(path), wanted != NULL);
	if (!wanted)
		return;
	assert_int_equal(file_read(path, &bytes, &n, NULL), 0);
	assert_string_equal(bytes, wanted);
}

/* Torn bytes of the block's own attempts are moved aside, and of no other block's. */
static void test_claim__repairs_its_segments(void **state)
{
	CLEANUP(block_lock_release) struct block_lock *lock = NULL;
	CLEANUP(string_list_release) struct string_list repaired = {0};
	struct campaign_input *inputs = NULL;
	size_t n = 0;
	char *holder = NULL;

	(void)state;
	make_segment("b1");
	make_segment("b1");
	make_segment("b1");
	make_segment("b10");
	make_segment("b1.x");
	append_torn("b1.1", "{\"kind\":\"ru");
	append_torn("b1.3", "{");
	append_torn("b10.1", "{");
	append_torn("b1.x.1", "{");
	assert_int_equal(block_lock_claim(folder, "b1", &lock, &holder, &repaired, NULL), BLOCK_CLAIMED);
	assert_int_equal(repaired.n, 2);
	assert_string_equal(repaired.items[0], "b1.1");
	assert_string_equal(repaired.items[1], "b1.3");
	check_torn("b1.1", "{\"kind\":\"ru");
	check_torn("b1.2", NULL);
	check_torn("b1.3", "{");
	check_torn("b10.1", NULL);
	check_torn("b1.x.1", NULL);

	assert_int_equal(campaign_log_each(folder, NULL, &inputs, &n, NULL), 0);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++) {
		bool others = strcmp(inputs[i].segment, "b10.1") == 0 || strcmp(inputs[i].segment, "b1.x.1") == 0;
		assert_int_equal(inputs[i].torn, others);
		assert_int_equal(inputs[i].records, 1);
	}
	campaign_inputs_free(inputs, n);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, folder_set_up, folder_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_claim__second_is_told_the_first),     TEST(test_claim__bad_name),
		TEST(test_claim__forked_child_keeps_the_block), TEST(test_claim__executed_program_does_not),
		TEST(test_claim__repairs_its_segments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
