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
    found = json.loads(text('findings.json'))
except ValueError as error:
    fail(f'findings.json is not JSON: {error}')
if not isinstance(found, dict):
    fail('findings.json is not an object')
for name, value in want.items():
    if found.get(name) != value:
        fail(f'{name}: {str(found.get(name))[:500]}')
