import sqlite3
from collections import Counter


def read(path):
    db = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
    place = dict(db.execute('select id, name from places'))
    place[None] = None
    item = dict(db.execute('select id, code from items'))
    places = [(name, place[parent]) for name, parent in db.execute('select name, parent_id from places')]
    items = db.execute('select code, title, changed from items').fetchall()
    stock = [(item[i], place[p], q) for i, p, q in db.execute('select item_id, place_id, quantity from stock')]
    moves = Counter((item[i], place[a], place[b], q, at) for i, a, b, q, at in db.execute(
        'select item_id, from_place, to_place, quantity, at from moves'))
    return places, items, stock, moves


def shape(path):
    db = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
    out = {}
    for name, sql in db.execute("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'"):
        columns = [(c[1], c[2].lower(), c[3], c[5]) for c in db.execute(f'pragma table_info({name})')]
        links = sorted((f[2], f[3], f[4]) for f in db.execute(f'pragma foreign_key_list({name})'))
        indexes = sorted((i[2], tuple(c[2] for c in db.execute(f'pragma index_info("{i[1]}")')))
                         for i in db.execute(f'pragma index_list({name})'))
        out[name] = (columns, links, indexes)
    return out


assert shape('merged.db') == shape('east.db'), shape('merged.db')
east, west, got = read('east.db'), read('west.db'), read('merged.db')

places = dict(west[0]) | dict(east[0])
assert sorted(got[0], key=str) == sorted(places.items(), key=str), got[0]
items = {code: (title, changed) for code, title, changed in east[1]}
for code, title, changed in west[1]:
    if code not in items or changed > items[code][1]:
        items[code] = (title, changed)
assert sorted(got[1]) == sorted((code, *rest) for code, rest in items.items()), got[1]
stock = {}
for code, place, quantity in east[2] + west[2]:
    stock[code, place] = stock.get((code, place), 0) + quantity
assert sorted(got[2]) == sorted((*key, quantity) for key, quantity in stock.items()), got[2]
moves = {key: max(east[3][key], west[3][key]) for key in east[3].keys() | west[3].keys()}
assert got[3] == moves, (got[3] - Counter(moves), Counter(moves) - got[3])

db = sqlite3.connect('merged.db')
assert db.execute('pragma integrity_check').fetchall() == [('ok',)]
assert not db.execute('pragma foreign_key_check').fetchall()
try:
    db.execute('update stock set quantity = -1')
except sqlite3.IntegrityError:
    pass
else:
    raise AssertionError('the check on quantity is lost')
