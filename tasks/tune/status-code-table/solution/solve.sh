#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import collections, re
quoted = r'"(?:[^"\\]|\\.)*"'
entry = re.compile(rf'^\S+ \S+ .*? \[[^]]*\] {quoted} (\d{{3}}) \S+ {quoted} {quoted}$')
with open('access.log') as log:
    found = (entry.match(line.rstrip('\n')) for line in log)
    counts = collections.Counter(match[1] for match in found if match)
with open('status.csv', 'w') as out:
    out.write('status,count\n')
    for status, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        out.write(f'{status},{count}\n')
P
