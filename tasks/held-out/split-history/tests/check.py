import os
import re
import subprocess
import tempfile

# Commits of the old repository that are kept, and the tree of the library in each.
KEPT = [
    ('f0716256a16bf16ff92e7f0baf97f8fdb0272605', 'f587fa3f4a99bdf663da7069a765fa3e4cb42c0a'),
    ('f999c7bed2dc819508991a39274a03d7656b4e37', 'dcf84afc4c23436d95c2c6778cac01df096e03ef'),
    ('36897ceb65d235040ec3303f47637322463ded46', 'eef33910790a87565f726d2036b03ff3abbd5ba6'),
    ('1abfb2c0bfe906d64f0bfb3f70d5212444f2695f', '4a9b3e87010910b3b16e577a3fd290984ddcfeb0'),
    ('acb99a1bb36559e3fd5cce2e600ded4ef48532b8', '4b825dc642cb6eb9a060e54bf8d69288fbee4904'),
    ('b29ddbe881be479b70199425ea95a49278d85f4c', '4a9b3e87010910b3b16e577a3fd290984ddcfeb0'),
    ('bcb9b4a05273647ac946e2ea93dc26a1621f2ba2', '37fe32d9e30acf54f060a2c5e3abaec882931c23'),
    ('da3a07b1824f213f565768c36a60fe1ec5901271', '4a9b3e87010910b3b16e577a3fd290984ddcfeb0'),
    ('5ee8eee237475c34352af6787aa923bf8efcd2f2', '1612a12144ed71a3c10e6fbf48726a70075f36ed'),
    ('624420bc80c4a1ca414465176c5724242046743e', '8bd0df79d617022d4f0ca9893789ecea5e4bf390'),
]
TAGS = {'v1': ('geo-v1', 1, 'commit'), 'v1.1': ('geo-v1.1', 1, 'tag'), 'v2': ('geo-v2', 8, 'tag')}

work = tempfile.mkdtemp()
ENV = {'PATH': '/usr/bin:/bin', 'HOME': work, 'GIT_CONFIG_NOSYSTEM': '1'}


def git(*args):
    return subprocess.run(['git', '-C', work, *args], env=ENV, check=True, capture_output=True, text=True).stdout


git('init', '-q', '--bare', '.')
git('fetch', '-q', '--no-tags', os.path.abspath('geo.bundle'), '+refs/heads/*:refs/new/heads/*', '+refs/tags/*:refs/new/tags/*')
git('fetch', '-q', '--no-tags', os.path.abspath('mono.bundle'), '+refs/*:refs/old/*')
names = git('for-each-ref', '--format=%(refname)', 'refs/new').split()
assert names == ['refs/new/heads/main', *(f'refs/new/tags/{name}' for name in sorted(TAGS))], names
new = git('rev-list', '--reverse', '--topo-order', 'refs/new/heads/main').split()
assert len(new) == len(KEPT), git('log', '--oneline', 'refs/new/heads/main')
moved = {old: commit for (old, _), commit in zip(KEPT, new)}
for number, (commit, (old, tree)) in enumerate(zip(new, KEPT)):
    assert git('log', '-1', '--format=%P', commit).split() == new[max(number - 1, 0):number], commit
    assert git('rev-parse', commit + '^{tree}').strip() == tree, (number, git('ls-tree', '-r', commit))
    form = '--format=%an|%ae|%ad|%cn|%ce|%cd'
    assert git('log', '-1', '--date=raw', form, commit) == git('log', '-1', '--date=raw', form, old), number
    message = re.sub('[0-9a-f]{40}', lambda m: moved.get(m[0], m[0]), git('log', '-1', '--format=%B', old))
    assert git('log', '-1', '--format=%B', commit).strip() == message.strip(), number
for name, (old, number, kind) in TAGS.items():
    ref, before = f'refs/new/tags/{name}', f'refs/old/tags/{old}'
    assert git('cat-file', '-t', ref).strip() == kind, name
    assert git('rev-parse', ref + '^{commit}').strip() == new[number], name
    if kind == 'tag':
        form = '--format=%(taggername)|%(taggeremail)|%(taggerdate:raw)|%(contents)'
        assert git('for-each-ref', form, ref).strip() == git('for-each-ref', form, before).strip(), name
        assert f'\ntag {name}\n' in git('cat-file', 'tag', ref), name
