"""Measures what a user's calls cost while another user, or a caller without credentials, attacks the server.

An undisturbed phase and an attack take turns. REPORT.md says what is measured, and when an attack counts as harmful.

    neighbours.py [SECONDS] [ATTACK...]   1 second a phase; by hand 10, which also makes the attacks on memory larger, and
                                          includes those over HTTP that have never done harm, and the member's
    neighbours.py --list                  prints the attacks
    neighbours.py --own                   the attacks "edits" and "batches" with the victim's own token, on its own
                                          list: harm is expected there, to see that the test can fail
"""

import contextlib
import glob
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time

from attacks import ALL
from backups import BackupLoop, add_history
from faults import PROGRAM, Server, administer, count, expect, main, started
from measurement import Measurement, machine_slowness, transaction
from victim import Victim, share_list

# A debug build takes about ten times as long as a release build for the same work.
SLOWNESS = 10 if "/debug/" in PROGRAM else 1
SETTLE_SECONDS = 15
LONG_SECONDS = 10
# The error reasons of requests that the server rejects without work.
INEFFECTIVE = {"MESSAGE_TOO_LARGE", "MALFORMED_REQUEST", "INVALID_STREAM", "INVALID_ITEM", "INVALID_REQUEST"}
OWN = ("edits", "batches")


class EmptyGeocoder(http.server.BaseHTTPRequestHandler):
    """Responds like a Nominatim server that does not find any address."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *arguments):
        pass


class Ports(Server):
    """A server that every protocol reaches. `attacked` has the endpoints for ttrpc, gRPC and HTTP."""

    def __init__(self, folder, *arguments):
        listeners = ["--listen", "tcp://127.0.0.1:0", "--grpc-listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"]
        super().__init__(folder, *listeners, *arguments)

    def start(self):
        super().start()
        # The base class expects no line for HTTP, so one is left, whichever it is.
        last = self.process.stdout.readline().decode().split()[-1]
        endpoints = [*self.endpoints, *self.grpc_endpoints, last]
        self.attacked = [
            next(each for each in endpoints if each.startswith(start)) for start in ("tcp://", "grpc+", "http+")]


class Attacker:
    """The process that attacks."""

    def __init__(self, name, server, token, scale):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "attacks", name, *server.attacked, str(scale)],
            cwd=os.path.dirname(os.path.abspath(__file__)), env={**os.environ, "TODO_TOKEN": token}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(self.process)
        line = self.process.stdout.readline().split()
        expect(line[:1] == ["ready"], f"the attack {name} cannot be prepared")
        self.transaction = float(line[1])

    def command(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def stop(self):
        """Returns the number of replies of each kind."""
        self.command("stop")
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def settle(server):
    """Returns whether the server becomes idle within a time limit."""
    end, before = time.monotonic() + SETTLE_SECONDS, server.cpu() - 1
    while server.cpu() - before > 0.02:
        if time.monotonic() > end:
            return False
        before = server.cpu()
        time.sleep(0.2)
    return True


def attack_server(attack, server, victim, attacker, seconds, result):
    """Measures one round, and returns whether the server can be measured again."""
    def add(phase, measured):
        for name, milliseconds in measured.items():
            phase.setdefault(name, []).extend(milliseconds)

    def observe():
        # A process that has ended has no size.
        if server.process.poll() is None:
            result.peak = max(result.peak, server.kilobytes())

    add(result.quiet, victim.measure(seconds, lambda: None)[0])
    result.base = result.base or server.kilobytes()
    attacker.command("go")
    time.sleep(attack.warm_up)
    milliseconds, failures = victim.measure(seconds, observe)
    add(result.attacked, milliseconds)
    for operation, reasons in failures.items():
        result.failures.update({f"{operation} fails: {reason}": number for reason, number in reasons.items()})
    if server.process.poll() is not None:
        result.harm.append(f"the server ends with status {server.process.poll()}")
        return False
    result.replies.update(attacker.stop())
    if not settle(server):
        result.harm.append(f"the server still computes {SETTLE_SECONDS} s after the attack")
        return False
    return True


def attack_in_rounds(name, server, tokens, seconds, slowness):
    """Returns the measurement of one attack on a server that has just started."""
    attack = ALL[name]
    shared = share_list(server.attacked[0], tokens["ann"], "mallory") if attack.is_in_shared_list else ""
    if name == "backup":
        attacker = BackupLoop(server.folder)
    else:
        attacker = Attacker(name, server, tokens["mallory"], LONG_SECONDS if seconds >= LONG_SECONDS else 1)
    result = Measurement(attack, slowness, attacker.transaction)
    victim = Victim(server.attacked[0], tokens["ann"], geocodes=name == "geocoder", list_id=shared)
    settle(server)
    for _ in range(attack.rounds):
        if not attack_server(attack, server, victim, attacker, seconds * attack.duration, result):
            break
        if seconds < LONG_SECONDS and result.is_clear():
            break
    wrong = INEFFECTIVE & result.replies.keys()
    missing = not result.harm and set(attack.required) - result.replies.keys()
    expect(not wrong and not missing and (result.replies or result.harm),
           f"the attack {name} has no effect: {result.replies}")
    attacker.end()
    result.judge()
    return result


def measure(name, folder, tokens, seconds, slowness, geocoder):
    """Starts a server for one attack, and returns its measurement."""
    os.makedirs(f"{folder}/{name}", exist_ok=True)
    for file in glob.glob(f"{folder}/items.sqlite*"):
        shutil.copy(file, f"{folder}/{name}")
    if name == "backup":
        add_history(f"{folder}/{name}/items.sqlite")
    arguments = [each.format(geocoder=geocoder) for each in ALL[name].arguments]
    server = Ports(f"{folder}/{name}", *arguments)
    server.start()
    try:
        return attack_in_rounds(name, server, tokens, seconds, slowness)
    finally:
        server.kill()
        shutil.rmtree(f"{folder}/{name}")


def run(folder):
    if "--list" in sys.argv:
        return "\n".join(f"{name:15} {attack.__doc__}" for name, attack in ALL.items())
    own, seconds = "--own" in sys.argv, count(1)
    standard = [name for name, attack in ALL.items() if seconds >= LONG_SECONDS or not attack.is_by_hand]
    names = OWN if own else [each for each in sys.argv[1:] if each in ALL] or standard
    tokens = {}
    for name in ("ann", "mallory"):
        store = f"sqlite:{folder}/items.sqlite"
        administer(store, "user", "add", name)
        tokens[name] = administer(store, "token", "add", name)
    if own:
        tokens["mallory"] = tokens["ann"]
    geocoder = http.server.ThreadingHTTPServer(("127.0.0.1", 0), EmptyGeocoder)
    threading.Thread(target=geocoder.serve_forever, daemon=True).start()
    slowness = SLOWNESS * machine_slowness([transaction() for _ in range(50)])
    print(f"the limits are {slowness:.1f} times those of a release build on a normal machine", flush=True)
    harmful = {}
    for name in names:
        # Other processes can disturb a measurement, so harm counts only if it is repeatable.
        for _ in range(3):
            result = measure(name, folder, tokens, seconds, slowness, f"http://127.0.0.1:{geocoder.server_port}")
            print(f"{name}: {result}", flush=True)
            if not result.harm:
                break
        else:
            harmful[name] = result.harm[0]
    summary = ", ".join(f"{name} ({harm})" for name, harm in harmful.items())
    expect(not harmful, f"{len(harmful)} of {len(names)} attacks harm another user: {summary}")
    return f"neighbours: {len(names)} attacks, and another user's calls take less than 5 times as long as without"


main(run)
