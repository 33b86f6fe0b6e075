"""python3 visits.py FILE: a report on visits. Columns: time (seconds), person, place, spent."""

import csv
import sys


def load(path):
    visits = []
    with open(path, newline='', encoding='utf-8') as file:
        for time, person, place, spent in csv.reader(file):
            visit = (int(time), person, place, float(spent or 0))
            if visit not in visits:
                visits.append(visit)
    return visits


def unique(values):
    seen = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return seen


def median(values):
    values = list(values)
    while len(values) > 2:
        values.remove(min(values))
        values.remove(max(values))
    return sum(values) / len(values)


def busiest_hour(visits, place):
    """The begin of the 3600 seconds with the most visits; the earliest such begin. Only visits begin an hour."""
    best, begin = 0, None
    for start, _, where, _ in visits:
        if where != place:
            continue
        count = len([1 for time, _, other, _ in visits if other == place and start <= time < start + 3600])
        if count > best or count == best and start < begin:
            best, begin = count, start
    return begin, best


def companions(visits, person):
    """How many others were ever at the same place within 300 seconds."""
    met = []
    for time, who, place, _ in visits:
        if who != person:
            continue
        for other_time, other, other_place, _ in visits:
            if other != person and other_place == place and abs(time - other_time) <= 300 and other not in met:
                met.append(other)
    return len(met)


def rank(visits, amount):
    """How many different amounts are larger, plus one."""
    return len(unique(spent for _, _, _, spent in visits if spent > amount)) + 1


def report(visits):
    lines = []
    for place in unique(place for _, _, place, _ in visits):
        amounts = [spent for _, _, where, spent in visits if where == place]
        begin, count = busiest_hour(visits, place)
        lines.append(f'place {place}: {len(amounts)} visits, median {median(amounts):.3f}, busiest from {begin} with {count}')
    for person in unique(person for _, person, _, _ in visits):
        total = 0.0
        last = None
        longest = 0
        for time, who, _, spent in visits:
            if who == person:
                total += spent
                if last is not None and time - last > longest:
                    longest = time - last
                last = time
        lines.append(f'person {person}: spent {total!r}, met {companions(visits, person)}, longest break {longest}')
    largest = sorted(visits, key=lambda visit: visit[3], reverse=True)[:10]
    for time, person, place, spent in largest:
        lines.append(f'top {rank(visits, spent)}: {person} at {place} ({time}) {spent:g}')
    tenth = [rank(visits, spent) for _, _, _, spent in visits[::10]]
    lines.append(f'ranks {sum(tenth)}')
    return lines


if __name__ == '__main__':
    print('\n'.join(report(load(sys.argv[1]))))
