#!/usr/bin/env python3
"""Compares the next occurrences of random repetitions with those of python-dateutil.

  compare.py PRINTER [COUNT [SEED]]          PRINTER: the program RepetitionPrinter; default: 50,000 cases of seed 1
  compare.py --table PRINTER [COUNT [SEED]]  prints the table that OccurrenceTableTests reads, if the results agree

dateutil computes the days and local times of a rule. This script adds what RFC 5545 says besides: that the start is an
occurrence even if the rule does not describe it, and how local times on days on which the clocks change are resolved. A
clamped rule (SKIP=BACKWARD of RFC 7529) is the last of the days 28 to 31 in dateutil's terms.
"""

import itertools
import multiprocessing
import random
import subprocess
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import DAILY, FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, YEARLY, rrule

ZONES = [
    'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kathmandu',
    'Europe/Dublin', 'America/St_Johns', 'Pacific/Auckland', 'America/Nuuk', 'Asia/Gaza', 'UTC', 'Etc/GMT+12',
    'Pacific/Kiritimati',
]
FREQUENCIES = {'DAILY': DAILY, 'WEEKLY': WEEKLY, 'MONTHLY': MONTHLY, 'YEARLY': YEARLY}
WEEKDAYS = [MO, TU, WE, TH, FR, SA, SU]
NAMES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
# The years after the start in which dateutil searches.
YEARS = {'DAILY': 1, 'WEEKLY': 2, 'MONTHLY': 6, 'YEARLY': 24}


def instant(local, zone):
    """Returns the instant of a local time. fold=0: the earlier of two, and a time in a gap is moved forward."""
    return local.replace(tzinfo=zone, fold=0).astimezone(timezone.utc)


def changes(zone):
    """Returns the local dates on which the clocks change in some years."""
    found, day = [], datetime(2005, 1, 1, tzinfo=timezone.utc)
    while day.year < 2040:
        after = day + timedelta(days=1)
        if day.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            found.append(after.astimezone(zone).date())
        day = after
    return found


def random_rule(generator):
    """Returns the parts of a rule."""
    frequency = generator.choice(list(FREQUENCIES))
    rule = {'FREQ': frequency, 'INTERVAL': generator.choice([1, 1, 1, 2, 3, 4, 5, 7, 13, 30])}
    if generator.random() < 0.3:
        rule['BYMONTH'] = sorted(generator.sample(range(1, 13), generator.choice([1, 2, 6])))
    if frequency != 'WEEKLY' and generator.random() < 0.4:
        days = [day for day in range(-31, 32) if day]
        rule['BYMONTHDAY'] = sorted(generator.sample(days, generator.choice([1, 2, 5])))
    if generator.random() < 0.5:
        days = generator.sample(range(7), generator.choice([1, 2, 4]))
        ordinals = [0]
        if frequency in ('MONTHLY', 'YEARLY') and generator.random() < 0.6:
            limit = 53 if frequency == 'YEARLY' and 'BYMONTH' not in rule else 5
            ordinals = [number for number in range(-limit, limit + 1) if number]
        # dateutil intersects days with and without numbers, instead of adding them.
        rule['BYDAY'] = sorted({(day, generator.choice(ordinals)) for day in days})
    if frequency == 'MONTHLY' and 'BYDAY' not in rule and generator.random() < 0.4:
        rule['BYMONTHDAY'] = [generator.choice([28, 29, 30, 31])]
        rule['SKIP'] = 'BACKWARD'
    if generator.random() < 0.2:
        rule['COUNT'] = generator.choice([1, 2, 3, 10, 50])
    elif generator.random() < 0.2:
        rule['UNTIL'] = None
    if generator.random() < 0.3:
        rule['WKST'] = generator.randrange(1, 7)
    return rule


def rule_text(rule):
    """Returns the text of a rule, in random order."""
    parts = [f"FREQ={rule['FREQ']}"]
    if rule['INTERVAL'] != 1:
        parts.append(f"INTERVAL={rule['INTERVAL']}")
    for name in ('BYMONTH', 'BYMONTHDAY'):
        if name in rule:
            parts.append(f"{name}={','.join(map(str, rule[name]))}")
    if 'BYDAY' in rule:
        parts.append('BYDAY=' + ','.join(f"{number or ''}{NAMES[day]}" for day, number in rule['BYDAY']))
    for name in ('COUNT', 'UNTIL'):
        if name in rule:
            parts.append(f'{name}={rule[name]}')
    if 'WKST' in rule:
        parts.append(f"WKST={NAMES[rule['WKST']]}")
    if 'SKIP' in rule:
        parts += ['RSCALE=GREGORIAN', 'SKIP=BACKWARD']
    return ';'.join(parts)


def local_times(rule, start):
    """Returns a function that iterates over the local times of a rule without its end: the start, and those that the rule describes."""
    end = start.replace(year=start.year + YEARS[rule['FREQ']], day=1)
    arguments = {'interval': rule['INTERVAL'], 'dtstart': start, 'until': end, 'cache': True, 'wkst': WEEKDAYS[rule.get('WKST', 0)]}
    if 'BYMONTH' in rule:
        arguments['bymonth'] = rule['BYMONTH']
    if 'SKIP' in rule:
        last = rule['BYMONTHDAY'][0]
        arguments['bymonthday'], arguments['bysetpos'] = list(range(28, last + 1)), -1
    elif 'BYMONTHDAY' in rule:
        arguments['bymonthday'] = rule['BYMONTHDAY']
    if 'BYDAY' in rule:
        arguments['byweekday'] = [WEEKDAYS[day](number) if number else WEEKDAYS[day] for day, number in rule['BYDAY']]
    days = rrule(FREQUENCIES[rule['FREQ']], **arguments)
    return lambda: itertools.chain([start], (local for local in days if local != start))


