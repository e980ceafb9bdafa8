#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int bgrun_stream_pair(int32_t *near, int32_t *far) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  *near = pair[0];
  *far = pair[1];
  return 0;
}

/* Opened by `bgrun_worker_prepare`: a worker begins a count for each of its runs. */
static int peak_memory_reset = -1;

/* Dispatch gives each thread of its pool a niceness of its own where it may: 0, whatever the job's
   quality of service says. Programs that the worker starts as root have the capability again. */
static void keep_niceness(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, sets) < 0) return;
  uint32_t others = ~CAP_TO_MASK(CAP_SYS_NICE);
  struct __user_cap_data_struct *set = &sets[CAP_TO_INDEX(CAP_SYS_NICE)];
  set->effective &= others;
  set->permitted &= others;
  set->inheritable &= others;
  syscall(SYS_capset, &header, sets);
}

int bgrun_worker_prepare(const char *name) {
  keep_niceness();
  int connection = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  if (connection < 0) return -errno;
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0) return -errno;
  close(null);
  prctl(PR_SET_NAME, name);
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) return -errno;
  peak_memory_reset = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  return connection;
}

void bgrun_flush_output(void) { fflush(stdout); }

int bgrun_has_children(void) {
  pid_t ended;
  while ((ended = waitpid(-1, NULL, WNOHANG)) > 0 || (ended < 0 && errno == EINTR)) continue;
  return ended == 0;
}

void bgrun_restart_peak_memory(void) {
  ssize_t written = write(peak_memory_reset, "5", 1);
  (void)written;
}

static int64_t processor_time(const struct rusage *usage) {
  return (int64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 +
         (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

struct bgrun_usage bgrun_usage_now(void) {
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return (struct bgrun_usage){
      .processor_time_microseconds = processor_time(&own) + processor_time(&children),
      .peak_memory = (int64_t)own.ru_maxrss * 1024,
  };
}
