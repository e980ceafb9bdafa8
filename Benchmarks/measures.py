"""The measures, each a function from a workbench to the rows of its table."""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from workbench import BGRUN, HERE, Row

def command(bench):
    """One command run, from claim to recorded end, against posix_spawn + wait.

    In memory the store costs next to nothing, so what is left is the price of a run: containment,
    captured output, limits. On disk it stands beside what its transactions cost.
    """
    count = 300
    spawn = bench.floor("spawn_floor")

    def spawned():
        said = subprocess.run([spawn, str(count), "/bin/true"], check=True, capture_output=True,
                              text=True).stdout
        return float(said.split()[2])

    floors, memory, disk = [], [], []
    for _ in range(5):
        floors.append(spawned())
        memory.append(_drain(pathlib.Path("/dev/shm"), count))
        disk.append(_drain(bench.folder, count))
    floor = statistics.median(floors)
    for where, times, limit in (("in memory", memory, 1.4), ("on disk", disk, None)):
        each = statistics.median(times)
        yield Row(f"one command run, the store {where}", f"{each:.2f} ms",
                  f"posix_spawn + wait {floor:.2f} ms", each / floor, limit)


def _drain(parent, count):
    """Milliseconds for each of `count` requests that are pending when a runner starts."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        manifest = pathlib.Path(folder, "jobs.yaml")
        manifest.write_text(
            "version: 1\napp: local.benchmark\nconcurrency: {total: 1}\njobs:\n"
            "  - {identifier: local.benchmark.true, command: [/bin/true]}\n", encoding="utf-8")
        where = ["--state", f"{folder}/state"]

        def drain():
            began = time.perf_counter()
            subprocess.run([BGRUN, "run", manifest, "--drain", *where], check=True,
                           capture_output=True)
            return time.perf_counter() - began

        drain()  # makes the store and remembers the manifest
        empty = drain()
        for number in range(count):
            subprocess.run([BGRUN, "submit", "local.benchmark.true", "--key", str(number), *where],
                           check=True, capture_output=True)
        return 1000 * (drain() - empty) / count


def store(bench):
    """Submission, claim and end of a job at synchronous=FULL, beside raw SQLite."""
    rates = collections.defaultdict(list)
    for number in range(5):
        for line in _bgrun_bench("store", bench.folder / f"store-{number}").splitlines():
            what, rate = re.match(r"(.*): (\d+) jobs/s", line).groups()
            rates[what].append(int(rate))
    (floor_name, floor_rates), *ours = rates.items()
    floor = statistics.median(floor_rates)
    for what, taken in ours:
        rate = statistics.median(taken)
        yield Row(f"the store, {what}", f"{rate:.0f} jobs/s", f"{floor_name} {floor:.0f} jobs/s",
                  rate / floor, 1, at_least=True)


def handlers(bench):
    """Swift handlers in workers: how many that do nothing, and how soon one says its first line."""
    said = _bgrun_bench("handlers", bench.folder / "handlers", "HandlerFixture")
    yield from _handler_rates(said, _queue_peers(bench, bench.folder / "queue-peers"), "")
    for what, median, high in re.findall(r"(.*): p50 (\d+) µs, p99 (\d+) µs", said):
        yield Row(what, f"p50 {median} µs", "none", int(median) / 1000, 2, "ms")
        yield Row(what, f"p99 {high} µs", "none", int(high) / 1000, 10, "ms")


def handlers_slow_disk(bench):
    """The same rates where each synchronisation of a file takes a millisecond or more, for all of them."""
    slow = {"LD_PRELOAD": str(bench.floor_library("slow_disk"))}
    said = _bgrun_bench("handlers", bench.folder / "handlers-slow-disk", "HandlerFixture", jobs=1000, **slow)
    peers = _queue_peers(bench, bench.folder / "queue-peers-slow-disk", **slow)
    yield from _handler_rates(said, peers, ", a synchronisation takes 1 ms")


def _handler_rates(said, peers, where):
    floor, ours, single = (int(rate) for rate in re.findall(r": (\d+) jobs/s", said))
    what = f"no-op Swift jobs, 64 outstanding, 2 workers{where}"
    raw = f"raw SQLite, three transactions a job {floor} jobs/s"
    yield Row(what, f"{ours} jobs/s", raw, ours / floor, 8, at_least=True)
    for peer, rate in peers:
        # A peer that never waits for the disk is there to be compared.
        limit = None if "no fsync" in peer else 8
        yield Row(what, f"{ours} jobs/s", f"{peer} {rate} jobs/s", ours / rate, limit, at_least=True)
    yield Row(f"no-op Swift jobs, one at a time{where}", f"{single} jobs/s", raw, single / floor, 0.9,
              at_least=True)


def _queue_peers(bench, folder, **environment):
    """The rates of other queues, installed from PyPI into the bench's folder; what can't be had is
    skipped with a message."""
    folder.mkdir()
    installed = bench.folder / "peers"
    python = installed / "bin/python"
    try:
        if not python.exists():
            subprocess.run(["/usr/bin/python3", "-m", "venv", installed], check=True, capture_output=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "huey", "persist-queue", "litequeue"],
                           check=True, capture_output=True, timeout=120)
    except (subprocess.SubprocessError, OSError) as error:
        print(f"queue peers: not installed ({error}); those that are here are measured", file=sys.stderr)
    if not python.exists():
        python = "/usr/bin/python3"
    said = subprocess.run([python, HERE / "queue_peers.py", folder, "1000"], check=True,
                          stdout=subprocess.PIPE, text=True, env=os.environ | environment).stdout
    for line in said.splitlines():
        if found := re.fullmatch(r"(.*): (\d+) jobs/s", line):
            yield found[1], int(found[2])
        else:
            print(f"queue peers: {line}", file=sys.stderr)


def handler_fixture():
    """The program whose handlers are measured."""
    return _built("HandlerFixture")


def backlog(bench):
    """A claim while 1,000 and while 1,000,000 requests are pending."""
    said = _bgrun_bench("backlog", bench.folder / "backlog")
    few, many, ratio = re.search(
        r"1,000 pending: (.*)\n.*1,000,000 pending: (.*?) \((.*) ×\)", said).groups()
    yield Row("a claim among 1,000,000 pending", many, f"among 1,000 {few}", float(ratio), 1.3)


def simulation(bench):
    """The engine by itself: a year of 100 daily jobs, and what tolerance saves of a day's wake-ups."""
    said = _bgrun_bench("simulation")
    taken = int(re.search(r"a year of 100 jobs: (\d+) ms", said).group(1))
    yield Row("a year of 100 jobs, simulated", f"{taken} ms", "none", taken / 1000, 1, "s")
    exact, tolerant = (int(count) for count in re.findall(r"tolerance of \d+ min: (\d+)", said))
    yield Row("wake-ups a day, 100 daily jobs, tolerance 15 min", str(tolerant),
              f"without tolerance {exact}", tolerant / exact, None)


