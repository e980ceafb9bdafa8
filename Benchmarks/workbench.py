"""A folder with the compiled floors, and how a measure is taken and shown."""
import dataclasses
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).parent
BGRUN = HERE.parent / "dist" / "bgrun"


@dataclasses.dataclass
class Row:
    """One line of the table; a limit is an upper bound unless `at_least` is set, and a row without
    one is there to be compared."""
    what: str
    bgrun: str
    floor: str
    value: float
    limit: float | None = None
    unit: str = "×"
    at_least: bool = False

    def text(self):
        limit, verdict = "", ""
        if self.limit is not None:
            is_within = self.value >= self.limit if self.at_least else self.value <= self.limit
            limit = f"{'≥' if self.at_least else '≤'} {self.limit:g} {self.unit}"
            verdict = "yes" if is_within else "no"
        return (f"| {self.what} | {self.bgrun} | {self.floor} | {self.value:.2f} {self.unit} "
                f"| {limit} | {verdict} |")


@dataclasses.dataclass
class Taken:
    """What the runs of one program took."""
    milliseconds: float
    mebibytes: float


class Workbench:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self._compiled = {}

    def floor(self, name, *libraries):
        """The path of a floor, compiled once."""
        return self._compile(name, name, *libraries)

    def floor_library(self, name):
        """The path of a library that is loaded before others, compiled once."""
        return self._compile(name, f"{name}.so", "-shared", "-fPIC")

    def _compile(self, name, product, *options):
        if product not in self._compiled:
            subprocess.run(["cc", "-O2", "-Wall", "-o", self.folder / product,
                            HERE / "floors" / f"{name}.c", *options], check=True)
            self._compiled[product] = self.folder / product
        return self._compiled[product]

    def in_turns(self, rounds, *commands, statuses=None):
        """Runs the commands in turns; the medians of each. A command that doesn't end with its
        status, 0 where none is given, ends the bench."""
        measure = self.floor("measure")
        taken = [[] for _ in commands]
        statuses = statuses or [0] * len(commands)
        for command, status, results in list(zip(commands, statuses, taken)) * rounds:
            done = subprocess.run([measure, str(status), *command], check=True, capture_output=True,
                                  text=True)
            results.append([int(number) for number in done.stdout.split()])
        return [
            Taken(statistics.median(time for time, _ in results) / 1e6,
                  statistics.median(peak for _, peak in results) / 1024)
            for results in taken
        ]
