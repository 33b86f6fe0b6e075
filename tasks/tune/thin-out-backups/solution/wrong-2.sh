#!/usr/bin/env bash
# Counts calendar days back from the newest backup instead of days that have backups.
bash "$(dirname "$0")/solve.sh"
sed -i 's/^    keep.update(list(newest.values())\[:count\])/    keep.update(name for p, name in list(newest.items())[:count] if count != 7 or (backups[0][0].date() - p).days < 7)/' thin.sh
