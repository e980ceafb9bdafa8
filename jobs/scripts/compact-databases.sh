#!/usr/bin/env bash
# Compacts SQLite databases, one after the other. Asked to stop, it ends after the one it is at:
# SQLite keeps the old file whole until the new one is complete.
#   compact-databases.sh DATABASE...
set -euo pipefail

stopping=
trap 'stopping=yes' TERM
for database in "$@"; do
  if [ -n "$stopping" ]; then
    echo "stopped before $database"
    exit 75 # to be run again, no attempt used
  fi
  before=$(stat -c %s "$database")
  sqlite3 "$database" 'PRAGMA optimize; VACUUM'
  printf '%s: %s bytes before, %s after\n' \
    "$(basename "$database")" "$before" "$(stat -c %s "$database")"
done
