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


import datetime
import shutil
import tempfile


def period(time, kind):
    if kind == 'week':
        return time.date() - datetime.timedelta(days=time.weekday())
    return time.strftime('%Y-%m-%d' if kind == 'day' else '%Y-%m')


def to_delete(times, keep):
    kept = set()
    for kind, count in (('day', 7), ('week', 4), ('month', 6)):
        periods = sorted({period(time, kind) for time in times})[-count:]
        kept |= {max(time for time in times if period(time, kind) == one) for one in periods}
    names = [name(time) for time in sorted(set(times) - kept)]
    return [one for one in names if one not in keep]


def name(time):
    return time.strftime('backup-%Y%m%d-%H%M.tar.gz')


def series(last, steps):
    time = datetime.datetime.fromisoformat(last)
    for minutes in steps:
        yield time
        time -= datetime.timedelta(minutes=minutes)


FOLDERS = {
    'a': list(series('2024-05-09T13:00', [720] * 300)),
    'b with space': list(series('2025-01-03T23:59', [1441] * 60)),
    '-c': list(series('2023-01-01T00:00', [60 * 31, 60 * 5] * 120)),
    'd': list(series('2024-03-01T06:00', [3 * 1440] * 80)),
    'e': [],
    'f': list(series('2024-07-01T06:00', [5] * 4)),
    'g': list(series('2021-01-02T08:00', [1440 * 2, 400] * 50)),
    'h': list(series('2018-12-31T08:00', [1440] * 40)),
}
KEEP = {'a': ['# monthly', '', name(FOLDERS['a'][200]), 'notes.txt'], 'g': [name(FOLDERS['g'][77]), 'backup-19990101-0000.tar.gz']}
NOISE = ['notes.txt', 'backup-20240231-0100.tar.gz', 'backup-20240301-2400.tar.gz', 'backup-20230601-0160.tar.gz', 'backup-20240101-0100.tar.gz.part', 'old-backup-20200101-0100.tar.gz', 'backup-2020101-0100.tar.gz', 'backup-20200101-0100.tar']

read('thin.sh')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('thin.sh', place)
    for folder, times in FOLDERS.items():
        inside = os.path.join(place, folder)
        os.makedirs(os.path.join(inside, 'backup-20010101-0100.tar.gz'))
        for one in [name(time) for time in times] + NOISE:
            open(os.path.join(inside, one), 'w').close()
        if folder in KEEP:
            with open(os.path.join(inside, 'keep.txt'), 'w') as file:
                file.write('\n'.join(KEEP[folder]) + '\n')
        before = sorted(os.listdir(inside))
        done = run(['bash', 'thin.sh', f'{place}/{folder}'], place)
        if done.returncode != 0 or done.stdout.decode('utf-8', 'replace').splitlines() != to_delete(times, KEEP.get(folder, [])):
            fail(f'{folder}: exit status {done.returncode}, {done.stdout.decode("utf-8", "replace")[:300]} {done.stderr[-300:]}')
        if sorted(os.listdir(inside)) != before:
            fail(f'{folder} was changed')
    for arguments in ([], [f'{place}/nowhere'], [f'{place}/thin.sh']):
        done = run(['bash', 'thin.sh', *arguments], place)
        if done.returncode != 2 or done.stdout or not done.stderr:
            fail(f'with {arguments}: exit status {done.returncode}')
