"""The machine that is measured on: what it is, what it computes, and whether others use it meanwhile."""

import os
import platform
import resource
import time

TICK = os.sysconf("SC_CLK_TCK")


def read(path):
    with open(path) as file:
        return file.read()


def cpu_seconds(process):
    """User and system time of a process so far, to a hundredth of a second."""
    return sum(map(int, read(f"/proc/{process}/stat").rpartition(")")[2].split()[11:13])) / TICK


def resident_megabytes(process, kind="VmRSS"):
    """What it has in memory; `RssAnon` is the part that is not of files, as programs and libraries are."""
    line = next(line for line in read(f"/proc/{process}/status").splitlines() if line.startswith(f"{kind}:"))
    return int(line.split()[1]) / 1024


def busy_seconds():
    """What all processors have spent on all processes so far."""
    user, nice, system, _, _, interrupts, soft, *_ = map(int, read("/proc/stat").split("\n")[0].split()[1:])
    return (user + nice + system + interrupts + soft) / TICK


def own_seconds():
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def wait_for_quiet(patience):
    """Until the machine does next to nothing for a second, or for so many seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        before = busy_seconds()
        time.sleep(1)
        if busy_seconds() - before < 0.1:
            return


class Meanwhile:
    """What the machine spends on others than this script, its clients and a server, from here on."""

    def __init__(self, server=None):
        self.server, self.start = server, time.monotonic()
        self.before = self._others()

    def _others(self):
        server = cpu_seconds(self.server) if self.server else 0
        return busy_seconds() - own_seconds() - server

    def processors(self):
        """How many processors others used; to be asked before the server is stopped."""
        return max(0, self._others() - self.before) / (time.monotonic() - self.start)


def file_system(folder):
    """The type of the file system that a folder is on."""
    mounts = [line.split()[1:3] for line in read("/proc/mounts").splitlines()]
    path = os.path.realpath(folder)
    under = [(len(at), kind) for at, kind in mounts if (path + "/").startswith(at.rstrip("/") + "/")]
    return max(under)[1]


def description(folder):
    """What it is, in words."""
    names = [
        line.split(":", 1)[1].strip() for line in read("/proc/cpuinfo").splitlines() if line.startswith("model name")
    ]
    system = next(
        line.split("=", 1)[1].strip('"')
        for line in read("/etc/os-release").splitlines()
        if line.startswith("PRETTY_NAME=")
    )
    memory = int(read("/proc/meminfo").split()[1]) / (1 << 20)
    virtual = ", virtual" if "hypervisor" in read("/proc/cpuinfo") else ""
    return {
        "processors": f"{os.cpu_count()} x {names[0] if names else platform.machine()}{virtual}",
        "memory": f"{memory:.0f} GiB",
        "system": f"{system}, Linux {platform.release().split('-')[0]}",
        "disk": f"{file_system(folder)}",
    }
