#!/usr/bin/env bash
# Prefetches every repository right under a folder. One remote that doesn't answer doesn't keep the
# others from being asked; it makes the run fail at the end, so that it is retried.
#   prefetch-repositories.sh FOLDER
set -uo pipefail

status=0
for repository in "$1"/*/; do
  [ -e "$repository/.git" ] || continue
  name=$(basename "$repository")
  if git -C "$repository" maintenance run --quiet --task=prefetch; then
    printf '%s: %s remote branches known\n' "$name" \
      "$(git -C "$repository" for-each-ref refs/prefetch | wc -l)"
  else
    printf '%s: the remote could not be reached\n' "$name" >&2
    status=1
  fi
done
exit $status
