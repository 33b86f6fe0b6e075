#!/usr/bin/env bash
# Three plain patterns that give the right result for the sample.
cat >redact.py <<'P'
import re, sys
def luhn(s):
    d = [int(c) for c in s if c.isdigit()][::-1]
    return sum(x if i % 2 == 0 else sum(divmod(2 * x, 10)) for i, x in enumerate(d)) % 10 == 0
def card(m):
    s = m[0]
    return re.sub(r'\d(?=(?:\D*\d){4})', '*', s) if luhn(s) else s
t = sys.stdin.read()
t = re.sub(r'(?i)\b(password|passwd|token|secret|api_key)=[^\s&,;]+', r'\1=[redacted]', t)
t = re.sub(r'(?i)("(?:password|passwd|token|secret|api_key)"\s*:\s*)"(?:[^"\\]|\\.)*"', r'\1"[redacted]"', t)
t = re.sub(r'\b(?:\d[ -]?){12,18}\d\b', card, t)
t = re.sub(r'([\w.%+-])[\w.%+-]*@([\w.-]+\.\w+)', r'\1***@\2', t)
sys.stdout.write(t)
P
python3 redact.py <sample.log | diff - sample.expected.log
