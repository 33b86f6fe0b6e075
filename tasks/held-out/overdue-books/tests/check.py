import csv
import datetime
import sqlite3

DAY = datetime.date(2024, 6, 15)
db = sqlite3.connect('library.db')
period = {kind: (days, more) for kind, days, more in db.execute('select * from loan_periods')}
readers = {key: (name, kind) for key, name, kind in db.execute('select * from readers')}
titles = dict(db.execute('select id, title from books'))
rows = []
for reader, book, lent, back, extensions in db.execute(
        'select reader_id, book_id, lent_on, returned_on, extensions from loans'):
    if datetime.date.fromisoformat(lent) > DAY or back and datetime.date.fromisoformat(back) <= DAY:
        continue
    name, kind = readers[reader]
    due = datetime.date.fromisoformat(lent) + datetime.timedelta(period[kind][0] + extensions * period[kind][1])
    if due < DAY:
        rows.append([name, titles[book], due.isoformat(), str((DAY - due).days)])
rows.sort(key=lambda row: (-int(row[3]), row[1], row[0]))
assert len(rows) > 8
with open('overdue.csv', newline='', encoding='utf-8') as file:
    text = file.read()
got = list(csv.reader(text.splitlines()))
assert got == [['reader', 'title', 'due', 'days_late'], *rows], got
out = []
for row in got:
    out.append(','.join('"' + one.replace('"', '""') + '"' if any(c in one for c in ',"\n') else one for one in row))
assert text.replace('\r\n', '\n').rstrip('\n') == '\n'.join(out), 'quoting'
