#define _GNU_SOURCE
#include "archive_file.h"

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>

#include "library.h"

struct bgrun_archive {
  const struct bgrun_archive_library *library;
  struct archive *archive;
  struct archive_entry *entry;
  locale_t locale;
  bool is_finished;
};

static int failed(const struct bgrun_archive *archive) {
  int error = archive->library->archive_errno(archive->archive);
  return error > 0 ? -error : -EIO;
}

static int set_up(
    struct bgrun_archive *archive, int descriptor, const char *format, const char *filter) {
  const struct bgrun_archive_library *library = archive->library;
  /* A compression that isn't built in would start a program, which is a warning to the library. */
  if (library->archive_write_set_format_by_name(archive->archive, format) != ARCHIVE_OK)
    return -ENOTSUP;
  if (filter && library->archive_write_add_filter_by_name(archive->archive, filter) != ARCHIVE_OK)
    return -ENOTSUP;
  if (library->archive_write_open_fd(archive->archive, descriptor) != ARCHIVE_OK)
    return failed(archive);
  return 0;
}

int bgrun_archive_open(
    int descriptor, const char *format, const char *filter, struct bgrun_archive **result) {
  const struct bgrun_archive_library *library = bgrun_archive_library();
  if (!library) return -ELIBACC;
  struct bgrun_archive *archive = calloc(1, sizeof *archive);
  if (!archive) return -ENOMEM;
  archive->library = library;
  /* The library stores names as UTF-8 where the locale says that they are, and a program that sets
     no locale is in one that knows ASCII only. */
  archive->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  archive->archive = library->archive_write_new();
  archive->entry = library->archive_entry_new();
  int error = archive->archive && archive->entry
                  ? set_up(archive, descriptor, format, filter) : -ENOMEM;
  if (error < 0) {
    bgrun_archive_free(archive);
    return error;
  }
  *result = archive;
  return 0;
}

int bgrun_archive_add(
    struct bgrun_archive *archive, const struct bgrun_archive_entry *described) {
  const struct bgrun_archive_library *library = archive->library;
  struct archive_entry *entry = library->archive_entry_clear(archive->entry);
  int64_t seconds = described->modified / 1000000000, part = described->modified % 1000000000;
  if (part < 0) {
    seconds -= 1;
    part += 1000000000;
  }
  library->archive_entry_copy_pathname(entry, described->name);
  library->archive_entry_set_mode(entry, described->mode);
  library->archive_entry_set_uid(entry, described->user);
  library->archive_entry_set_gid(entry, described->group);
  library->archive_entry_set_size(entry, described->size);
  library->archive_entry_set_mtime(entry, seconds, part);
  if (described->symbolic_link)
    library->archive_entry_copy_symlink(entry, described->symbolic_link);
  if (described->hard_link) library->archive_entry_copy_hardlink(entry, described->hard_link);

  /* The locale belongs to the thread, and the next entry may come on another one. */
  locale_t before = archive->locale ? uselocale(archive->locale) : (locale_t)0;
  int result = library->archive_write_header(archive->archive, entry);
  if (before) uselocale(before);
  if (result == ARCHIVE_WARN) return 1;
  return result == ARCHIVE_OK ? 0 : failed(archive);
}

int bgrun_archive_write(struct bgrun_archive *archive, const void *bytes, size_t count) {
  ssize_t written = archive->library->archive_write_data(archive->archive, bytes, count);
  /* The library takes no more than the size that was told for the entry. */
  if (written >= 0 && (size_t)written < count) return -EFBIG;
  return written < 0 ? failed(archive) : 0;
}

int bgrun_archive_finish(struct bgrun_archive *archive) {
  archive->is_finished = true;
  int result = archive->library->archive_write_close(archive->archive);
  return result == ARCHIVE_OK || result == ARCHIVE_WARN ? 0 : failed(archive);
}

void bgrun_archive_free(struct bgrun_archive *archive) {
  const struct bgrun_archive_library *library = archive->library;
  if (archive->archive) {
    /* Freeing would finish the archive otherwise. */
    if (!archive->is_finished) library->archive_write_fail(archive->archive);
    library->archive_write_free(archive->archive);
  }
  if (archive->entry) library->archive_entry_free(archive->entry);
  if (archive->locale) freelocale(archive->locale);
  free(archive);
}

int bgrun_archive_error(const struct bgrun_archive *archive) {
  int error = archive->library->archive_errno(archive->archive);
  return error > 0 ? error : 0;
}

const char *bgrun_archive_message(const struct bgrun_archive *archive) {
  const char *message = archive->library->archive_error_string(archive->archive);
  return message ? message : "no reason given";
}
