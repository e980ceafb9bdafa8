#define _GNU_SOURCE
#include "system_bus.h"

#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char properties_interface[] = "org.freedesktop.DBus.Properties";

/* What a callback needs to know of the question that it answers. */
struct question {
  struct question *next;
  struct bgrun_bus *bus;
  uint64_t token;
  char *interface; /* of watched properties */
};

struct bgrun_bus {
  const struct bgrun_library *library;
  sd_bus *connection;
  struct bgrun_bus_listener listener;
  struct question *questions;
};

static struct question *remember(
    struct bgrun_bus *bus, uint64_t token, const char *interface) {
  struct question *question = calloc(1, sizeof *question);
  if (!question) return NULL;
  if (interface && !(question->interface = strdup(interface))) {
    free(question);
    return NULL;
  }
  question->bus = bus;
  question->token = token;
  question->next = bus->questions;
  bus->questions = question;
  return question;
}

static void forget(struct question *question) {
  struct question **link = &question->bus->questions;
  while (*link != question) link = &(*link)->next;
  *link = question->next;
  free(question->interface);
  free(question);
}

int bgrun_bus_open(
    const char *address, struct bgrun_bus_listener listener, struct bgrun_bus **result) {
  const struct bgrun_library *library = bgrun_library();
  if (!library) return -ELIBACC;
  struct bgrun_bus *bus = calloc(1, sizeof *bus);
  if (!bus) return -ENOMEM;
  bus->library = library;
  bus->listener = listener;
  int error = library->sd_bus_new(&bus->connection);
  if (error >= 0) error = library->sd_bus_set_address(bus->connection, address);
  if (error >= 0) error = library->sd_bus_set_bus_client(bus->connection, true);
  if (error >= 0) error = library->sd_bus_negotiate_fds(bus->connection, true);
  if (error >= 0) error = library->sd_bus_start(bus->connection);
  if (error < 0) {
    bgrun_bus_close(bus);
    return error;
  }
  *result = bus;
  return 0;
}

void bgrun_bus_close(struct bgrun_bus *bus) {
  if (bus->connection) bus->library->sd_bus_close_unref(bus->connection);
  while (bus->questions) forget(bus->questions);
  free(bus);
}

int bgrun_bus_descriptor(struct bgrun_bus *bus) {
  return bus->library->sd_bus_get_fd(bus->connection);
}

int bgrun_bus_events(struct bgrun_bus *bus) {
  return bus->library->sd_bus_get_events(bus->connection);
}

int bgrun_bus_timeout(struct bgrun_bus *bus, uint64_t *microseconds) {
  *microseconds = UINT64_MAX;
  return bus->library->sd_bus_get_timeout(bus->connection, microseconds);
}

int bgrun_bus_process(struct bgrun_bus *bus) {
  int result;
  do result = bus->library->sd_bus_process(bus->connection, NULL);
  while (result > 0);
  return result;
}

/* Reads the value of a variant whose content is basic; anything else is passed over. */
static int read_variant(
    const struct question *question, sd_bus_message *message, const char *name) {
  const struct bgrun_library *library = question->bus->library;
  const char *contents = NULL;
  char type;
  int error = library->sd_bus_message_peek_type(message, &type, &contents);
  if (error < 0) return error;
  if (type != 'v' || !contents || !*contents || contents[1] || !strchr("bynqiuxtdso", *contents))
    return library->sd_bus_message_skip(message, "v");
  error = library->sd_bus_message_enter_container(message, 'v', contents);
  if (error < 0) return error;

  struct bgrun_bus_value value = {.type = *contents};
  union {
    uint8_t byte;
    int16_t signed16;
    uint16_t unsigned16;
    int32_t signed32;
    uint32_t unsigned32;
    int64_t signed64;
    uint64_t unsigned64;
    int truth;
    double real;
    const char *text;
  } read = {0};
  error = library->sd_bus_message_read_basic(message, value.type, &read);
  if (error < 0) return error;
  switch (value.type) {
  case 'b': value.integer = read.truth; break;
  case 'y': value.integer = read.byte; break;
  case 'n': value.integer = read.signed16; break;
  case 'q': value.integer = read.unsigned16; break;
  case 'i': value.integer = read.signed32; break;
  case 'u': value.integer = read.unsigned32; break;
  case 'x': value.integer = read.signed64; break;
  case 't': value.integer = read.unsigned64 > INT64_MAX ? INT64_MAX : (int64_t)read.unsigned64; break;
  case 'd': value.real = read.real; break;
  default: value.text = read.text;
  }
  question->bus->listener.property(
      question->bus->listener.context, question->token, name, value);
  return library->sd_bus_message_exit_container(message);
}

