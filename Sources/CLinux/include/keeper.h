/* The keeper: a small process, forked early and without exec, that starts every command, reaps
   it, kills what is left of it, and outlives the runner just long enough to clean up after it.

   Why a process of its own: it is a subreaper with one thread and a small heap, so forks are cheap, a
   command's exit status arrives the same way whether or not the runner is PID 1, and a runner
   that is killed with SIGKILL leaves nothing behind (LC5, DU2).

   The runner talks to it over one SOCK_SEQPACKET socket; each launch carries the run's own socket,
   over which orders go one way (enum bgrun_run_order_kind) and reports the other. */
#ifndef CLINUX_KEEPER_H
#define CLINUX_KEEPER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* An order as it lies in a memfd: this header, then room for argument_count + environment_count
   + 2 pointers, then NUL-terminated strings: program, working directory, arguments,
   environment. */
struct bgrun_order {
  uint32_t size; /* of the whole order in bytes */
  uint32_t argument_count;
  uint32_t environment_count;
  int32_t niceness;          /* added to the runner's own */
  int32_t idle_input_output; /* 1: idle I/O class */
  char group[112];           /* name of the control group to make; empty: none */
};

/* Orders on a run's socket, one byte each. */
enum bgrun_run_order_kind {
  BGRUN_TERMINATE = 'T', /* SIGTERM to the command's process group */
  BGRUN_KILL = 'K',      /* SIGKILL to everything the run started */
  BGRUN_SUSPEND = 'S',   /* SIGSTOP to its process group */
  BGRUN_CONTINUE = 'C',  /* SIGCONT to its process group */
};

enum bgrun_report_kind {
  BGRUN_STARTED = 1,
  BGRUN_LAUNCH_FAILED = 2,
  BGRUN_ENDED = 3, /* the command has ended and everything it started is gone */
};

/* The step of a launch that failed. */
enum bgrun_launch_step {
  BGRUN_STEP_ORDER = 1, /* reading the order, memory, processes */
  BGRUN_STEP_DIRECTORY = 2,
  BGRUN_STEP_PROGRAM = 3,
};

struct bgrun_report {
  int32_t kind;
  pid_t process;       /* of the command; also its process group */
  pid_t supervisor;    /* the subreaper above it, or the keeper in a control group */
  int32_t error;       /* LAUNCH_FAILED: the error number */
  int32_t step;        /* LAUNCH_FAILED: enum bgrun_launch_step */
  int32_t grouped;     /* 1: contained by a control group */
  int32_t status;      /* ENDED: exit status, or the signal */
  int32_t signalled;   /* ENDED: 1 when status is a signal */
  int32_t killed_rest; /* ENDED: 1 when something it had started was still there and killed */
  int32_t padding;
  int64_t peak_memory;         /* ENDED: bytes */
  int64_t processor_time_microseconds; /* ENDED */
};

/* Forks the keeper. Returns its process and puts the runner's end of its socket in `control`, or
   returns a negative error number. Async-signal-safe in the child, so threads may exist. */
pid_t bgrun_keeper_start(int *control);

/* The two ends of a run's own socket; the first doesn't block and stays with the runner. */
int bgrun_run_sockets(int32_t *near, int32_t *far);

/* A file in memory that holds the bytes, to carry an order. */
int bgrun_order_file(const void *bytes, size_t count);

/* Asks for a run with its standard input, and with its standard output and error in `output`.
   `group_parent` is the directory in which to make the control group, or -1.
   Descriptors are copied; the caller closes its own. 0 or a negative error number. */
int bgrun_keeper_launch(
    int control, int order, int run, int output, int input, int group_parent);

/* Gives the keeper a descriptor to keep open for as long as it, or one of its supervisors,
   lives: the runner's lock. */
int bgrun_keeper_hold(int control, int descriptor);

/* Reads a report: 1 and the report, 0 when the other side is gone, or a negative error number. */
int bgrun_run_receive(int run, struct bgrun_report *report);

/* Sends an order: 0 or a negative error number. */
int bgrun_run_order(int run, enum bgrun_run_order_kind order);

#endif
