#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv
import re

invoices = {}
for row in csv.DictReader(open('invoices.csv')):
    invoices[row['invoice']] = dict(row, open=round(float(row['amount']) * 100))


def euro(cents):
    return f'{"-" if cents < 0 else ""}{abs(cents) // 100}.{abs(cents) % 100:02d}'


lines = []
for row in csv.DictReader(open('bank.csv'), delimiter=';'):
    amount = int(re.sub('[.,]', '', row['amount']))
    day = '-'.join(reversed(row['day'].split('.')))
    customer = row['customer']
    named = []
    for year, number in re.findall(r'R[- ]?(\d{4})[- ]?(\d{4})(?!\d)', row['text'], re.I):
        name = f'R-{year}-{number}'
        if name not in named:
            named.append(name)
    fits = all(name in invoices and invoices[name]['customer'] == customer for name in named)
    gets = []
    if len(named) == 1 and fits:
        gets = [(named[0], amount)]
    elif not named and amount > 0:
        found = sorted((one['date'], name) for name, one in invoices.items()
                       if one['customer'] == customer and one['open'] == amount and one['date'] <= day)
        gets = [(found[0][1], amount)] if found else []
    elif len(named) > 1 and fits:
        left = amount
        for name in named:
            part = min(left, max(invoices[name]['open'], 0))
            left -= part
            gets.append([name, part])
        gets[-1][1] += left
    for name, part in gets:
        invoices[name]['open'] -= part
        if part:
            lines.append((row['id'], name, euro(part)))
    if not gets:
        lines.append((row['id'], '', euro(amount)))
with open('matched.csv', 'w') as file:
    csv.writer(file, lineterminator='\n').writerows([('payment', 'invoice', 'amount'), *lines])
with open('open.csv', 'w') as file:
    rows = [(name, euro(one['open'])) for name, one in invoices.items() if one['open']]
    csv.writer(file, lineterminator='\n').writerows([('invoice', 'open'), *rows])
P
cat matched.csv
