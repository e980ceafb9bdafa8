#define _GNU_SOURCE
#include "keeper_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int group_make(int parent, const char *name) {
  /* A group that was killed once kills what is cloned into it later, so each run has a new one. */
  if (mkdirat(parent, name, 0755) < 0) {
    if (errno != EEXIST) return -errno;
    if (unlinkat(parent, name, AT_REMOVEDIR) < 0 || mkdirat(parent, name, 0755) < 0) return -errno;
  }
  int group = openat(parent, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  if (group < 0) return -errno;
  /* Linux before 5.14 can't kill a whole group. */
  if (faccessat(group, "cgroup.kill", W_OK, 0) == 0) return group;
  close(group);
  unlinkat(parent, name, AT_REMOVEDIR);
  return -ENOSYS;
}

void group_set_niceness(int group, int niceness) {
  int file = openat(group, "cpu.weight.nice", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  dprintf(file, "%d", niceness < 19 ? niceness : 19);
  close(file);
}

void group_kill(int group) {
  int file = openat(group, "cgroup.kill", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, "1", 1);
  (void)written;
  close(file);
}

int group_open_events(int group) {
  int file = openat(group, "cgroup.events", O_RDONLY | O_CLOEXEC);
  return file < 0 ? -errno : file;
}

int group_is_populated(int events) {
  char text[256];
  ssize_t length = pread(events, text, sizeof text - 1, 0);
  if (length < 0) return 0; /* the group is gone */
  text[length] = 0;
  return strstr(text, "populated 1") != NULL;
}

void group_remove(int parent, const char *name, int depth) {
  if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || depth == 0) return;
  int group = openat(parent, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  if (group < 0) return;
  _Alignas(struct entry) char entries[2048];
  long filled;
  while ((filled = syscall(SYS_getdents64, group, entries, sizeof entries)) > 0) {
    for (long at = 0; at < filled; at += ((struct entry *)(entries + at))->length) {
      const struct entry *entry = (struct entry *)(entries + at);
      if (entry->type == DT_DIR && entry->name[0] != '.') group_remove(group, entry->name, depth - 1);
    }
  }
  close(group);
  unlinkat(parent, name, AT_REMOVEDIR);
}

int64_t group_peak_memory(int group) {
  int file = openat(group, "memory.peak", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[32];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  return strtoll(text, NULL, 10);
}
