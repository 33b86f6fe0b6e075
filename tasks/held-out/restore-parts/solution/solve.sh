#!/usr/bin/env bash
set -euo pipefail
rm -rf restored
python3 - <<'P'
import glob
import hashlib
import io
import re
import tarfile

sets = {}
for path in glob.glob('parts/*'):
    head, _, body = open(path, 'rb').read().partition(b'\n')
    found = re.fullmatch(rb'PART set=(\S+) index=(\S+) of=(\d+) total=(\d+) sha256=(\w+)', head)
    if not found:
        continue
    name, index = found[1].decode(), found[2].decode()
    one = sets.setdefault(name, {'of': int(found[3]), 'total': int(found[4]), 'parts': {}, 'parity': False})
    one['parity'] |= index == 'parity'
    if hashlib.sha256(body).hexdigest() == found[5].decode():
        one['parts'][index] = body
missing = []
for name, one in sorted(sets.items()):
    parts, count, total = one['parts'], one['of'], one['total']
    gone = [str(i) for i in range(1, count + 1) if str(i) not in parts]
    if len(gone) == 1 and 'parity' in parts:
        size = len(parts['parity'])
        value = 0
        for body in parts.values():
            value ^= int.from_bytes(body.ljust(size, b'\0'), 'big')
        body = value.to_bytes(size, 'big')
        parts[gone[0]] = body if int(gone[0]) < count else body[:total - size * (count - 1)]
        gone = []
    if gone:
        if one['parity'] and 'parity' not in parts:
            gone.append('parity')
        missing.append(f'{name}: {", ".join(gone)}\n')
        continue
    data = b''.join(parts[str(i)] for i in range(1, count + 1))
    assert len(data) == total, name
    tarfile.open(fileobj=io.BytesIO(data)).extractall(f'restored/{name}')
open('missing.txt', 'w').write(''.join(missing))
P
cat missing.txt
ls -R restored
