import csv
import datetime

STEP = datetime.timedelta(minutes=10)
have = {}
with open('readings.csv') as file:
    for row in csv.DictReader(file):
        if row['celsius'].strip():
            have.setdefault(row['sensor'], set()).add(datetime.datetime.fromisoformat(row['time']))
expected = [['sensor', 'first', 'last', 'count']]
for sensor in sorted(have):
    now = datetime.datetime(2024, 2, 27)
    while now < datetime.datetime(2024, 3, 2):
        if now in have[sensor]:
            now += STEP
            continue
        first = now
        while now not in have[sensor] and now < datetime.datetime(2024, 3, 2):
            now += STEP
        form = '%Y-%m-%dT%H:%M'
        expected.append([sensor, first.strftime(form), (now - STEP).strftime(form), str((now - first) // STEP)])
assert len(expected) > 15
with open('gaps.csv', newline='') as file:
    got = list(csv.reader(file))
assert got == expected, (got, expected)
