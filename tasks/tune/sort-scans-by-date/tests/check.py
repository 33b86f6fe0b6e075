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


EXPECTED = {
    '2024/03': ['scan_2024-03-05_invoice.txt', '2024.03.17 letter to the bank.txt'],
    '2023/12': ['office/2023_12_31-closing.txt'],
    '2023/07': ['phone/IMG-2023_07_09.txt', 'phone/holiday 2023-07-21.txt'],
    '2023/11': ['-draft 2023-11-02.txt'],
    '2024/01': ['.2024-01-05-note.txt'],
    '2024/02': ['ticket-2024-02-29.txt'],
    '2024/04': ['version 2024-00-10 of 2024-04-10.txt'],
    '1999/05': ['office/minutes 1999-05-04.txt'],
    'undated': [
        'phone/older/IMG-2022.02.30.txt',
        'manual.txt',
        'order 20240305.txt',
        '2024-13-05 odd.txt',
        'ticket-2023-02-29.txt',
        'report 2024-3-5.txt',
        'office/mixed 2024-05_06.txt',
        'no.date at all.txt',
    ],
}

if os.path.islink('sorted') or not os.path.isdir('sorted'):
    fail('sorted is missing')
wanted = {f'sorted/{folder}/{os.path.basename(name)}': f'inbox/{name}' for folder, names in EXPECTED.items() for name in names}
found = {os.path.join(root, name) for root, _, names in os.walk('sorted') for name in names}
if found != set(wanted):
    fail(f'other files than expected: {sorted(found ^ set(wanted))}')
for copy, original in wanted.items():
    if read(copy) != read(original):
        fail(f'{copy} differs from {original}')