/* Hands over a dictionary of properties. */
static int read_dictionary(const struct question *question, sd_bus_message *message) {
  const struct bgrun_library *library = question->bus->library;
  int result = library->sd_bus_message_enter_container(message, 'a', "{sv}");
  if (result < 0) return result;
  while ((result = library->sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
    const char *name;
    result = library->sd_bus_message_read_basic(message, 's', &name);
    if (result >= 0) result = read_variant(question, message, name);
    if (result >= 0) result = library->sd_bus_message_exit_container(message);
    if (result < 0) return result;
  }
  return result < 0 ? result : library->sd_bus_message_exit_container(message);
}

static int take_answer(sd_bus_message *message, void *userdata, sd_bus_error *ignored) {
  (void)ignored;
  struct question *question = userdata;
  const struct bgrun_library *library = question->bus->library;
  int error = library->sd_bus_message_is_method_error(message, NULL)
                  ? -library->sd_bus_message_get_errno(message)
                  : read_dictionary(question, message);
  const struct bgrun_bus_listener *listener = &question->bus->listener;
  listener->properties_end(listener->context, question->token, error < 0 ? error : 0, false);
  forget(question);
  return 1;
}

static int take_changes(sd_bus_message *message, void *userdata, sd_bus_error *ignored) {
  (void)ignored;
  struct question *question = userdata;
  const struct bgrun_library *library = question->bus->library;
  const struct bgrun_bus_listener *listener = &question->bus->listener;
  const char *interface;
  int error = library->sd_bus_message_read_basic(message, 's', &interface);
  if (error < 0 || strcmp(interface, question->interface) != 0) return 0;
  error = read_dictionary(question, message);
  bool is_partial = true;
  if (error >= 0 && library->sd_bus_message_enter_container(message, 'a', "s") >= 0) {
    const char *invalidated;
    is_partial = library->sd_bus_message_read_basic(message, 's', &invalidated) > 0;
  }
  listener->properties_end(listener->context, question->token, 0, is_partial);
  return 0;
}

static int take_owner(sd_bus_message *message, void *userdata, sd_bus_error *ignored) {
  (void)ignored;
  const struct question *question = userdata;
  const struct bgrun_bus_listener *listener = &question->bus->listener;
  const char *name, *old, *new;
  if (question->bus->library->sd_bus_message_read(message, "sss", &name, &old, &new) >= 0)
    listener->owner(listener->context, question->token, *new != 0);
  return 0;
}

static int take_flag(sd_bus_message *message, void *userdata, sd_bus_error *ignored) {
  (void)ignored;
  const struct question *question = userdata;
  const struct bgrun_bus_listener *listener = &question->bus->listener;
  int value;
  if (question->bus->library->sd_bus_message_read_basic(message, 'b', &value) >= 0)
    listener->flag(listener->context, question->token, value);
  return 0;
}

static int take_inhibitor(sd_bus_message *message, void *userdata, sd_bus_error *ignored) {
  (void)ignored;
  struct question *question = userdata;
  const struct bgrun_library *library = question->bus->library;
  const struct bgrun_bus_listener *listener = &question->bus->listener;
  int descriptor = -EIO;
  if (library->sd_bus_message_is_method_error(message, NULL)) {
    descriptor = -library->sd_bus_message_get_errno(message);
  } else if (library->sd_bus_message_read_basic(message, 'h', &descriptor) >= 0) {
    /* The message owns its descriptors. */
    descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0) descriptor = -errno;
  }
  listener->inhibitor(listener->context, question->token, descriptor);
  forget(question);
  return 1;
}

