/*
 * What the files of /proc and a launcher's words say of a host. Text in, numbers out; reads no file.
 */
#ifndef COLLECT_HOST_TEXT_H
#define COLLECT_HOST_TEXT_H

#include <stddef.h>
#include <stdint.h>

/** The first "model name" (or "Model", "cpu" of other architectures) of /proc/cpuinfo, on the heap; NULL. */
char *host_text_cpu(const char *cpuinfo);

/** Bytes of a key of /proc/meminfo ("MemTotal", given in kB); -1 when it is not there. */
int64_t host_text_memory(const char *meminfo, const char *key);

/** The load over one minute of /proc/loadavg; NAN. */
double host_text_load(const char *loadavg);

/** "mpirun (Open MPI) 4.1.4" to "Open MPI 4.1.4", on the heap; other launchers' first line as it is; NULL. */
char *host_text_mpi(const char *printed);

/** Mbit/s of a file "speed" in bytes a second; NAN when the driver says -1 or nothing. */
double host_text_speed(const char *speed);

/** A file that holds one whole number; -1 when it does not. */
int64_t host_text_integer(const char *text);

#endif
