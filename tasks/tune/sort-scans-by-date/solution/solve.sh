#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import datetime, pathlib, re, shutil

def folder(name):
    for year, _, month, day in re.findall(r'(?<!\d)(\d{4})([-._])(\d\d)\2(\d\d)(?!\d)', name):
        try:
            datetime.date(int(year), int(month), int(day))
        except ValueError:
            continue
        return pathlib.Path('sorted', year, month)
    return pathlib.Path('sorted', 'undated')

for file in pathlib.Path('inbox').rglob('*'):
    if file.is_file():
        target = folder(file.name)
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target / file.name)
P
