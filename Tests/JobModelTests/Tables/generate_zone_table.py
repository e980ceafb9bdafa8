#!/usr/bin/env python3
"""Writes what Python's zoneinfo says about every time zone, for TimeZoneTableTests.

    generate_zone_table.py              writes zones.tsv and zone-fixtures.tsv beside this file
    generate_zone_table.py --live ZONE… prints the table's lines for zones of this machine

A line of zones.tsv holds, separated by tabs: the FNV-1a checksum of a TZif file's bytes; the
zones that have exactly these bytes; the local time types as offset and abbreviation; and the
changes from 1900 to 2100: the type at the start, then for each change the seconds since the one
before (in base 36) and the type that begins. Python isn't asked for its transitions, which it
doesn't publish: each day's offset is compared with the next one's, and the change in between is
found by halving.

zone-fixtures.tsv holds the bytes, in hexadecimal, of some zones compiled in zic's slim form,
whose future is in their footer; their checksums stand in zones.tsv too. So the tests run on
machines without a tz database or with a newer one.
"""

import io
import pathlib
import subprocess
import sys
import tempfile
import zoneinfo
from datetime import datetime, timezone

DATABASE = pathlib.Path("/usr/share/zoneinfo")
HERE = pathlib.Path(__file__).parent
START = int(datetime(1900, 1, 1, tzinfo=timezone.utc).timestamp())
END = int(datetime(2100, 1, 1, tzinfo=timezone.utc).timestamp())
DAY = 86400

# Zones with something peculiar: half-hour and negative daylight time, footers beyond 24 hours,
# days left out or repeated, abbreviations without letters, no change ever.
FIXTURES = """
Africa/Cairo Africa/Casablanca Africa/Johannesburg Africa/Monrovia America/Argentina/Buenos_Aires
America/Caracas America/Havana America/Los_Angeles America/New_York America/Nuuk America/Santiago
America/Sao_Paulo America/Scoresbysund America/St_Johns Antarctica/Troll Asia/Amman Asia/Gaza
Asia/Jerusalem Asia/Kathmandu Asia/Kolkata Asia/Manila Asia/Pyongyang Asia/Riyadh Asia/Tehran
Asia/Tokyo Atlantic/Azores Atlantic/Reykjavik Australia/Adelaide Australia/Lord_Howe
Australia/Sydney Etc/GMT+12 Europe/Berlin Europe/Dublin Europe/Lisbon Europe/London Europe/Madrid
Europe/Moscow Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Honolulu Pacific/Kiritimati
Pacific/Norfolk UTC
""".split()


def checksum(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def base36(number):
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def line(names, data):
    zone = zoneinfo.ZoneInfo.from_file(io.BytesIO(data), key=names[0])
    types = []

    def type_at(seconds):
        local = datetime.fromtimestamp(seconds, zone)
        kind = (int(local.utcoffset().total_seconds()), local.tzname())
        if kind not in types:
            types.append(kind)
        return types.index(kind)

    latest, current = START, type_at(START)
    changes = [str(current)]
    for day in range(START, END, DAY):
        following = type_at(day + DAY)
        if following == current:
            continue
        low, high = day, day + DAY
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if type_at(middle) == current else (low, middle)
        current = type_at(high)
        changes.append(f"{base36(high - latest)}:{current}")
        latest = high
    kinds = " ".join(f"{offset},{name}" for offset, name in types)
    return "\t".join([checksum(data), " ".join(names), kinds, " ".join(changes)])


def fixtures():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["/usr/sbin/zic", "-b", "slim", "-d", folder, str(DATABASE / "tzdata.zi")], check=True)
        return [(name, (pathlib.Path(folder) / name).read_bytes()) for name in FIXTURES]


def main():
    if sys.argv[1:2] == ["--live"]:
        for name in sys.argv[2:]:
            print(line([name], (DATABASE / name).read_bytes()))
        return
    names_by_data = {}
    for name in sorted(zoneinfo.available_timezones()):
        names_by_data.setdefault((DATABASE / name).read_bytes(), []).append(name)
    samples = fixtures()
    for name, data in samples:
        names_by_data.setdefault(data, []).append(f"fixture:{name}")
    version = (DATABASE / "tzdata.zi").read_text().splitlines()[0].removeprefix("# version ")
    header = f"# tz database {version}, Python {sys.version.split()[0]}, generate_zone_table.py\n"
    table = "".join(line(names, data) + "\n" for data, names in names_by_data.items())
    (HERE / "zones.tsv").write_text(header + table)
    (HERE / "zone-fixtures.tsv").write_text(
        header + "".join(f"{name}\t{data.hex()}\n" for name, data in samples))


main()
