#!/usr/bin/env bash
# The usual search for the earliest arrival: one label per harbour; later departure and fewer boats are left to luck.
cat >route.py <<'P'
import csv, sys
def m(t): return int(t.split(':')[0]) * 60 + int(t.split(':')[1])
def c(v): return f'{v // 60:02d}:{v % 60:02d}'
legs = sorted(((m(r['depart']), m(r['arrive']), r['from'], r['to'], r['trip']) for r in csv.DictReader(open(sys.argv[1]))))
change = {r['harbour']: int(r['minutes']) for r in csv.DictReader(open(sys.argv[2]))}
start, goal, time = sys.argv[3], sys.argv[4], m(sys.argv[5])
best, on = {start: (time, None)}, {}
for leg in legs:
    d, a, f, t, trip = leg
    if trip in on: path = on[trip]
    elif f in best and best[f][0] + (0 if f == start else change[f]) <= d: path = best[f][1]
    else: continue
    path = (leg, path); on[trip] = path
    if t not in best or a < best[t][0]: best[t] = (a, path)
if goal not in best: print('none'); sys.exit()
out, path = [], best[goal][1]
while path: out.append(path[0]); path = path[1]
out.reverse(); rides = []
for d, a, f, t, trip in out:
    if rides and rides[-1][0] == trip: rides[-1][3:] = [t, c(a)]
    else: rides.append([trip, f, c(d), t, c(a)])
for r in rides: print(*r)
P
python3 route.py legs.csv harbours.csv Alm Dorn 08:00
