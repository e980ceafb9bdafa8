#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/eventfd.h>

/* What Dispatch offers to run loops of others; CoreFoundation's is made of the same two. Weak: a
   program that has no Dispatch still links. */
__attribute__((weak)) int _dispatch_get_main_queue_handle_4CF(void);
__attribute__((weak)) void _dispatch_main_queue_callback_4CF(void *message);

void bgrun_main_queue_run(void) {
  if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return;
  struct pollfd queue = {.fd = _dispatch_get_main_queue_handle_4CF(), .events = POLLIN};
  if (queue.fd < 0) return;
  for (;;) {
    if (poll(&queue, 1, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    /* Dispatch only ever adds to the counter: emptied first, so that nothing new is missed. */
    eventfd_t count;
    if (eventfd_read(queue.fd, &count) < 0 && errno != EAGAIN && errno != EINTR) return;
    _dispatch_main_queue_callback_4CF(NULL);
  }
}
