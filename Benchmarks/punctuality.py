"""How late warnings and forced ends are while both cores have other work."""
import os
import pathlib
import sqlite3
import statistics
import subprocess

from measures import handler_fixture
from workbench import BGRUN, Row

RUNS = 200
LIMIT = 0.3
GRACE = 0.2


def punctuality(bench):
    """Runs with a time limit of 300 ms in workers and as commands, four at a time, beside one busy
    process for each core."""
    busy = [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(os.cpu_count())]
    try:
        with _runner(bench, "warned", handler_fixture(), "") as folder:
            yield from _warnings("a Swift handler", _numbers(folder, "com.example.warned"))
        command = f"command: [{bench.floor('warned')}],"
        with _runner(bench, "warned-command", BGRUN, command) as folder:
            yield from _warnings("a command", _command_lateness(folder))
        with _runner(bench, "killed", handler_fixture(), "") as folder:
            yield from _forced_ends(folder)
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _warnings(what, lateness):
    late = sorted(value / 1e6 for value in lateness)
    p50, p99 = statistics.median(late), late[len(late) * 99 // 100]
    yield Row(f"warning of {what}, earliest", f"{late[0]:.3f} ms", "the time limit", late[0], 0, "ms",
              at_least=True)
    yield Row("the same, p50", f"{p50:.2f} ms late", "the time limit", p50, None, "ms")
    yield Row("the same, p99", f"{p99:.2f} ms late", "the time limit", p99, 5, "ms")


def _command_lateness(folder):
    """What a command was told of its deadline is cut to a millisecond, so it says when the warning
    came, and the store when the run started."""
    starts = _instants(folder, "started_at")
    for log in pathlib.Path(folder, "state/output/com.example.warned-command").iterdir():
        yield int(log.read_text()) - starts[int(log.stem)] * 1000 - LIMIT * 1e9


def _instants(folder, column):
    """Microseconds for each run."""
    database = sqlite3.connect(f"file:{folder}/state/store.db?mode=ro", uri=True)
    return dict(database.execute(f"SELECT run, {column} FROM history WHERE run IS NOT NULL"))


def _forced_ends(folder):
    """From the end of the grace to the recorded end, when everything is gone."""
    ends = _instants(folder, "ended_at")
    late = []
    for log in pathlib.Path(folder, "state/output/com.example.killed").iterdir():
        due = int(log.read_text()) / 1e6 + GRACE * 1e3
        late.append(ends[int(log.stem)] / 1e3 - due)
    late.sort()
    p99 = late[len(late) * 99 // 100]
    yield Row("forced end of a Swift handler, earliest", f"{late[0]:.2f} ms", "the grace's end",
              late[0], 0, "ms", at_least=True)
    yield Row("the same, p99", f"{p99:.2f} ms late", "the grace's end", p99, 20, "ms")


class _runner:
    """A folder in which every run of one job has ended."""

    def __init__(self, bench, name, program, action):
        self.folder = bench.folder / f"punctuality-{name}"
        self.name, self.program = name, program
        self.folder.mkdir()
        (self.folder / "jobs.yaml").write_text(
            "version: 1\nconcurrency: {total: 4}\njobs:\n"
            f"  - {{identifier: com.example.{name}, kind: processing, {action} maxRunning: 4,"
            f" timeLimit: {int(LIMIT * 1000)}ms, expirationGrace: {int(GRACE * 1000)}ms,"
            f" retry: {{maxAttempts: 1}}, output: {{keep: {RUNS}}}}}\n", encoding="utf-8")

    def __enter__(self):
        where = ["--state", self.folder / "state"]
        manifest = self.folder / "jobs.yaml"
        subprocess.run([self.program, "run", manifest, "--drain", *where], check=True,
                       capture_output=True)
        for number in range(RUNS):
            subprocess.run([self.program, "submit", f"com.example.{self.name}", "--key", str(number),
                            *where], check=True, capture_output=True)
        # Ends without success are what is measured, so the exit status says so.
        subprocess.run([self.program, "run", manifest, "--drain", *where], capture_output=True,
                       check=False)
        return self.folder

    def __exit__(self, *_):
        pass


def _numbers(folder, identifier):
    logs = pathlib.Path(folder, f"state/output/{identifier}").iterdir()
    return [float(log.read_text()) for log in logs if log.stat().st_size]
