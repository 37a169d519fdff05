"""The processes of a folder, and how to end them.

    guard.py FOLDER   waits for the end of the input, ends everything that runs in a folder, and removes the folder
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def directory(pid):
    """The working directory of a process; empty if the process has ended."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def processes(folder):
    """The processes whose working directory is a folder or below it, also if it was removed."""
    numbers = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    return [number for number in numbers if f"{directory(number)}/".startswith(f"{folder}/")]


def send(number, *pids):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def kill_all(folder):
    while found := processes(folder):
        send(signal.SIGKILL, *found)
        time.sleep(0.02)


def postmaster(folder):
    """The process ID of the PostgreSQL server in a folder; `None` if it does not run."""
    try:
        pid = int(pathlib.Path(folder, "data", "postmaster.pid").read_text().split()[0])
        return pid if pid in processes(folder) else None
    except (OSError, ValueError, IndexError):
        return None


def remove_shared_memory(folder):
    """Removes what a killed PostgreSQL server leaves in the system."""
    try:
        number = pathlib.Path(folder, "data", "postmaster.pid").read_text().split("\n")[6].split()[1]
        subprocess.run(["ipcrm", "--shmem-id", number], capture_output=True)
    except (OSError, IndexError):
        pass


def guard(folder):
    """Waits for the end of the input, and ends everything in a folder."""
    sys.stdin.read()
    folders = [str(path) for path in pathlib.Path(folder).iterdir() if path.is_dir()]
    servers = [pid for pid in map(postmaster, folders) if pid]
    # PostgreSQL removes its shared memory only if it is not killed. Its processes have another working directory.
    send(signal.SIGKILL, *(pid for pid in processes(folder) if os.path.dirname(directory(pid)) == folder))
    send(signal.SIGQUIT, *servers)
    send(signal.SIGCONT, *processes(folder))
    end = time.monotonic() + 10
    while processes(folder) and time.monotonic() < end:
        time.sleep(0.02)
    kill_all(folder)
    for each in folders:
        remove_shared_memory(each)
    shutil.rmtree(folder, ignore_errors=True)


def command(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    guard(sys.argv[1])
