#!/usr/bin/env python3
"""Compares what each target imports with what Package.swift declares and ARCHITECTURE.md allows.

SwiftPM accepts an import that no dependency declares as long as the module happens to be built
first, so the arrows of the architecture hold only if something reads them. The table under
"## Targets" in ARCHITECTURE.md is the rule: its last column is all that a target may import.
The check first proves itself on Scripts/fixtures/layering, where every kind of violation stands.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

FIXTURE = pathlib.Path("Scripts/fixtures/layering")
# Swift's own modules that any target may use.
EVERYWHERE = {"Swift", "Glibc", "Synchronization"}
# Programs that are never shipped: tests and benchmarks.
UNSHIPPED = EVERYWHERE | {"Testing", "Foundation", "FoundationEssentials", "Dispatch"}


def allowed_imports(package):
    """The table of ARCHITECTURE.md: target -> modules in the order of its last column."""
    text = (package / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.partition("\n## Targets")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", section, re.MULTILINE)
    return {target: set(re.findall(r"`(\w+)`", modules)) for target, modules in rows}


def described_targets(package):
    command = ["swift", "package", "--package-path", str(package), "--scratch-path",
               ".build/layering", "describe", "--type", "json"]
    described = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return {target["name"]: target for target in json.loads(described.stdout)["targets"]}


def imported_modules(package, target):
    sources = [str(package / target["path"] / source) for source in target["sources"]]
    command = ["swiftc", "-frontend", "-emit-imported-modules", "-swift-version", "6",
               "-module-name", target["c99name"], *sources, "-o", "-"]
    return set(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split())


def violations(package):
    targets = described_targets(package)
    allowed = allowed_imports(package)
    found = []
    importers = collections.defaultdict(list)
    for name, target in sorted(targets.items()):
        if target["module_type"] != "SwiftTarget":
            continue
        declared = set(target.get("target_dependencies") or [])
        imported = imported_modules(package, target)
        if target["path"].startswith("Examples/"):
            # A user's program: it imports what it likes, and of ours what it declares.
            permitted = imported
        elif target["path"].startswith(("Tests/", "Benchmarks/")):
            permitted = UNSHIPPED | declared
        elif name not in allowed:
            found.append(f"{name}: missing from the table of targets in ARCHITECTURE.md")
            continue
        else:
            permitted = EVERYWHERE | allowed[name]
            found += [
                f"{name}: depends on {other}, which the table of targets doesn't allow"
                for other in sorted(declared - allowed[name])
            ]
        for module in sorted(imported):
            if module in targets and targets[module]["module_type"] != "SwiftTarget":
                importers[module].append(name)
            if module in targets and module not in declared:
                found.append(f"{name}: imports {module}, which Package.swift doesn't declare for it")
            elif module not in targets and module not in permitted:
                found.append(f"{name}: imports {module}, which is not allowed there")
    for module, names in sorted(importers.items()):
        if len(names) > 1:
            found.append(f"{module}: imported by {', '.join(names)}; one Swift target wraps a C module")
    found += [
        f"{name}: stands in the table of targets and is no target of Package.swift"
        for name in sorted(allowed.keys() - targets.keys())
    ]
    return found


def main():
    expected = (FIXTURE / "EXPECTED.txt").read_text(encoding="utf-8").splitlines()
    proved = violations(FIXTURE)
    if proved != expected:
        sys.exit("check_layers: the fixture's violations aren't found as they stand in it:\n  "
                 + "\n  ".join(proved))
    found = violations(pathlib.Path("."))
    if found:
        sys.exit("check_layers:\n  " + "\n  ".join(found))


if __name__ == "__main__":
    main()
