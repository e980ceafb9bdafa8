#define _GNU_SOURCE
#include "keeper_internal.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The next NUL-terminated string before `end`, or null when there is none. */
static char *next_string(char **at, const char *end) {
  if (*at >= end) return NULL;
  char *string = *at;
  *at += strlen(string) + 1;
  return string;
}

static int unpack(struct launch *launch, char *bytes, size_t size) {
  struct bgrun_order *order = launch->order = (struct bgrun_order *)bytes;
  size_t vectors = (size_t)order->argument_count + order->environment_count + 2;
  size_t strings = sizeof *order + vectors * sizeof(char *);
  if (order->size != size || strings >= size || bytes[size - 1] != 0) return -EINVAL;
  char *at = bytes + strings;
  const char *end = bytes + size;
  launch->arguments = (char **)(order + 1);
  launch->environment = launch->arguments + order->argument_count + 1;
  int is_whole = (launch->program = next_string(&at, end)) != NULL;
  is_whole &= (launch->directory = next_string(&at, end)) != NULL;
  for (uint32_t i = 0; i < order->argument_count; i++)
    is_whole &= (launch->arguments[i] = next_string(&at, end)) != NULL;
  for (uint32_t i = 0; i < order->environment_count; i++)
    is_whole &= (launch->environment[i] = next_string(&at, end)) != NULL;
  launch->arguments[order->argument_count] = NULL;
  launch->environment[order->environment_count] = NULL;
  return is_whole ? 0 : -EINVAL;
}

int launch_read(struct launch *launch, int file) {
  struct stat status;
  if (fstat(file, &status) < 0) return -errno;
  size_t size = (size_t)status.st_size;
  if (size < sizeof(struct bgrun_order)) return -EINVAL;
  char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return -errno;
  int error = unpack(launch, bytes, size);
  if (error) munmap(bytes, size);
  return error;
}

void launch_release(struct launch *launch) { munmap(launch->order, launch->order->size); }

void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  /* Linux before 5.9 */
  struct rlimit limit;
  int count = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (int)limit.rlim_cur : 1024;
  for (int descriptor = first; descriptor < count; descriptor++) close(descriptor);
}

void warn_group(pid_t process) {
  /* A warning that waits for a processor is late. */
  bgrun_set_short_slices(process);
  kill(-process, SIGTERM);
  kill(-process, SIGCONT);
}

/* What the child leaves for its parent, whose memory it shares until it has become the program. */
struct outcome {
  volatile int error;
  volatile int step;
};

static _Noreturn void become(const struct launch *launch, struct outcome *outcome) {
  sigset_t none;
  sigemptyset(&none);
  outcome->step = BGRUN_STEP_ORDER;
  if (setpgid(0, 0) < 0) goto failed;
  if (dup2(launch->input, 0) < 0) goto failed;
  if (dup2(launch->output, 1) < 0 || dup2(launch->output, 2) < 0) goto failed;
  close_from(3);
  /* Priorities are a courtesy: a refusal never keeps a run from starting. */
  if (launch->order->niceness) {
    int current = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, current + launch->order->niceness);
  }
  if (launch->order->idle_input_output) syscall(SYS_ioprio_set, 1, 0, 3 << 13);
  outcome->step = BGRUN_STEP_DIRECTORY;
  if (chdir(launch->directory) < 0) goto failed;
  outcome->step = BGRUN_STEP_PROGRAM;
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(launch->program, launch->arguments, launch->environment);
failed:
  outcome->error = errno;
  _exit(127);
}

#if defined(__x86_64__)
#define HAVE_CLONE3 1
static inline __attribute__((always_inline)) long clone3(struct clone_args *arguments) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"((long)SYS_clone3), "D"(arguments), "S"(sizeof *arguments)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
#define HAVE_CLONE3 1
static inline __attribute__((always_inline)) long clone3(struct clone_args *arguments) {
  register long number __asm__("x8") = SYS_clone3;
  register long first __asm__("x0") = (long)arguments;
  register long second __asm__("x1") = sizeof *arguments;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
  return first;
}
#endif

/* vfork, into a control group where one is given. The child shares this frame until it has become
   the program, which is why the call is inlined (no return address to overwrite) and the child's
   branch is one call that never returns. */
static __attribute__((noinline)) pid_t start(
    const struct launch *launch, int group, struct outcome *outcome) {
#ifdef HAVE_CLONE3
  struct clone_args arguments = {
      .flags = CLONE_VM | CLONE_VFORK | (group >= 0 ? CLONE_INTO_CGROUP : 0),
      .exit_signal = SIGCHLD,
      .cgroup = group >= 0 ? (uint64_t)group : 0,
  };
  long process = clone3(&arguments);
  if (process == 0) become(launch, outcome);
  return (pid_t)process;
#else
  return -ENOSYS;
#endif
}

/* For kernels and machines without clone3, and sandboxes that refuse it. */
static __attribute__((noinline)) pid_t start_plainly(
    const struct launch *launch, struct outcome *outcome) {
  pid_t process = vfork();
  if (process == 0) become(launch, outcome);
  return process < 0 ? -errno : process;
}

pid_t launch_start(const struct launch *launch, int group, int *step) {
  struct outcome outcome = {0, 0};
  *step = BGRUN_STEP_ORDER;
  pid_t process = start(launch, group, &outcome);
  if (group < 0 && (process == -ENOSYS || process == -EPERM))
    process = start_plainly(launch, &outcome);
  if (process < 0 || outcome.error == 0) return process;
  *step = outcome.step;
  int status;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return -outcome.error;
}
