#define _GNU_SOURCE
#include "keeper_internal.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run that the keeper looks after: the parent of a command in a control group, or of a
   supervisor, which does everything else by itself (`group` is -1). */
struct run {
  pid_t process; /* 0: the place is free */
  int socket, group, parent, events;
  int has_ended;
  struct bgrun_report report;
  char name[sizeof((struct bgrun_order *)0)->group];
};

static struct run *runs;
static size_t run_capacity;
static int readiness; /* the epoll descriptor */
static int runner_is_gone;

enum { CONTROL, CHILDREN, FIRST_RUN };
/* Each run has two sources: its socket and its group's events. */
static uint64_t token(const struct run *run, int of_events) {
  return FIRST_RUN + (uint64_t)(run - runs) * 2 + (uint64_t)of_events;
}

static int watch(int descriptor, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(readiness, EPOLL_CTL_ADD, descriptor, &event) < 0 ? -errno : 0;
}

static void unwatch_and_close(int *descriptor) {
  if (*descriptor < 0) return;
  epoll_ctl(readiness, EPOLL_CTL_DEL, *descriptor, NULL);
  close(*descriptor);
  *descriptor = -1;
}

static struct run *free_place(void) {
  for (size_t i = 0; i < run_capacity; i++)
    if (runs[i].process == 0) return &runs[i];
  size_t grown = run_capacity ? run_capacity * 2 : 16;
  void *moved = run_capacity
      ? mremap(runs, run_capacity * sizeof *runs, grown * sizeof *runs, MREMAP_MAYMOVE)
      : mmap(NULL, grown * sizeof *runs, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (moved == MAP_FAILED) return NULL;
  runs = moved;
  struct run *place = &runs[run_capacity];
  run_capacity = grown;
  return place;
}

static struct run *find(pid_t process) {
  for (size_t i = 0; i < run_capacity; i++)
    if (runs[i].process == process) return &runs[i];
  return NULL;
}

static int has_groups(void) {
  for (size_t i = 0; i < run_capacity; i++)
    if (runs[i].process && runs[i].group >= 0) return 1;
  return 0;
}

static int has_runs(void) {
  for (size_t i = 0; i < run_capacity; i++)
    if (runs[i].process) return 1;
  return 0;
}

static int is_supervisor(pid_t process) {
  struct run *run = find(process);
  return run && run->group < 0;
}

/* The group's own file, opened for the few runs that leave something behind. */
static int has_leftovers(struct run *run) {
  if (run->events < 0) {
    run->events = group_open_events(run->group);
    if (run->events >= 0) watch(run->events, EPOLLPRI, token(run, 1));
  }
  return group_is_populated(run->events);
}

/* A run whose command has ended is over when its group can be removed, which the kernel refuses
   while anything lives in it; that is killed then, and waited for. */
static void finish_if_empty(struct run *run) {
  int64_t peak = group_peak_memory(run->group);
  if (peak > 0) run->report.peak_memory = peak;
  if (unlinkat(run->parent, run->name, AT_REMOVEDIR) < 0 && errno == EBUSY) {
    if (has_leftovers(run)) {
      run->report.killed_rest = 1;
      group_kill(run->group);
      if (group_is_populated(run->events)) return;
    }
    /* The command may have made groups of its own inside. */
    group_remove(run->parent, run->name, 16);
  }
  unwatch_and_close(&run->events);
  close(run->group);
  close(run->parent);
  report_send(run->socket, &run->report);
  unwatch_and_close(&run->socket);
  run->process = 0;
}

static void take_order(struct run *run) {
  char order;
  ssize_t length = recv(run->socket, &order, 1, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length == 1 && order != BGRUN_KILL) {
    if (!run->has_ended) order_signal(run->process, order);
    return;
  }
  if (length <= 0) unwatch_and_close(&run->socket);
  group_kill(run->group);
}

static void reap(void) {
  children_drain();
  int status, must_sweep = 0;
  struct rusage usage;
  pid_t child;
  while ((child = wait4(-1, &status, WNOHANG, &usage)) > 0) {
    struct run *run = find(child);
    if (!run) {
      must_sweep = 1; /* an orphan of some run; what it had started itself is orphaned now */
      continue;
    }
    if (run->group < 0) {
      /* A supervisor that was killed can't clean up: its orphans are this subreaper's now. */
      must_sweep |= WIFSIGNALED(status);
      run->process = 0;
      continue;
    }
    run->has_ended = 1;
    report_usage(&run->report, status, &usage);
  }
  /* The last orphan's end comes here at once; the kernel's word that a group is empty, which is
     watched too for what isn't this process's to reap, may be 10 ms late. */
  for (size_t i = 0; i < run_capacity; i++)
    if (runs[i].process && runs[i].has_ended) finish_if_empty(&runs[i]);
  /* Orphans in control groups belong to runs that go on; their groups find them. */
  if (runner_is_gone || (must_sweep && !has_groups())) children_kill(is_supervisor);
}

static void refuse(int socket, int error, int step) {
  struct bgrun_report report = {.kind = BGRUN_LAUNCH_FAILED, .error = -error, .step = step};
  report_send(socket, &report);
}

/* 1, with the socket and the parent taken over, when the run was started, or failed for a reason that
   a supervisor wouldn't change. */
static int start_in_group(struct launch *launch, int socket, int parent) {
  if (parent < 0 || launch->order->group[0] == 0) return 0;
  struct run *run = free_place();
  if (!run) return 0;
  memset(run, 0, sizeof *run);
  memcpy(run->name, launch->order->group, sizeof run->name - 1);
  run->group = group_make(parent, run->name);
  if (run->group < 0) return 0;
  group_set_niceness(run->group, getpriority(PRIO_PROCESS, 0) + launch->order->niceness);
  run->events = -1;
  run->report.supervisor = getpid();
  run->report.grouped = 1;
  run->report.kind = BGRUN_STARTED;
  pid_t process = launch_start(launch, run->group, &run->report.step);
  if (process < 0) {
    close(run->group);
    unlinkat(parent, run->name, AT_REMOVEDIR);
    if (run->report.step == BGRUN_STEP_ORDER) return 0;
    refuse(socket, process, run->report.step);
    close(socket);
    close(parent);
    return 1;
  }
  run->process = run->report.process = process;
  run->socket = socket;
  run->parent = parent;
  watch(run->socket, EPOLLIN, token(run, 0));
  report_send(run->socket, &run->report);
  run->report.kind = BGRUN_ENDED;
  return 1;
}

static void start_supervised(struct launch *launch, int socket) {
  struct run *run = free_place();
  pid_t keeper = getpid();
  pid_t process = run ? fork() : -1;
  if (process == 0) {
    for (size_t i = 0; i < run_capacity; i++) {
      if (runs[i].process == 0 || runs[i].group < 0) continue;
      close(runs[i].socket);
      close(runs[i].events);
      close(runs[i].group);
      close(runs[i].parent);
    }
    close(readiness);
    close(KEEPER_CONTROL);
    close(KEEPER_LIFE_WRITE);
    supervise(launch, socket, keeper);
  }
  if (process < 0) {
    refuse(socket, run ? -errno : -ENOMEM, BGRUN_STEP_ORDER);
    return;
  }
  memset(run, 0, sizeof *run);
  run->process = process;
  run->group = run->events = run->parent = run->socket = -1;
}

/* Takes over the descriptors that the run needs on. */
static void take_launch(int *descriptors, size_t count) {
  struct launch launch = {.output = descriptors[OUTPUT], .input = descriptors[INPUT]};
  int error = launch_read(&launch, descriptors[ORDER]);
  if (error) {
    refuse(descriptors[RUN], error, BGRUN_STEP_ORDER);
    return;
  }
  int parent = count > PARENT ? descriptors[PARENT] : -1;
  int is_grouped = start_in_group(&launch, descriptors[RUN], parent);
  if (is_grouped) descriptors[RUN] = descriptors[PARENT] = -1;
  else start_supervised(&launch, descriptors[RUN]);
  launch_release(&launch);
}

/* 0 when there is nothing more to read. */
static int take_message(void) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(MESSAGE_DESCRIPTORS * sizeof(int))];
  } control;
  char kind = 0;
  struct iovec part = {.iov_base = &kind, .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control,
  };
  ssize_t length = recvmsg(KEEPER_CONTROL, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (length <= 0) {
    runner_is_gone = 1;
    epoll_ctl(readiness, EPOLL_CTL_DEL, KEEPER_CONTROL, NULL);
    close(KEEPER_LIFE_WRITE);
    for (size_t i = 0; i < run_capacity; i++)
      if (runs[i].process && runs[i].group >= 0) group_kill(runs[i].group);
    return 0;
  }
  int descriptors[MESSAGE_DESCRIPTORS];
  size_t count = 0;
  struct cmsghdr *item = CMSG_FIRSTHDR(&message);
  if (item && item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS) {
    count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors, CMSG_DATA(item), count * sizeof(int));
  }
  if (kind == 'H') return 1; /* kept open until this process ends */
  if (kind == 'L' && count > INPUT) take_launch(descriptors, count);
  for (size_t i = 0; i < count; i++)
    if (descriptors[i] >= 0) close(descriptors[i]);
  return 1;
}

