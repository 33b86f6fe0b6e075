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

ERROR = object()
# Each case: the layers, then the result.
CASES = [
    ([{}], {}),
    ([{'a': 1}, {'b': 2}, {'a': 3}], {'a': 3, 'b': 2}),
    ([{'a': {'b': 1, 'c': 2}}, {'a': {'b': {'x': 1}}}, {'a': {'b': {'y': 2}, 'c': [1]}}], {'a': {'b': {'x': 1, 'y': 2}, 'c': [1]}}),
    ([{'a': None, 'b': {'c': None, 'd': 1}, 'e': [None]}], {'b': {'d': 1}, 'e': [None]}),
    ([{'a': 5}, {'a': {'b': None, 'c': {'d': None}}}], {'a': {'c': {}}}),
    ([{'a': {'b': 1}}, {'a': [2]}, {'a': {'c': 3}}], {'a': {'c': 3}}),
    ([{'a': {'b': 1}}, {'a': None}, {'a': {'c': 3}}], {'a': {'c': 3}}),
    ([{'x+': [1]}, {'x+': [2, None]}], {'x': [1, 2, None]}),
    ([{'x': [1]}, {'x+': [3], 'x': [2]}], {'x': [2, 3]}),
    ([{'x': [1]}, {'x+': [3], 'x': None}], {'x': [3]}),
    ([{'n': {'x': [1]}}, {'n': {'x+': [{'y+': [1], 'z': None}]}}], {'n': {'x': [1, {'y+': [1], 'z': None}]}}),
    ([{'x': 1}, {'x+': [3]}], ERROR),
    ([{'x': [1]}, {'x+': 3}], ERROR),
    ([{'x': [1]}, {'x+': None}], ERROR),
    ([{'a': '${b}', 'b': '${c}', 'c': {'d': '${e}', 'l': ['${e}']}, 'e': 7}], {'a': {'d': 7, 'l': [7]}, 'b': {'d': 7, 'l': [7]}, 'c': {'d': 7, 'l': [7]}, 'e': 7}),
    ([{'a': '${l.1.k}-${l.0}', 'l': ['p', {'k': 'q'}]}], {'a': 'q-p', 'l': ['p', {'k': 'q'}]}),
    ([{'a': ' ${t}/${f}/${n}/${d}/${m}', 't': True, 'f': False, 'n': 12, 'd': 2.5, 'm': -3}], {'a': ' true/false/12/2.5/-3', 't': True, 'f': False, 'n': 12, 'd': 2.5, 'm': -3}),
    ([{'a': '${b}', 'b': 'old'}, {'b': 'new'}], {'a': 'new', 'b': 'new'}),
    ([{'a': '$${b} $ $$ {b} ${b}$${', 'b': 'x'}], {'a': '${b} $ $$ {b} x${', 'b': 'x'}),
    ([{'a': '<${b}>', 'b': '$${c}', 'c': 'no'}], {'a': '<${c}>', 'b': '${c}', 'c': 'no'}),
    ([{'a': '${b}', 'b': '$${c}', 'c': 'no'}], {'a': '${c}', 'b': '${c}', 'c': 'no'}),
    ([{'${b}': 1, 'b': 2}], {'${b}': 1, 'b': 2}),
    ([{'a': '${b}${b}', 'b': 'x'}], {'a': 'xx', 'b': 'x'}),
    ([{'a': '${n.x}', 'n': {'x': [], 'y': {}}, 'c': '${n.y}'}], {'a': [], 'n': {'x': [], 'y': {}}, 'c': {}}),
    ([{'a': '${l.0}', 'l': [None]}], {'a': None, 'l': [None]}),
    ([{'a': 'x${l.0}', 'l': [None]}], ERROR),
    ([{'a': 'x${l}', 'l': []}], ERROR),
    ([{'a': 'x${o}', 'o': {}}], ERROR),
    ([{'a': '${nowhere}'}], ERROR),
    ([{'a': '${l.2}', 'l': [1, 2]}], ERROR),
    ([{'a': '${l.-1}', 'l': [1, 2]}], ERROR),
    ([{'a': '${s.0}', 's': 'text'}], ERROR),
    ([{'a': '${b'}], ERROR),
    ([{'a': '${a}'}], ERROR),
    ([{'a': 'x${b}', 'b': ['${c.d}'], 'c': {'d': 'y${b.0}'}}], ERROR),
    ([{'o': {'p': '${o}'}}], ERROR),
    ([{'a': '${b}'}, {'b': 1}, {'b': None}], ERROR),
    ([{'a': '${b.c}', 'b': {'c': 1, 'd': '${b.c}'}}], {'a': 1, 'b': {'c': 1, 'd': 1}}),
    ([{'a': 'é${b}', 'b': '✓'}], {'a': 'é✓', 'b': '✓'}),
    ([[1]], ERROR),
    ([{'a': 1}, 5], ERROR),
    (['text that is not JSON'], ERROR),
]


def same(one, other):
    """Equal, with booleans and numbers kept apart."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


read('render.py')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('render.py', place)
    for number, (layers, want) in enumerate(CASES):
        names = [f'layer-{number}-{index}.json' for index in range(len(layers))]
        for name, layer in zip(names, layers):
            with open(os.path.join(place, name), 'w', encoding='utf-8') as file:
                file.write(layer if isinstance(layer, str) else json.dumps(layer))
        done = run(['python3', 'render.py', *names], place, seconds=5)
        if want is ERROR:
            if done.returncode != 1 or done.stdout or not done.stderr:
                fail(f'{layers}: an error was expected, exit status {done.returncode}, {done.stdout[:200]}')
            continue
        try:
            found = json.loads(done.stdout)
        except ValueError:
            fail(f'{layers}: no JSON, exit status {done.returncode}, {done.stderr[-300:]}')
        if done.returncode or not same(found, want):
            fail(f'{layers}: {found}')
    if run(['python3', 'render.py', 'missing.json'], place).returncode != 1:
        fail('a missing file is an error')
