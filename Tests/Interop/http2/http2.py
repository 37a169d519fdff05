"""Sends each of the cases to the ports of a server that speak HTTP/2, and compares the answers.

    http2.py GRPC-ADDRESS HTTP-ADDRESS [TEXT]     TEXT: only the cases whose section or name contains it
"""

import sys

from cases import Subject, cases
from connection import *


def answer(connection, stream):
    """What the server has answered, as the cases name it."""
    if connection.go_away:
        return f"connection {ERRORS[connection.go_away]}" + ("" if connection.is_closed else ", but stays open")
    if connection.is_closed:
        return "closed"
    if stream in connection.errors:
        return f"stream {ERRORS[connection.errors[stream]]}"
    if connection.is_served(stream):
        return "served"
    return connection.status(stream) if stream in connection.ended else "nothing"


def run(subject, case):
    """Returns the answer to a case."""
    connection = Connection(subject.port)
    try:
        connection.send(case.preface)
        for step in case.steps:
            step(connection) if callable(step) else connection.send(step)
        if case.answer.startswith("c"):
            connection.receive_until(lambda: False)
            return answer(connection, case.stream)
        # A server that closes the connection afterwards would often still answer a call that has arrived with the case.
        connection.send(frame(PING, 0, 0, FIRST_PING))
        connection.receive_until(lambda: FIRST_PING in connection.pings and (
            case.answer == "nothing" or connection.has_ended(case.stream)))
        connection.send(subject.call(LAST_STREAM) + frame(PING, 0, 0, LAST_PING))
        connection.receive_until(lambda: connection.has_ended(LAST_STREAM) and LAST_PING in connection.pings)
        found = answer(connection, case.stream)
        if found.startswith("c") or connection.is_served(LAST_STREAM):
            return found
        return f"{found}, but later calls fail"
    except TimeoutError:
        return f"{answer(connection, case.stream)}, after {SECONDS} s"
    except AssertionError as error:
        return str(error)
    finally:
        connection.socket.close()


def main(grpc, http, text=""):
    grpc, http = (int(address.rpartition(":")[2]) for address in (grpc, http))
    grpc_types = ("application/grpc", "application/grpc")
    failures = 0
    for subject in (
        Subject("gRPC", grpc, *grpc_types, True),
        Subject("HTTP", http, "application/proto", "application/connect+proto", False),
        Subject("HTTP, gRPC", http, *grpc_types, True),
    ):
        for case in cases(subject):
            if text not in f"{case.section} {case.name}":
                continue
            found = run(subject, case)
            if found != case.answer:
                print(f"{subject.name}: {case.section}, {case.name}: {found}; expected: {case.answer}", file=sys.stderr)
                failures += 1
            else:
                print(f"ok {subject.name}: {case.section}, {case.name}")
    sys.exit(1 if failures else 0)


main(*sys.argv[1:])
