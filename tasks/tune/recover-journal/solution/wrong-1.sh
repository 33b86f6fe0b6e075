#!/usr/bin/env bash
# Goes on at the next magic bytes after the declared length, so a wrong length swallows good records.
bash "$(dirname "$0")/solve.sh"
python3 - <<'P'
text = open('recover.py').read()
old = '            at, damaged = at + 1, damaged + 1\n'
assert old in text
new = '''            skip = 1
            if data[at:at + 4] == b'JRN1' and at + 15 <= len(data):
                _, _, k, v = struct.unpack_from('>BIHI', data, at + 4)
                skip = min(19 + k + v, len(data) - at)
            at, damaged = at + skip, damaged + skip
'''
open('recover.py', 'w').write(text.replace(old, new))
P
