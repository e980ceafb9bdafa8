/* Loaded before the C library (LD_PRELOAD): each synchronisation of a file takes at least 1 ms, as on an
   SSD without power-loss protection. The real one is done, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <time.h>

static const long nanoseconds = 1000000;

static int synchronise(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_nsec += nanoseconds;
  if (end.tv_nsec >= 1000000000) {
    end.tv_nsec -= 1000000000;
    end.tv_sec += 1;
  }
  int result = real(file);
  int error = errno;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
  }
  errno = error;
  return result;
}

int fdatasync(int file) { return synchronise("fdatasync", file); }
int fsync(int file) { return synchronise("fsync", file); }
