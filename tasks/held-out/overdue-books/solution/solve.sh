#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv
import sqlite3

rows = sqlite3.connect('library.db').execute('''
with open_loans as (
  select r.name as reader, b.title as title,
    date(l.lent_on, '+' || (p.days + l.extensions * p.extension_days) || ' days') as due
  from loans l join readers r on r.id = l.reader_id join books b on b.id = l.book_id
    join loan_periods p on p.kind = r.kind
  where l.lent_on <= '2024-06-15' and (coalesce(l.returned_on, '') = '' or l.returned_on > '2024-06-15'))
select reader, title, due, cast(julianday('2024-06-15') - julianday(due) as integer) as late
from open_loans where due < '2024-06-15' order by late desc, title, reader''').fetchall()
with open('overdue.csv', 'w', newline='') as file:
    csv.writer(file, lineterminator='\n').writerows([('reader', 'title', 'due', 'days_late'), *rows])
P
