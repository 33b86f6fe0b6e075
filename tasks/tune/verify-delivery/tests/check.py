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


import hashlib
import tarfile

with tarfile.open('delivery.tar.gz') as archive:
    files = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
listed = dict(line.split('  ', 1)[::-1] for line in files.pop('MANIFEST.sha256').decode().splitlines())
problems = []
for path in sorted(set(files) | set(listed), key=str.encode):
    if path not in files:
        problems.append(f'missing {path}')
    elif path not in listed:
        problems.append(f'extra {path}')
    elif hashlib.sha256(files[path]).hexdigest() != listed[path]:
        problems.append(f'damaged {path}')
if text('problems.txt').rstrip('\n').split('\n') != problems:
    fail('problems.txt has other lines than expected')
