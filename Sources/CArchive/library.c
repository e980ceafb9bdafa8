#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct bgrun_archive_library library;
static bool is_complete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define BGRUN_LOAD(result, name, parameters) \
  if (!(library.name = (result(*) parameters)dlsym(handle, #name))) return;
  BGRUN_ARCHIVE_FUNCTIONS(BGRUN_LOAD)
#undef BGRUN_LOAD
  is_complete = true;
}

const struct bgrun_archive_library *bgrun_archive_library(void) {
  pthread_once(&once, load);
  return is_complete ? &library : NULL;
}
