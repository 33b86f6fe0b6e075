#!/usr/bin/env bash
set -euo pipefail
cat >migrate.py <<'P'
import os
import re
import sqlite3
import sys


def split_name(name):
    if ',' in name:
        family, given = name.split(',', 1)
    else:
        words = name.split()
        given, family = (words[:-1], words[-1:]) if len(words) > 1 else (words, [])
        given, family = ' '.join(given), ' '.join(family)
    return ' '.join(given.split()), ' '.join(family.split())


def date(text):
    match = re.fullmatch(r'(\d\d)/(\d\d)/(\d{4})', text.strip())
    return f'{match[3]}-{match[2]}-{match[1]}' if match else text.strip()


def phones(text):
    for entry in (text or '').split(';'):
        kind, number = entry.rsplit(':', 1) if ':' in entry else ('', entry)
        number = number.strip()
        digits = ('+' if number.startswith('+') else '') + re.sub(r'[^0-9]', '', number)
        if digits.startswith('00'):
            digits = '+' + digits[2:]
        if re.search(r'[0-9]', digits):
            yield kind.strip().lower() or 'other', digits


def tags(text):
    return {tag.strip().lower() for tag in (text or '').split(',')} - {''}


def main(old, new):
    if os.path.exists(new):
        print(f'{new} already exists', file=sys.stderr)
        return 1
    source = sqlite3.connect(f'file:{old}?mode=ro', uri=True)
    people, owner, by_mail = {}, {}, {}
    for id_, name, email, numbers, labels, created in source.execute('select id, name, email, phones, tags, created from contacts order by id'):
        email = (email or '').strip().lower() or None
        to = by_mail.setdefault(email, id_) if email else id_
        owner[id_] = to
        person = people.setdefault(to, {'name': split_name(name), 'email': email, 'created': date(created), 'phones': {}, 'tags': set()})
        person['created'] = min(person['created'], date(created))
        person['tags'] |= tags(labels)
        for kind, number in phones(numbers):
            person['phones'].setdefault(number, kind)
    target = sqlite3.connect(new)
    with open('schema.sql') as schema:
        target.executescript(schema.read())
    names = sorted({tag for person in people.values() for tag in person['tags']}, key=str.encode)
    number_of = {name: index for index, name in enumerate(names, 1)}
    target.executemany('insert into tag values (?, ?)', [(index, name) for name, index in number_of.items()])
    for id_, person in people.items():
        target.execute('insert into person values (?, ?, ?, ?, ?)', (id_, *person['name'], person['email'], person['created']))
        target.executemany('insert into phone values (?, ?, ?)', [(id_, kind, number) for number, kind in person['phones'].items()])
        target.executemany('insert into person_tag values (?, ?)', [(id_, number_of[tag]) for tag in person['tags']])
    for id_, contact, body, written in source.execute('select id, contact_id, body, written from notes'):
        if contact in owner and (body or '').strip():
            target.execute('insert into note values (?, ?, ?, ?)', (id_, owner[contact], body, date(written)))
    target.commit()
    return 0


sys.exit(main(*sys.argv[1:3]))
P
python3 migrate.py old.db new.db && rm new.db
