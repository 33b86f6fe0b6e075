#!/usr/bin/env bash
# Sorts the visits by time, which changes the order of persons, breaks and sums.
bash "$(dirname "$0")/solve.sh"
sed -i 's/^    return list(visits)$/    return sorted(visits)/' visits.py
