#!/usr/bin/env bash
# Archives a folder as FOLDER-DATE.tar.gz and tells its progress as tar writes it.
#   archive-folder.sh FOLDER ARCHIVES
set -euo pipefail

folder=$1 archives=$2
name=$(basename "$folder")
mkdir -p "$archives"
archive=$archives/$name-$(date +%Y-%m-%d).tar.gz
# Whatever ends this script, half an archive isn't left behind.
partial=$archive.partial
trap 'rm -f "$partial"' EXIT
trap 'exit 143' TERM

# tar counts records of 10 KiB; each of its checkpoints reports how many are written.
export total=$(($(du -s --apparent-size --block-size=10K "$folder" | cut -f 1) + 1))
export name
# shellcheck disable=SC2016 # tar's shell expands it, once for each checkpoint
tar --create --gzip --file "$partial" --directory "$(dirname "$folder")" \
  --checkpoint=$((total / 40 + 1)) \
  --checkpoint-action=exec='bgrun notify --status "$name" --progress \
    "$((TAR_CHECKPOINT < total ? TAR_CHECKPOINT : total))/$total"' \
  "$name"
mv "$partial" "$archive"
bgrun notify --status "Done" --progress "$total/$total"
printf '%s: %s bytes\n' "$archive" "$(stat -c %s "$archive")"
