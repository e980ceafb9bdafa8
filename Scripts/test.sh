#!/usr/bin/env bash
# Builds and runs the tests, and fails unless every @Test in the sources was run or skipped by name.
#   test.sh [--unit]     --unit leaves out the tests that start the built binary
# Prints failures, skips and the summary; the whole output is in .build/test.log.
set -euo pipefail
cd "$(dirname "$0")/.."

skip=()
counted=()
if [ "${1:-}" = --unit ]; then
  skip=(--skip '^EndToEndTests\.')
  counted=(--without EndToEndTests)
fi

swift build --build-tests
rm -f .build/tests-swift-testing.xml
status=0
# Bounded: a test that hangs is a failure, not a wait.
timeout 540 swift test --skip-build "${skip[@]}" --xunit-output .build/tests.xml \
  >.build/test.log 2>&1 || status=$?
grep -E '^(✘|➜)|: (error|fatal)|Fatal error|recorded an issue|Test run with' .build/test.log || true
if [ "$status" -ne 0 ]; then
  printf 'test: failed (%s); the end of .build/test.log:\n' "$status" >&2
  tail -n 40 .build/test.log >&2
  exit 1
fi
python3 Scripts/count_tests.py .build/tests-swift-testing.xml "${counted[@]}"