def engine(bench):
    """The engine by itself: what it costs for each run of a short Swift handler."""
    said = _bgrun_bench("engine")
    taken = int(re.search(r"short runs: (\d+) ns", said).group(1))
    yield Row("the engine for a short Swift run", f"{taken / 1000:.1f} µs", "none", taken / 1000, None, "µs")


def _bgrun_bench(command, folder=None, *others, jobs=None, **environment):
    """What the measurements that need the package's own modules print, for an empty folder where
    they need one; `others` are the products that they start."""
    if folder:
        folder.mkdir()
    program, *_ = [_built(product) for product in ("bgrun-bench", *others)]
    arguments = [program, command] + ([folder] if folder else []) + ([str(jobs)] if jobs else [])
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True,
                          env=os.environ | environment).stdout


def _built(product):
    subprocess.run(["swift", "build", "--configuration", "release", "--quiet", "--product", product],
                   check=True, cwd=HERE.parent)
    return HERE.parent / ".build" / "release" / product


def idle(bench):
    """A runner whose 1,000 requests wait for mains power, for a minute."""
    folder = bench.folder / "idle"
    supplies = folder / "device/sys/class/power_supply"
    for supply, attributes in {
            "AC": {"type": "Mains", "online": "0"},
            "BAT0": {"type": "Battery", "status": "Discharging", "capacity": "50"}}.items():
        (supplies / supply).mkdir(parents=True)
        for attribute, text in attributes.items():
            (supplies / supply / attribute).write_text(f"{text}\n", encoding="utf-8")
    manifest = folder / "jobs.yaml"
    manifest.write_text("version: 1\njobs:\n" + "".join(
        f"  - {{identifier: local.benchmark.job-{number:04}, command: [/bin/true],"
        " requiresExternalPower: true, schedule: {every: 30d}}\n"
        for number in range(1000)), encoding="utf-8")
    environment = os.environ | {"BGRUN_DEVICE_ROOT": f"{folder}/device"}
    runner = subprocess.Popen([BGRUN, "run", manifest, "--state", folder / "state"],
                              env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_until_pending(1000, folder / "state")
        before = _switches(runner.pid)
        time.sleep(60)
        switches = _switches(runner.pid) - before
        resident = _status(runner.pid, "VmRSS") / 1024
        shared_once = sum(_proportional(process) for process in _tree(runner.pid)) / 1024
    finally:
        runner.send_signal(signal.SIGTERM)
        runner.wait(timeout=30)
        shutil.rmtree(folder)
    yield Row("idle, 1,000 pending requests", f"{switches} wake-ups", "none", switches, 0, "a minute")
    yield Row("the runner's resident memory", f"{resident:.1f} MiB", "none", resident, 16, "MiB")
    yield Row("with its keeper, shared pages once", f"{shared_once:.1f} MiB", "none", shared_once,
              16, "MiB")


def _wait_until_pending(count, state):
    for _ in range(100):
        said = subprocess.run([BGRUN, "status", "--json", "--state", state], capture_output=True,
                              text=True)
        if said.returncode == 0:
            jobs = json.loads(said.stdout)
            if sum(job["state"] == "pending" for job in jobs) == count:
                time.sleep(3)  # for the last commit to settle, and the question itself
                return
        time.sleep(0.2)
    raise SystemExit("idle: the runner's requests did not become pending in 20 s")


def _tree(process):
    """The process and everything below it."""
    yield process
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _tree(int(child))


def _status(process, key, task=None):
    path = f"/proc/{process}/task/{task}/status" if task else f"/proc/{process}/status"
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    return 0


def _proportional(process):
    """KiB of memory, pages that processes share counted in part for each."""
    for line in pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _switches(process):
    """Context switches so far of every thread of every process: each wake-up is at least one."""
    return sum(
        _status(member, kind, task.name)
        for member in _tree(process)
        for task in pathlib.Path(f"/proc/{member}/task").iterdir()
        for kind in ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
