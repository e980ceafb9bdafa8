/* Tells the thread sanitizer of Synchronization.Mutex.
 *
 * A mutex that is free is taken and given back by code that is compiled into the caller, which the
 * sanitizer sees. One that is contended goes through the library, which isn't instrumented: two
 * threads that lock it correctly are then reported as a race. Preloaded, this stands in front of
 * the library's three slow paths and says what they do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

/* Absent in programs that aren't instrumented. */
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*library)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  library(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_lock_slow(SELF) {
  SWIFT _Bool (*library)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
  _Bool is_locked = library(mutex);
  if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*library)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  library(mutex);
}
