#!/usr/bin/env python3
"""Compares the tests that stand in Tests/ with those that a run reported, target by target.

  count_tests.py REPORT.xml [--without TARGET]...

A filter that matches nothing and a target that isn't run both end with success in `swift test`;
here they are failures.
"""
import argparse
import collections
import pathlib
import re
import sys

from swift_code import code_of, test_functions


def written(tests):
    counts = collections.Counter()
    for path in tests.rglob("*.swift"):
        code = code_of(path.read_text(encoding="utf-8"))
        counts[path.relative_to(tests).parts[0]] += len(test_functions(code))
    return +counts


def reported(report):
    # Not parsed as XML: the report leaves the < of a test's name as it is.
    text = pathlib.Path(report).read_text(encoding="utf-8")
    return collections.Counter(re.findall(r'^ *<testcase classname="(\w+)', text, re.MULTILINE))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report")
    parser.add_argument("--without", action="append", default=[])
    arguments = parser.parse_args()
    expected = written(pathlib.Path("Tests"))
    for target in arguments.without:
        expected.pop(target, None)
    ran = reported(arguments.report)
    wrong = [
        f"{target}: {expected[target]} tests are written, {ran[target]} were run"
        for target in sorted(expected | ran)
        if expected[target] != ran[target]
    ]
    if wrong or not ran:
        sys.exit("count_tests: " + ("\n  ".join(wrong) or "nothing was run"))
    print(f"counted: all {ran.total()} tests of {len(ran)} targets were run")


if __name__ == "__main__":
    main()
