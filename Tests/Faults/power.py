"""Cuts the power while clients write: every acknowledged item is on the disk, and the database is intact.

The disk is an ext4 image in memory. What the server wrote and did not sync is in the file system's cache, not in the
image; so a copy of the image, made while the server is halted, is the disk after a cut. Mounting it replays ext4's
journal. The next cut continues from there.

    power.py [CUTS]     as root: it mounts file systems; 5, by hand 200
    power.py --maintenance [CUTS]  cuts the power during backups and restores; 3, by hand 100
    power.py --maintenance --forgetful  with syncs that are not done, to see that this form can fail
    power.py --normal   with SQLite set to sync now and then only, to see that the test can fail
"""

import filecmp
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import faults
import maintenance
from faults import Server, Switch, add, check_items, count, expect, main, new_item, shim

CLIENTS = 8
MEBIBYTES = 96


class Writer(threading.Thread):
    """Adds items until its server has ended."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.channel, self.acknowledged, self.unknown = server.connect(), [], None

    def run(self):
        try:
            while True:
                item = new_item(f"Item {random.random()}")
                self.unknown = item.id
                add(self.channel, item)
                self.acknowledged.append(item.id)
        except (faults.ttrpc_channel.RPCError, OSError):
            self.channel.close()


class Disk:
    """An ext4 file system in an image in memory."""

    def __init__(self, folder):
        self.memory, self.path = f"{folder}/memory", f"{folder}/disk"
        self.image, self.mounted = f"{self.memory}/image", []
        os.mkdir(self.memory)
        os.mkdir(self.path)
        self.mount("-t", "tmpfs", "-o", f"size={5 * MEBIBYTES}m,mode=700", "tmpfs", self.memory)
        with open(self.image, "wb") as file:
            file.truncate(MEBIBYTES << 20)
        subprocess.run(["mkfs.ext4", "-q", self.image], check=True)

    def mount(self, *arguments):
        subprocess.run(["mount", *arguments], check=True)
        self.mounted.append(arguments[-1])

    def switch_on(self):
        self.mount("-o", "loop", self.image, self.path)
        os.chmod(self.path, 0o700)

    def copy(self):
        """The image at one moment. It is copied again if the kernel wrote to it during the copy."""
        copy = f"{self.memory}/copy"
        while True:
            shutil.copyfile(self.image, copy)
            if filecmp.cmp(self.image, copy, shallow=False):
                return copy

    def switch_off(self, copy):
        """Restores the disk from the copy."""
        subprocess.run(["umount", self.mounted.pop()], check=True)
        os.replace(copy, self.image)

    def remove(self):
        for path in reversed(self.mounted):
            subprocess.run(["umount", "-l", path], check=True)


def halt(process):
    process.send_signal(signal.SIGSTOP)
    threads = pathlib.Path(f"/proc/{process.pid}/task")
    # A thread that waits for the disk halts after the wait.
    while any(each.read_text().rpartition(")")[2].split()[0] != "T" for each in threads.glob("*/stat")):
        time.sleep(0.001)


def cut(server, disk):
    """Runs the server and cuts the power; returns the acknowledged items, and those of unknown outcome."""
    server.start()
    writers = [Writer(server) for _ in range(CLIENTS)]
    for writer in writers:
        writer.start()
    time.sleep(random.uniform(0.05, 0.3))
    halt(server.process)
    copy = disk.copy()
    server.kill()
    for writer in writers:
        writer.join(10)
        expect(not writer.is_alive(), "a client waits for a server that has ended")
    disk.switch_off(copy)
    disk.switch_on()
    return {each for writer in writers for each in writer.acknowledged}, {writer.unknown for writer in writers}


def maintain(folder, disk):
    """Backups and restores during which the power is cut."""
    environment, forgetful = None, "--forgetful" in sys.argv
    if forgetful:
        syncs = Switch(folder, "sync")
        syncs.set(1)
        environment = syncs.environment

    def cut_all(processes, seconds):
        if forgetful:
            # A command that ends without a sync has acknowledged data that is not on the disk.
            processes[0].wait(60)
        else:
            time.sleep(seconds)
        ended = processes[0].poll() == 0
        for process in processes:
            if process.poll() is None:
                halt(process)
        copy = disk.copy()
        for process in processes:
            process.kill()
            process.wait()
        disk.switch_off(copy)
        disk.switch_on()
        return ended

    disk.switch_on()
    return "power: " + maintenance.Maintenance(disk.path, cut_all, environment).run(count(3))


def run(folder):
    disk = Disk(folder)
    try:
        return maintain(folder, disk) if "--maintenance" in sys.argv else cuts(folder, disk)
    finally:
        for process in faults.started:
            process.kill()
            process.wait()
        disk.remove()


def cuts(folder, disk):
    disk.switch_on()
    environment = shim(folder, "normal") if "--normal" in sys.argv else None
    server = Server(disk.path, "--max-items", "100000000", environment=environment)
    acknowledged, unknown, times = set(), set(), count(5)
    for _ in range(times):
        more, perhaps = cut(server, disk)
        acknowledged |= more
        unknown |= perhaps
    check_items(server, acknowledged, unknown)
    return f"power: {times} cuts, {CLIENTS} clients, {len(acknowledged)} acknowledged items: none lost, none duplicated"


main(run)
