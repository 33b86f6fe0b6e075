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
import shutil
import tempfile

CASES = [
    ('slug', ['Hello, World!'], 'hello-world'),
    ('slug', ['  --Déjà vu: naïve Ångström--  '], 'deja-vu-naive-angstrom'),
    ('slug', ['The quick brown fox jumps over the lazy dog'], 'the-quick-brown-fox-jumps-over-the-lazy'),
    ('slug', ['one two three', 7], 'one-two'),
    ('slug', ['one two three', 8], 'one-two'),
    ('slug', ['one two three', 6], 'one'),
    ('slug', ['Donaudampfschiff fahrt', 10], 'donaudampf'),
    ('slug', ['!!!'], ''),
    ('slug', ['a/b\\c_d'], 'a-b-c-d'),
    ('slug', ['100% of 3.5'], '100-of-3-5'),
    ('wrap', ['aa bb cc dd', 5], ['aa bb', 'cc dd']),
    ('wrap', ['aa bb cc dd', 4], ['aa', 'bb', 'cc', 'dd']),
    ('wrap', ['extraordinary is long', 6], ['extraordinary', 'is', 'long']),
    ('wrap', ['is extraordinary yes', 6], ['is', 'extraordinary', 'yes']),
    ('wrap', ['one\ntwo\n\n\n\nthree', 20], ['one two', '', 'three']),
    ('wrap', ['\n\n one\n  \t\ntwo\n\n', 20], ['one', '', 'two']),
    ('wrap', ['', 10], []),
    ('wrap', [' \n\n ', 10], []),
    ('wrap', ['a   b\tc', 3], ['a b', 'c']),
    ('table', [[['a', 'bb'], ['ccc', 'd']]], 'a    bb\nccc  d'),
    ('table', [[['a', 1], ['bb', 100], ['c', 22]], 'lr'], 'a     1\nbb  100\nc    22'),
    ('table', [[['x'], ['long', 'y', 'z'], ['m', 'nn']]], 'x\nlong  y   z\nm     nn'),
    ('table', [[['1', 'a'], ['22']], 'rr'], ' 1  a\n22'),
    ('table', [[[None, True], [1.5, '']]], 'None  True\n1.5'),
    ('table', [[]], ''),
    ('table', [[['', 'b'], ['aa', 'c']]], '    b\naa  c'),
    ('parse_duration', ['1h 30m'], 5400),
    ('parse_duration', ['1d2h'], 93600),
    ('parse_duration', ['30s 2m'], 150),
    ('parse_duration', ['0s'], 0),
    ('parse_duration', ['5m 3x'], 'ValueError'),
    ('parse_duration', [''], 'ValueError'),
    ('parse_duration', ['5m5m'], 'ValueError'),
    ('parse_duration', ['1.5h'], 'ValueError'),
    ('parse_duration', ['5 m'], 'ValueError'),
    ('parse_duration', ['-5m'], 'ValueError'),
    ('parse_duration', ['1h30'], 'ValueError'),
    ('parse_duration', ['1h, 30m'], 'ValueError'),
    ('merge_tags', [['b', 'A'], ['a']], ['a', 'b']),
    ('merge_tags', [['x', 'X', 'y']], ['x', 'y']),
    ('merge_tags', [['z']], ['z']),
    ('merge_tags', [['New'], ['Old', 'new']], ['Old', 'new']),
    ('merge_tags', [[], ['k']], ['k']),
]

if os.path.islink('textkit') or not os.path.isdir('textkit'):
    fail('textkit is missing')
with tempfile.TemporaryDirectory() as place:
    shutil.copytree('textkit', os.path.join(place, 'textkit'), ignore=shutil.ignore_patterns('__pycache__'))
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.py'), place)
    done = run(['python3', 'calls.py'], place, json.dumps([case[:2] for case in CASES]).encode())
try:
    results = json.loads(done.stdout)
except ValueError:
    fail(f'the calls did not finish: {done.stderr.decode()[-500:]}')
for (name, arguments, want), (value, unchanged) in zip(CASES, results, strict=True):
    if value != want or type(value) is not type(want) or not unchanged:
        fail(f'{name}{tuple(arguments)} gave {value!r}, not {want!r} (arguments unchanged: {unchanged})')
