/* Writes archives through libarchive, which is opened at run time: where the library isn't installed,
   bgrun_archive_open says so (-ELIBACC) and the program works without it.

   An archive belongs to one thread at a time. Failures are negative. */
#ifndef CARCHIVE_ARCHIVE_FILE_H
#define CARCHIVE_ARCHIVE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bgrun_archive;

/* What is stored under a name. Names are bytes, as the file system has them. */
struct bgrun_archive_entry {
  const char *name;
  mode_t mode; /* type and permissions */
  int64_t user, group;
  int64_t size;     /* of a file's content, all of which has to be written */
  int64_t modified; /* nanoseconds since 1970 */
  const char *symbolic_link; /* what a link says, else null */
  const char *hard_link;     /* the name under which the file is stored already, else null */
};

/* Begins an archive in an open file, which the caller closes. `format` is "pax" or "zip", `filter`
   null, "gzip", "xz" or "zstd"; -ENOTSUP: this library was built without one of them. */
int bgrun_archive_open(
    int descriptor, const char *format, const char *filter, struct bgrun_archive **archive);

/* Ends the entry before and begins the next one. 1: stored, with a loss that the message tells. */
int bgrun_archive_add(struct bgrun_archive *archive, const struct bgrun_archive_entry *entry);

/* Writes content of the entry that was begun last. */
int bgrun_archive_write(struct bgrun_archive *archive, const void *bytes, size_t count);

/* Writes what is left; the archive must be freed all the same. */
int bgrun_archive_finish(struct bgrun_archive *archive);

/* Frees an archive; one that isn't finished writes nothing more. */
void bgrun_archive_free(struct bgrun_archive *archive);

/* The error number of the last failure, 0 where it has none. */
int bgrun_archive_error(const struct bgrun_archive *archive);

/* The library's sentence for the last failure or loss. */
const char *bgrun_archive_message(const struct bgrun_archive *archive);

#endif