static int life_open(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
  int reading = fcntl(ends[0], F_DUPFD_CLOEXEC, KEEPER_FIRST_FREE);
  int writing = fcntl(ends[1], F_DUPFD_CLOEXEC, KEEPER_FIRST_FREE);
  close(ends[0]);
  close(ends[1]);
  if (dup3(reading, KEEPER_LIFE, O_CLOEXEC) < 0) return -errno;
  if (dup3(writing, KEEPER_LIFE_WRITE, O_CLOEXEC) < 0) return -errno;
  close(reading);
  close(writing);
  return 0;
}

_Noreturn void keep(int control) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  /* Not through libc, which keeps two signals to itself that a parent may have ignored all the
     same. All zeros is the default action. */
  static const char default_action[64];
  for (int number = 1; number < 65; number++)
    syscall(SYS_rt_sigaction, number, default_action, NULL, 8);
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  /* A forced end is as punctual as the warning before it. */
  bgrun_become_punctual();
  int null = open("/dev/null", O_RDWR);
  int moved = fcntl(control, F_DUPFD_CLOEXEC, 16);
  for (int descriptor = 0; descriptor < 3; descriptor++) dup2(null, descriptor);
  dup3(moved, KEEPER_CONTROL, O_CLOEXEC);
  close_from(KEEPER_CONTROL + 1);
  keeper_rename();
  if (chdir("/") < 0) _exit(1);
  if (children_open() < 0 || life_open() < 0 || (readiness = epoll_create1(EPOLL_CLOEXEC)) < 0) _exit(1);
  if (watch(KEEPER_CONTROL, EPOLLIN, CONTROL) || watch(KEEPER_CHILDREN, EPOLLIN, CHILDREN))
    _exit(1);

  while (!runner_is_gone || has_runs()) {
    struct epoll_event events[32];
    /* After the runner's death, orphans without a group are looked for until none is left. */
    int count = epoll_wait(readiness, events, 32, runner_is_gone ? 20 : -1);
    int has_messages = 0;
    for (int i = 0; i < count; i++) {
      uint64_t data = events[i].data.u64;
      if (data == CONTROL) has_messages = 1;
      if (data < FIRST_RUN) continue;
      struct run *run = &runs[(data - FIRST_RUN) / 2];
      if (run->process == 0) continue;
      if ((data - FIRST_RUN) % 2) finish_if_empty(run);
      else take_order(run);
    }
    reap();
    /* Last, since a launch may take the place of a run that ended in this round. */
    while (has_messages && take_message()) continue;
  }
  _exit(0);
}
