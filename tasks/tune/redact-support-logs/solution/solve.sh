#!/usr/bin/env bash
set -euo pipefail
cat >redact.py <<'P'
import re
import sys

MARK = '\0'
KEY = r'(?:password|passwd|token|secret|api_key)'
SECRET = re.compile(
    rf'(?i:(?<![\w-]){KEY}=)(?P<plain>[^ \t&,;\r\n]+)|(?i:"{KEY}" *: *")(?P<json>(?:[^"\\\r\n]|\\.)+)(?=")'
)
CARD = re.compile(r'(?<![0-9])(?<![0-9][ -])[0-9](?:[ -]?[0-9])*')
MAIL = re.compile(r'([A-Za-z0-9._%+-])[A-Za-z0-9._%+-]*(@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)')


def luhn(digits):
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + position % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def card(match):
    run, digits = match[0], re.sub('[ -]', '', match[0])
    around = match.string[max(match.start() - 1, 0):match.start()] + match.string[match.end():match.end() + 1]
    if not 13 <= len(digits) <= 19 or re.search(r'[^\W\d]', around) or not luhn(digits):
        return run
    left = len(digits) - 4
    out = ''
    for char in run:
        if char.isdigit():
            out += '*' if left > 0 else char
            left -= 1
        else:
            out += char
    return out


def hide(match):
    return match[0][:-len(match['plain'] or match['json'])] + MARK


def redact(line):
    # Hidden values are marked first, so that the other rules do not see them.
    line = CARD.sub(card, SECRET.sub(hide, line))
    return MAIL.sub(r'\1***\2', line).replace(MARK, '[redacted]')


data = sys.stdin.buffer.read().decode('utf-8')
sys.stdout.buffer.write(''.join(redact(line) for line in re.split(r'(?<=\n)', data)).encode('utf-8'))
P
python3 redact.py <sample.log | diff - sample.expected.log
