#!/usr/bin/env bash
# Takes over the records of a commit that are there, although others are missing.
bash "$(dirname "$0")/solve.sh"
sed -i -e "s/^            dropped += 1/            dropped += 1; numbers = [n for n in numbers or [] if records.get(n, (COMMIT,))[0] != COMMIT]/" -e '/^            dropped += 1/{n;d}' recover.py
