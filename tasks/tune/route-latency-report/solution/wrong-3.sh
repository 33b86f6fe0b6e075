#!/usr/bin/env bash
# Rounds the position of the percentile down.
set -euo pipefail
{ gzip -dc logs/app.log.2.gz; cat logs/app.log.1 logs/app.log; } >all.log
python3 - <<'P'
import datetime, json, re

entry = re.compile(r'(\d{4}-\d\d-\d\dT[\d:.]+Z) INFO +\[req=(\w+)\] (?:start (\S+) (\S+)|done status=(\d+))$')
routes, running = {}, {}
for line in open('all.log'):
    match = entry.match(line.rstrip('\n'))
    if not match:
        continue
    time = datetime.datetime.fromisoformat(match[1].replace('Z', '+00:00'))
    if match[3]:
        path = '/'.join(':id' if re.fullmatch(r'[0-9]+', part) else part for part in match[4].split('?')[0].split('/'))
        route = routes.setdefault(f'{match[3]} {path}', {'requests': 0, 'unfinished': 0, 'errors': 0, 'times': []})
        route['requests'] += 1
        route['unfinished'] += 1
        running[match[2]] = route, time
    elif match[2] in running:
        route, began = running.pop(match[2])
        route['unfinished'] -= 1
        route['errors'] += int(match[5]) >= 500
        route['times'].append((time - began) // datetime.timedelta(milliseconds=1))
for route in routes.values():
    times = sorted(route.pop('times'))
    route['p95_ms'] = times[int(0.95 * len(times)) - 1]
json.dump(routes, open('report.json', 'w'), indent=1)
P
rm all.log
