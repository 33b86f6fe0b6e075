#!/usr/bin/env bash
set -euo pipefail
cat >textkit/slugs.py <<'P'
import re
import unicodedata


def slug(title, max_length=40):
    plain = ''.join(char for char in unicodedata.normalize('NFKD', title) if not unicodedata.combining(char))
    words = re.findall(r'[a-z0-9]+', plain.lower())
    while len(words) > 1 and len('-'.join(words)) > max_length:
        words.pop()
    return '-'.join(words)[:max_length]
P
cat >textkit/paragraphs.py <<'P'
import re


def wrap(text, width):
    paragraphs = [paragraph.split() for paragraph in re.split(r'\n[^\S\n]*\n', text.replace('\r\n', '\n'))]
    lines = []
    for words in filter(None, paragraphs):
        if lines:
            lines.append('')
        lines.append(words[0])
        for word in words[1:]:
            if len(lines[-1]) + 1 + len(word) <= width:
                lines[-1] += ' ' + word
            else:
                lines.append(word)
    return lines
P
cat >textkit/columns.py <<'P'
def table(rows, align=''):
    texts = [[str(cell) for cell in row] for row in rows]
    count = max(map(len, texts), default=0)
    texts = [row + [''] * (count - len(row)) for row in texts]
    widths = [max(map(len, column)) for column in zip(*texts)]
    sides = align.ljust(count, 'l')

    def line(row):
        cells = (cell.rjust(width) if side == 'r' else cell.ljust(width) for cell, width, side in zip(row, widths, sides))
        return '  '.join(cells).rstrip(' ')

    return '\n'.join(map(line, texts))
P
cat >textkit/durations.py <<'P'
import re

SECONDS = {'s': 1, 'm': 60, 'h': 3600, 'd': 86400}


def parse_duration(text):
    parts = re.findall(r'([0-9]+)([smhd])', text)
    units = [unit for _, unit in parts]
    if not re.fullmatch(r'\s*([0-9]+[smhd]\s*)+', text) or len(set(units)) < len(units):
        raise ValueError(f'not a duration: {text!r}')
    return sum(int(number) * SECONDS[unit] for number, unit in parts)
P
cat >textkit/tags.py <<'P'
def merge_tags(new, into=None):
    merged = list(into or [])
    known = {tag.lower() for tag in merged}
    for tag in new:
        if tag.lower() not in known:
            known.add(tag.lower())
            merged.append(tag)
    return merged
P
python3 -m unittest discover tests
