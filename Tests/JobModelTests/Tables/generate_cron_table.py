#!/usr/bin/env python3
"""Writes when cronsim and croniter fire random cron expressions, for CronTableTests.

    pip install cronsim==2.8 croniter==7.0.0; generate_cron_table.py

Both are asked only where their rules are ours: cronsim, which follows Debian's cron, in zones with
daylight time; croniter in UTC, where both must agree or the row is an error here. A line holds,
separated by tabs: the expression, the zone, the instant to start from, and the instants that
follow as seconds from the one before. The random numbers are seeded: the same packages write the
same file.
"""

import pathlib
import random
import sys
from datetime import datetime, timezone
from importlib.metadata import version
from zoneinfo import ZoneInfo

from croniter import croniter
from cronsim import CronSim

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
DAYS = "SUN MON TUE WED THU FRI SAT".split()
ZONES = ["Europe/Berlin", "America/New_York", "Europe/Dublin", "America/Santiago", "Europe/Lisbon",
         "Pacific/Auckland", "Africa/Cairo"]  # whole-hour changes; cronsim hangs on others
START = int(datetime(1975, 1, 1, tzinfo=timezone.utc).timestamp())
END = int(datetime(2060, 1, 1, tzinfo=timezone.utc).timestamp())

choose = random.Random(8536)


def item(low, high, names):
    def name(value):
        return names[value - low] if names and value - low < len(names) and choose.random() < 0.3 \
            else str(value)

    kind = choose.random()
    if kind < 0.5:
        return name(choose.randint(low, high))
    first = choose.randint(low, high - 1)
    last = choose.randint(first + 1, high)
    text = f"{first}-{last}" if last > high - 1 or choose.random() < 0.7 \
        else f"{name(first)}-{name(last)}"
    if kind > 0.8:
        text += f"/{choose.randint(1, last - first)}"
    return text


def field(low, high, unset, stepped, names=None):
    kind = choose.random()
    if kind < unset:
        return "*"
    if kind < unset + stepped:
        return f"*/{choose.randint(1, high - low)}"
    return ",".join(item(low, high, names) for _ in range(choose.choice([1, 1, 1, 2, 3])))


def expression():
    day, weekday = field(1, 31, 0.5, 0.1), field(0, 6, 0.6, 0.05, DAYS)
    # */n beside another day field is a mistake for us.
    if "*/" in day and weekday != "*" or "*/" in weekday and day != "*":
        weekday, day = "*", "*"
    return " ".join([field(0, 59, 0.15, 0.15), field(0, 23, 0.25, 0.15), day,
                     field(1, 12, 0.6, 0.1, MONTHS), weekday])


def from_cronsim(text, zone, start, count):
    iterator = CronSim(text, datetime.fromtimestamp(start, ZoneInfo(zone)))
    return [int(next(iterator).timestamp()) for _ in range(count)]


def from_croniter(text, start, count):
    iterator = croniter(text, datetime.fromtimestamp(start, timezone.utc))
    return [int(iterator.get_next(datetime).timestamp()) for _ in range(count)]


def start_near_change(zone):
    """An instant in the two days before a change of the zone's clocks."""
    while True:
        day = choose.randrange(START, END, 86400)
        offsets = [datetime.fromtimestamp(day + hours * 3600, ZoneInfo(zone)).utcoffset()
                   for hours in (0, 48)]
        if offsets[0] != offsets[1]:
            return day + choose.randrange(3600)


def row(text, zone, start, instants):
    steps = [later - earlier for earlier, later in zip([start] + instants, instants)]
    return "\t".join([text, zone, str(start), " ".join(map(str, steps))]) + "\n"


def main():
    rows, seen = [], 0
    while len(rows) < 1500:
        text, start = expression(), choose.randrange(START, END)
        try:
            instants = from_cronsim(text, "UTC", start, 5)
        except Exception:  # a date that never comes
            continue
        if instants[-1] > END + 40 * 366 * 86400:
            continue
        others = from_croniter(text, start, 5)
        if instants != others:
            sys.exit(f"{text} from {start}: cronsim {instants}, croniter {others}")
        rows.append(row(text, "UTC", start, instants))
    while len(rows) < 4000:
        # Times around the change: the day fields are left alone.
        text = f"{field(0, 59, 0.1, 0.2)} {field(0, 4, 0.15, 0.15)} * * *"
        zone = choose.choice(ZONES)
        start = start_near_change(zone)
        rows.append(row(text, zone, start, from_cronsim(text, zone, start, 9)))
    header = f"# cronsim {version('cronsim')}, croniter {version('croniter')}," \
        f" Python {sys.version.split()[0]}, generate_cron_table.py\n"
    path = pathlib.Path(__file__).parent / "cron.tsv"
    path.write_text(header + "".join(rows))


main()
