import os
import subprocess
import tempfile

MAIN = 'e992fae3f6293ea283edc21356bde841010f68b7'
RELEASE = '6e3a66832ee58a6a4e8efd2a93aed15176230bc8'
# The commit on main and the tree that results on the release.
COMMITS = [
    ('cbb8ebf15f980f3736714cc1c09a743c0722534b', '37ca841a00897040c024a023b83adf7f284b5b19'),
    ('97e3cf9de418739c09a4b6dfe236c6e638b85025', '8c24703c1fe66cb72b7703365b3999d3ee905f77'),
    ('cd9908c092e5c512f24ad8d3ea0181da85fffd92', '62c5230df15fc0d6b5635f846959b320b26c8533'),
    ('e992fae3f6293ea283edc21356bde841010f68b7', '281909a42ba27aa849f4c9475b2ccf7ad5b1fa02'),
]

work = tempfile.mkdtemp()
ENV = {'PATH': '/usr/bin:/bin', 'HOME': work, 'GIT_CONFIG_NOSYSTEM': '1', 'GIT_TERMINAL_PROMPT': '0'}


def git(*args):
    return subprocess.run(['git', '-C', work, *args], env=ENV, check=True, capture_output=True, text=True).stdout


git('init', '-q', '--bare', '.')
git('fetch', '-q', os.path.abspath('result.bundle'), '+refs/heads/*:refs/heads/*')
assert git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split() == ['main', 'release-2']
assert git('rev-parse', 'main').strip() == MAIN
new = git('rev-list', '--reverse', '--parents', f'{RELEASE}..release-2').splitlines()
assert len(new) == len(COMMITS), new
parent = RELEASE
for line, (source, tree) in zip(new, COMMITS):
    commit, *parents = line.split()
    assert parents == [parent], line
    parent = commit
    form = '--format=%an|%ae|%ad'
    assert git('log', '-1', '--date=raw', form, commit) == git('log', '-1', '--date=raw', form, source), commit
    message = git('log', '-1', '--format=%B', source).strip().splitlines()
    got = git('log', '-1', '--format=%B', commit).strip().splitlines()
    assert got[-1] == f'(cherry picked from commit {source})', got
    rest = got[:-1]
    while rest and not rest[-1]:
        rest.pop()
    assert rest == message, got
    assert git('rev-parse', commit + '^{tree}').strip() == tree, commit
