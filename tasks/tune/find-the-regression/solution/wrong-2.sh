#!/usr/bin/env bash
# Takes the file from v1.0, so that the newer functions are lost.
bash "$(dirname "$0")/solve.sh"
git clone -q till.bundle till && git -C till show v1.0:money.py >answer/money.py
