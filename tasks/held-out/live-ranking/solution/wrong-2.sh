#!/usr/bin/env bash
# Fast, but those who join after a bonus get it too, and adding nothing renews the time.
bash "$(dirname "$0")/solve.sh" >/dev/null
sed -i 's/put(name, points - bonus, tick())/put(name, points, tick())/; s/elif points != 0:/else:/' ranking.py
