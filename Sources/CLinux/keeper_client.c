#define _GNU_SOURCE
#include "keeper_internal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

pid_t bgrun_keeper_start(int *control) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
  /* No signal handler of the runner's may run in the child. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = fork();
  if (process == 0) keep(pair[1]);
  int error = process < 0 ? -errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(pair[1]);
  if (error) {
    close(pair[0]);
    return error;
  }
  *control = pair[0];
  return process;
}

int bgrun_run_sockets(int32_t *near, int32_t *far) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
  *near = pair[0];
  *far = pair[1];
  return 0;
}

int bgrun_order_file(const void *bytes, size_t count) {
  int file = memfd_create("bgrun-order", MFD_CLOEXEC);
  if (file < 0) return -errno;
  for (size_t at = 0; at < count;) {
    ssize_t written = write(file, (const char *)bytes + at, count - at);
    if (written < 0 && errno != EINTR) {
      int error = -errno;
      close(file);
      return error;
    }
    if (written > 0) at += (size_t)written;
  }
  return file;
}

static int send_message(int control, char kind, const int *descriptors, size_t count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(MESSAGE_DESCRIPTORS * sizeof(int))];
  } space;
  struct iovec part = {.iov_base = &kind, .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = &space,
      .msg_controllen = CMSG_SPACE(count * sizeof(int)),
  };
  memset(&space, 0, sizeof space);
  struct cmsghdr *item = CMSG_FIRSTHDR(&message);
  item->cmsg_level = SOL_SOCKET;
  item->cmsg_type = SCM_RIGHTS;
  item->cmsg_len = CMSG_LEN(count * sizeof(int));
  memcpy(CMSG_DATA(item), descriptors, count * sizeof(int));
  ssize_t sent;
  while ((sent = sendmsg(control, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
  return sent < 0 ? -errno : 0;
}

int bgrun_keeper_launch(
    int control, int order, int run, int output, int input, int group_parent) {
  int descriptors[MESSAGE_DESCRIPTORS] = {order, run, output, input, group_parent};
  return send_message(control, 'L', descriptors, group_parent < 0 ? PARENT : MESSAGE_DESCRIPTORS);
}

int bgrun_keeper_hold(int control, int descriptor) {
  return send_message(control, 'H', &descriptor, 1);
}

int bgrun_run_receive(int run, struct bgrun_report *report) {
  ssize_t length = recv(run, report, sizeof *report, MSG_DONTWAIT);
  if (length < 0) return errno == ECONNRESET ? 0 : -errno;
  return length == sizeof *report;
}

int bgrun_run_order(int run, enum bgrun_run_order_kind order) {
  char byte = (char)order;
  return send(run, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}
