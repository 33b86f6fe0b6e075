#!/usr/bin/env bash
set -euo pipefail
export GIT_CONFIG_NOSYSTEM=1 HOME=$PWD
python3 - <<'P'
import os
import re
import subprocess
import tempfile

work = tempfile.mkdtemp()


def git(*args, data=None):
    return subprocess.run(['git', '-C', work, *args], check=True, capture_output=True, input=data).stdout


git('init', '-q', '--bare', '.')
git('fetch', '-q', '--no-tags', os.path.abspath('mono.bundle'), '+refs/*:refs/old/*')
EMPTY = git('hash-object', '-t', 'tree', '-w', '--stdin', data=b'').decode().strip()
PLACES = ['tools/geo', 'lib/geo', 'geo']
place, tree, tip = 0, EMPTY, None
new, upto = {}, {}
for commit in git('rev-list', '--reverse', 'refs/old/heads/main').decode().split():
    now = EMPTY
    for number in (2, 1, 0):
        found = git('ls-tree', '-d', commit, PLACES[number]).decode().split()
        if number >= place and found:
            place, now = number, found[2]
            break
    if now != tree:
        head, _, message = git('cat-file', 'commit', commit).partition(b'\n\n')
        lines = [line for line in head.split(b'\n') if line.startswith((b'author ', b'committer '))]
        lines.insert(0, b'tree ' + now.encode())
        if tip:
            lines.insert(1, b'parent ' + tip.encode())
        message = re.sub(rb'\b[0-9a-f]{40}\b', lambda m: new.get(m[0].decode(), m[0].decode()).encode(), message)
        tip = git('hash-object', '-t', 'commit', '-w', '--stdin', data=b'\n'.join(lines) + b'\n\n' + message).decode().strip()
        new[commit] = tip
        tree = now
    upto[commit] = tip
git('update-ref', 'refs/heads/main', tip)
for line in git('for-each-ref', '--format=%(objecttype) %(objectname) %(refname)', 'refs/old/tags').decode().splitlines():
    kind, name, ref = line.split()
    short = ref.split('/')[-1]
    if not short.startswith('geo-v'):
        continue
    target = upto[git('rev-parse', ref + '^{commit}').decode().strip()]
    if kind == 'tag':
        text = git('cat-file', 'tag', name).split(b'\n', 3)
        text[0], text[2] = b'object ' + target.encode(), b'tag ' + short[4:].encode()
        target = git('hash-object', '-t', 'tag', '-w', '--stdin', data=b'\n'.join(text)).decode().strip()
    git('update-ref', f'refs/tags/{short[4:]}', target)
git('bundle', 'create', '-q', os.path.abspath('geo.bundle'), '--branches', '--tags')
P
