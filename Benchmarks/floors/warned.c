/* A command that is warned: its only line says how many nanoseconds after $BGRUN_DEADLINE, which is
   cut to milliseconds, SIGTERM came. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  const char *text = getenv("BGRUN_DEADLINE");
  struct tm parts = {0};
  int milliseconds = 0;
  if (!text || sscanf(text, "%d-%d-%dT%d:%d:%d.%dZ", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                      &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &milliseconds) != 7)
    return 2;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  long long deadline = (long long)timegm(&parts) * 1000000000 + milliseconds * 1000000LL;
  siginfo_t info;
  sigwaitinfo(&set, &info);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("%lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec - deadline);
  return 0;
}
