/* Waiting with a bound on the monotonic clock, which glibc offers only behind _GNU_SOURCE. */
#ifndef CLINUX_WAITING_H
#define CLINUX_WAITING_H

#include <semaphore.h>
#include <stdint.h>

/* Waits for the semaphore until an instant of CLOCK_MONOTONIC in nanoseconds. 0, or -ETIMEDOUT. */
int bgrun_semaphore_wait_until(sem_t *semaphore, int64_t nanoseconds);

/* Waits until a descriptor has input or its other side is gone: 1. 0 when the instant of
   CLOCK_MONOTONIC has come first. */
int bgrun_input_wait_until(int descriptor, int64_t nanoseconds);

#endif
