#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import collections, datetime, json, re

def utc(text, hours):
    moment = datetime.datetime.strptime(text, '%d.%m.%Y %H:%M:%S,%f').replace(tzinfo=datetime.timezone.utc)
    return round(moment.timestamp() * 1000) - hours * 3_600_000

status = {}
for line in open('logs/gateway.log'):
    if match := re.search(r' response id=(R\d+) status=(\d+)', line):
        status[match[1]] = int(match[2])

zones, calls, amount, timeout, answers = [], {}, {}, {}, set()
for line in open('logs/orders.log'):
    if line.startswith('#'):
        zones.append(int(re.search(r'UTC([+-]\d\d):00', line)[1]))
        continue
    stamp, request, text = line.rstrip('\n').split(' | ')
    time = utc(stamp, zones[-1])
    call = re.search(r'call=(C\d+)', text)
    if text.startswith('pay'):
        calls[call[1]] = request, time
        amount[request] = int(re.search(r'amount=(\d+)', text)[1])
    elif text.startswith('timeout'):
        timeout[call[1]] = time
    elif 'answer' in text:
        answers.add(call[1])

boots = [[]]
for line in open('logs/billing.log'):
    stamp, worker, text = line.rstrip('\n').split(' ', 2)
    if text == 'restarted':
        boots.append([])
    boots[-1].append((int(stamp), worker, text))
events = []
for boot in boots:
    # Heartbeats tell the error of the clock. In the wrong zone it would be off by an hour,
    # and calls would be received before they were sent or long after that.
    errors = {stamp - utc(text[23:], zone) for stamp, _, text in boot if text.startswith('heartbeat') for zone in zones}
    received = [(stamp, calls[text.split()[1][5:]][1]) for stamp, _, text in boot if text.startswith('received')]
    error, = [one for one in errors if all(0 <= stamp - one - sent < 3_000 for stamp, sent in received)]
    events += [(stamp - error, worker, text) for stamp, worker, text in boot]

net, lost, deliveries, late = collections.Counter(), [], [], 0
for time, worker, text in events:
    if not (match := re.match(r'(\w+) call=(C\d+)(?: amount=(\d+))?', text)):
        continue
    what, call = match[1], match[2]
    request, sent = calls[call]
    if what == 'received':
        deliveries.append((time - sent, call))
    elif what == 'charged':
        net[request] += int(match[3])
        late += call in timeout and time > timeout[call]
    elif what == 'reversed':
        net[request] -= int(match[3])
    elif what in ('answered', 'declined') and call not in answers:
        lost.append((time, worker))

def shown(time):
    moment = datetime.datetime.fromtimestamp(time // 1000, datetime.timezone.utc)
    return f'{moment:%Y-%m-%dT%H:%M:%S}.{time % 1000:03d}Z'

owed = {request: amount[request] if status.get(request) == 200 else 0 for request in amount}
slowest = max(deliveries)
with open('findings.json', 'w') as out:
    json.dump({
        'failed_requests': sum(code >= 500 for code in status.values()),
        'overcharged': {request: cents - owed[request] for request, cents in sorted(net.items()) if cents > owed[request]},
        'lost_answers': {'count': len(lost), 'workers': sorted({worker for _, worker in lost}), 'first': shown(min(lost)[0]), 'last': shown(max(lost)[0])},
        'slowest_delivery': {'call': slowest[1], 'ms': slowest[0]},
        'charged_after_timeout': late,
    }, out, indent=1)
P
