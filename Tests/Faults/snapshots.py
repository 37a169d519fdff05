"""Opens watches with a snapshot that no client reads, and measures their total memory in the server.

    snapshots.py [WATCHES]    30 of a list of 16 MB; by hand 100, of a list of 64 MB
    snapshots.py --generous   with a server that writes 8 MiB ahead of what a client reads, to see that the test can fail
"""

import socket
import struct
import sys
import time

import faults
from faults import Server, changes_pb2, count, expect, item_writes_pb2, main, new_item

ITEM_SIZE, BATCH = 16 << 10, 100
# The bound is 64 MiB for 100 watches.
MEBIBYTES_EACH = 0.64


def fill(server, size):
    channel = server.connect()
    for start in range(0, size, BATCH * ITEM_SIZE):
        batch = []
        for number in range(BATCH):
            item = new_item(f"Item {start // ITEM_SIZE + number}")
            item.description = "x" * ITEM_SIZE
            batch.append(item)
        request = item_writes_pb2.BatchAddItemsRequest(items=batch)
        channel.call(faults.SERVICE + "BatchAddItems", request, item_writes_pb2.BatchAddItemsResponse, 60)
    channel.close()


def watch(path):
    """Requests a snapshot and reads nothing."""
    connection = socket.socket(socket.AF_UNIX)
    # Small socket buffers, because the server has already sent the data in the system's buffers.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(path)
    payload = changes_pb2.WatchItemsRequest(with_snapshot=changes_pb2.StartWithSnapshot()).SerializeToString()
    call = faults.ttrpc_channel.ttrpc_pb2.Request(service="todo.v1.ToDoService", method="WatchItems", payload=payload)
    data = call.SerializeToString()
    connection.sendall(struct.pack(">IIBB", len(data), 1, faults.ttrpc_channel.REQUEST, 1) + data)
    return connection


def run(folder):
    watches = count(30)
    size = (64 if watches >= 100 else 16) << 20
    arguments = ["--limit", "write-stall-time=10m"]
    if "--generous" in sys.argv:
        arguments += ["--limit", "output-pause=8MiB", "--limit", "output-limit=16MiB"]
    server = Server(folder, *arguments)
    server.start()
    fill(server, size)
    path = server.endpoint.removeprefix("unix://")
    # Fixed allocations of the first watch, such as the reading connection, are not the cost of a watch.
    first = watch(path)
    time.sleep(1)
    server.settle()
    before = server.kilobytes()
    connections = [watch(path) for _ in range(watches)]
    time.sleep(1)
    server.settle()
    mebibytes = (server.kilobytes() - before) / 1024
    for connection in [first, *connections]:
        connection.close()
    expect(
        mebibytes <= MEBIBYTES_EACH * watches,
        f"{watches} unread watches of a list of {size >> 20} MiB take {mebibytes:.0f} MiB")
    expect(server.stop() == 0, "the server does not stop")
    return f"snapshots: {watches} unread watches of a list of {size >> 20} MiB take {mebibytes:.0f} MiB"


main(run)
