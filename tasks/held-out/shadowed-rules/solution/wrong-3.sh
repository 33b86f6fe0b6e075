#!/usr/bin/env bash
# A rule counts as redundant only if a later rule says the same; the default is forgotten.
bash "$(dirname "$0")/solve.sh" >/dev/null
sed -i "s/if not areas or action == 'deny':/if not areas:/" audit.py
