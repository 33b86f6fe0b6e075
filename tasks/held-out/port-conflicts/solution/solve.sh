#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import configparser
import pathlib

wanted = {}
for path in sorted(pathlib.Path('services').glob('*.ini')):
    ini = configparser.ConfigParser(interpolation=None)
    ini.read(path)
    host = ini.get('service', 'host', fallback='localhost').lower()
    for name in ('service', 'metrics'):
        if name not in ini:
            continue
        section = ini[name]
        if section.get('enabled', 'yes').lower() in ('no', 'off', 'false'):
            if name == 'service':
                break
            continue
        for part in ','.join(section.get(key, '') for key in ('port', 'ports')).split(','):
            if part.strip():
                low, _, high = part.partition('-')
                for port in range(int(low), int(high or low) + 1):
                    wanted.setdefault((host, port), set()).add(path.stem)
with open('conflicts.txt', 'w') as file:
    for (host, port), names in sorted(wanted.items()):
        if len(names) > 1:
            print(f'{host}:{port}: {", ".join(sorted(names))}', file=file)
P
cat conflicts.txt
