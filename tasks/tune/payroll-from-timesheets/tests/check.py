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


import json

here = os.path.dirname(os.path.abspath(__file__))
want = json.loads(text(os.path.join(here, 'expected.json')))
try:
    found = json.loads(text('payroll.json'))
except ValueError as error:
    fail(f'payroll.json is not JSON: {error}')
if not isinstance(found, list) or len(found) != len(want):
    fail('payroll.json has another number of people')
for person, expected in zip(found, want):
    if not isinstance(person, dict) or set(person) != set(expected):
        fail(f'other fields than expected: {person}')
    for field in ('id', 'name', 'days'):
        if person[field] != expected[field]:
            fail(f'{field} is {person[field]!r} and not {expected[field]!r}')
    for field, tolerance in (('hours', 0.006), ('pay', 0.001)):
        value = person[field]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value - expected[field]) > tolerance:
            fail(f'{field} of {expected["id"]} is {value!r} and not {expected[field]}')
