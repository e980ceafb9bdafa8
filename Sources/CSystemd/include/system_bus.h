/* A connection to a message bus through libsystemd's sd-bus, which is opened at run time: where the
   library isn't installed, bgrun_bus_open says so (-ELIBACC) and the program works without it.

   Nothing here blocks. All calls belong to one thread; failures are negative error numbers. */
#ifndef CSYSTEMD_SYSTEM_BUS_H
#define CSYSTEMD_SYSTEM_BUS_H

#include <stdbool.h>
#include <stdint.h>

struct bgrun_bus;

/* A property's value. `type` is its D-Bus type: 's' and 'o' are in `text`, 'd' in `real`, all
   whole numbers and booleans in `integer`. */
struct bgrun_bus_value {
  char type;
  int64_t integer;
  double real;
  const char *text; /* valid during the call that hands it over */
};

/* What a connection tells, during bgrun_bus_process only. `token` is what was given when it was
   asked for. */
struct bgrun_bus_listener {
  void *context;
  /* A property's value, read or changed. */
  void (*property)(void *context, uint64_t token, const char *name, struct bgrun_bus_value value);
  /* All properties that one answer or signal held have been handed over; `error` is not 0 when
     there was no answer. `is_partial` when values have changed that the signal didn't hold. */
  void (*properties_end)(void *context, uint64_t token, int error, bool is_partial);
  /* A name has got an owner or lost it. */
  void (*owner)(void *context, uint64_t token, bool has_owner);
  /* A signal with one boolean. */
  void (*flag)(void *context, uint64_t token, bool value);
  /* The answer to bgrun_bus_inhibit: a descriptor to close, or a negative error number. */
  void (*inhibitor)(void *context, uint64_t token, int descriptor);
};

/* Begins to connect; what fails later is told by bgrun_bus_process. */
int bgrun_bus_open(
    const char *address, struct bgrun_bus_listener listener, struct bgrun_bus **bus);
void bgrun_bus_close(struct bgrun_bus *bus);

/* What to wait for: the descriptor, its poll(2) events, and the instant of CLOCK_MONOTONIC in
   microseconds at which to process in any case (UINT64_MAX: none). */
int bgrun_bus_descriptor(struct bgrun_bus *bus);
int bgrun_bus_events(struct bgrun_bus *bus);
int bgrun_bus_timeout(struct bgrun_bus *bus, uint64_t *microseconds);

/* Does everything that can be done now. Negative: the connection is gone. */
int bgrun_bus_process(struct bgrun_bus *bus);

int bgrun_bus_watch_owner(struct bgrun_bus *bus, uint64_t token, const char *service);
int bgrun_bus_watch_properties(
    struct bgrun_bus *bus, uint64_t token, const char *service, const char *path,
    const char *interface);
int bgrun_bus_watch_flag(
    struct bgrun_bus *bus, uint64_t token, const char *service, const char *path,
    const char *interface, const char *member);

/* Asks for every property of an interface, without starting a service that doesn't run. */
int bgrun_bus_read_properties(
    struct bgrun_bus *bus, uint64_t token, const char *service, const char *path,
    const char *interface);

/* Asks logind for a delay inhibitor; `what` is "sleep", "shutdown", or both with a colon between. */
int bgrun_bus_inhibit(
    struct bgrun_bus *bus, uint64_t token, const char *what, const char *who, const char *why);

#endif
