#!/usr/bin/env bash
# Sums with fsum, so that the last digits differ.
bash "$(dirname "$0")/solve.sh"
sed -i -e 's/^        total, longest = 0.0, 0/        total, longest = __import__("math").fsum(visit[3] for visit in own), 0/' -e '/^        for visit in own:/,+1d' visits.py
