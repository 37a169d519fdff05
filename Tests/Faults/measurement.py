"""The measurements of an attack by neighbours.py, and the harm that they show."""

import collections
import sqlite3
import time

LIMIT_MILLISECONDS, GEOCODE_MILLISECONDS = 100, 5_000
# How long `transaction()` takes on a machine for which the limits are meant.
NORMAL_MILLISECONDS = 4.5


def transaction():
    """Returns how many milliseconds SQLite takes to replace 1,000 rows with four indexes in one transaction, without a disk."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.execute("CREATE TABLE item (id BLOB, number INTEGER, revision INTEGER, digest BLOB, text TEXT)")
    for column in ("id", "number", "revision", "digest"):
        database.execute(f"CREATE INDEX item_{column} ON item ({column})")
    rows = [(number.to_bytes(16), number, number, (number * 7919 % 1009).to_bytes(16), "m" * 200) for number in range(1_000)]
    insert = "INSERT INTO item VALUES (?, ?, ?, ?, ?)"
    database.executemany(insert, rows)
    start = time.perf_counter()
    database.execute("BEGIN")
    for row in rows:
        database.execute("DELETE FROM item WHERE id = ?", row[:1])
        database.execute(insert, row)
    database.execute("COMMIT")
    return 1000 * (time.perf_counter() - start)


def machine_slowness(times):
    """Returns by which factor a machine is slower than a normal one, at least 1, by the times of `transaction()`."""
    return max(1, min(times) / NORMAL_MILLISECONDS)


def percentile(milliseconds, part):
    """Returns a percentile, or `nan` when every call failed, which is reported as such."""
    ordered = sorted(milliseconds)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


class Measurement:
    """The measurements of the phases of one attack, and the harm that it did."""

    def __init__(self, attack, slowness, transaction=0):
        """`transaction` is how long one transaction of the attack takes on its own, if others may wait for it."""
        self.attack, self.slowness = attack, slowness
        # A writer that comes just after a transaction's start waits for all of it, and then for its own.
        self.floor = max(attack.floor * slowness, 1.5 * transaction)
        self.quiet, self.attacked, self.harm = {}, {}, []
        self.failures, self.replies = collections.Counter(), collections.Counter()
        self.base, self.peak = 0, 0

    def judge(self):
        attack = self.attack
        for name, attacked in self.attacked.items():
            limit = self.limit(name)
            for label, part in (("p50", 0.5), ("p99", 0.99)):
                before, during = percentile(self.quiet[name], part), percentile(attacked, part)
                if during > self.floor and during > attack.ratio * before:
                    self.harm.append(f"{name} {label} {before:.1f} ms becomes {during:.1f} ms")
                elif label == "p99" and during > limit:
                    self.harm.append(f"{name} p99 is {during:.1f} ms")
        self.harm += [f"{failure}, {number} times" for failure, number in self.failures.items()]
        if attack.is_ended and not self.replies["ended by the server"]:
            self.harm.append("no call of the attacker ends")
        self.harm += [f"{kind}, {self.replies[kind]} times" for kind in attack.harmful if self.replies[kind]]
        if self.growth() > attack.mebibytes:
            self.harm.append(f"the server takes {self.growth():.0f} MiB")

    def is_clear(self):
        """Whether another round could hardly show harm: nothing failed, and every figure is at most half of its limit."""
        attack = self.attack
        is_complete = not self.harm and not +self.failures and set(attack.required) <= self.replies.keys()
        is_low = all(
            self.is_low(percentile(self.quiet[name], part), percentile(attacked, part), self.limit(name))
            for name, attacked in self.attacked.items() for part in (0.5, 0.99))
        return is_complete and is_low and self.growth() <= attack.mebibytes / 2 and not attack.is_repeated

    def is_low(self, before, during, limit):
        # The order matters if no call succeeded: nothing is less than `nan`, and `max` returns it only if it is the first.
        allowed = max(self.attack.ratio * before, self.floor)
        return during <= min(allowed, limit) / 2

    def limit(self, name):
        return GEOCODE_MILLISECONDS if name == "geocode" else LIMIT_MILLISECONDS * self.slowness

    def growth(self):
        return (self.peak - self.base) / 1024

    def __str__(self):
        operations = []
        for name, attacked in self.attacked.items():
            times = [(percentile(self.quiet[name], part), percentile(attacked, part)) for part in (0.5, 0.99)]
            text = " ".join(f"{before:.1f}>{during:.1f}" for before, during in times)
            operations.append(f"{name} {text} x{max(during / before for before, during in times):.1f}")
        harm = f"; HARM: {', '.join(self.harm)}" if self.harm else ""
        return f"{'; '.join(operations)}; {self.growth():+.0f} MiB; {dict(self.replies)}{harm}"
