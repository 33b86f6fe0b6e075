import os
import shutil
import subprocess
import tempfile

SCRIPT = os.path.abspath('flatten.sh')
assert os.path.isfile(SCRIPT)
with open(SCRIPT, 'rb') as file:
    CODE = file.read()
ENV = {'PATH': '/usr/bin:/bin', 'LANG': 'C.UTF-8'}


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(content)


def snapshot(root):
    out = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            key = os.path.relpath(path, root)
            if os.path.islink(path):
                out[key] = ('link', os.readlink(path))
            elif os.path.isdir(path):
                out[key] = ('folder', '')
            else:
                with open(path) as file:
                    out[key] = ('file', file.read())
    return out


def expected(source, target):
    """What has to be printed, and what has to be in the target."""
    have = dict(target)
    lines = []
    files = [(os.fsencode(path), path) for path, (kind, _) in source.items() if kind == 'file']
    for _, path in sorted(files):
        content = source[path][1]
        name = os.path.basename(path)
        dot = name.rfind('.')
        stem, end = (name, '') if dot <= 0 else (name[:dot], name[dot:])
        number, attempt = 1, name
        while attempt in have and have[attempt] != ('file', content):
            number += 1
            attempt = f'{stem}~{number}{end}'
        lines.append(('same ' if attempt in have else 'new ') + attempt + '\n')
        have[attempt] = ('file', content)
    return ''.join(lines), have


def run(work, *args):
    script = os.path.join(work, 'flatten.sh')
    with open(script, 'wb') as file:
        file.write(CODE)
    return subprocess.run(['bash', script, *args], cwd=os.path.join(work, 'cwd'), env=ENV,
                          capture_output=True, text=True, timeout=15)


def check(tree, before, source, target):
    work = tempfile.mkdtemp()
    os.mkdir(os.path.join(work, 'cwd'))
    source_path = os.path.join(work, 'cwd', source)
    target_path = os.path.join(work, 'cwd', target)
    os.makedirs(source_path)
    for path, content in tree.items():
        if content is None:
            os.makedirs(os.path.join(source_path, path))
        elif content.startswith('->'):
            os.symlink(content[2:], os.path.join(source_path, path))
        else:
            write(os.path.join(source_path, path), content)
    for path, content in before.items():
        os.makedirs(target_path, exist_ok=True)
        if content is None:
            os.makedirs(os.path.join(target_path, path))
        elif content.startswith('->'):
            os.symlink(content[2:], os.path.join(target_path, path))
        else:
            write(os.path.join(target_path, path), content)
    source_before = snapshot(source_path)
    text, have = expected(source_before, snapshot(target_path))
    done = run(work, source, target)
    assert done.returncode == 0, done
    assert done.stdout == text, (done, text)
    assert snapshot(target_path) == have, (snapshot(target_path), have)
    assert snapshot(source_path) == source_before
    shutil.rmtree(work)


check({'notes.txt': 'one\n', 'a/notes.txt': 'two\n', 'a/b/notes.txt': 'one\n', 'z/notes.txt': 'two\n', 'z/y/notes.txt': 'three'}, {}, 'tree', 'flat')
check({'B/x': '1', 'a/x': '2', 'a-b/x': '3', 'a/b/x': '4', 'é/x': '5', 'a b/x': '6'}, {}, 'tree', 'new/deep/flat')
check({'.profile': '1', 'd/.profile': '2', 'd/.a.b': '1', 'e/.a.b': '2', 'e/x.tar.gz': '1', 'f/x.tar.gz': '2', 'g/x.tar.gz': '3',
       'g/end.': '1', 'h/end.': '2', 'h/Makefile': '1', 'i/Makefile': '2', 'i/v1.2/Makefile': '3'}, {}, 'tree', 'flat')
check({'a/*': 'star', 'b/*': 'star 2', 'b/x y  z': '1', 'c/x y  z': '2', 'c/ lead': '1', 'c/back\\slash': '1', 'd/back\\slash': '2',
       'd/"quote\'s': '1', 'd/line\nbreak.txt': '1', 'e/line\nbreak.txt': '2', 'e/-n': '1', 'f/-n': '2', 'f/end\n': '1', 'g/end\n': '2',
       'g/-rf': '', 'h/%s.txt': '1', 'new\nline dir/q': '1', '-d/q': '2'}, {}, 'a * tree', '-fl at')
check({'a/x.txt': '1', 'b/x.txt': '2', 'b/y': '', 'c/dir': 'f', 'c/link': 'same', 'd/dangling': '1', 'd/x~2.txt': '9'},
      {'x.txt': '0', 'x~2.txt': '2', 'dir': None, 'link': '->real', 'real': 'same', 'dangling': '->nowhere', '*': 'keep'}, '-tree', 'flat')
check({'b': 'content', 'empty': None, 'c/deep/er': None, 'c/link2': '->deep', 'c/link3': '->../b', 'c/file': ''}, {}, 'tree', 'flat')
check({}, {}, 'tree', 'flat')

work = tempfile.mkdtemp()
os.mkdir(os.path.join(work, 'cwd'))
write(os.path.join(work, 'cwd', 'file'), 'x')
for args in ((), ('file',), ('file', 'flat'), ('nowhere', 'flat'), ('.', 'flat', 'more')):
    done = run(work, *args)
    assert done.returncode == 2 and not done.stdout and done.stderr, (args, done)
    assert os.listdir(os.path.join(work, 'cwd')) == ['file']
