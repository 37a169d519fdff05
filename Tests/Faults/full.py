"""Fills the disk: writes are rejected, reads and deletions work, and once there is space, writes work without a restart.

    full.py           as root: it mounts a file system of 8 MiB
    full.py --vague   with a disk that does not say that it is full, to see that the test can fail
"""

import os
import subprocess
import sys

import faults
from faults import Server, add, all_items, check_integrity, expect, main, new_item, shim


def run(folder):
    disk = f"{folder}/disk"
    os.mkdir(disk)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", disk], check=True)
    try:
        return fill(disk, shim(folder, "vague") if "--vague" in sys.argv else None)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def fill(disk, environment):
    ballast = f"{disk}/ballast"
    with open(ballast, "wb") as file:
        file.write(bytes(3 << 20))
    server = Server(disk, environment=environment)
    server.start()
    channel, added, refusal = server.connect(), [], None
    while refusal is None and len(added) < 10_000:
        item = new_item(f"Item {len(added)}")
        item.description = "d" * 20_000
        try:
            added.append(add(channel, item).id)
        except faults.ttrpc_channel.RPCError as error:
            refusal = error
    is_full = refusal is not None and refusal.reason == "STORE_FULL" and refusal.code == 8
    expect(is_full, f"the error is not STORE_FULL: {refusal}")
    expect({item.id for item in all_items(channel)} == set(added), "the list differs from the acknowledged items")
    for _ in range(5):
        request = faults.item_writes_pb2.DeleteItemRequest(id=added[-1])
        channel.call(faults.SERVICE + "DeleteItem", request, faults.item_writes_pb2.DeleteItemResponse, 10)
        added.pop()
    added.append(add(channel, new_item("A deletion made room")).id)
    os.remove(ballast)
    # On the same connection to the same server.
    added.append(add(channel, new_item("There is room again")).id)
    expect({item.id for item in all_items(channel)} == set(added), "the list differs from the acknowledged items")
    channel.close()
    expect(server.stop() == 0, "the server does not stop")
    check_integrity(server.database)
    return f"full: after {len(added) - 1} items the disk was full; reads went on, and writes when there was room"


main(run)
