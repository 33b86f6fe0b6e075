#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv
import datetime

have = {(row['sensor'], row['time']) for row in csv.DictReader(open('readings.csv')) if row['celsius'].strip()}
start = datetime.datetime(2024, 2, 27)
times = [(start + datetime.timedelta(minutes=10 * i)).strftime('%Y-%m-%dT%H:%M') for i in range(4 * 144)]
with open('gaps.csv', 'w') as file:
    print('sensor,first,last,count', file=file)
    for sensor in ('attic', 'cellar', 'garden'):
        gap = []
        for time in [*times, None]:
            if time and (sensor, time) not in have:
                gap.append(time)
            elif gap:
                print(sensor, gap[0], gap[-1], len(gap), sep=',', file=file)
                gap = []
P
cat gaps.csv
