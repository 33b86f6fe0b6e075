#!/usr/bin/env bash
set -euo pipefail
cat >route.py <<'P'
import csv
import sys


def minutes(text):
    hours, rest = text.split(':')
    return int(hours) * 60 + int(rest)


def clock(value):
    return f'{value // 60:02d}:{value % 60:02d}'


def read(path):
    legs, last = [], {}
    for row in csv.DictReader(open(path, newline='')):
        trip = row['trip']
        legs.append((minutes(row['depart']), minutes(row['arrive']), row['from'], row['to'], trip, last.get(trip)))
        last[trip] = len(legs) - 1
    return legs


def better(labels):
    """Of labels (begin, boats, …), those that no other beats: later begin, fewer boats."""
    out = []
    for label in sorted(labels, key=lambda one: (-one[0], one[1])):
        if not out or label[1] < out[-1][1]:
            out.append(label)
    return out


def main(legs_path, harbours_path, start, goal, time):
    legs = read(legs_path)
    change = {row['harbour']: int(row['minutes']) for row in csv.DictReader(open(harbours_path, newline=''))}
    time = minutes(time)
    # A label is (begin of the journey, boats, leg, leg before it or None, its label, whether on the same boat).
    riding = {}
    waiting = {}  # harbour: legs that arrive there, with the time when another boat can be boarded
    for number in sorted(range(len(legs)), key=lambda n: legs[n][0]):
        depart, arrive, source, target, trip, before = legs[number]
        labels = []
        if source == start and depart >= time:
            labels.append((depart, 1, number, None, True))
        if before is not None:
            labels += [(one[0], one[1], number, one, True) for one in riding.get(before, ())]
        # Labels of those who have arrived and can board.
        queue = waiting.get(source)
        if queue:
            ready = [label for at, label in queue if at <= depart]
            if ready:
                ready = better(ready)
                waiting[source] = [(at, label) for at, label in queue if at > depart] + [(-1, label) for label in ready]
                labels += [(one[0], one[1] + 1, number, one, False) for one in ready]
        labels = better(labels)
        if labels:
            riding[number] = labels
            waiting.setdefault(target, []).extend((arrive + change.get(target, 0), one) for one in labels)
    ends = [(legs[number][1], -one[0], one[1], number, index) for number, labels in riding.items()
            if legs[number][3] == goal for index, one in enumerate(labels)]
    if not ends:
        print('none')
        return
    *_, number, index = min(ends)
    label = riding[number][index]
    rides = []
    leave = label
    while label is not None:
        _, _, number, previous, same = label
        if previous is None or not same:
            last = legs[leave[2]]
            rides.append((legs[number][4], legs[number][2], clock(legs[number][0]), last[3], clock(last[1])))
            leave = previous
        label = previous
    for ride in reversed(rides):
        print(*ride)


main(*sys.argv[1:])
P
python3 route.py legs.csv harbours.csv Alm Dorn 08:00
