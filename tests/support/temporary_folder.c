#include "tests/support/temporary_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char folder[64];

int folder_set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/assay-test.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

int folder_tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	return system(command);
}
