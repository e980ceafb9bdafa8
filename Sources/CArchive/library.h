/* The functions of libarchive that are used, as a table that dlopen fills. They are declared here and
   not by the library's headers, so that nothing of it is needed to build; what is declared is part of
   the interface that libarchive.so.13 keeps. */
#ifndef CARCHIVE_LIBRARY_H
#define CARCHIVE_LIBRARY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { ARCHIVE_OK = 0, ARCHIVE_WARN = -20 };

struct archive;
struct archive_entry;

#define BGRUN_ARCHIVE_FUNCTIONS(function)                                            \
  function(struct archive *, archive_write_new, (void))                              \
  function(int, archive_write_set_format_by_name, (struct archive *, const char *))  \
  function(int, archive_write_add_filter_by_name, (struct archive *, const char *))  \
  function(int, archive_write_open_fd, (struct archive *, int))                      \
  function(int, archive_write_header, (struct archive *, struct archive_entry *))    \
  function(ssize_t, archive_write_data, (struct archive *, const void *, size_t))    \
  function(int, archive_write_close, (struct archive *))                             \
  function(int, archive_write_fail, (struct archive *))                              \
  function(int, archive_write_free, (struct archive *))                              \
  function(int, archive_errno, (struct archive *))                                   \
  function(const char *, archive_error_string, (struct archive *))                   \
  function(struct archive_entry *, archive_entry_new, (void))                        \
  function(struct archive_entry *, archive_entry_clear, (struct archive_entry *))    \
  function(void, archive_entry_free, (struct archive_entry *))                       \
  function(void, archive_entry_copy_pathname, (struct archive_entry *, const char *)) \
  function(void, archive_entry_copy_symlink, (struct archive_entry *, const char *)) \
  function(void, archive_entry_copy_hardlink, (struct archive_entry *, const char *)) \
  function(void, archive_entry_set_mode, (struct archive_entry *, mode_t))           \
  function(void, archive_entry_set_uid, (struct archive_entry *, int64_t))           \
  function(void, archive_entry_set_gid, (struct archive_entry *, int64_t))           \
  function(void, archive_entry_set_size, (struct archive_entry *, int64_t))          \
  function(void, archive_entry_set_mtime, (struct archive_entry *, time_t, long))

struct bgrun_archive_library {
#define BGRUN_MEMBER(result, name, parameters) result(*name) parameters;
  BGRUN_ARCHIVE_FUNCTIONS(BGRUN_MEMBER)
#undef BGRUN_MEMBER
};

/* The table; null where the library, or a function of it, isn't there. */
const struct bgrun_archive_library *bgrun_archive_library(void);

#endif
