/*
 * The processes below a guard, from /proc.
 */
#ifndef BASE_PROCESS_TREE_H
#define BASE_PROCESS_TREE_H

#include <stddef.h>
#include <sys/types.h>

/**
 * Send a signal to every process that descends from the guard or belongs to its session; the guard itself gets none.
 *
 * What is forked meanwhile may be missed: who wants all of them dead repeats until none is left.
 *
 * @return how many processes were found alive (zombies are not)
 */
size_t process_tree_signal(pid_t guard, int signal);

#endif
