#!/usr/bin/env bash
# Makes .sandbox/ anew: what the jobs of jobs/ work on, so that nothing of the user's is touched.
set -euo pipefail
cd "$(dirname "$0")/.."
sandbox=$PWD/.sandbox
rm -rf "$sandbox"
mkdir -p "$sandbox"/{repositories,remotes,databases,projects,archives,caches/{compiler,packages}}

for name in library website; do
  remote=$sandbox/remotes/$name.git
  repository=$sandbox/repositories/$name
  git init --quiet --bare "$remote"
  git init --quiet "$repository"
  git -C "$repository" remote add origin "$remote"
  for number in {1..12}; do
    seq "$number" $((number * 50)) >"$repository/chapter-$number.txt"
    git -C "$repository" add .
    git -C "$repository" -c user.name=Sandbox -c user.email=sandbox@localhost \
      -c commit.gpgSign=false commit --quiet --no-verify --message "Write chapter $number"
  done
  git -C "$repository" push --quiet origin HEAD
done

for number in {1..8}; do
  head -c 20000 /dev/zero >"$sandbox/caches/compiler/module-$number.pcm"
  head -c 20000 /dev/zero >"$sandbox/caches/packages/package-$number.zip"
done
touch -d '45 days ago' "$sandbox"/caches/compiler/module-[1-5].pcm "$sandbox"/caches/packages/*

for name in notes history; do
  sqlite3 "$sandbox/databases/$name.db" "
    CREATE TABLE entry (id INTEGER PRIMARY KEY, day INTEGER, text TEXT);
    CREATE INDEX entry_by_day ON entry (day);
    WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter LIMIT 5000)
      INSERT INTO entry SELECT n, n % 365, hex(randomblob(60)) FROM counter;
    DELETE FROM entry WHERE id % 3 <> 0;"
done

for number in {1..24}; do
  head -c 1000000 /dev/urandom >"$sandbox/projects/recording-$number.raw"
done
