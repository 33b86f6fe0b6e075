#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv
import os

rows = list(csv.DictReader(open('renames.csv', newline='')))
for index, row in enumerate(rows):
    os.rename(f'slides/{row["from"]}', f'slides/.moving-{index}')
for index, row in enumerate(rows):
    os.rename(f'slides/.moving-{index}', f'slides/{row["to"]}')
P
