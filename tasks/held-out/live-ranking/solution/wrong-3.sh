#!/usr/bin/env bash
# When two become one, the points lack the bonus of the second; otherwise right.
bash "$(dirname "$0")/solve.sh" >/dev/null
sed -i 's/points + more + bonus/points + more/' ranking.py
