#define _GNU_SOURCE
#include "keeper_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int children_open(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  int descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (descriptor < 0) return -errno;
  if (descriptor != KEEPER_CHILDREN) {
    if (dup3(descriptor, KEEPER_CHILDREN, O_CLOEXEC) < 0) return -errno;
    close(descriptor);
  }
  return 0;
}

void children_drain(void) {
  struct signalfd_siginfo ignored[4];
  while (read(KEEPER_CHILDREN, ignored, sizeof ignored) > 0) continue;
}

static int signal_child(pid_t child, int (*spare)(pid_t)) {
  return !(spare && spare(child)) && kill(child, SIGKILL) == 0;
}

/* Kernels built without CONFIG_PROC_CHILDREN: every process is asked for its parent. */
static int kill_by_scanning(int (*spare)(pid_t)) {
  int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return 0;
  int signalled = 0;
  _Alignas(struct entry) char entries[8192];
  long filled;
  while ((filled = syscall(SYS_getdents64, proc, entries, sizeof entries)) > 0) {
    for (long at = 0; at < filled; at += ((struct entry *)(entries + at))->length) {
      pid_t process = atoi(((struct entry *)(entries + at))->name);
      if (process <= 0) continue;
      char path[32], text[256];
      snprintf(path, sizeof path, "%d/stat", process);
      int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
      if (file < 0) continue;
      ssize_t length = read(file, text, sizeof text - 1);
      close(file);
      if (length <= 0) continue;
      text[length] = 0;
      char *name_end = strrchr(text, ')');
      if (name_end && strlen(name_end) > 4 && atoi(name_end + 4) == getpid())
        signalled += signal_child(process, spare);
    }
  }
  close(proc);
  return signalled;
}

int children_kill(int (*spare)(pid_t)) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return kill_by_scanning(spare);
  int signalled = 0;
  size_t kept = 0;
  ssize_t length;
  while ((length = read(file, text + kept, sizeof text - 1 - kept)) > 0) {
    size_t filled = kept + (size_t)length;
    text[filled] = 0;
    char *at = text, *space;
    for (; (space = strchr(at, ' ')); at = space + 1)
      signalled += signal_child(atoi(at), spare);
    kept = (size_t)(text + filled - at);
    memmove(text, at, kept);
  }
  close(file);
  return signalled;
}

void order_signal(pid_t process, char order) {
  switch (order) {
    case BGRUN_TERMINATE: warn_group(process); break;
    case BGRUN_SUSPEND: kill(-process, SIGSTOP); break;
    case BGRUN_CONTINUE: kill(-process, SIGCONT); break;
  }
}

void report_send(int run, const struct bgrun_report *report) {
  while (send(run, report, sizeof *report, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

void report_usage(struct bgrun_report *report, int status, const struct rusage *usage) {
  report->signalled = WIFSIGNALED(status);
  report->status = report->signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  report->peak_memory = usage->ru_maxrss * 1024;
  report->processor_time_microseconds =
      (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 +
      (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* A killed keeper's descriptors are closed one after the other, and only then it has no children any
   more: an end that is told before would have the next run launched into a keeper that is going. */
static void await_end_of(pid_t keeper) {
  for (int round = 0; getppid() == keeper && round < 1000; round++) poll(NULL, 0, 1);
}

/* A subreaper above one command: everything the command starts, double-forked or in a session of
   its own, stays below and can be found. */
_Noreturn void supervise(struct launch *launch, int run, pid_t keeper) {
  prctl(PR_SET_NAME, "bgrun-supervise");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  struct bgrun_report report = {.kind = BGRUN_STARTED, .supervisor = getpid()};
  int error = children_open();
  pid_t process = error ? error : launch_start(launch, -1, &report.step);
  if (process < 0) {
    report.kind = BGRUN_LAUNCH_FAILED;
    report.error = -process;
    report_send(run, &report);
    _exit(0);
  }
  close(launch->output);
  close(launch->input);
  launch_release(launch);
  report.process = process;
  report_send(run, &report);

  report.kind = BGRUN_ENDED;
  int has_ended = 0, is_killing = 0;
  struct pollfd sources[3] = {
      {.fd = KEEPER_CHILDREN, .events = POLLIN},
      {.fd = run, .events = POLLIN},
      {.fd = KEEPER_LIFE, .events = POLLIN},
  };
  for (;;) {
    /* While killing, look again even without news: a child may have been forked meanwhile. */
    if (poll(sources, 3, is_killing ? 2 : -1) < 0 && errno != EINTR) is_killing = 1;
    if (sources[1].revents) {
      char order;
      ssize_t length = recv(run, &order, 1, MSG_DONTWAIT);
      if (length == 1 && order == BGRUN_KILL) is_killing = 1;
      else if (length == 1 && !has_ended) order_signal(process, order);
      if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
        is_killing = 1; /* the runner is gone */
        sources[1].fd = -1;
      }
    }
    if (sources[2].revents) {
      is_killing = 1; /* the keeper is gone */
      sources[2].fd = -1;
    }
    children_drain();
    int status;
    struct rusage usage;
    pid_t child;
    while ((child = wait4(-1, &status, WNOHANG, &usage)) > 0) {
      struct bgrun_report rest = {0};
      if (child == process) {
        int64_t peak = report.peak_memory, time = report.processor_time_microseconds;
        report_usage(&report, status, &usage);
        rest.peak_memory = peak;
        rest.processor_time_microseconds = time;
        has_ended = is_killing = 1;
      } else {
        report_usage(&rest, status, &usage);
      }
      if (rest.peak_memory > report.peak_memory) report.peak_memory = rest.peak_memory;
      report.processor_time_microseconds += rest.processor_time_microseconds;
    }
    if (child < 0 && errno == ECHILD) break;
    if (is_killing && children_kill(NULL) > 0 && has_ended) report.killed_rest = 1;
  }
  if (sources[2].fd < 0) await_end_of(keeper);
  report_send(run, &report);
  _exit(0);
}
