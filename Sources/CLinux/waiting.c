#define _GNU_SOURCE
#include "waiting.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

int bgrun_semaphore_wait_until(sem_t *semaphore, int64_t nanoseconds) {
  struct timespec instant = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &instant) != 0)
    if (errno != EINTR) return -errno;
  return 0;
}

int bgrun_input_wait_until(int descriptor, int64_t nanoseconds) {
  struct pollfd waited = {.fd = descriptor, .events = POLLIN};
  while (1) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = nanoseconds - (now.tv_sec * 1000000000LL + now.tv_nsec);
    if (left < 0) left = 0;
    struct timespec time = {left / 1000000000, left % 1000000000};
    if (ppoll(&waited, 1, &time, NULL) > 0) return 1;
    if (left == 0) return 0;
  }
}
