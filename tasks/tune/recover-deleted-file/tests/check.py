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


COMMIT = 'e68efa212fc3b81f5d7e12cb3ecf8e3ae1766813'
PLAN = b'# Plan for summer\n\n- water the tomatoes\n- build a low fence\n- paint the shed\n'

if sorted(os.listdir('recovered') if os.path.isdir('recovered') else []) != ['commit.txt', 'plan.md']:
    fail('recovered does not contain exactly the two files')
if text('recovered/commit.txt').strip() != COMMIT:
    fail('another commit than expected')
if read('recovered/plan.md') != PLAN:
    fail('another content than expected')
