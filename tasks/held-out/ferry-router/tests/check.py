import csv
import heapq
import os
import random
import subprocess
import sys
import tempfile

work = tempfile.mkdtemp()
with open('route.py', 'rb') as file:
    code = file.read()
with open(os.path.join(work, 'route.py'), 'wb') as file:
    file.write(code)


def clock(value):
    return f'{value // 60:02d}:{value % 60:02d}'


def minutes(text):
    assert len(text) == 5 and text[2] == ':', text
    return int(text[:2]) * 60 + int(text[3:])


def best(legs, change, start, goal, time):
    """(arrival, departure, boats) by three searches, one for each wish."""
    after = {}
    by_trip = {}
    for number, leg in enumerate(legs):
        if leg[0] in by_trip:
            after[by_trip[leg[0]]] = number
        by_trip[leg[0]] = number
    at = {}
    for number, leg in enumerate(legs):
        at.setdefault(leg[1], []).append(number)

    def search(first, last):
        """Fewest boats for each leg that can be reached, if the first departs at `first` or later."""
        count = {}
        heap = [(1, n) for n in at.get(start, ()) if legs[n][2] >= first]
        heapq.heapify(heap)
        while heap:
            boats, number = heapq.heappop(heap)
            if number in count or legs[number][4] > last:
                continue
            count[number] = boats
            if number in after:
                heapq.heappush(heap, (boats, after[number]))
            ready = legs[number][4] + change[legs[number][3]]
            for other in at.get(legs[number][3], ()):
                if legs[other][2] >= ready and other not in count:
                    heapq.heappush(heap, (boats + 1, other))
        return count

    reached = [n for n in search(time, 10 ** 9) if legs[n][3] == goal]
    if not reached:
        return None
    arrive = min(legs[n][4] for n in reached)
    for depart in sorted({legs[n][2] for n in at[start] if legs[n][2] >= time}, reverse=True):
        boats = [b for n, b in search(depart, arrive).items() if legs[n][3] == goal and legs[n][4] == arrive]
        if boats:
            return arrive, depart, min(boats)


def judge(legs, change, start, goal, time, lines):
    """(arrival, departure, boats) of what was printed, if it is a journey."""
    where, now = start, None
    for line in lines:
        trip, source, depart, target, arrive = line.split(' ')
        depart, arrive = minutes(depart), minutes(arrive)
        assert source == where, line
        assert depart >= (time if now is None else now + change[source]), line
        trips = [leg for leg in legs if leg[0] == trip]
        on = [i for i, leg in enumerate(trips) if leg[1] == source and leg[2] == depart]
        off = [i for i, leg in enumerate(trips) if leg[3] == target and leg[4] == arrive]
        assert any(a <= b for a in on for b in off), line
        begun = depart if now is None else begun
        where, now = target, arrive
    assert where == goal
    return now, begun, len(lines)


def make(seed, harbours, trips, length, span):
    chance = random.Random(seed)
    names = [f'H{number}' for number in range(harbours)]
    per_trip = []
    for number in range(trips):
        where = chance.choice(names)
        now = chance.randrange(360, 360 + span)
        legs = []
        for _ in range(chance.randint(1, length)):
            there = chance.choice([one for one in names if one != where])
            now += chance.choice((0, 0, 1, 5, 10))
            arrive = now + chance.choice((5, 10, 10, 15, 20, 35, 60))
            legs.append((f'T{number}', where, now, there, arrive))
            where, now = there, arrive
        per_trip.append(legs)
    legs = []
    while any(per_trip):
        one = chance.choice([rest for rest in per_trip if rest])
        legs.append(one.pop(0))
    return legs, {name: chance.choice((0, 3, 5, 10, 20)) for name in names}


def ask(legs, change, start, goal, time):
    with open(os.path.join(work, 'l.csv'), 'w', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows(
            [('trip', 'from', 'depart', 'to', 'arrive'), *((t, a, clock(d), b, clock(e)) for t, a, d, b, e in legs)])
    with open(os.path.join(work, 'h.csv'), 'w', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows([('harbour', 'minutes'), *change.items()])
    done = subprocess.run([sys.executable, '-B', 'route.py', 'l.csv', 'h.csv', start, goal, clock(time)], cwd=work,
                          env={'PATH': '/usr/bin:/bin'}, capture_output=True, text=True, timeout=12)
    assert done.returncode == 0, done.stderr[-1500:]
    lines = done.stdout.splitlines()
    wanted = best(legs, change, start, goal, time)
    if wanted is None:
        assert lines == ['none'], lines
    else:
        got = judge(legs, change, start, goal, time, lines)
        assert got == wanted, (got, wanted, lines)


for seed in range(70):
    size = ((4, 6, 4, 200), (5, 14, 5, 300), (7, 30, 6, 400), (12, 60, 6, 500), (9, 50, 3, 240))[seed % 5]
    legs, change = make(seed, *size)
    names = sorted(change)
    chance = random.Random(seed)
    start, goal = chance.sample(names, 2)
    ask(legs, change, start, goal, chance.choice((0, 360, 420, 480)))
legs, change = make(900, 40, 550, 9, 1300)
assert 2000 < len(legs) <= 3000, len(legs)
ask(legs, change, 'H1', 'H2', 400)
ask(legs, change, 'H3', 'H4', 900)
