/* Shared by the keeper's own files; not for Swift. Everything here runs after a fork without
   exec, so it keeps to async-signal-safe calls and its own mappings. */
#ifndef CLINUX_KEEPER_INTERNAL_H
#define CLINUX_KEEPER_INTERNAL_H

#include "keeper.h"

#include <sys/resource.h>

/* Directory entries as the kernel writes them; opendir would need the heap. */
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

/* Descriptors of the keeper and its supervisors that never change. 0, 1 and 2 are /dev/null.
   KEEPER_LIFE and KEEPER_LIFE_WRITE are a pipe that only the keeper can write to and nobody does:
   at its end, supervisors know that the keeper is gone or wants them gone. */
enum {
  KEEPER_CONTROL = 3,
  KEEPER_CHILDREN = 4,
  KEEPER_LIFE = 5,
  KEEPER_LIFE_WRITE = 6,
  KEEPER_FIRST_FREE = 7,
};

/* Descriptors of one message on the control socket, in their order; a lock to hold comes alone. */
enum { ORDER, RUN, OUTPUT, INPUT, PARENT, MESSAGE_DESCRIPTORS };

/* Becomes the keeper, with its end of the control socket, and never returns. */
_Noreturn void keep(int control);

/* Gives the keeper a name of its own in the process table. */
void keeper_rename(void);

/* A launch, unpacked from an order; the strings lie in the order's private mapping. */
struct launch {
  struct bgrun_order *order;
  char *program;
  char *directory;
  char **arguments;
  char **environment;
  int output;
  int input;
};

/* Closes every descriptor from this one on. */
void close_from(int first);

/* SIGTERM to a command's process group, and SIGCONT so that a stopped one hears it. */
void warn_group(pid_t process);

/* Maps and checks the order in a memfd: 0 or a negative error number. */
int launch_read(struct launch *launch, int order);
void launch_release(struct launch *launch);

/* Starts the program, in the control group open as `group` unless that is -1. Returns once it
   runs, with its process; or a negative error number with the step that failed. */
pid_t launch_start(const struct launch *launch, int group, int *step);

/* Control groups, by the directory they are made in and their name. */
int group_make(int parent, const char *name);
/* Gives a group its share of the processors, in terms of niceness, where groups have one: that of its
   processes counts only among themselves then. */
void group_set_niceness(int group, int niceness);
void group_kill(int group);
/* Opens the file that tells whether anything lives in the group. */
int group_open_events(int group);
int group_is_populated(int events);
/* Removes an empty group and the groups inside it, as far as they are empty. */
void group_remove(int parent, const char *name, int depth);
int64_t group_peak_memory(int group);

/* Does what an order other than BGRUN_KILL asks for, to the process group of a process that
   hasn't been reaped. */
void order_signal(pid_t process, char order);

/* Sends a report; a runner that is gone doesn't matter. */
void report_send(int run, const struct bgrun_report *report);
void report_usage(struct bgrun_report *report, int status, const struct rusage *usage);

/* Becomes the supervisor of one run, under this keeper, and never returns. */
_Noreturn void supervise(struct launch *launch, int run, pid_t keeper);

/* A signalfd for SIGCHLD at KEEPER_CHILDREN, and a read that empties it. */
int children_open(void);
void children_drain(void);

/* SIGKILL to each direct child that `spare` doesn't claim; returns how many were signalled.
   Whatever they had started becomes a direct child of this subreaper. */
int children_kill(int (*spare)(pid_t));

#endif
