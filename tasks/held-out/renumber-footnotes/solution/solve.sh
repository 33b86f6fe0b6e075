#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import re

lines = open('article.md', encoding='utf-8').read().split('\n')
defs = {}
for line in lines:
    found = re.match(r'\[\^([^\]]+)\]: (.*)', line)
    if found:
        defs[found[1]] = found[2]
body = lines[:next(i for i, line in enumerate(lines) if re.match(r'\[\^[^\]]+\]: ', line))]
number = {}


def replace(text):
    parts = re.split('(`[^`]*`)', text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r'\[\^([^\]]+)\]', lambda m: f'[^{number.setdefault(m[1], len(number) + 1)}]', parts[i])
    return ''.join(parts)


out = []
code = False
for line in body:
    if line.startswith('```'):
        code = not code
        out.append(line)
    else:
        out.append(line if code else replace(line))
for label in list(number):
    out.append(f'[^{number[label]}]: {replace(defs[label])}')
open('article.md', 'w', encoding='utf-8').write('\n'.join(out) + '\n')
P