def text(due):
    """Returns a due date as the printer does."""
    return due.isoformat() if not isinstance(due, datetime) else due.strftime('%Y-%m-%dT%H:%M:%SZ')


class Case:
    """A repetition, a due date and a time."""

    def __init__(self, seed):
        generator = random.Random(seed)
        self.name = generator.choice(ZONES)
        self.zone = ZoneInfo(self.name)
        self.rule = random_rule(generator)
        day = generator.choice(CHANGES[self.name] or [date(2026, 1, 31)]) + timedelta(days=generator.choice([-1, 0, 0, 0, 1, -7, 2]))
        if generator.random() < 0.4:
            day = date(2000, 1, 1) + timedelta(days=generator.randrange(14000))
        self.is_date = generator.random() < 0.3
        hour, minute = generator.choice([0, 1, 2, 2, 2, 3, 9, 12, 23]), generator.choice([0, 15, 30, 59])
        local = datetime.combine(day, time() if self.is_date else time(hour, minute))
        if not self.is_date:
            # The local time of an instant: a time in a gap of the clocks does not occur.
            local = instant(local, self.zone).astimezone(self.zone).replace(tzinfo=None)
        # Half of the rules describe their start.
        if generator.random() < 0.5:
            local = next(itertools.islice(local_times(self.rule, local)(), 1, 2), local)
            if not self.is_date:
                local = instant(local, self.zone).astimezone(self.zone).replace(tzinfo=None)
        self.local_times = local_times(self.rule, local)
        if 'UNTIL' in self.rule:
            end = local + timedelta(days=generator.randrange(800), minutes=generator.choice([-1, 0, 1]))
            self.until = end.date() if self.is_date or generator.random() < 0.3 else instant(end, self.zone)
            self.rule['UNTIL'] = text(self.until).replace('-', '').replace(':', '')
        self.start = self.due_of(local)
        dues = itertools.islice(self.occurrences(), generator.choice([1, 2, 6, 20]))
        # UNTIL can be earlier than the start.
        self.due = ([self.start] + [due for due in dues if due])[-1]
        if generator.random() < 0.2:
            self.due += timedelta(days=generator.randrange(-3, 9))
        base = self.due if not self.is_date else datetime.combine(self.due, time(), timezone.utc)
        self.now = base + timedelta(minutes=generator.choice([-3000, 0, 1, 700, 1439, 1440, 20000, 90000]))
        self.now = self.now.replace(second=generator.choice([0, 0, 1]))

    def due_of(self, local):
        """Returns the due date of a local time."""
        return local.date() if self.is_date else instant(local, self.zone)

    def is_within(self, local, due):
        """Returns whether an occurrence is not later than UNTIL."""
        if 'UNTIL' not in self.rule:
            return True
        return due <= self.until if isinstance(self.until, datetime) else local.date() <= self.until

    def occurrences(self):
        """Yields the due dates of the occurrences, of which no two are the same instant, and None if there may be more."""
        last, number = None, 0
        for local in self.local_times():
            due = self.due_of(local)
            if number == self.rule.get('COUNT') or not self.is_within(local, due):
                return
            number += 1
            if last is None or due > last:
                yield due
            last = due
        if number != self.rule.get('COUNT'):
            yield None

    def line(self):
        """Returns the input of the printer."""
        return '\t'.join([rule_text(self.rule), self.name, text(self.start), text(self.due), text(self.now)])

    def expected(self):
        """Returns the output of the printer, or None if the search reached its bounds."""
        today = self.now.astimezone(self.zone).date()
        later, missed, first = [], 0, None
        for due in self.occurrences():
            if due is None:
                return None
            if due <= self.due:
                continue
            later.append(due)
            if not first and due >= (today if self.is_date else self.now):
                missed, first = len(later) - 1, due
            if first and len(later) >= 3:
                break
        return '\t'.join([text(first) if first else '-', str(missed), ' '.join(map(text, later[:3]))])


CHANGES = {}


def prepare():
    """Finds the changes of the clocks, once in each process."""
    CHANGES.update({name: changes(ZoneInfo(name)) for name in ZONES})


def line_and_result(seed):
    """Returns the input and the expected output of a case."""
    case = Case(seed)
    return case.line(), case.expected()


def main():
    """Compares, and exits with the status 1 after a difference."""
    arguments = [argument for argument in sys.argv[1:] if argument != '--table']
    is_table = len(arguments) < len(sys.argv) - 1
    count = int(arguments[1]) if len(arguments) > 1 else 300 if is_table else 50_000
    seed = int(arguments[2]) if len(arguments) > 2 else 1
    seeds = range(seed * 1_000_000_000, seed * 1_000_000_000 + count)
    with multiprocessing.Pool(initializer=prepare) as pool:
        cases = pool.map(line_and_result, seeds, chunksize=250)
    lines = [line for line, _ in cases]
    run = subprocess.run([arguments[0]], input='\n'.join(lines) + '\n', text=True, capture_output=True, check=True)
    results = run.stdout.splitlines()
    assert len(results) == len(lines), 'the printer must print a line for each case'
    compared = [(line, expected, result) for (line, expected), result in zip(cases, results) if expected is not None]
    different = [case for case in compared if case[1] != case[2]]
    for line, expected, result in different[:10]:
        print(f'{line}\n  expected {expected}\n  was      {result}', file=sys.stderr)
    if different or len(compared) < count * 0.6:
        sys.exit(f'{len(different)} of {len(compared)} repetitions differ from python-dateutil')
    if is_table:
        print('\n'.join(f'{line}\t{result}' for line, _, result in compared))
    else:
        print(f'{len(compared)} repetitions agree with python-dateutil')


if __name__ == '__main__':
    main()
