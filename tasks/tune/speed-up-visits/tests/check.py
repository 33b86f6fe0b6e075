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
import shutil
import tempfile

here = os.path.dirname(os.path.abspath(__file__))


def visits(count, people, places, span, seed, crowd=0):
    """Lines from a generator of our own, the same on every machine. Some lines occur twice."""
    state = seed

    def below(limit):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % limit

    lines = []
    for _ in range(count):
        place = 0 if below(100) < crowd else below(places)
        amount = '' if below(30) == 0 else f'{below(900) - 40}.{below(100):02d}'
        lines.append(f'{below(span)},person {below(people)},"place ""{place}"", north",{amount}')
        if below(25) == 0:
            lines.append(lines[below(len(lines))])
    return '\n'.join(lines) + '\n'


ODD = {
    'one': '5,a,x,1\n',
    'two': '5,a,x,1.005\n4,a,x,\n',
    'twice': '5,a,x,1\n5,a,x,1.0\n5,a,x,1.00\n05,a,x,1\n',
    'zeros': '1,a,x,0\n1,a,x,-0\n2,b,x,\n2,b,y,-0.0\n',
    'edges': '0,a,x,1\n300,b,x,1\n601,c,x,2\n3600,a,x,3\n3599,d,x,3\n-5,e,x,-7\n901,b,x,1e3\n',
    'one place': visits(250, 9, 1, 4000, 3),
    'same second': visits(150, 30, 2, 1, 4),
    'one person': visits(150, 1, 5, 9000, 6),
    'mixed': visits(400, 25, 7, 20000, 7),
}
LARGE = {
    'real': (visits(60000, 2000, 200, 500000, 11), '133f10220fb1a4c285407c9786d076ad01898525acda1e36dd2e9aaa3378ce0e'),
    'crowd': (visits(60000, 1500, 200, 900000, 12, crowd=60), '79929580e09b3a025af59a6282556ba2e199dc4a8f6053351cc8b3eadae6f666'),
}

read('visits.py')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('visits.py', place)
    shutil.copy(os.path.join(here, 'original.py'), place)

    def report(program, content, seconds):
        with open(os.path.join(place, 'in.csv'), 'w') as file:
            file.write(content)
        return run(['python3', program, 'in.csv'], place, seconds=seconds)

    for name, content in ODD.items():
        done = report('visits.py', content, 5)
        if done.returncode or done.stdout != report('original.py', content, 10).stdout:
            fail(f'another result for {name}: {done.stderr[-300:]}')
    for name, (content, digest) in LARGE.items():
        done = report('visits.py', content, 15)
        if done.returncode:
            fail(f'{name}: exit status {done.returncode} (124 means that it took too long)')
        if hashlib.sha256(done.stdout).hexdigest() != digest:
            fail(f'another result for {name}')
