import os
import tarfile

EXPECTED = [
    '-readme-first.txt', 'README.txt', 'costs/2023.csv', 'costs/2024.csv', 'costs/old-offers/a.csv',
    'letters/drafts.txt', 'letters/mayor.txt', 'letters/private.txt',
    'plans/first floor.txt', 'plans/ground floor.txt', 'plans/old/ground floor.txt',
]

seen = []
with open('handover.tar.gz', 'rb') as file:
    assert file.read(2) == b'\x1f\x8b', 'not gzip'
with tarfile.open('handover.tar.gz', 'r:gz') as archive:
    for member in archive:
        assert member.uid == 0 and member.gid == 0, member.name
        assert int(member.mtime) == 1704067200, member.name
        if member.isdir():
            name = member.name.rstrip('/') + '/'
            assert name == 'handover/' or any(('handover/' + one).startswith(name) for one in EXPECTED), name
            continue
        assert member.isreg(), member.name
        assert member.name.startswith('handover/'), member.name
        name = member.name[len('handover/'):]
        seen.append(name)
        assert name in EXPECTED, name
        with open(os.path.join('project', name), 'rb') as file:
            assert archive.extractfile(member).read() == file.read(), name
assert sorted(seen) == sorted(EXPECTED), seen
