#!/usr/bin/env bash
set -euo pipefail
python3 visits.py sample.csv >before.txt
cat >visits.py <<'P'
"""python3 visits.py FILE: a report on visits. Columns: time (seconds), person, place, spent."""

import csv
import sys


def load(path):
    visits = {}
    with open(path, newline='', encoding='utf-8') as file:
        for time, person, place, spent in csv.reader(file):
            visits.setdefault((int(time), person, place, float(spent or 0)))
    return list(visits)


def median(values):
    """The middle one or the mean of the middle two."""
    values = sorted(values)
    while len(values) > 2:
        half = (len(values) - 1) // 2
        values = values[half:len(values) - half]
    return sum(values) / len(values)


def busiest_hour(times):
    times = sorted(times)
    best, begin, end = 0, None, 0
    for first, start in enumerate(times):
        if first and times[first - 1] == start:
            continue
        while end < len(times) and times[end] < start + 3600:
            end += 1
        if end - first > best:
            best, begin = end - first, start
    return begin, best


def meetings(by_place):
    """For each person, the others at the same place within 300 seconds."""
    met = {}
    for visits in by_place.values():
        # The last visits of each person in the window, by person: a crowd costs its size, not its square of visits.
        ordered = sorted((visit[0], visit[1]) for visit in visits)
        latest = {}
        for time, person in ordered:
            mine = met.setdefault(person, set())
            gone = []
            for other, when in latest.items():
                if time - when > 300:
                    gone.append(other)
                elif other != person:
                    mine.add(other)
            for other in gone:
                del latest[other]
            latest[person] = time
    for person, others in list(met.items()):
        for other in others:
            met[other].add(person)
    return met


def report(visits):
    by_place, by_person = {}, {}
    for visit in visits:
        by_place.setdefault(visit[2], []).append(visit)
        by_person.setdefault(visit[1], []).append(visit)
    lines = []
    for place, there in by_place.items():
        begin, count = busiest_hour([visit[0] for visit in there])
        middle = median([visit[3] for visit in there])
        lines.append(f'place {place}: {len(there)} visits, median {middle:.3f}, busiest from {begin} with {count}')
    met = meetings(by_place)
    for person, own in by_person.items():
        total, longest = 0.0, 0
        for visit in own:
            total += visit[3]
        for before, after in zip(own, own[1:]):
            longest = max(longest, after[0] - before[0])
        lines.append(f'person {person}: spent {total!r}, met {len(met[person])}, longest break {longest}')
    amounts = sorted({visit[3] for visit in visits}, reverse=True)
    rank = {amount: place for place, amount in enumerate(amounts, 1)}
    for time, person, place, spent in sorted(visits, key=lambda visit: visit[3], reverse=True)[:10]:
        lines.append(f'top {rank[spent]}: {person} at {place} ({time}) {spent:g}')
    lines.append(f'ranks {sum(rank[visit[3]] for visit in visits[::10])}')
    return lines


if __name__ == '__main__':
    print('\n'.join(report(load(sys.argv[1]))))
P
python3 visits.py sample.csv | diff - before.txt
rm before.txt
