"""The measures of conditions: how soon a change starts a job, and what following them costs."""
import os
import pathlib
import signal
import statistics
import subprocess
import time

from measures import _switches, handler_fixture
from workbench import BGRUN, HERE, Row

FLIPS = 100


class Machine:
    """A runner on a machine whose mains supply is a file, perhaps beside the system's services."""

    def __init__(self, bench, name, has_services, is_handler=False):
        self.folder = bench.folder / name
        self.supply = self.folder / "device/sys/class/power_supply/AC/online"
        for supply, attributes in {
                "AC": {"type": "Mains", "online": "0"},
                "BAT0": {"type": "Battery", "status": "Full", "capacity": "90"}}.items():
            (self.supply.parent.parent / supply).mkdir(parents=True)
            for attribute, text in attributes.items():
                (self.supply.parent.parent / supply / attribute).write_text(f"{text}\n")
        self.job = self.folder / "jobs.yaml"
        self.program = handler_fixture() if is_handler else BGRUN
        self.identifier = "com.example.flip" if is_handler else "local.benchmark.flip"
        action = ("kind: processing" if is_handler
                  else f"command: [{bench.floor('first_line')}]")
        self.job.write_text(
            f"version: 1\njobs:\n  - {{identifier: {self.identifier}, requiresExternalPower: true,"
            f" whenLost: continue, output: {{keep: {FLIPS}}}, {action}}}\n")
        self.environment = os.environ | {
            "BGRUN_DEVICE_ROOT": f"{self.folder}/device", "BGRUN_STATE": f"{self.folder}/state",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/bus"}
        self.services = None
        if has_services:
            self.services = subprocess.Popen(
                ["/usr/bin/python3", HERE / "bus_services.py", self.folder],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.services.stdout.readline()
            self.set_power(False)
        self.runner = subprocess.Popen([self.program, "run", self.job], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.runner.send_signal(signal.SIGTERM)
        self.runner.wait(timeout=30)
        if self.services:
            self.services.stdin.close()
            self.services.wait(timeout=30)

    def set_power(self, is_external):
        """When the change began, in nanoseconds since 1970."""
        if self.services:
            self.services.stdin.write("false\n" if is_external else "true\n")
            self.services.stdin.flush()
            return int(self.services.stdout.readline())
        began = time.time_ns()
        self.supply.write_text("1\n" if is_external else "0\n")
        return began

    def ask(self, *words):
        return subprocess.run([self.program, *words], env=self.environment, check=True,
                              capture_output=True, text=True).stdout

    def first_line(self, run):
        """What a run wrote, once it is there."""
        log = pathlib.Path(f"{self.folder}/state/output/{self.identifier}/{run}.log")
        for _ in range(1000):
            if log.exists() and (text := log.read_text()).endswith("\n"):
                return int(text)
            time.sleep(0.01)
        raise SystemExit(f"conditions: run {run} did not start")


def flip(bench):
    """From the change of a supply to the first line of what waited for it."""
    for what, name, has_services, is_handler, limits in (
            ("a command", "a file", False, False, (10, 20)),
            ("a command", "UPower on the bus", True, False, (10, 20)),
            ("a handler in a warm worker", "a file", False, True, (2, 10))):
        with Machine(bench, f"flip-{has_services}-{is_handler}", has_services,
                     is_handler) as machine:
            taken = []
            for number in range(FLIPS):
                machine.set_power(False)
                machine.ask("submit", machine.identifier)
                time.sleep(0.3)
                began = machine.set_power(True)
                line = machine.first_line(number + 1)
                # The first one starts the worker.
                if number > 0:
                    taken.append((line - began) / 1e6)
                time.sleep(0.3)
        taken.sort()
        middle, late = statistics.median(taken), taken[len(taken) * 99 // 100]
        yield Row(f"flip to first line of {what}, {name}, p50", f"{middle:.1f} ms", "none",
                  middle, limits[0], "ms")
        yield Row("the same, p99", f"{late:.1f} ms", "none", late, limits[1], "ms")


def flapping(bench):
    """A supply that flips 1,000 times a second for ten seconds, and its last state."""
    with Machine(bench, "flapping", False) as machine:
        before = _processor_time(machine.runner.pid)
        began = time.perf_counter()
        for number in range(10_000):
            machine.set_power(number % 2 == 0)
            ahead = began + (number + 1) / 1000 - time.perf_counter()
            if ahead > 0:
                time.sleep(ahead)
        seconds = time.perf_counter() - began
        share = 100 * (_processor_time(machine.runner.pid) - before) / seconds
        machine.ask("submit", "local.benchmark.flip")
        machine.set_power(True)
        machine.first_line(1)
    yield Row("1,000 flips a second", f"{share:.1f} % of a core", "none", share, 10, "%")


def sources(bench):
    """What all sources cost a runner that waits: wake-ups in a minute, and memory."""
    with Machine(bench, "without", False) as machine:
        alone = _memory(machine.runner.pid)
    with Machine(bench, "with", True) as machine:
        # Not the one wake-up in which a runner gives back what its start took.
        time.sleep(5)
        memory = _memory(machine.runner.pid)
        before = _switches(machine.runner.pid)
        time.sleep(60)
        switches = _switches(machine.runner.pid) - before
    yield Row("idle with every source connected", f"{switches} wake-ups", "none", switches, 0,
              "a minute")
    more = (memory - alone) / 1024
    yield Row("memory of the bus and its services", f"{memory / 1024:.1f} MiB",
              f"without {alone / 1024:.1f} MiB", more, 2, "MiB")


def _processor_time(process):
    """Seconds that a process and its threads have run."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(process):
    """KiB that belong to a process alone, and its share of libraries."""
    rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in rollup.splitlines()
                if line.startswith("Pss:"))
