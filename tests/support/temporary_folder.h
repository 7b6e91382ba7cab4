/*
 * A folder of its own for each test: cmocka's set-up and tear-down.
 */
#ifndef TESTS_SUPPORT_TEMPORARY_FOLDER_H
#define TESTS_SUPPORT_TEMPORARY_FOLDER_H

extern char folder[64]; /* absolute */

int folder_set_up(void **state);
/** Removes it with what it holds. */
int folder_tear_down(void **state);

#endif
