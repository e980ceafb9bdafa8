"""A message bus of its own with dbusmock's stand-ins, flipped by lines on standard input.

Run by Debian's Python, which has dbus and dbusmock. For each line "true" or "false" it sets UPower's
OnBattery and prints when it began to, in nanoseconds since 1970.
"""
import subprocess
import sys
import time

import dbus
import dbus.bus

TEMPLATES = {
    "upower": "org.freedesktop.UPower",
    "networkmanager": "org.freedesktop.NetworkManager",
    "logind": "org.freedesktop.login1",
    "power_profiles_daemon": "net.hadess.PowerProfiles",
}


def main():
    folder = sys.argv[1]
    address = f"unix:path={folder}/bus"
    with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
        file.write(f"<busconfig><listen>{address}</listen><auth>EXTERNAL</auth>"
                   "<policy context='default'><allow send_destination='*' eavesdrop='true'/>"
                   "<allow eavesdrop='true'/><allow own='*'/></policy></busconfig>")
    processes = [subprocess.Popen(
        ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"],
        stdout=subprocess.PIPE, text=True)]
    try:
        processes[0].stdout.readline()
        bus = dbus.bus.BusConnection(address)
        for template in TEMPLATES:
            processes.append(subprocess.Popen(
                [sys.executable, "-m", "dbusmock", "--template", template],
                env={"DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address,
                     "PATH": "/usr/bin:/bin"}, stdout=subprocess.DEVNULL))
        for name in TEMPLATES.values():
            while not bus.name_has_owner(name):
                time.sleep(0.05)
        power = dbus.Interface(bus.get_object("org.freedesktop.UPower", "/org/freedesktop/UPower"),
                               "org.freedesktop.DBus.Properties")
        print("ready", flush=True)
        for line in sys.stdin:
            began = time.time_ns()
            power.Set("org.freedesktop.UPower", "OnBattery", line.strip() == "true")
            print(began, flush=True)
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
