import os
import subprocess
import sys


def fail(why):
    print(why)
    sys.exit(1)


def read(path, limit=2_000_000):
    if os.path.islink(path) or not os.path.isfile(path):
        fail(f'{path} is missing or is not a regular file')
    if os.path.getsize(path) > limit:
        fail(f'{path} is too large')
    with open(path, 'rb') as file:
        return file.read()


def text(path):
    try:
        return read(path).decode('utf-8')
    except UnicodeDecodeError:
        fail(f'{path} is not UTF-8')


def run(argv, cwd, stdin=b'', seconds=8):
    clean = {'PATH': os.environ['PATH'], 'HOME': cwd, 'LC_ALL': 'C.UTF-8', 'PYTHONDONTWRITEBYTECODE': '1'}
    return subprocess.run(['timeout', '-k', '1', str(seconds), *argv], cwd=cwd, input=stdin, capture_output=True, env=clean)


import shutil
import sqlite3
import tempfile

CONTACTS = [
    (4, 'Berg,Ida  Marie', ' Ida@Example.org', 'Home: (020) 44-55; 0044 20 1', 'Tennis , old friend,TENNIS', '28/02/2021'),
    (2, 'ida berg', 'IDA@example.org ', 'work: +4420 1;home: 999', 'Ähre,zoo', '2021-03-01'),
    (9, 'I. Berg', 'ida@example.org', 'mobile:02044 55; : 77', 'old friend', '05/12/2020'),
    (10, 'Cher', None, '', '', '31/12/1999'),
    (11, ' Cher ', '', ' ; ;x: ;tel: +', ' , ,', '2000-01-01'),
    (12, 'Ludwig van  der Aa', 'aa@example.org', '+00 12; Ext: 12+34', 'b,a', '01/01/2001'),
    (13, 'Aa, Ludwig, jr.', 'aa2@example.org', '0012', 'B', '2001-01-01'),
    (20, 'Zed Zulu', '  ', '5', 'zoo', '2010-10-10'),
    (21, 'Zed Zulu', None, '5', 'Zoo', '2010-10-10'),
]
NOTES = [
    (7, 9, ' keeps its spaces ', '09/08/2022'),
    (3, 2, 'two\nlines', '2022-01-31'),
    (5, 99, 'orphan', '2022-01-31'),
    (6, None, 'nobody', '2022-01-31'),
    (8, 10, ' \n\t ', '2022-01-31'),
    (9, 10, None, '2022-01-31'),
    (12, 21, 'x', '01/02/2023'),
]
WANT = {
    'person': [
        (2, 'ida', 'berg', 'ida@example.org', '2020-12-05'),
        (10, 'Cher', '', None, '1999-12-31'),
        (11, 'Cher', '', None, '2000-01-01'),
        (12, 'Ludwig van der', 'Aa', 'aa@example.org', '2001-01-01'),
        (13, 'Ludwig, jr.', 'Aa', 'aa2@example.org', '2001-01-01'),
        (20, 'Zed', 'Zulu', None, '2010-10-10'),
        (21, 'Zed', 'Zulu', None, '2010-10-10'),
    ],
    'phone': [
        (2, 'home', '0204455'),
        (2, 'home', '999'),
        (2, 'other', '77'),
        (2, 'work', '+44201'),
        (12, 'ext', '1234'),
        (12, 'other', '+0012'),
        (13, 'other', '+12'),
        (20, 'other', '5'),
        (21, 'other', '5'),
    ],
    'tag': [(1, 'a'), (2, 'b'), (3, 'old friend'), (4, 'tennis'), (5, 'zoo'), (6, 'ähre')],
    'person_tag': [(2, 3), (2, 4), (2, 5), (2, 6), (12, 1), (12, 2), (13, 2), (20, 5), (21, 5)],
    'note': [(3, 2, 'two\nlines', '2022-01-31'), (7, 2, ' keeps its spaces ', '2022-08-09'), (12, 21, 'x', '2023-02-01')],
}
EMPTY = {table: [] for table in WANT}


def old_database(path, contacts, notes):
    db = sqlite3.connect(path)
    db.execute('create table contacts(id integer primary key, name text not null, email text, phones text, tags text, created text not null)')
    db.execute('create table notes(id integer primary key, contact_id integer, body text, written text not null)')
    db.executemany('insert into contacts values(?,?,?,?,?,?)', contacts)
    db.executemany('insert into notes values(?,?,?,?)', notes)
    db.commit()
    db.close()


def schema(db):
    return sorted(' '.join(sql.split()) for sql, in db.execute('select sql from sqlite_master where sql is not null'))


read('migrate.py')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('migrate.py', place)
    shutil.copy('schema.sql', place)
    model = sqlite3.connect(':memory:')
    model.executescript(text('schema.sql'))
    for name, contacts, notes, want in (('a', CONTACTS, NOTES, WANT), ('b', [], [], EMPTY)):
        old, new = f'{place}/{name}-old.db', f'{place}/{name}-new.db'
        old_database(old, contacts, notes)
        before = read(old)
        done = run(['python3', 'migrate.py', old, new], place)
        if done.returncode or not os.path.isfile(new):
            fail(f'exit status {done.returncode}: {done.stderr[-500:]}')
        if read(old) != before:
            fail('the old database was changed')
        db = sqlite3.connect(f'file:{new}?mode=ro', uri=True)
        if schema(db) != schema(model):
            fail('the new database has another structure')
        for table, rows in want.items():
            found = sorted(db.execute(f'select * from {table}'), key=repr)
            if found != sorted(rows, key=repr):
                fail(f'{table}: {found}')
        db.close()
    with open(f'{place}/there.db', 'w') as file:
        file.write('precious')
    done = run(['python3', 'migrate.py', f'{place}/b-old.db', f'{place}/there.db'], place)
    if done.returncode != 1 or not done.stderr or read(f'{place}/there.db') != b'precious':
        fail('an existing file was not left alone')
