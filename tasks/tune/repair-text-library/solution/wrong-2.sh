#!/usr/bin/env bash
# Repairs everything but cuts slugs in the middle of a word.
bash "$(dirname "$0")/solve.sh" >/dev/null 2>&1
sed -i '/while len(words)/,/words.pop/d' textkit/slugs.py
python3 -m unittest discover tests
