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


MAIN = 'dd4cd5ad2bedbdff7ba0e17ef3e2b595f0752a87'
PLANNING = '9ee03da61d934f65628eed15db5974296313ead9'

import glob
import json
import shutil
import tempfile

ENTRIES = '''date,account,amount,text
2024-01-03,savings,"1,250.00",begin
2024-01-05,cash,(12.35),shoes
2024-01-09,cash,20,gift
2024-02-01,cash,"(1,000.1)",pending rent
2024-02-11,cash,-0.01,fee
2024-02-12,savings,0.02,interest
2024-02-13,savings,-0.04,fee
2024-02-14,savings,0.01,interest
2024-03-01,visa,"(12,345,678.90)",boat
2024-03-02,visa,2.5,back
2024-04-01,cash,5.00,pending gift
2024-05-01,cash,0.01,a
2024-05-01,cash,0.02,b
'''
COMMANDS = {
    ('summary',): ['cash: 7.67 (pending -995.10)', 'savings: 1249.99', 'visa: -12345676.40', 'total: -12344418.74'],
    ('monthly',): [
        '2024-01: in 1270.00, out 12.35, average 419.22',
        '2024-02: in 0.03, out 0.05, average -0.01',
        '2024-03: in 2.50, out 12345678.90, average -6172838.20',
        '2024-05: in 0.03, out 0.00, average 0.02',
    ],
    ('low', '7.67'): ['visa'],
    ('low', '7.68'): ['visa', 'cash'],
    ('low', '1,250.00'): ['visa', 'cash', 'savings'],
    ('low',): ['visa', 'cash'],
}
AMOUNTS = {
    '12.50': 1250, '12': 1200, '-3.5': -350, '(3.50)': -350, '(1,250.00)': -125000, ' 12,345,678.90 ': 1234567890, '1,250': 125000,
    '-1,250.5': -125050, '1250.00': 125000, '0.29': 29, '12,50': 'ValueError', '1,2500': 'ValueError', '1250,000': 'ValueError',
    ',250': 'ValueError', '1.234': 'ValueError', '': 'ValueError', '1,250,': 'ValueError', 'ten': 'ValueError', '1.25,000': 'ValueError',
}


def git(*arguments, cwd):
    return run(['git', '-c', 'safe.directory=*', *arguments], cwd)


def entries(name, where):
    with open(os.path.join(where, name), encoding='utf-8') as file:
        return [line for line in file.read().split('\n') if line.startswith('- ')]


read('merged.bundle')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('merged.bundle', place)
    shutil.copy('ledger.bundle', place)
    if git('clone', '-q', '-b', 'main', 'merged.bundle', 'merged', cwd=place).returncode:
        fail('merged.bundle has no branch main')
    git('clone', '-q', '-b', 'main', 'ledger.bundle', 'main', cwd=place)
    git('clone', '-q', '-b', 'planning', 'ledger.bundle', 'planning', cwd=place)
    merged = os.path.join(place, 'merged')
    for tip in (MAIN, PLANNING):
        if git('merge-base', '--is-ancestor', tip, 'HEAD', cwd=merged).returncode:
            fail(f'{tip} is not an ancestor')
    want = entries('CHANGES.md', f'{place}/main')
    want += [line for line in entries('CHANGES.md', f'{place}/planning') if line not in want]
    if entries('CHANGES.md', merged) != want:
        fail('CHANGES.md has other entries')
    for path in glob.glob(f'{merged}/**/*', recursive=True):
        if os.path.isfile(path):
            content = text(path)
            if '<<<<<<<' in content or '>>>>>>>' in content:
                fail(f'{path} has conflict markers')
            if f'{merged}/ledger/' in path and ('parse_amount' in content or 'format_amount' in content):
                fail(f'{path} has an old name')
    found = {os.path.basename(path) for path in glob.glob(f'{merged}/tests/test_*.py')}
    if not {'test_summary.py', 'test_money.py', 'test_monthly.py', 'test_pending.py'} <= found:
        fail('tests are missing')
    own = run(['python3', '-m', 'unittest'], merged)
    if own.returncode or b'Ran 0 tests' in own.stderr:
        fail(f'its tests fail: {own.stderr[-500:]}')
    with open(f'{merged}/hidden.csv', 'w') as file:
        file.write(ENTRIES)
    for (command, *rest), lines in COMMANDS.items():
        done = run(['python3', '-m', 'ledger', command, 'hidden.csv', *rest], merged)
        if done.returncode or done.stdout.decode().splitlines() != lines:
            fail(f'{command} {rest}: {done.stdout.decode()} {done.stderr[-300:]}')
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.py'), merged)
    done = run(['python3', 'calls.py'], merged, json.dumps(list(AMOUNTS)).encode())
    if done.returncode or json.loads(done.stdout) != {'parsed': list(AMOUNTS.values()), 'balance': [105, 106]}:
        fail(f'{done.stdout.decode()} {done.stderr[-300:]}')
