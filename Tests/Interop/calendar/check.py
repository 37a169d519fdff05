#!/usr/bin/env python3
"""Reads calendars of todo-server with Python's icalendar, and compares their occurrences with python-dateutil.

  check.py FOLDER   the folder with events.ics, to-dos.ics, repetitions.ics, and repetitions.tsv: the ID of an item and an occurrence
                    that the server computes for it, one a line
"""

import itertools
import pathlib
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import rruleset, rrulestr
from icalendar import Calendar

folder = pathlib.Path(sys.argv[1])
failures = 0


def expect(condition, text):
    global failures
    if not condition:
        failures += 1
        print('calendar:', text)


def read(name):
    data = (folder / name).read_bytes()
    for number, line in enumerate(data.split(b'\r\n'), 1):
        expect(len(line) <= 75, f'{name}:{number}: the line has {len(line)} bytes')
        expect(b'\n' not in line, f'{name}:{number}: the line ends without CR')
        line.decode()  # Folding divides no character.
    calendar = Calendar.from_ical(data)
    for component in calendar.walk():
        expect(not component.errors, f'{name}: {component.name}: {component.errors}')
    return calendar


def utc(value):
    """Returns a date as it is, and a time in UTC."""
    return value.astimezone(timezone.utc) if isinstance(value, datetime) else value


def check_zones(calendar):
    """Compares the zones with those of the system, every 5 hours of the years in which they have events."""
    for zone in calendar.walk('VTIMEZONE'):
        name = str(zone['TZID'])
        written, system = zone.to_tz(lookup_tzid=False), ZoneInfo(name)
        time, end = datetime(2026, 1, 1), datetime(2040, 1, 1)
        while time < end:
            # A local time that exists twice, or not at all, is not compared.
            known = {time.replace(tzinfo=system, fold=fold).utcoffset() for fold in (0, 1)}
            if len(known) == 1:
                offset = time.replace(tzinfo=written).utcoffset()
                expect(offset == known.pop(), f'{name}: {time}: {offset}')
            time += timedelta(hours=5)


def occurrences(event):
    """Returns the first occurrences as dateutil computes them."""
    start = event['DTSTART'].dt
    zone = start.tzinfo if isinstance(start, datetime) else None
    first = start.replace(tzinfo=None) if zone else start if isinstance(start, datetime) else datetime.combine(start, datetime.min.time())
    found = rruleset()
    found.rdate(first)
    if 'RRULE' in event:
        rule = event['RRULE']
        text = rule.to_ical().decode()
        until = rule.get('UNTIL')
        if until:
            # dateutil computes local times here, so the end is local, too.
            end = until[0].astimezone(zone).replace(tzinfo=None) if isinstance(until[0], datetime) else until[0]
            parts = [part for part in text.split(';') if not part.startswith('UNTIL=')]
            text = ';'.join(parts + [f'UNTIL={end:%Y%m%dT%H%M%S}'])
        found.rrule(rrulestr(text, dtstart=first))
    dates = event.get('RDATE', [])
    for entry in dates if isinstance(dates, list) else [dates]:
        for value in entry.dts:
            time = value.dt
            found.rdate(time.replace(tzinfo=None) if isinstance(time, datetime) else datetime.combine(time, datetime.min.time()))
    for time in found:
        yield utc(time.replace(tzinfo=ZoneInfo(zone.key) if hasattr(zone, 'key') else zone)) if zone else time.date()


def check_occurrences(calendar):
    expected = {}
    for line in (folder / 'repetitions.tsv').read_text().splitlines():
        item, text = line.split('\t')
        time = date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text.replace('Z', '+00:00'))
        expected.setdefault(item, []).append(time)
    events = calendar.walk('VEVENT')
    expect(len(events) == len(expected), f'{len(events)} events; {len(expected)} are expected')
    for event in events:
        times = expected[str(event['UID'])]
        found = list(itertools.islice(occurrences(event), len(times)))
        expect(found == times, f'{event["SUMMARY"]}: {found} != {times}')
    return sum(map(len, expected.values()))


events, todos, repetitions = read('events.ics'), read('to-dos.ics'), read('repetitions.ics')
dinner = next(event for event in events.walk('VEVENT') if 'Dinner' in event['SUMMARY'])
expect(dinner['SUMMARY'] == 'Dinner; with Ann, Bob', dinner['SUMMARY'])
expect('wine\\beer\n' in dinner['DESCRIPTION'], dinner['DESCRIPTION'])
expect(dinner['LOCATION'] == 'Rossi, Via Roma 1, 00184 Roma', dinner['LOCATION'])
expect(tuple(dinner['GEO'].to_ical().split(';')) == ('41.9', '12.4955'), dinner['GEO'].to_ical())
expect(set(map(str, dinner['CATEGORIES'].cats)) == {'Home, sweet', 'family', 'food'}, dinner['CATEGORIES'].to_ical())
expect(len(todos.walk('VTODO')) == len(events.walk('VEVENT')), 'as many to-dos as events')
expect({str(todo['STATUS']) for todo in todos.walk('VTODO')} == {'NEEDS-ACTION', 'COMPLETED'}, 'the states of to-dos')
check_zones(repetitions)
count = check_occurrences(repetitions)
if failures:
    sys.exit(f'calendar: {failures} failures')
print(f'calendar: {count} occurrences of {len(repetitions.walk("VEVENT"))} items agree')
