"""The measures of `bgrun validate`, beside libyaml's bare event loop and beside its peers."""
import os
import pathlib
import subprocess
import sys
import tempfile

from workbench import BGRUN, HERE, Row

SMALL_MANIFEST = """\
version: 1
app: local.benchmark
defaults:
  retry: {maxAttempts: 3, initialDelay: 30s}
jobs:
  - identifier: local.benchmark.refresh
    command: [/bin/true]
    network: any
    schedule: {every: 15m}
    tolerance: 5m
  - identifier: local.benchmark.clean
    description: Compact while the machine is plugged in
    command: [/bin/true]
    requiresExternalPower: true
    schedule: {cron: "0 3 * * *", catchUp: latest}
    timeLimit: 2h
  - identifier: local.benchmark.export
    kind: continuedProcessing
    command: [/bin/true]
    title: Exporting
"""


def validate_large(bench):
    """10,000 jobs against libyaml's bare event loop, whole processes."""
    manifest = bench.folder / "large.yaml"
    with open(manifest, "w", encoding="utf-8") as file:
        subprocess.run(["python3", HERE / "generate_manifest.py", "--jobs", "10000"],
                       check=True, stdout=file)
    floor, ours = bench.in_turns(
        15, [bench.floor("libyaml_floor", "-lyaml"), manifest], [BGRUN, "validate", manifest])
    yield Row("`validate`, 10,000 jobs", f"{ours.milliseconds:.1f} ms",
              f"libyaml event loop {floor.milliseconds:.1f} ms",
              ours.milliseconds / floor.milliseconds, 1.3)
    yield Row("its peak memory", f"{ours.mebibytes:.1f} MiB", f"{floor.mebibytes:.1f} MiB",
              ours.mebibytes, 24, "MiB")


def validate_small(bench):
    """20 lines against a C program that loads libyaml: the cost of starting."""
    manifest = bench.folder / "small.yaml"
    manifest.write_text(SMALL_MANIFEST, encoding="utf-8")
    floor, ours = bench.in_turns(
        101, [bench.floor("libyaml_floor", "-lyaml"), manifest], [BGRUN, "validate", manifest])
    shown = f"{ours.milliseconds:.2f} ms", f"C with libyaml {floor.milliseconds:.2f} ms"
    yield Row("`validate`, 20 lines", *shown, ours.milliseconds / floor.milliseconds, 4)
    yield Row("the same, in time", *shown, ours.milliseconds, 5, "ms")


def validate_files(bench):
    """1,000 files of two jobs each, found in a folder, against the event loop over the same files."""
    folder = bench.folder / "many"
    subprocess.run(["python3", HERE / "generate_manifest.py", "--many", folder], check=True)
    files = sorted(folder.rglob("*.yaml"))
    floor, ours = bench.in_turns(
        15, [bench.floor("libyaml_floor", "-lyaml"), *files], [BGRUN, "validate", folder])
    yield Row(f"`validate`, {len(files):,} files", f"{ours.milliseconds:.1f} ms",
              f"libyaml event loop {floor.milliseconds:.1f} ms",
              ours.milliseconds / floor.milliseconds, 1.3)


def validate_mistakes(bench):
    """10,000 jobs of which 100 have a mistake: each is told with its line, caret and fix."""
    manifest = bench.folder / "mistakes.yaml"
    with open(manifest, "w", encoding="utf-8") as file:
        subprocess.run(["python3", HERE / "generate_manifest.py", "--jobs", "10000", "--mistakes",
                        "100"], check=True, stdout=file)
    floor, ours = bench.in_turns(
        15, [bench.floor("libyaml_floor", "-lyaml"), manifest], [BGRUN, "validate", manifest],
        statuses=[0, 1])
    yield Row("`validate`, 10,000 jobs, 100 mistakes", f"{ours.milliseconds:.1f} ms",
              f"libyaml event loop {floor.milliseconds:.1f} ms",
              ours.milliseconds / floor.milliseconds, 1.5)


PEERS = {
    "check-jsonschema": ("check-jsonschema==0.39.0", ["--schemafile", "SCHEMA"]),
    "yamllint": ("yamllint==1.38.0", ["--config-data", "{extends: relaxed, rules: {line-length: disable}}"]),
    "jsonschema": ("sourcemeta-jsonschema==17.3.0", ["validate", "SCHEMA"]),
}


def validate_peers(bench):
    """1,000 jobs, beside what people check YAML with; those check against bgrun's own schema, or only
    the layout. They are installed from PyPI into a folder that goes with the bench."""
    manifest = bench.folder / "peers.yaml"
    schema = bench.folder / "schema.json"
    with open(manifest, "w", encoding="utf-8") as file:
        subprocess.run(["python3", HERE / "generate_manifest.py", "--jobs", "1000"], check=True,
                       stdout=file)
    with open(schema, "w", encoding="utf-8") as file:
        subprocess.run([BGRUN, "schema"], check=True, stdout=file)
    with tempfile.TemporaryDirectory() as folder:
        for name, (package, arguments) in PEERS.items():
            program = _installed(pathlib.Path(folder), name, package)
            if not program:
                print(f"run.py: {package} can't be installed; it is left out", file=sys.stderr)
                continue
            arguments = [str(schema) if word == "SCHEMA" else word for word in arguments]
            peer, ours = bench.in_turns(
                5, [program, *arguments, manifest], [BGRUN, "validate", manifest])
            yield Row(f"`validate`, 1,000 jobs, beside {name}",
                      f"{ours.milliseconds:.1f} ms, {ours.mebibytes:.1f} MiB",
                      f"{peer.milliseconds:.0f} ms, {peer.mebibytes:.1f} MiB",
                      ours.milliseconds / peer.milliseconds)


def _installed(folder, name, package):
    """The program of a package of PyPI, installed into a virtual environment of its own."""
    environment = folder / name
    commands = [[sys.executable, "-m", "venv", environment],
                [environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check",
                 package]]
    for command in commands:
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            return None
    program = environment / "bin" / name
    return program if os.access(program, os.X_OK) else None
