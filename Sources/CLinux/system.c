#define _GNU_SOURCE
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : (int)value; }

/* The first version of the kernel's struct, which every later kernel accepts. */
struct scheduling_attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

enum { RESET_ON_FORK = 1 };

/* 0 nanoseconds are the kernel's own choice. A thread that somebody has made nicer, or less nice than
   `nice`, stays so. What the thread starts inherits neither. */
static int set_slices(pid_t thread, uint64_t nanoseconds, int32_t nice) {
  struct scheduling_attributes attributes;
  if (syscall(SYS_sched_getattr, thread, &attributes, sizeof attributes, 0) < 0) return -errno;
  if (attributes.policy != SCHED_OTHER) return 0;
  attributes.size = sizeof attributes;
  attributes.flags |= RESET_ON_FORK;
  attributes.runtime = nanoseconds;
  if (attributes.nice <= 0 && attributes.nice > nice) attributes.nice = nice;
  return result(syscall(SYS_sched_setattr, thread, &attributes, 0));
}

static const uint64_t short_slice = 100000;

int bgrun_set_short_slices(pid_t thread) { return set_slices(thread, short_slice, 0); }

int bgrun_become_punctual(void) {
  /* Some 0.01 ms of the processor's time then weigh as much as 0.1 ms of a thread of niceness 0. */
  int refusal = set_slices(0, short_slice, -10);
  return refusal == -EPERM || refusal == -EACCES ? bgrun_set_short_slices(0) : refusal;
}

int bgrun_set_other_slices(int are_short) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return -errno;
  pid_t own = gettid();
  struct dirent *entry;
  while ((entry = readdir(threads))) {
    pid_t thread = (pid_t)atoi(entry->d_name);
    /* A thread that has just ended is no loss. */
    if (thread > 0 && thread != own) set_slices(thread, are_short ? short_slice : 0, 0);
  }
  closedir(threads);
  return 0;
}

int bgrun_pidfd_open(pid_t process) { return result(syscall(SYS_pidfd_open, process, 0)); }

int bgrun_clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  int clock = adjtimex(&state);
  if (clock < 0) return -errno;
  return clock != TIME_ERROR && !(state.status & STA_UNSYNC);
}

int bgrun_signal_descriptor(const int32_t *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  return error ? -error : result(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int bgrun_pipe(int32_t *read_end, int32_t *write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *read_end = ends[0];
  *write_end = ends[1];
  return 0;
}

const char *bgrun_signal_abbreviation(int signal) { return sigabbrev_np(signal); }

void bgrun_write_out(int file, int64_t before, int64_t begin, int64_t end) {
  sync_file_range(file, begin, end - begin, SYNC_FILE_RANGE_WRITE);
  if (begin > before)
    sync_file_range(
        file, before, begin - before,
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

int bgrun_terminal_columns(int terminal) {
  struct winsize size;
  if (ioctl(terminal, TIOCGWINSZ, &size) < 0) return -errno;
  return size.ws_col;
}

ssize_t bgrun_receive_datagram(
    int socket, void *buffer, size_t capacity, struct bgrun_datagram_sender *sender) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(64 * sizeof(int))];
  } control;
  struct iovec part = {.iov_base = buffer, .iov_len = capacity};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control,
  };
  ssize_t length = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (length < 0) return -errno;
  sender->process = 0;
  sender->user = (uid_t)-1;
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
    if (item->cmsg_level != SOL_SOCKET) continue;
    if (item->cmsg_type == SCM_CREDENTIALS) {
      struct ucred credentials;
      memcpy(&credentials, CMSG_DATA(item), sizeof credentials);
      sender->process = credentials.pid;
      sender->user = credentials.uid;
    } else if (item->cmsg_type == SCM_RIGHTS) {
      size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < count; i++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(item) + i * sizeof descriptor, sizeof descriptor);
        close(descriptor);
      }
    }
  }
  return length;
}

int bgrun_send_datagram(
    int socket, const void *address, size_t address_length, const void *bytes, size_t count,
    int descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
      .msg_name = (void *)address,
      .msg_namelen = (socklen_t)address_length,
      .msg_iov = &part,
      .msg_iovlen = 1,
  };
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *item = CMSG_FIRSTHDR(&message);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(item), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int bgrun_usable_processors(void) {
  cpu_set_t usable;
  return sched_getaffinity(0, sizeof usable, &usable) < 0 ? -errno : CPU_COUNT(&usable);
}

struct beside {
  cpu_set_t usable;
  void *(*body)(void *);
  void *argument;
};

static void *begin_beside(void *start) {
  struct beside own = *(struct beside *)start;
  free(start);
  sched_setaffinity(0, sizeof own.usable, &own.usable);
  return own.body(own.argument);
}

int bgrun_create_thread_beside(unsigned long *thread, void *(*body)(void *), void *argument) {
  struct beside *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct beside){.body = body, .argument = argument};
  int own = sched_getcpu();
  cpu_set_t others;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (own >= 0 && sched_getaffinity(0, sizeof start->usable, &start->usable) == 0) {
    others = start->usable;
    CPU_CLR(own, &others);
    if (CPU_COUNT(&others) > 0) pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
  }
  int code = pthread_create(thread, &attributes, begin_beside, start);
  pthread_attr_destroy(&attributes);
  if (code) free(start);
  return code;
}
