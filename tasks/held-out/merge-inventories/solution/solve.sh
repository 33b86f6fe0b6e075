#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import os
import sqlite3
from collections import Counter

if os.path.exists('merged.db'):
    os.remove('merged.db')
out = sqlite3.connect('merged.db')
stores = [sqlite3.connect('east.db'), sqlite3.connect('west.db')]
for (sql,) in stores[0].execute("select sql from sqlite_master where sql is not null order by type = 'index'"):
    out.execute(sql)
parents, items, stock, moves = {}, {}, Counter(), Counter()
for db in stores:
    place = dict(db.execute('select id, name from places'))
    place[None] = None
    for name, parent in db.execute('select name, parent_id from places'):
        parents.setdefault(name, place[parent])
    item = dict(db.execute('select id, code from items'))
    for code, title, changed in db.execute('select code, title, changed from items'):
        if code not in items or changed > items[code][1]:
            items[code] = (title, changed)
    for one, where, quantity in db.execute('select item_id, place_id, quantity from stock'):
        stock[item[one], place[where]] += quantity
    moves |= Counter((item[one], place[a], place[b], quantity, at) for one, a, b, quantity, at in db.execute(
        'select item_id, from_place, to_place, quantity, at from moves'))
    # Zero is a quantity too.
    for one, where in db.execute('select item_id, place_id from stock'):
        stock[item[one], place[where]] += 0
ids = {name: number for number, name in enumerate(parents, 1)}
ids[None] = None
codes = {code: number for number, code in enumerate(items, 1)}
out.executemany('insert into places values (?, ?, ?)', [(ids[n], n, ids[p]) for n, p in parents.items()])
out.executemany('insert into items values (?, ?, ?, ?)', [(codes[c], c, *rest) for c, rest in items.items()])
out.executemany('insert into stock values (?, ?, ?)', [(codes[c], ids[p], q) for (c, p), q in stock.items()])
out.executemany('insert into moves(item_id, from_place, to_place, quantity, at) values (?, ?, ?, ?, ?)', [
    (codes[c], ids[a], ids[b], q, at) for (c, a, b, q, at) in sorted(moves.elements(), key=lambda m: m[4])])
out.commit()
assert not out.execute('pragma foreign_key_check').fetchall()
P
