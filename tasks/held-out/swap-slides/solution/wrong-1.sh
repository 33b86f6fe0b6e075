#!/usr/bin/env bash
# One after the other: files overwrite each other.
python3 - <<'P'
import csv
import os

for row in csv.DictReader(open('renames.csv', newline='')):
    if os.path.exists(f'slides/{row["from"]}'):
        os.rename(f'slides/{row["from"]}', f'slides/{row["to"]}')
P
