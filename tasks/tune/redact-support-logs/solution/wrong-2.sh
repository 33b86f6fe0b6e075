#!/usr/bin/env bash
# The right program without the Luhn check.
bash "$(dirname "$0")/solve.sh"
sed -i 's/ or not luhn(digits)//' redact.py
