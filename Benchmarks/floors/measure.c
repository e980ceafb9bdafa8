/* Runs a program once and prints its wall time in nanoseconds and its peak memory in KiB. Small, so
   that the peak is the program's: a child's peak begins with that of whoever spawned it. STATUS is
   how the program has to end.
   cc -O2 -o measure measure.c && ./measure STATUS PROGRAM [ARGUMENT...] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: measure STATUS PROGRAM [ARGUMENT...]\n"), 2;
  int expected = atoi(argv[1]);
  argv++;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  long long began = now();
  pid_t child;
  if (posix_spawn(&child, argv[1], &actions, 0, argv + 1, environ)) return perror(argv[1]), 2;
  int status;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  long long took = now() - began;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
    return fprintf(stderr, "%s: ended with status %d\n", argv[1], status), 1;
  printf("%lld %ld\n", took, usage.ru_maxrss);
  return 0;
}
