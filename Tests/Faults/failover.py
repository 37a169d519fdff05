"""Ends parts of a fleet while clients write: no acknowledged item is lost, none is doubled, and writes continue soon.

    failover.py [ROUNDS] [CASE...]  by default those of SHORT; by hand 50. The cases are the names in CASES; by default all
    failover.py --asynchronous      with standbys that the primary does not wait for, to see that the test can fail
    failover.py --careless          with clients that make a new id for each attempt, to see that the test can fail
    failover.py --greedy            with clients whose claims do not require the revision that they read

Each case has a database and a server of its own. 8 clients add items, move some to another list, claim the reminders of others,
and repeat each call until it is acknowledged, an addition with the same ID. A watch resumes after its last revision if it ends.
"""

import signal
import statistics
import sys
import time

from cluster import Fleet, HAProxy, TodoServer
from faults import Broken, count, expect, main
from peers import Load


def postmaster(fleet, load):
    """The primary's PostgreSQL is killed. Its Patroni gives the role to a standby."""
    begin = time.monotonic()
    fleet.primary().kill_postmaster()
    load.expect_writes(begin + 0.5, 10)
    return load.gap(begin)


def member(fleet, load):
    """The primary is lost with its disk, and with all that it wrote since its standbys were cut off a second ago."""
    primary = fleet.primary()
    # Patroni first, because it would replace the synchronous standby.
    primary.process.kill()
    primary.process.wait()
    synchronous = primary.sql("SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'")
    standbys = [each for each in fleet.members if each is not primary]
    other, successor = sorted(standbys, key=lambda each: each.name == synchronous)
    # If the other standby had received more than the successor, it would be rewound before it follows, which takes over
    # 10 s, and longer on a busy disk.
    other.end_replication()
    primary.wait_for_standby(successor, 30)
    successor.end_replication()
    time.sleep(1)
    begin = time.monotonic()
    primary.kill()
    primary.lose_disk()
    for standby in standbys:
        standby.signal(signal.SIGCONT)
    load.expect_writes(begin + 0.5, 30)
    primary.start()
    return load.gap(begin)


def frozen(fleet, load):
    """The primary is frozen, and resumes when there is another. The server then has to choose between both."""
    begin = time.monotonic()
    former = fleet.primary()
    former.freeze()
    load.expect_writes(begin + 0.5, 30)
    gap = load.gap(begin)
    current = fleet.primary()
    former.signal(signal.SIGCONT)
    for _ in range(10):
        current.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'todo'")
        time.sleep(0.1)
    load.expect_writes(time.monotonic(), 30)
    expect(fleet.wait_until_complete() is current, "the former primary takes the role back")
    return gap


def etcd(fleet, load):
    """etcd does not respond for some time. A primary that gives its role up leaves writes waiting for etcd."""
    begin = time.monotonic()
    fleet.etcd.freeze()
    time.sleep(8)
    fleet.etcd.signal(signal.SIGCONT)
    load.expect_writes(time.monotonic(), 30)
    return load.gap(begin)


def standbys(fleet, load):
    """Both standbys are frozen. Writes are not acknowledged until they resume."""
    primary = fleet.primary()
    frozen = [each for each in fleet.members if each is not primary]
    for standby in frozen:
        standby.freeze()
    begin = time.monotonic()
    load.expect_no_writes(begin + 0.2, 3)
    for standby in frozen:
        standby.signal(signal.SIGCONT)
    load.expect_writes(time.monotonic(), 15)
    return load.gap(begin)


def balancer(servers, load):
    """One of three servers behind HAProxy is killed."""
    begin = time.monotonic()
    servers[0].kill()
    load.expect_writes(begin + 0.2, 10)
    return load.gap(begin)


CASES = {case.__name__: case for case in (standbys, postmaster, member, frozen, etcd, balancer)}
# The rounds of cases in a short run; of the others 1.
SHORT = {"postmaster": 3, "member": 3}


class Trial:
    """Runs cases, and collects their results."""

    def __init__(self, fleet, careless):
        self.fleet, self.careless, self.name = fleet, careless, "start"
        self.number = self.items = self.attempts = self.resumptions = self.claims = 0

    def run(self, name):
        """Runs a case on a new database. Returns the longest time in which a client had no acknowledged write."""
        self.number, self.name = self.number + 1, name
        database = f"todo{self.number}"
        primary = self.fleet.wait_until_complete()
        expect(primary.sql(f"CREATE DATABASE {database} OWNER todo") is not None, "the database cannot be created")
        numbers = (1, 2, 3) if name == "balancer" else (1,)
        servers = [TodoServer(self.fleet, number, database) for number in numbers]
        for server in servers:
            server.start()
        haproxy = HAProxy(self.fleet, servers) if name == "balancer" else None
        load = Load(haproxy.endpoint if haproxy else servers[0].endpoint, self.careless)
        gap = CASES[name](servers if haproxy else self.fleet, load)
        self.items += load.finish()
        self.claims += sum(len(client.claimed) for client in load.clients)
        self.attempts += sum(client.attempts for client in load.clients)
        self.resumptions += load.watch.resumptions
        for server in servers:
            expect(server.process.returncode or server.stop() == 0, "a server does not stop")
        for part in [*servers, haproxy]:
            if part:
                part.remove()
        self.fleet.wait_until_complete().sql(f"DROP DATABASE {database} WITH (FORCE)")
        return gap


def run(_):
    careless, asynchronous = "--careless" in sys.argv, "--asynchronous" in sys.argv
    names = [name for name in CASES if name in sys.argv] or list(CASES)
    rounds = SHORT
    if careless:
        # Only items that one commit waits with are doubled: on a slow machine, sometimes none.
        names, rounds = ["standbys"], {"standbys": 5}
    if "--greedy" in sys.argv:
        names = ["balancer"]
    if asynchronous:
        names = ["member"]
    fleet = Fleet(synchronous=not asynchronous)
    trial = Trial(fleet, careless)
    try:
        fleet.start()
        gaps = {name: [trial.run(name) for _ in range(count(rounds.get(name, 1)))] for name in names}
    except Broken as error:
        raise Broken(f"case {trial.number} ({trial.name}): {error}") from None
    finally:
        fleet.close()
    times = [f"{name} {statistics.median(each):.1f} (at most {max(each):.1f})" for name, each in gaps.items()]
    return (f"failover: seconds without writes: {', '.join(times)}; {trial.items} items in {trial.attempts} attempts, "
            f"{trial.claims} claims of reminders, {trial.resumptions} resumed watches: none lost, none doubled")


main(run)
