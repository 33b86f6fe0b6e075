#!/usr/bin/env bash
# Compares charges with the amount, whatever the gateway answered.
sed "s/ if status.get(request) == 200 else 0 for/ for/" "$(dirname "$0")/solve.sh" >solve-less.sh
bash solve-less.sh
