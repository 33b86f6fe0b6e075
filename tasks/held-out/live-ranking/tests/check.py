import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
work = tempfile.mkdtemp()
with open('ranking.py', 'rb') as file:
    code = file.read()
assert code != open(os.path.join(here, 'slow.py'), 'rb').read(), 'unchanged'
with open(os.path.join(work, 'ranking.py'), 'wb') as file:
    file.write(code)


def run(path, text, limit):
    done = subprocess.run([sys.executable, '-B', path], input=text, capture_output=True, text=True, cwd=work,
                          timeout=limit, env={'PATH': '/usr/bin:/bin'})
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def commands(seed, count, names, joins, spread):
    """First players join, then everything is mixed."""
    chance = random.Random(seed)
    lines = [f'add n{number} {chance.randint(-spread, spread)}' for number in range(joins)]
    while len(lines) < count:
        name = f'n{chance.randrange(names)}'
        kind = chance.choices(('add', 'drop', 'bonus', 'rename', 'cut', 'rank', 'at', 'above', 'between', 'sum', 'what', ''),
                              (30, 4, 4, 3, 0.01 if names > 1000 else 1, 16, 12, 12, 9, 9, 0.1, 0.1))[0]
        if kind == 'add':
            line = f'add {name} {chance.choice((0, chance.randint(-spread, spread), chance.randint(-3, 9)))}'
        elif kind in ('drop', 'rank', 'above'):
            line = f'{kind} {name}'
        elif kind == 'bonus':
            line = f'bonus {chance.randint(-4, 9)}'
        elif kind == 'rename':
            line = f'rename {name} n{chance.randrange(names)}'
        elif kind == 'cut':
            line = f'cut {chance.randint(int(names * 0.6), names)}' if chance.random() < 0.9 else f'cut {chance.randint(-2, 2) if names < 1000 else names}'
        elif kind == 'at':
            line = f'at {chance.randint(-1, names + 3)}'
        elif kind == 'between':
            low = chance.randint(-2 * spread, 2 * spread)
            line = f'between {low} {low + chance.randint(-2, spread)}'
        elif kind == 'sum':
            line = f'sum {chance.choice((chance.randint(-3, 12), chance.randint(0, names)))}'
        else:
            line = kind
        lines.append(line)
    return '\n'.join(lines) + '\n'


for seed in range(6):
    text = commands(seed, 1200, (3, 12, 60)[seed % 3], 0, (3, 40)[seed % 2])
    assert run('ranking.py', text, 10) == run(os.path.join(here, 'slow.py'), text, 30), seed

# Too much for the slow program; the digests come from a fast one that agrees with it.
LARGE = [(101, 150000, 50000, 40000, 5000, '775b11afafec8cf04a0bbcd25893b76319b6a7dcab5aa552913dbf3c9e9e750b'), (102, 150000, 50000, 50000, 60, '00e040a407576bcd1f9857a74ff465afc36e2999db11d191d20d73c2b9bc3ef8')]
for seed, count, names, joins, spread, digest in LARGE:
    begun = time.monotonic()
    out = run('ranking.py', commands(seed, count, names, joins, spread), 15)
    print(f'{time.monotonic() - begun:.1f} s')
    assert hashlib.sha256(out.encode()).hexdigest() == digest, seed
