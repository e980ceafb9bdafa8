#!/usr/bin/env python3
"""Checks the rules of CONTRIBUTING.md that a line of text can show.

The check first proves itself on Scripts/fixtures/source.swift.txt, where each line that breaks a
rule says which.
"""
import pathlib
import re
import sys

from swift_code import code_of, test_functions

LIFECYCLE = pathlib.Path("docs/lifecycle.md")
FIXTURE = pathlib.Path("Scripts/fixtures/source.swift.txt")
LONGEST_FILE = 600

RULES_OF_CODE = [
    ("sleeping", r"\b(?:usleep|nanosleep|clock_nanosleep|sleep)\s*\(|\b(?:Task|Thread)\.sleep\b",
     "wait for what happens, not for time"),
    ("wakes for ever", r"\bDispatchQueue\.global\b|\bTask\.detached\b",
     "one use makes the process wake once a second for ever"),
    ("hidden import", r"\bcanImport\b", "it hides an import from the layering check"),
]
RULES_OF_TEXT = [
    ("owed", r"\b(?:TODO|FIXME|XXX|HACK)\b|\bnot implemented\b|\bunimplemented\b|\bfor now\b",
     "finish it, or say in an issue what is left"),
]
# How docs/lifecycle.md names a rule, and how comments, tests and messages cite it.
RULE_NAME = re.compile(r"\b(?:ST|RG|SB|LC|CP|BG|EM|PL|DU)\d+\b")
DEFINED = set(re.findall(rf"^- ({RULE_NAME.pattern})", LIFECYCLE.read_text(encoding="utf-8"), re.M))
# A sentence as a name, or XCTest's prefix, says that a function is meant as a test.
MEANT_AS_TEST = re.compile(r"\bfunc (?:test[A-Z_]\w*|`[^`\n]* [^`\n]*`)")


def findings(path, text):
    """Yields (line, rule, advice) for each rule that the file breaks."""
    code = code_of(text)
    searched = [(text, rule) for rule in RULES_OF_TEXT]
    if path.suffix == ".swift":
        searched += [(code, rule) for rule in RULES_OF_CODE]
    for subject, (rule, pattern, advice) in searched:
        for match in re.finditer(pattern, subject):
            yield subject.count("\n", 0, match.start()) + 1, rule, advice
    for match in RULE_NAME.finditer(text):
        if match[0] not in DEFINED:
            yield text.count("\n", 0, match.start()) + 1, "unknown rule", f"{LIFECYCLE} has none of this name"
    if path.parts[0] == "Tests":
        tests = set(test_functions(code))
        for match in MEANT_AS_TEST.finditer(code):
            if match.start() not in tests:
                line = code.count("\n", 0, match.start()) + 1
                yield line, "never runs", "a test function without @Test never runs"
    length = text.count("\n")
    if length > LONGEST_FILE:
        yield length, "too long", f"the limit is {LONGEST_FILE} lines: split it by reason to change"
    if path.stem.lower() == "placeholder":
        yield 1, "owed", "an empty file stands for work to be done"


def sources():
    for folder in map(pathlib.Path, ("Sources", "Tests", "Benchmarks")):
        yield from sorted(
            path for path in folder.rglob("*") if path.suffix in (".swift", ".c", ".h"))


def main():
    planted = FIXTURE.read_text(encoding="utf-8") + "\n" * LONGEST_FILE
    promised = {(number, rule)
                for number, line in enumerate(planted.split("\n"), start=1)
                for rule in re.findall(r"// breaks: (.*)", line)}
    promised.add((planted.count("\n"), "too long"))
    broken = {(line, rule) for line, rule, _ in findings(pathlib.Path("Tests/Planted.swift"), planted)}
    if broken != promised:
        sys.exit(f"check_source: the fixture promises {sorted(promised)}, found was {sorted(broken)}")

    found = [
        f"{path}:{line}: {rule}: {advice}"
        for path in sources()
        for line, rule, advice in sorted(findings(path, path.read_text(encoding="utf-8")))
    ]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
