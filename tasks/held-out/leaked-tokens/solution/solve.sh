#!/usr/bin/env bash
set -euo pipefail
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
python3 - <<'P'
import os
import re
import subprocess
import tempfile

ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
work = tempfile.mkdtemp()


def git(*args):
    return subprocess.run(['git', '-C', work, *args], check=True, capture_output=True).stdout


def real(text):
    values = [ALPHABET.index(c) for c in text[3:]]
    total = sum((i + 1) * v for i, v in enumerate(values[:20])) % 1024
    return values[20:] == [total // 32, total % 32]


seen = {}


def tokens(blob):
    if blob not in seen:
        data = git('cat-file', 'blob', blob).decode('latin-1')
        found = re.findall(rf'(?=(kx_[{ALPHABET}]{{22}}))', data)
        seen[blob] = {one for one in found if real(one)}
    return seen[blob]


git('init', '-q', '--bare', '.')
git('fetch', '-q', os.path.abspath('station.bundle'), '+refs/*:refs/*')
commits = git('rev-list', '--all', '--topo-order', '--reverse').decode().split()
first = {}


def content(commit):
    out = set()
    for line in git('ls-tree', '-rz', commit).decode().split('\0'):
        if line:
            meta, path = line.split('\t')
            out |= {(token, path) for token in tokens(meta.split()[2])}
    return out


for commit in commits:
    for pair in content(commit):
        first.setdefault(pair, commit)
now = content('refs/heads/main')
with open('leaks.csv', 'w') as file:
    print('token,commit,path,on_main', file=file)
    for token, path in sorted(first):
        print(token, first[token, path], path, 'yes' if (token, path) in now else 'no', sep=',', file=file)
P
cat leaks.csv
