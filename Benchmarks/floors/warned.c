/* A command that is warned: its only line is the wall clock's nanoseconds when SIGTERM came. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <time.h>

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  siginfo_t info;
  sigwaitinfo(&set, &info);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("%lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
  return 0;
}
