#!/usr/bin/env bash
# Rules with ports apply to icmp too.
bash "$(dirname "$0")/solve.sh" >/dev/null
sed -i "s/here = \[(0, 0)\] if ports == 'any' else \[\]/here = [(0, 0)]/" audit.py
