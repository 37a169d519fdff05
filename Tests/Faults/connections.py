"""Opens and closes many connections to the gRPC port, and measures the memory that the server retains.

Half of the connections send nothing, as load balancers do; a quarter make a call; a quarter make a call and break
HTTP/2's rules in the same segment.

    connections.py [CONNECTIONS]  20000; by hand 100000
    connections.py --fat          with a server that takes 64 KiB for each connection, to see that the test can fail
"""

import pathlib
import sys
import threading

from faults import Broken, Server, count, expect, main, shim

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Fuzz"))
import http2  # noqa: E402, found by the path above

THREADS = 4
# One arena of the allocator, which returns free memory. With several, the test would measure their number.
STEADY = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "65536"}
# The bytes that a connection may leave behind, and the growth that counts as noise.
BYTES, NOISE_KILOBYTES = 50, 6 << 10
CALL = (
    http2.headers_frame(1, http2.call_headers("/grpc.health.v1.Health/Check")) + http2.data_frame(1, http2.message()))
# SETTINGS of one byte.
MALFORMED = http2.frame(http2.SETTINGS, 0, 0, b"\0")


def open_and_close(port, connections):
    """Opens and closes connections on several threads."""
    errors = []

    def work(number):
        try:
            for index in range(number, connections, THREADS):
                connection = http2.Connection(port)
                if index // THREADS % 4 == 1:
                    connection.send(CALL)
                    expect(connection.answer(1), "a call has no response")
                elif index // THREADS % 4 == 3:
                    connection.send(CALL + MALFORMED)
                    expect(connection.answer(3) is None, "a malformed frame is accepted")
                connection.close()
        except (OSError, Broken) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(not errors, f"a connection failed: {errors[:1]}")


def run(folder):
    name = next((argument.removeprefix("--") for argument in sys.argv[1:] if argument.startswith("--")), None)
    connections = count(20_000)
    # A connection counts until the server has detected that it is closed.
    server = Server(
        folder, "--grpc-listen", "127.0.0.1:0", "--limit", "connections-per-address=10000",
        environment={**STEADY, **(shim(folder, name) if name else {})})
    server.start()
    port = int(server.grpc_endpoints[0].rpartition(":")[2])
    # Warm-up, until the allocators have allocated their fixed part.
    open_and_close(port, max(2000, connections // 10))
    server.settle()
    before = server.kilobytes()
    open_and_close(port, connections)
    server.settle()
    growth = server.kilobytes() - before
    limit = NOISE_KILOBYTES + connections * BYTES // 1024
    expect(growth <= limit, f"{connections} connections left {growth} KiB behind, {growth * 1024 // connections} bytes each")
    expect(server.stop() == 0, "the server does not stop")
    return f"connections: {connections} opened and closed, {growth:+} KiB"


main(run)
