#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct bgrun_library library;
static bool is_complete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
#define BGRUN_LOAD(name) \
  if (!(library.name = (__typeof__(&name))dlsym(handle, #name))) return;
  BGRUN_SD_BUS_FUNCTIONS(BGRUN_LOAD)
#undef BGRUN_LOAD
  is_complete = true;
}

const struct bgrun_library *bgrun_library(void) {
  pthread_once(&once, load);
  return is_complete ? &library : NULL;
}
