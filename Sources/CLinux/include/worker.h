/* What a worker process needs of libc and the kernel, in a form that Swift can call. */
#ifndef CLINUX_WORKER_H
#define CLINUX_WORKER_H

#include <stdint.h>

/* A connected pair of stream sockets, closed on exec; only `near` doesn't block. 0 or a negative
   error number. */
int bgrun_stream_pair(int32_t *near, int32_t *far);

/* Moves the connection from standard input to a descriptor that children don't inherit, puts
   /dev/null in its place, makes standard output line-buffered and this process the one that
   inherits orphans, and gives it its name in the process table. Gives CAP_SYS_NICE up, so that its
   threads keep the niceness of its job. Returns the connection, or a negative error number. */
int bgrun_worker_prepare(const char *name);

/* Runs what is put on Dispatch's main queue on the calling thread, which must be the main one, for
   ever; it sleeps while there is nothing. Returns only where this Dispatch can't do that: it has no
   queue handle, or poll failed. dispatch_main() would run it on other threads. */
void bgrun_main_queue_run(void);

/* Writes out what stdio holds of standard output. */
void bgrun_flush_output(void);

/* Whether any child of this process still lives; those that have ended are reaped. */
int bgrun_has_children(void);

/* Starts a new count of this process's peak memory. Older kernels keep the old one. */
void bgrun_restart_peak_memory(void);

/* What this process and the children it waited for have used: processor time in microseconds,
   peak memory in bytes. */
struct bgrun_usage {
  int64_t processor_time_microseconds;
  int64_t peak_memory;
};
struct bgrun_usage bgrun_usage_now(void);

#endif
