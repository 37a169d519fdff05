"""Fills the disk: writes are rejected, reads and deletions work, and once there is space, writes work without a restart.
First with a server, then with the list of the command todo, which opens its database on the full disk each time.

    full.py           as root: it mounts a file system of 8 MiB
    full.py --vague   with a disk that does not say that it is full, to see that the test can fail
"""

import os
import pathlib
import subprocess
import sys

import faults
from faults import Server, add, all_items, check_integrity, expect, main, new_item, shim


def run(folder):
    disk = f"{folder}/disk"
    os.mkdir(disk)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", disk], check=True)
    try:
        result = fill(disk, shim(folder, "vague") if "--vague" in sys.argv else None)
        return f"{result}; {fill_list(f'{disk}/list')}"
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def fill_list(folder):
    """Adds items with the command until the disk is full, and fills the rest of it."""
    program = pathlib.Path(faults.PROGRAM).with_name("todo")

    def todo(*arguments):
        environment = {**os.environ, "XDG_DATA_HOME": folder, **faults.QUIET}
        return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=60)

    expect(todo("add", "Item 0", "--note", "n" * 60_000).returncode == 0, "no item can be added")
    count, refusal = 1, None
    while refusal is None and count < 1000:
        result = todo("add", f"Item {count}", "--note", "n" * 60_000)
        if result.returncode != 0:
            refusal = result.stderr
        else:
            count += 1
    fill_rest(folder)
    result = todo("add", "One more")
    expect(result.returncode != 0 and f"for {folder}/todo" in result.stderr, f"the error is not clear: {result.stderr}")
    expect(todo("list", "--quiet").stdout.count("\n") == count, "the list on the full disk cannot be read")
    refusal = todo("delete", "1")
    expect("--permanently" in refusal.stderr, f"a deletion for good needs no permission: {refusal.stdout}{refusal.stderr}")
    for number in range(1, 4):
        result = todo("delete", str(number), "--permanently")
        expect(result.returncode == 0, f"item {number} cannot be deleted: {result.stderr}")
    os.remove(f"{folder}/ballast")
    expect(todo("add", "There is room again").returncode == 0, "there is room, but no item can be added")
    # The last command has removed its log, so the next one must make one on the full disk.
    fill_rest(folder)
    for _ in range(12):
        result = todo("add", "Used up", "--note", "n" * 60_000, "--allow-duplicate")
        expect("is full" in result.stderr, f"an addition uses the space for deletions: {result.stdout}{result.stderr}")
    for number in range(4, 7):
        result = todo("delete", str(number), "--permanently")
        expect(result.returncode == 0, f"item {number} cannot be deleted after additions: {result.stderr}")
    os.remove(f"{folder}/ballast")
    expect(todo("add", "There is room once more").returncode == 0, "there is room, but no item can be added")
    check_integrity(f"{folder}/todo/items.sqlite")
    return f"of {count} items in a list without a server, 6 were deleted on a full disk"


def fill_rest(folder):
    """Takes all space that is left, down to the last block."""
    with open(f"{folder}/ballast", "wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass


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
        request = faults.item_writes_pb2.DeleteItemRequest(id=added[-1], permanent_if_full=True)
        channel.call(faults.SERVICE + "DeleteItem", request, faults.item_writes_pb2.DeleteItemResponse, 10)
        added.pop()
    added.append(add(channel, new_item("A deletion made room")).id)
    os.remove(ballast)
    # On the same connection to the same server.
    added.append(add(channel, new_item("There is room again")).id)
    expect({item.id for item in all_items(channel)} == set(added), "the list differs from the acknowledged items")
    filled = len(added) - 1
    delete_all(disk, channel, added)
    channel.close()
    expect(server.stop() == 0, "the server does not stop")
    check_integrity(server.database)
    return f"full: after {filled} items the disk was full; reads went on, and writes when there was room; then all were deleted"


def delete_all(disk, channel, added):
    """Fills the disk again, and deletes all items at once."""
    fill_rest(disk)
    request = faults.item_writes_pb2.DeleteItemsRequest(
        selection=faults.item_writes_pb2.DELETE_SELECTION_ALL, permanent_if_full=True
    )
    response = faults.item_writes_pb2.DeleteItemsResponse
    reply = channel.call(faults.SERVICE + "DeleteItems", request, response, 60)
    expect(reply.deleted_count == len(added), f"{reply.deleted_count} of {len(added)} items were deleted")
    expect(not list(all_items(channel)), "items are left after the deletion of all")
    os.remove(f"{disk}/ballast")


main(run)
