#define _GNU_SOURCE
#include "waiting.h"

#include <errno.h>
#include <time.h>

int bgrun_semaphore_wait_until(sem_t *semaphore, int64_t nanoseconds) {
  struct timespec instant = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &instant) != 0)
    if (errno != EINTR) return -errno;
  return 0;
}
