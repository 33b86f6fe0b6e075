#!/usr/bin/env bash
set -euo pipefail
cat >render.py <<'P'
import json
import re
import sys


class Wrong(Exception):
    pass


def apply(target, layer):
    for name in sorted(layer, key=lambda name: name.endswith('+')):
        value = layer[name]
        if name.endswith('+'):
            have = target.get(name[:-1], [])
            if not isinstance(value, list) or not isinstance(have, list):
                raise Wrong(f'{name}: only arrays can be appended to arrays')
            target[name[:-1]] = have + value
        elif value is None:
            target.pop(name, None)
        elif isinstance(value, dict):
            have = target.get(name)
            target[name] = apply(have if isinstance(have, dict) else {}, value)
        else:
            target[name] = value
    return target


def lookup(root, path):
    value = root
    for part in path.split('.'):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and re.fullmatch('[0-9]+', part) and int(part) < len(value):
            value = value[int(part)]
        else:
            raise Wrong(f'there is no {path}')
    return value


def resolve(root, value, seen):
    if isinstance(value, dict):
        return {name: resolve(root, one, seen) for name, one in value.items()}
    if isinstance(value, list):
        return [resolve(root, one, seen) for one in value]
    if not isinstance(value, str):
        return value

    def follow(path):
        if path in seen:
            raise Wrong(f'{path} refers to itself')
        return resolve(root, lookup(root, path), seen | {path})

    parts = re.split(r'(\$\$\{|\$\{[^}]*\}|\$\{)', value)
    if len(parts) == 3 and parts[0] == parts[2] == '' and re.fullmatch(r'\$\{[^}]*\}', parts[1]):
        return follow(parts[1][2:-1])
    out = ''
    for index, part in enumerate(parts):
        if index % 2 == 0:
            out += part
        elif part == '$${':
            out += '${'
        elif part == '${':
            raise Wrong(f'a reference has no end: {value}')
        else:
            found = follow(part[2:-1])
            if found is None or isinstance(found, (list, dict)):
                raise Wrong(f'{part} is not text')
            out += found if isinstance(found, str) else json.dumps(found)
    return out


def main(paths):
    merged = {}
    for path in paths:
        with open(path, encoding='utf-8') as file:
            layer = json.load(file)
        if not isinstance(layer, dict):
            raise Wrong(f'{path} is not an object')
        apply(merged, layer)
    # References to a whole object that contains the reference end in recursion without this check.
    return json.dumps(resolve(merged, merged, frozenset()), indent=2, ensure_ascii=False)


try:
    if len(sys.argv) < 2:
        raise Wrong('usage: render.py FILE…')
    result = main(sys.argv[1:])
except (Wrong, OSError, ValueError, RecursionError) as error:
    print(error, file=sys.stderr)
    sys.exit(1)
sys.stdout.buffer.write(result.encode() + b'\n')
P
sed -i '/References to a whole object/d' render.py
python3 render.py example/base.json example/test.json
