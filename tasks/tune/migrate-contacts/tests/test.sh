#!/usr/bin/env bash
# Judges the working directory: writes 1 or 0 to reward.txt.
here=$(cd "$(dirname "$0")" && pwd)
logs=${VERIFIER_LOGS:-/logs/verifier}
mkdir -p "$logs"
reward=0
timeout -k 2 55 python3 -B "$here/check.py" >"$logs/check.log" 2>&1 && reward=1
echo "$reward" >"$logs/reward.txt"
exit 0
