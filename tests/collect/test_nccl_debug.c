#include "collect/import/nccl_debug.h"

#include "collect/import/env_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void parse(const char *bytes, struct nccl_debug_log *log)
{
	struct clean_lines lines;

	unmess(bytes, strlen(bytes), &lines);
	nccl_debug_parse(&lines, log);
	clean_lines_release(&lines);
}

static void test_nccl_debug__network_and_plugin(void **state)
{
	struct nccl_debug_log log;
	(void)state;
	parse("NCCL version 2.20.5+cuda12.4\n"
	      "na:1:9 [0] NCCL INFO NET/OFI Initializing aws-ofi-nccl 1.9.1-aws\n"
	      "na:1:9 [0] NCCL INFO NET/OFI Selected Provider is cxi (found 4 nics)\n"
	      "na:1:9 [0] NCCL INFO Using network AWS Libfabric\nna:1:9 [0] NCCL INFO Using network AWS Libfabric\n"
	      "nb:1:9 [0] NCCL INFO Using network Socket\n"
	      "nb:1:9 [0] NCCL INFO comm 0x1 rank 1 nRanks 2 nNodes 2 localRanks 1 localRank 0 MNNVL 0\n",
	      &log);
	assert_string_equal(log.nccl, "2.20.5+cuda12.4");
	assert_string_equal(log.plugin, "aws-ofi-nccl");
	assert_string_equal(log.plugin_version, "1.9.1-aws");
	assert_string_equal(log.provider, "cxi");
	assert_int_equal(log.nics, 4);
	assert_int_equal(log.networks.n, 2);
	assert_int_equal(log.reporting.n, 2);
	assert_int_equal(log.using_network_lines, 3);
	assert_int_equal(log.nranks, 2);
	nccl_debug_log_release(&log);
}

static void test_nccl_debug__calls(void **state)
{
	struct nccl_debug_log log;
	(void)state;
	parse("n:1:1 [0] NCCL INFO AllReduce: 64 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n"
	      "n:1:1 [0] NCCL INFO AllGather: 64 Bytes -> Algo 0 proto 2 time 3.1\n"
	      "n:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Ring.\n"
	      "n:1:1 [0] NCCL INFO RCCL version 2.17.1+hip5.7\n",
	      &log);
	assert_string_equal(log.algo, "mixed");
	assert_string_equal(log.proto, "simple");
	assert_int_equal(log.channels, 16);
	assert_int_equal(log.collectives.n, 2);
	assert_string_equal(string_map_get(&log.env, "NCCL_ALGO"), "Ring");
	assert_string_equal(log.rccl, "2.17.1+hip5.7");
	assert_string_equal(log.level, "INFO");
	nccl_debug_log_release(&log);
}

static void test_env_cut(void **state)
{
	static const char bytes[] = "n:1:1 [0] NCCL INFO NCCL_CONF_URL set by environment to https://u:hidden@x\n"
				    "n:1:1 [0] NCCL INFO NCCL_NET set by environment to IB.\n"
				    "n:1:1 [0] NCCL INFO MINE set by environment to 4\n"
				    "{\"env\": [\"TOKEN=hid]den\"], \"size\": 8}\n";
	const char *extra[] = {"MINE"};
	struct text kept = {0};
	(void)state;
	char *cut = env_cut(bytes, strlen(bytes), extra, 1, &kept);
	assert_non_null(cut);
	assert_null(strstr(text_string(&kept), "hid"));
	assert_non_null(strstr(text_string(&kept), "environment to IB."));
	assert_non_null(strstr(text_string(&kept), "MINE set by environment to 4"));
	assert_non_null(strstr(text_string(&kept), "{\"env\": \"cut\", \"size\": 8}"));
	free(cut);
	text_clear(&kept);
	assert_null(env_cut("plain\n", 6, NULL, 0, &kept));
	assert_string_equal(text_string(&kept), "plain\n");
	text_release(&kept);
	assert_true(env_name_known("NCCL_NET"));
	assert_true(env_name_known("CUDA_VISIBLE_DEVICES"));
	assert_true(env_name_known("UCX_TLS"));
	assert_false(env_name_known("NCCL_CONF_URL"));
}

/* A program that prints its environment must not carry a token into the archive. */
static void test_env_dump_is_cut(void **state)
{
	(void)state;
	static const char *const extra[] = {"SPEED"};
	static const char bytes[] = "API_TOKEN=hunter2\nSPEED=2\nexport HF_TOKEN=hunter3\ndeclare -x A=\"b c\"\n"
				    "step=5 LOSS=0.25\nloss=0.5\nNCCL_ALGO=Ring\nPASSWORD=hunter4";
	CLEANUP(text_release) struct text kept = {0};
	char *cut = env_cut(bytes, strlen(bytes), extra, 1, &kept);

	assert_non_null(cut);
	assert_string_equal(text_string(&kept), "API_TOKEN=(cut)\nSPEED=2\nexport HF_TOKEN=(cut)\ndeclare -x A=(cut)\n"
						"step=5 LOSS=0.25\nloss=0.5\nNCCL_ALGO=Ring\nPASSWORD=(cut)");
	free(cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nccl_debug__network_and_plugin),
		cmocka_unit_test(test_nccl_debug__calls),
		cmocka_unit_test(test_env_cut),
		cmocka_unit_test(test_env_dump_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
