import hashlib
import json
import os

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, 'expected.json')) as file:
    expected = json.load(file)
with open('missing.txt') as file:
    got = file.read().rstrip('\n')
assert got == open(os.path.join(here, 'missing.txt')).read().rstrip('\n'), got
assert sorted(os.listdir('restored')) == sorted(expected), os.listdir('restored')
for name, files in expected.items():
    have = {}
    root = os.path.join('restored', name)
    for folder, _, found in os.walk(root):
        for one in found:
            path = os.path.join(folder, one)
            assert not os.path.islink(path), path
            with open(path, 'rb') as file:
                have[os.path.relpath(path, root)] = hashlib.sha256(file.read()).hexdigest()
    assert have == files, (name, have)
