/* The functions of libsystemd that are used, as a table that dlopen fills. */
#ifndef CSYSTEMD_LIBRARY_H
#define CSYSTEMD_LIBRARY_H

#include <systemd/sd-bus.h>

#define BGRUN_SD_BUS_FUNCTIONS(function)  \
  function(sd_bus_new)                    \
  function(sd_bus_set_address)            \
  function(sd_bus_set_bus_client)         \
  function(sd_bus_negotiate_fds)          \
  function(sd_bus_start)                  \
  function(sd_bus_close_unref)            \
  function(sd_bus_get_fd)                 \
  function(sd_bus_get_events)             \
  function(sd_bus_get_timeout)            \
  function(sd_bus_process)                \
  function(sd_bus_add_match_async)        \
  function(sd_bus_call_async)             \
  function(sd_bus_message_new_method_call) \
  function(sd_bus_message_set_auto_start) \
  function(sd_bus_message_append)         \
  function(sd_bus_message_unref)          \
  function(sd_bus_message_is_method_error) \
  function(sd_bus_message_get_errno)      \
  function(sd_bus_message_read)           \
  function(sd_bus_message_read_basic)     \
  function(sd_bus_message_peek_type)      \
  function(sd_bus_message_enter_container) \
  function(sd_bus_message_exit_container) \
  function(sd_bus_message_skip)

struct bgrun_library {
#define BGRUN_MEMBER(name) __typeof__(&name) name;
  BGRUN_SD_BUS_FUNCTIONS(BGRUN_MEMBER)
#undef BGRUN_MEMBER
};

/* The table; null where the library, or a function of it, isn't there. */
const struct bgrun_library *bgrun_library(void);

#endif
