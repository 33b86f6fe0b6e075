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

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from journal import COMMIT, DELETE, PUT, commit, record, recover


def numbers(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33


def readable(seq, key):
    """A put that is itself UTF-8 from its first to its last byte, so that it can be part of a value."""
    for attempt in range(10000):
        made = record(PUT, seq, key, f'inner {attempt}'.encode())
        if max(made) < 128:
            return made
    raise AssertionError('no such record')


def history(seed, commits):
    """The records of a journal in the order of writing."""
    number = numbers(seed)
    seq, records = next(number) % 50 + 1, []
    for _ in range(commits):
        count = next(number) % 5
        for _ in range(count):
            key = f'key {next(number) % 25}'.encode()
            if next(number) % 5 == 0:
                records.append(record(DELETE, seq, key))
            else:
                value = f'välue {next(number)} '.encode() * (next(number) % 9)
                if next(number) % 6 == 0:
                    value = b'copy: ' + readable(seq % 100, key)
                records.append(record(PUT, seq, key, value, next(number) % 3 == 0))
            seq += 1
        records.append(commit(seq, count, next(number) % 7 == 0))
        seq += 1 + (next(number) % 9 == 0)
    return records


def damage(data, seed, times):
    number, data = numbers(seed), bytearray(data)
    for _ in range(times):
        at, kind = next(number) % len(data), next(number) % 4
        if kind == 0:
            data[at] ^= 1 << next(number) % 8
        elif kind == 1:
            del data[at:at + next(number) % 40]
        elif kind == 2:
            data[at:at] = b'JRN1' + bytes(next(number) % 256 for _ in range(next(number) % 30))
        else:
            data[at:at + 9] = b'\0' * 9
    return bytes(data)


def turned(records, by):
    return b''.join(records[by:] + records[:by])


a = record(PUT, 1, b'a', b'one')
inside = readable(2, b'b')
outer = record(PUT, 3, b'c', inside)
huge = bytearray(record(PUT, 4, b'd', b'value'))
huge[11] = 0x7F
CASES = {
    'empty': b'',
    'only noise': b'JRN' * 50 + b'JRN1',
    'undamaged': b''.join(history(1, 40)),
    'turned': turned(history(2, 60), 77),
    'inside': a + outer + commit(4, 1) + commit(2, 1),
    'inside damaged': a + outer[:8] + b'\xff' + outer[9:] + commit(3, 2),
    'huge length': bytes(huge) + a + commit(2, 1),
    'written twice': a + record(PUT, 1, b'a', b'two') + commit(2, 1) + commit(2, 1),
    'twice, other type': record(PUT, 1, b'a', b'x') + record(PUT, 2, b'b', b'x') + commit(3, 2) + record(DELETE, 2, b'a'),
    'commit replaced': a + record(PUT, 2, b'b', b'x') + commit(3, 2) + commit(3, 1),
    'too large a count': a + commit(2, 2) + commit(5, 4_000_000_000) + record(PUT, 9, b'z', b'z') + commit(10, 1),
    'commit of a commit': a + commit(2, 1) + record(PUT, 3, b'b', b'x') + commit(4, 3),
    'same record in two commits': a + commit(2, 1) + record(DELETE, 3, b'a') + commit(4, 1) + record(PUT, 5, b'q', b'') + commit(6, 1),
    'count of zero': commit(7, 0) + commit(0, 0),
    'wrong types': record(0, 1, b'a', b'') + record(4, 2, b'a', b'') + record(131, 3, b'', b'\0\0\0\1') + a + commit(2, 1),
    'not packed': record(129, 1, b'a', b'not zlib') + commit(2, 1),
    'not UTF-8': record(PUT, 1, b'\xff', b'x') + record(PUT, 2, b'b', b'\xff') + record(PUT, 3, b'c', b'\xff', True) + commit(4, 1) + commit(2, 1),
    'odd commits': record(COMMIT, 3, b'k', b'\0\0\0\0') + record(COMMIT, 4, b'', b'\0\0\0') + record(DELETE, 5, b'a', b'v') + commit(6, 1),
    'cut off': turned(history(3, 20), 0)[:-2],
}
for seed in range(4, 16):
    records = history(seed, 30 + 5 * seed)
    CASES[f'damaged {seed}'] = damage(turned(records, seed * 7 % len(records)), seed, seed)
CASES['large'] = damage((turned(history(50, 600), 301) + b'JRN1' * 9000)[:190000], 51, 60)

read('recover.py')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('recover.py', place)
    for name, data in CASES.items():
        with open(f'{place}/in.jrn', 'wb') as file:
            file.write(data)
        if os.path.exists(f'{place}/out.json'):
            os.remove(f'{place}/out.json')
        done = run(['python3', 'recover.py', 'in.jrn', 'out.json'], place, seconds=10)
        if done.returncode:
            fail(f'{name}: exit status {done.returncode}: {done.stderr[-400:]}')
        try:
            found = json.loads(text(f'{place}/out.json'))
        except ValueError:
            fail(f'{name}: the result is not JSON')
        if found != recover(data):
            fail(f'{name}: {str(found)[-300:]} instead of {str(recover(data))[-300:]}')
