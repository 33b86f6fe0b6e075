#!/usr/bin/env bash
# Lets bisect decide, which finds an older mistake that was repaired long ago.
bash "$(dirname "$0")/solve.sh"
git clone -q till.bundle till && cd till
git bisect start main v1.0 >/dev/null
git bisect run bash -c 'out=$(python3 -B till.py 1x0.25 SPRING10 2>/dev/null) || exit 125; [ "$out" = 0.22 ]' >/dev/null 2>&1
git rev-parse refs/bisect/bad >../answer/commit.txt
