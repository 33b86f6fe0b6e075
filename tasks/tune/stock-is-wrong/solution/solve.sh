#!/usr/bin/env bash
set -euo pipefail
cat >stock/dates.py <<'P'
def day(text):
    """A date that can be compared, from a text such as 7.2.2024."""
    day, month, year = (int(part) for part in text.strip().split('.'))
    return year, month, day


def show_day(date):
    year, month, day = date
    return f'{year:04d}-{month:02d}-{day:02d}'
P
cat >stock/units.py <<'P'
from decimal import Decimal


def pieces(quantity, unit, sizes):
    """Hundredths of a piece; sizes are the pieces in a box and the boxes on a pallet."""
    per_box, boxes_per_pallet = sizes
    size = {'pc': 1, 'box': per_box, 'pallet': per_box * boxes_per_pallet}[unit]
    return int(Decimal(quantity.strip()) * 100) * size
P
cat >stock/show.py <<'P'
from stock.dates import show_day


def show_amount(amount):
    sign, size = ('-', -amount) if amount < 0 else ('', amount)
    return f'{sign}{size // 100}.{size % 100:02d}' + (' !' if sign else '')


def show_levels(days):
    """The stock after the last day."""
    levels = days[-1][2] if days else {}
    return [f'{name} {product} {show_amount(amount)}' for (name, product), amount in sorted(levels.items()) if amount]


def show_history(days, name, product):
    return [f'{show_day(date)} {show_amount(levels[name, product])}' for date, touched, levels in days if (name, product) in touched]
P
cat >stock/replay.py <<'P'
from stock.units import pieces


def replay(movements, products, until=None):
    """The days with the stock after each of them: (date, touched, levels by warehouse and product)."""
    levels, days = {}, []
    for row in movements:
        if until and row['date'] > until:
            break
        if not days or days[-1][0] != row['date']:
            days.append((row['date'], set(), {}))
        here = row['warehouse'], row['product']
        amount = pieces(row['quantity'], row['unit'], products[row['product']])
        kind, _, goal = row['kind'].partition(':')
        if kind == 'count':
            changes = {here: amount - levels.get(here, 0)}.items()
        elif kind == 'move':
            changes = [(here, -amount), ((goal, row['product']), amount)]
        else:
            changes = [(here, amount if kind == 'in' else -amount)]
        for place, change in changes:
            levels[place] = levels.get(place, 0) + change
            days[-1][1].add(place)
        days[-1][2].update(levels)
    return days
P
python3 - <<'P'
def change(path, *pairs):
    with open(path) as file:
        text = file.read()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new)
    with open(path, 'w') as file:
        file.write(text)

change('stock/movements.py',
    ("row['no']))\n    for row in rows:\n        yield {**row, 'date': day(row['date'])}", "int(row['no'])))\n    return [{**row, 'date': day(row['date'])} for row in rows]"),
    ("startswith('move')", "startswith('move:')"))
change('stock/__main__.py',
    ("    if options.strict and problems(movements, products):\n        return 1\n",
     "    if problems(movements, products) and options.strict:\n        return 1\n    movements = [row for row in movements if is_known(row, products)]\n"),
    ('import load, problems', 'import is_known, load, problems'))
P
python3 -m stock movements.csv products.csv --on 12.2.2024
