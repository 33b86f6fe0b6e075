import csv
import sys

from stock.dates import day

UNITS = ('pc', 'box', 'pallet')


def load(path):
    """The movements in the order in which they happened."""
    with open(path, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    rows.sort(key=lambda row: (day(row['date']), row['no']))
    for row in rows:
        yield {**row, 'date': day(row['date'])}


def is_known(row, products):
    kind = row['kind'] in ('in', 'out', 'count') or row['kind'].startswith('move')
    return kind and row['product'] in products and row['unit'] in UNITS


def problems(movements, products):
    found = [row['no'] for row in movements if not is_known(row, products)]
    for no in found:
        print(f'skipped {no}', file=sys.stderr)
    return found
