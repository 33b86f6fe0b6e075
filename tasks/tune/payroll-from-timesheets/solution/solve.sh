#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv, datetime, glob, json
from decimal import Decimal, ROUND_HALF_UP
from fractions import Fraction

def rows(path, encoding='utf-8'):
    with open(path, encoding=encoding, newline='') as file:
        yield from csv.DictReader(file, delimiter=';')

def day(text):
    return datetime.datetime.strptime(text, '%d.%m.%Y').date()

def number(text):
    if ':' in text:
        hours, minutes = text.split(':')
        return int(hours) + Fraction(int(minutes), 60)
    return Fraction(text.replace(',', '.'))

worked = {}
for path in glob.glob('timesheets/*.csv'):
    for row in rows(path):
        key = row['person'], day(row['date'])
        worked[key] = worked.get(key, 0) + number(row['hours'])
for row in sorted(rows('corrections.csv'), key=lambda row: int(row['no'])):
    worked[row['person'], day(row['date'])] = number(row['hours'])
rates = sorted((day(row['valid_from']), row['person'], number(row['rate'])) for row in rows('rates.csv'))

def pay(person, date, hours):
    rate = [rate for begin, who, rate in rates if who == person and begin <= date][-1]
    if date.weekday() == 6:
        return rate * hours * Fraction(3, 2)
    return rate * (min(hours, 8) + max(hours - 8, 0) * Fraction(5, 4))

result = []
for row in sorted(rows('staff.csv', 'latin-1'), key=lambda row: int(row['id'])):
    days = {date: hours for (person, date), hours in worked.items() if person == row['id'] and hours}
    total = sum(pay(row['id'], date, hours) for date, hours in days.items())
    cents = int(total * 100 + Fraction(1, 2))
    result.append({'id': int(row['id']), 'name': row['name'], 'days': len(days), 'hours': round(float(sum(days.values())), 4), 'pay': cents / 100})
with open('payroll.json', 'w', encoding='utf-8') as out:
    json.dump(result, out, ensure_ascii=False, indent=1)
P
