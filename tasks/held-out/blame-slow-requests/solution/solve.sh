#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv
import datetime
import glob
import gzip
import re


def lines(service):
    for path in sorted(glob.glob(f'logs/{service}.log*')):
        with (gzip.open if path.endswith('.gz') else open)(path, 'rt') as file:
            yield from (line.rstrip('\n') for line in file if not line.startswith(' '))


def moment(text, hours):
    at = datetime.datetime.strptime(text + '000', '%Y-%m-%d %H:%M:%S,%f') - datetime.timedelta(hours=hours)
    return (at - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1)


requests = {}
for line in lines('gateway'):
    at, _, request, what, *rest = [line[:23], *line[24:].split(' ')]
    one = requests.setdefault(request, {})
    if what == 'begin':
        one.update(begin=moment(at, 0), path=rest[1])
    elif what == 'end':
        one['end'] = moment(at, 0)

calls = {'orders': {}, 'store': {}}
for service in calls:
    for line in lines(service):
        found = re.fullmatch(r'(\d+|.{23}) INFO (\w+) call (\d+) (begin|end)', line)
        if found:
            at = int(found[1]) + 640 if service == 'store' else moment(found[1], -3) - 1874
            calls[service].setdefault(found[2], {}).setdefault(found[3], {})[found[4]] = at


def busy(service, request):
    out = set()
    for call in calls[service].get(request, {}).values():
        out.update(range(call['begin'], call['end']))
    return out


with open('slow.csv', 'w') as file:
    out = csv.writer(file, lineterminator='\n')
    out.writerow('request began path total_ms orders_ms store_ms blame'.split())
    for request, one in sorted(requests.items(), key=lambda item: item[1]['begin']):
        if 'end' not in one or one['end'] - one['begin'] <= 1000:
            continue
        total = one['end'] - one['begin']
        orders, store = busy('orders', request), busy('store', request)
        parts = {'orders': len(orders - store), 'store': len(store - orders), 'both': len(orders & store)}
        blame = next((name for name, part in parts.items() if part * 2 > total), 'gateway')
        began = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=one['begin'])
        out.writerow([request, began.isoformat(timespec='milliseconds') + 'Z', one['path'], total, len(orders), len(store), blame])
P
cat slow.csv
