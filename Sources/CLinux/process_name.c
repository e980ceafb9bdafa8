#define _GNU_SOURCE
#include "keeper_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* `ps` and a person's pkill should tell the keeper from the runner, whose arguments it inherits:
   they are overwritten, in this process's copy only. */
void keeper_rename(void) {
  prctl(PR_SET_NAME, "bgrun-keeper");
  char text[1024];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return;
  text[length] = 0;
  /* Fields 48 and 49 are where the arguments start and end; field 2 is in parentheses. */
  char *at = strrchr(text, ')');
  for (int field = 2; at && field < 48; field++) at = strchr(at + 1, ' ');
  if (!at) return;
  char *start = (char *)strtoul(at, &at, 10), *end = (char *)strtoul(at, NULL, 10);
  if (!start || end <= start) return;
  static const char name[] = "bgrun-keeper";
  size_t room = (size_t)(end - start), used = sizeof name - 1;
  memset(start, 0, room);
  memcpy(start, name, used < room - 1 ? used : room - 1);
}
