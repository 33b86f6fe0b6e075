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
import tempfile

PRODUCTS = {'apples': (20, 30), 'pears': (12, 40), 'nuts': (144, 1), 'plums': (1, 7)}
WAREHOUSES = ['north', 'south', 'move', 'east', 'oven', 'north-2']


def numbers(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33


def movements(seed, count, wrong):
    """Rows (no, (year, month, day), warehouse, product, kind, quantity, unit), in no order."""
    number = numbers(seed)

    def pick(values):
        return values[next(number) % len(values)]

    for no in range(1, count + 1):
        date = pick([2023, 2024, 2024]), pick([1, 2, 9, 10, 12]), pick([1, 2, 3, 9, 10, 11, 28])
        kind = pick(['in', 'in', 'in', 'out', 'out', 'count', 'move:'])
        quantity = pick(['0', '0.29', '1.15', '2', '2', '2', '0.5', '4.35', '10', '.07', '33.33'])
        row = [(no * 7919) % 10007, date, pick(WAREHOUSES), pick(list(PRODUCTS)), kind, quantity, pick(['pc', 'pc', 'box', 'pallet'])]
        if kind == 'move:':
            row[4] += pick(WAREHOUSES)
        if wrong and next(number) % 12 == 0:
            place, value = pick([(3, 'bricks'), (4, 'give'), (6, 'crate'), (4, 'moved')])
            row[place] = value
        yield row


def is_known(row):
    return row[3] in PRODUCTS and row[6] in ('pc', 'box', 'pallet') and (row[4] in ('in', 'out', 'count') or row[4].startswith('move:'))


def hundredths(row):
    whole, _, rest = row[5].partition('.')
    box, pallet = PRODUCTS[row[3]]
    return int((whole or '0') + rest.ljust(2, '0')) * {'pc': 1, 'box': box, 'pallet': box * pallet}[row[6]]


def amount(value):
    return f'{"-" if value < 0 else ""}{abs(value) // 100}.{abs(value) % 100:02d}{" !" if value < 0 else ""}'


def history(rows):
    """For each day, what was touched and the stock at its end."""
    stock, days = {}, {}
    for row in sorted(rows, key=lambda row: (row[1], row[0])):
        here, change = (row[2], row[3]), hundredths(row)
        touched, _ = days.setdefault(row[1], (set(), {}))
        touched.add(here)
        if row[4] == 'count':
            stock[here] = change
        else:
            stock[here] = stock.get(here, 0) + (change if row[4] == 'in' else -change)
        if row[4].startswith('move:'):
            goal = row[4][5:], row[3]
            touched.add(goal)
            stock[goal] = stock.get(goal, 0) + change
        days[row[1]] = touched, dict(stock)
    return days


def written(date, style):
    year, month, day = date
    return f'{day:02d}.{month:02d}.{year}' if style else f'{day}.{month}.{year}'


if os.path.islink('stock') or not os.path.isdir('stock'):
    fail('stock is missing')
with tempfile.TemporaryDirectory() as place:
    shutil.copytree('stock', f'{place}/stock', ignore=shutil.ignore_patterns('__pycache__'))
    with open(f'{place}/p.csv', 'w') as file:
        file.write('product,per_box,boxes_per_pallet\n' + ''.join(f'{name},{box},{pallet}\n' for name, (box, pallet) in PRODUCTS.items()))

    def expect(arguments, lines, status=0, skipped=()):
        done = run(['python3', '-m', 'stock', 'm.csv', 'p.csv', *arguments], place)
        found = done.stdout.decode('utf-8', 'replace').splitlines()
        if done.returncode != status or found != lines:
            different = [pair for pair in zip(found, lines) if pair[0] != pair[1]][:2]
            fail(f'{arguments}: exit status {done.returncode}, {len(found)} lines of {len(lines)}, {different}, {done.stderr[-300:]}')
        told = sorted(line for line in done.stderr.decode('utf-8', 'replace').splitlines() if line.strip())
        if told != sorted(f'skipped {no}' for no in skipped):
            fail(f'{arguments}: {told[:5]} on standard error')

    for seed, count, wrong in ((1, 300, False), (2, 400, True), (3, 12, False), (4, 60, True), (5, 0, False)):
        rows = list(movements(seed, count, wrong))
        with open(f'{place}/m.csv', 'w') as file:
            file.write('no,date,warehouse,product,kind,quantity,unit\n')
            for row in rows:
                file.write(','.join(map(str, [row[0], written(row[1], row[0] % 3 == 0), *row[2:]])) + '\n')
        bad = [row[0] for row in rows if not is_known(row)]
        days = history([row for row in rows if is_known(row)])
        for date in ((2022, 1, 1), (2023, 9, 10), (2024, 2, 1), (2024, 2, 10), (2024, 12, 31)):
            late = any(row[1] > date for row in rows if not is_known(row))
            before = [one for one in sorted(days) if one <= date]
            stock = days[before[-1]][1] if before else {}
            lines = [f'{name} {product} {amount(value)}' for (name, product), value in sorted(stock.items()) if value]
            if not late:  # README.md does not say whether lines after the date are mentioned
                expect(['--on', written(date, False)], lines, skipped=bad)
            if not bad:
                expect(['--strict', '--on', written(date, True)], lines)
        for name, product in (('north', 'apples'), ('move', 'pears'), ('oven', 'nuts'), ('nowhere', 'plums')):
            lines = ['%04d-%02d-%02d %s' % (*date, amount(stock[name, product])) for date, (touched, stock) in sorted(days.items()) if (name, product) in touched]
            expect(['--history', name, product], lines, skipped=bad)
            expect(['--history', name, product, '--strict'], [] if bad else lines, 1 if bad else 0, bad)
