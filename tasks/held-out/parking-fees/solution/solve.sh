#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import re


def change(path, *pairs):
    text = open(path).read()
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    open(path, 'w').write(text)


change('parking/clock.py',
       ('(end - start).seconds // 60', '(end - start).total_seconds() / 60'),
       ('while now <= end', 'while now < end'),
       ('8 <= moment.hour <= 20', '8 <= moment.hour < 20'))
change('parking/prices.py',
       ("'van': 85}", "'van': 85, 'bike': 20}"),
       ('table.get(kind, 50)', 'table[kind]'))
change('parking/fees.py',
       ('moments, totals={}):', 'moments):'),
       ('    for moment in moments:\n        totals.setdefault(moment.day,', '    totals = {}\n    for moment in moments:\n        totals.setdefault(moment.date(),'),
       ('    length = minutes(start, end)\n', "    if kind not in MOST:\n        raise ValueError(f'unknown kind: {kind}')\n    if end < start:\n        raise ValueError('the end is before the start')\n    length = minutes(start, end)\n"),
       ('length < FREE_MINUTES', 'length <= FREE_MINUTES'),
       ('length >= LONG', 'length > LONG'),
       ('total = round(total * 0.9)', 'total -= total // 10'),
       ('import limit, price', 'import MOST, limit, price'))
P
