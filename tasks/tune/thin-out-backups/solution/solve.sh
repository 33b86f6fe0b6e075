#!/usr/bin/env bash
set -euo pipefail
cat >thin.sh <<'S'
#!/usr/bin/env bash
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: thin.sh FOLDER" >&2
  exit 2
fi
exec python3 - "$1" <<'P'
import datetime, os, re, sys

folder = sys.argv[1]
backups = []
for name in os.listdir(folder):
    match = re.fullmatch(r'backup-([0-9]{8})-([0-9]{4})\.tar\.gz', name)
    path = os.path.join(folder, name)
    if not match or os.path.islink(path) or not os.path.isfile(path):
        continue
    try:
        backups.append((datetime.datetime.strptime(match[1] + match[2], '%Y%m%d%H%M'), name))
    except ValueError:
        pass
backups.sort(reverse=True)
keep = set()
for count, period in ((7, lambda t: t.date()), (4, lambda t: t.isocalendar()[:2]), (6, lambda t: (t.year, t.month))):
    newest = {}
    for time, name in backups:
        newest.setdefault(period(time), name)
    keep.update(list(newest.values())[:count])
try:
    with open(os.path.join(folder, 'keep.txt')) as file:
        keep.update(line.strip() for line in file if not line.startswith('#'))
except FileNotFoundError:
    pass
for _, name in sorted(backups):
    if name not in keep:
        print(name)
P
S
