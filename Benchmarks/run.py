#!/usr/bin/env python3
"""Measures bgrun beside its floors, in one run, and prints a table.

  run.py [NAME...]     NAME: validate-large, validate-small, validate-files, validate-mistakes,
                       validate-peers, command, store, handlers, handlers-slow-disk, backlog,
                       simulation, engine, idle, flip, flapping, punctuality, sources (all of them)

Each figure is a median; bgrun and its floor take turns, so that both meet the same machine.
`make bench` builds dist/bgrun first.
"""
import platform
import subprocess
import sys
import tempfile

import conditions
import measures
import punctuality
import validation
from workbench import Workbench

MEASURES = {
    "validate-large": validation.validate_large,
    "validate-small": validation.validate_small,
    "validate-files": validation.validate_files,
    "validate-mistakes": validation.validate_mistakes,
    "validate-peers": validation.validate_peers,
    "command": measures.command,
    "store": measures.store,
    "handlers": measures.handlers,
    "handlers-slow-disk": measures.handlers_slow_disk,
    "backlog": measures.backlog,
    "simulation": measures.simulation,
    "engine": measures.engine,
    "idle": measures.idle,
    "flip": conditions.flip,
    "flapping": conditions.flapping,
    "punctuality": punctuality.punctuality,
    "sources": conditions.sources,
}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = [line.partition(": ")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else platform.machine()


def main():
    names = sys.argv[1:] or list(MEASURES)
    if unknown := set(names) - set(MEASURES):
        sys.exit(f"run.py: no measure {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    print(f"{processor()}, Linux {platform.release()}, commit {commit.stdout.strip()}\n", flush=True)
    print("| what | bgrun | floor | ratio | limit | within |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(dir=".build", prefix="bench-") as folder:
        bench = Workbench(folder)
        for name in names:
            for row in MEASURES[name](bench):
                print(row.text(), flush=True)


if __name__ == "__main__":
    main()
