#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_usage usage = {
	.name = "init",
	.arguments = "DIR",
	.summary = "Make a campaign folder with a plan to edit; the plan runs on this machine as it is (needs mpirun).",
	.needs = "one folder is needed",
	.min_words = 1,
	.max_words = 1,
	.details = "A plan that is there already is never overwritten.",
};

#define TCP "\"--mca\", \"btl\", \"self,tcp\", \"--mca\", \"btl_tcp_if_include\", \"lo\""

/* The name goes into %s; it holds no sign that JSON would escape. */
static const char plan_format[] =
	"{\n"
	"\t\"name\": \"%s\",\n"
	"\t\"question\": \"Two ranks on one machine: what does the wrong transport cost, and is forcing the ring worth "
	"it?\",\n"
	"\t\"cluster\": \"this machine\",\n"
	"\t\"margin_percent\": 5,\n"
	"\t\"seed\": 1,\n"
	"\t\"control\": \"tcp\",\n"
	"\t\"design\": {\"blocks\": 6, \"runs_per_arm\": 1, \"order\": \"interleaved\", \"settle_runs\": 1, "
	"\"sentinels\": true},\n"
	"\t\"harnesses\": [\n"
	"\t\t{\n"
	"\t\t\t\"name\": \"allreduce\",\n"
	"\t\t\t\"kind\": \"bench\",\n"
	"\t\t\t\"backend\": \"mpi\",\n"
	"\t\t\t\"op\": \"allreduce\",\n"
	"\t\t\t\"nodes\": 1,\n"
	"\t\t\t\"ranks\": 2,\n"
	"\t\t\t\"bytes\": [4096, 65536, 1048576],\n"
	"\t\t\t\"headline_bytes\": 1048576,\n"
	"\t\t\t\"warmup\": 20,\n"
	"\t\t\t\"iterations\": 200,\n"
	"\t\t\t\"deadline_s\": 60\n"
	"\t\t}\n"
	"\t],\n"
	"\t\"settings\": [\n"
	"\t\t{\n"
	"\t\t\t\"name\": \"tcp\",\n"
	"\t\t\t\"title\": \"TCP over loopback\",\n"
	"\t\t\t\"mpirun_args\": [" TCP "],\n"
	"\t\t\t\"expect\": {\"net\": \"tcp\"}\n"
	"\t\t},\n"
	"\t\t{\n"
	"\t\t\t\"name\": \"shared-memory\",\n"
	"\t\t\t\"title\": \"shared memory\",\n"
	"\t\t\t\"nature\": \"defect\",\n"
	"\t\t\t\"mpirun_args\": [\"--mca\", \"btl\", \"self,vader\"],\n"
	"\t\t\t\"declares\": [\"net\"],\n"
	"\t\t\t\"expect\": {\"net\": \"shm\"},\n"
	"\t\t\t\"hypothesis\": {\"direction\": \"faster\", \"because\": \"both ranks share the machine's memory\"}\n"
	"\t\t},\n"
	"\t\t{\n"
	"\t\t\t\"name\": \"ring\",\n"
	"\t\t\t\"title\": \"ring algorithm forced\",\n"
	"\t\t\t\"mpirun_args\": [" TCP ",\n"
	"\t\t\t\t\"--mca\", \"coll_tuned_use_dynamic_rules\", \"1\", \"--mca\", \"coll_tuned_allreduce_algorithm\", "
	"\"4\"],\n"
	"\t\t\t\"expect\": {\"net\": \"tcp\"}\n"
	"\t\t}\n"
	"\t]\n"
	"}\n";

/* JSON has no comments: what the fields mean is said here. */
static const char fields[] =
	"It compares two settings of Open MPI with a control and runs as it is. What to edit:\n\n"
	"  question        what the report answers\n"
	"  margin_percent  the smallest gain worth adopting\n"
	"  settings        what is varied: env, args and mpirun_args of each; expect: the network it must report\n"
	"  control         the setting that the others are compared with, in every block\n"
	"  harnesses       what is run: a bench (op, bytes) or a slice of training (kind slice, command, steps)\n"
	"  design          blocks: repetitions of the whole comparison; more blocks find smaller gains\n";

#define NAME_MAX_LENGTH 64

/* A plan's name from a folder's: lower case, and '-' for what a name may not hold. */
static char *plan_name(const char *directory)
{
	CLEANUP(mem_free) char *path = realpath(directory, NULL);
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *base = slash ? slash + 1 : directory;
	struct text name = {0};

	for (; *base != '\0' && name.length < NAME_MAX_LENGTH; base++) {
		char c = *base >= 'A' && *base <= 'Z' ? (char)(*base - 'A' + 'a') : *base;
		bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
		bool repeated = name.length > 0 && name.bytes[name.length - 1] == '-';
		if (!alphanumeric && name.length == 0)
			continue;
		if (alphanumeric || c == '.' || c == '_')
			text_add_char(&name, c);
		else if (!repeated)
			text_add_char(&name, '-');
	}
	while (name.length > 0 && name.bytes[name.length - 1] == '-')
		name.bytes[--name.length] = '\0';
	if (name.length == 0)
		text_add(&name, "campaign");
	return text_take(&name);
}

/* O_EXCL, so that two calls at the same moment cannot overwrite each other's plan either. */
static int write_new(const char *path, const struct text *bytes, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		return error_set(err, ERROR_USAGE, "init: '%s' is there already; edit it, or name another folder",
				 path);
	if (fd < 0)
		return error_set(err, ERROR_ENVIRONMENT, "cannot create '%s': %s", path, strerror(errno));
	int r = file_write_all(fd, path, bytes->bytes, bytes->length, err);
	if (close(fd) < 0 && r == 0)
		r = error_set(err, ERROR_ENVIRONMENT, "cannot write '%s': %s", path, strerror(errno));
	if (r < 0)
		unlink(path);
	return r;
}

static void print_next(const char *directory)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
	const char *quote = directory[strspn(directory, plain)] == '\0' ? "" : "'";
	CLEANUP(text_release) struct text folder = {0};

	text_add(&folder, quote);
	terminal_escape(&folder, directory);
	text_add(&folder, quote);
	printf("wrote %s/campaign.json\n\n%s\nNext:\n\n", text_string(&folder), fields);
	printf("  assay plan %s      what it takes, and what it can resolve\n", text_string(&folder));
	printf("  assay collect %s   run it\n", text_string(&folder));
}

int cmd_init(int argc, char **argv)
{
	struct cli_option options[] = {{NULL, CLI_FLAG, NULL, NULL, NULL}};
	struct error err = {0};
	CLEANUP(string_list_release) struct string_list words = {0};
	int r = cli_open(&usage, options, argc, argv, &words, &err);
	if (r == CLI_RUN)
		r = file_make_folder(words.items[0], &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	const char *directory = words.items[0];
	CLEANUP(mem_free) char *path = cli_path(directory, "campaign.json");
	CLEANUP(mem_free) char *name = plan_name(directory);
	CLEANUP(text_release) struct text plan = {0};
	text_format(&plan, plan_format, name);
	r = write_new(path, &plan, &err);
	if (r != CLI_RUN)
		return cli_end(r, &err);
	print_next(directory);
	return cli_finish();
}