static int watch(
    struct bgrun_bus *bus, uint64_t token, const char *interface, sd_bus_message_handler_t handler,
    const char *rule) {
  struct question *question = remember(bus, token, interface);
  if (!question) return -ENOMEM;
  int error = bus->library->sd_bus_add_match_async(
      bus->connection, NULL, rule, handler, NULL, question);
  if (error < 0) forget(question);
  return error;
}

static int watch_signal(
    struct bgrun_bus *bus, uint64_t token, const char *interface, sd_bus_message_handler_t handler,
    const char *sender, const char *path, const char *signal_interface, const char *member,
    const char *first_argument) {
  char *rule;
  int length = asprintf(
      &rule, "type='signal',sender='%s',path='%s',interface='%s',member='%s'%s%s%s", sender, path,
      signal_interface, member, first_argument ? ",arg0='" : "",
      first_argument ? first_argument : "", first_argument ? "'" : "");
  if (length < 0) return -ENOMEM;
  int error = watch(bus, token, interface, handler, rule);
  free(rule);
  return error;
}

int bgrun_bus_watch_owner(struct bgrun_bus *bus, uint64_t token, const char *service) {
  return watch_signal(
      bus, token, NULL, take_owner, "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus", "NameOwnerChanged", service);
}

int bgrun_bus_watch_properties(
    struct bgrun_bus *bus, uint64_t token, const char *service, const char *path,
    const char *interface) {
  return watch_signal(
      bus, token, interface, take_changes, service, path, properties_interface,
      "PropertiesChanged", interface);
}

int bgrun_bus_watch_flag(
    struct bgrun_bus *bus, uint64_t token, const char *service, const char *path,
    const char *interface, const char *member) {
  return watch_signal(
      bus, token, NULL, take_flag, service, path, interface, member, NULL);
}

/* Sends a call that starts no service, and lets `handler` take its answer. */
static int ask(
    struct bgrun_bus *bus, uint64_t token, sd_bus_message *message,
    sd_bus_message_handler_t handler) {
  struct question *question = remember(bus, token, NULL);
  int error = question ? 0 : -ENOMEM;
  if (error >= 0) error = bus->library->sd_bus_message_set_auto_start(message, false);
  /* No limit of time: the bus answers for a service that goes away. */
  if (error >= 0)
    error = bus->library->sd_bus_call_async(
        bus->connection, NULL, message, handler, question, UINT64_MAX);
  if (error < 0 && question) forget(question);
  return error;
}

int bgrun_bus_read_properties(
    struct bgrun_bus *bus, uint64_t token, const char *service, const char *path,
    const char *interface) {
  const struct bgrun_library *library = bus->library;
  sd_bus_message *message = NULL;
  int error = library->sd_bus_message_new_method_call(
      bus->connection, &message, service, path, properties_interface, "GetAll");
  if (error >= 0) error = library->sd_bus_message_append(message, "s", interface);
  if (error >= 0) error = ask(bus, token, message, take_answer);
  library->sd_bus_message_unref(message);
  return error;
}

int bgrun_bus_inhibit(
    struct bgrun_bus *bus, uint64_t token, const char *what, const char *who, const char *why) {
  const struct bgrun_library *library = bus->library;
  sd_bus_message *message = NULL;
  int error = library->sd_bus_message_new_method_call(
      bus->connection, &message, "org.freedesktop.login1", "/org/freedesktop/login1",
      "org.freedesktop.login1.Manager", "Inhibit");
  if (error >= 0)
    error = library->sd_bus_message_append(message, "ssss", what, who, why, "delay");
  if (error >= 0) error = ask(bus, token, message, take_inhibitor);
  library->sd_bus_message_unref(message);
  return error;
}
