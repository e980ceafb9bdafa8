#!/usr/bin/env bash
# Feeds the readers of manifests, cron expressions, durations, sizes and time zones with what libFuzzer
# makes up, for SECONDS each, and keeps in Tests/Fuzz/Corpus the fewest inputs that reach all that was
# reached, at most 200 files for each.
#   fuzz.sh [SECONDS] [TARGET…]     150 seconds; yaml cron duration zone
# A crash, or an input that takes longer than 5 s, is a failure; its input is in .build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-150}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(yaml cron duration zone)
work=$PWD/.build/fuzz
mkdir -p "$work"

# The package's own build can't link libFuzzer's main, so the three modules are built by hand.
features=(ExistentialAny InternalImportsByDefault MemberImportVisibility)
flags=(-O -wmo -swift-version 6 -parse-as-library -package-name bgrun -sanitize=fuzzer -I "$work" -I Sources/CLibYAML)
for feature in "${features[@]}"; do flags+=(-enable-upcoming-feature "$feature"); done
read -ra yaml <<<"$(pkg-config --cflags --libs yaml-0.1)"
for module in JobModel YAMLSource JobManifest; do
  mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
  swiftc "${flags[@]}" -module-name "$module" -emit-module -emit-module-path "$work/$module.swiftmodule" \
    -c "${sources[@]}" -o "$work/$module.o"
done
swiftc "${flags[@]}" -module-name Fuzz Tests/Fuzz/FuzzEntry.swift "$work"/{JobModel,YAMLSource,JobManifest}.o \
  "${yaml[@]}" -o "$work/fuzz"

printf 'fuzz: every fixture, changed and cut at every byte\n'
BGRUN_FUZZ=every-byte "$work/fuzz" -runs=0 -timeout=300 -max_len=32768 \
  -artifact_prefix="$work/every-byte-" Tests/JobManifestTests/Fixtures/single 2>"$work/every-byte.log" || {
  tail -n 40 "$work/every-byte.log" >&2
  printf 'fuzz: a changed fixture failed; the fixture is in %s\n' "$work" >&2
  exit 1
}

for target in "${targets[@]}"; do
  seeds=()
  [ "$target" != yaml ] || seeds=(Tests/JobManifestTests/Fixtures/single)
  [ "$target" != zone ] || [ ! -d /usr/share/zoneinfo/Europe ] || seeds=(/usr/share/zoneinfo/Europe)
  # New inputs go to a folder of their own, and only what adds coverage is taken over.
  found=$work/found-$target
  mkdir -p "$found"
  printf 'fuzz: %s for %s s\n' "$target" "$seconds"
  BGRUN_FUZZ=$target "$work/fuzz" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -max_len=8192 \
    -artifact_prefix="$work/$target-" -print_final_stats=1 -verbosity=1 \
    "$found" "Tests/Fuzz/Corpus/$target" "${seeds[@]}" 2>"$work/$target.log" || {
    tail -n 40 "$work/$target.log" >&2
    printf 'fuzz: %s failed; the input is in %s\n' "$target" "$work" >&2
    exit 1
  }
  grep -E '^stat::(number_of_executed_units|new_units_added)|^Done' "$work/$target.log"
  # Few inputs reach what all do: the smallest set, and of it no more than the repository should carry.
  merged=$work/merged-$target
  rm -rf "$merged"
  mkdir "$merged"
  BGRUN_FUZZ=$target "$work/fuzz" -set_cover_merge=1 -max_len=2048 "$merged" "${seeds[@]}" \
    "Tests/Fuzz/Corpus/$target" "$found" 2>"$work/$target-merge.log"
  for seed in "${seeds[@]}"; do
    find "$seed" -type f -exec sha1sum {} + | cut -d ' ' -f 1 | (cd "$merged" && xargs rm -f)
  done
  find "$merged" -type f -printf '%s %p\n' | sort -n | tail -n +200 | cut -d ' ' -f 2- | xargs -r rm
  # What was put there by hand has a name of its own.
  find "Tests/Fuzz/Corpus/$target" -type f ! -regex '.*/[0-9a-f]*' -exec mv {} "$merged" \;
  rm -rf "Tests/Fuzz/Corpus/$target"
  mv "$merged" "Tests/Fuzz/Corpus/$target"
done
