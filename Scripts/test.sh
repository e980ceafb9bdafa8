#!/usr/bin/env bash
# Builds and runs the tests, and fails unless every @Test in the sources was run or skipped by name.
#   test.sh [--unit]     --unit leaves out the tests that start the built binary
#   test.sh --threads    all tests under the thread sanitizer, in programs that are started too
#   test.sh --static     those of Swift handlers, with programs that have Swift's runtime inside
# Prints failures, skips and the summary; the whole output is in test.log of the build's folder.
set -euo pipefail
cd "$(dirname "$0")/.."

selection=()
counted=()
build=(--scratch-path .build)
folder=.build
limit=540
purpose=${1:---all}
case $purpose in
  --unit)
    selection=(--skip '^EndToEndTests\.')
    counted=(--without EndToEndTests)
    ;;
  --threads)
    folder=.build/threads
    build=(--scratch-path "$folder" --sanitize thread)
    limit=1500
    # Reports of every process: those of a started program would be lost in its output. Crashes are
    # left to the program: how it ends by one is tested.
    rm -rf "$folder/reports"
    mkdir -p "$folder/reports"
    export TSAN_OPTIONS="log_path=$PWD/$folder/reports/report:handle_segv=0:handle_sigbus=0"
    TSAN_OPTIONS+=":handle_sigill=0:handle_sigfpe=0:handle_sigtrap=0:handle_abort=0"
    ;;
  --static)
    selection=(--filter '^EndToEndTests\.(Apple|BuiltIn|)Handler(Expiration|)Tests/')
    bash Scripts/build-static.sh bgrun HandlerFixture AppleFixture
    export BGRUN_TESTED_PROGRAMS=$PWD/.build/static/release
    # What a static program is shipped with, so that the crash of a handler is told with a backtrace.
    toolchain=$(dirname "$(readlink -f "$(command -v swift)")")/..
    ln -sf "$toolchain/libexec/swift/linux/swift-backtrace-static" "$BGRUN_TESTED_PROGRAMS"
    ;;
esac

# The example is a package of its own, which in the same folder shares what is built of this one. The
# plan of a build is kept there too, and is the other package's: so both are planned anew, this one last.
example=0
if [ "$purpose" = --all ]; then
  swift build "${build[@]}" --disable-build-manifest-caching --package-path Examples/ColorFeed \
    --product ColorFeed || example=$?
fi
swift build "${build[@]}" --disable-build-manifest-caching --build-tests
[ "$example" = 0 ] || exit "$example"
if [ -d "$folder/reports" ]; then
  "$(dirname "$(readlink -f "$(command -v swift)")")/clang" -O1 -shared -fPIC \
    -o "$folder/mutex_annotations.so" Scripts/threads/mutex_annotations.c -ldl
  export LD_PRELOAD="$PWD/$folder/mutex_annotations.so"
fi
rm -f "$folder/tests-swift-testing.xml"
status=0
# Bounded: a test that hangs is a failure, not a wait.
timeout "$limit" swift test "${build[@]}" --skip-build "${selection[@]}" \
  --xunit-output "$folder/tests.xml" >"$folder/test.log" 2>&1 || status=$?
grep -E '^(✘|➜)|: (error|fatal)|Fatal error|recorded an issue|Test run with' "$folder/test.log" ||
  true
if [ "$status" -ne 0 ]; then
  printf 'test: failed (%s); the end of %s/test.log:\n' "$status" "$folder" >&2
  tail -n 40 "$folder/test.log" >&2
  exit 1
fi
if [ "$purpose" = --static ]; then
  # A filter that matches nothing ends with success.
  printf 'test: %s tests of static programs were run\n' \
    "$(grep -c '<testcase' "$folder/tests-swift-testing.xml")"
  exit 0
fi
python3 Scripts/count_tests.py "$folder/tests-swift-testing.xml" "${counted[@]}"
if [ -d "$folder/reports" ] && grep -l 'WARNING: ThreadSanitizer' "$folder"/reports/* 2>/dev/null; then
  printf 'test: the thread sanitizer reported races, in the files above\n' >&2
  exit 1
fi
