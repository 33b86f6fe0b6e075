#!/usr/bin/env bash
# Resolves only what Git reports as a conflict: monthly still calculates as before the merge.
sed -e '/^change(.ledger\/monthly.py/,/^def monthly/d' "$(dirname "$0")/solve.sh" >solve-less.sh
sed -i "s/^change('tests\/test_monthly.py'/change('ledger\/monthly.py', ('format_amount', 'format_cents'))\n&/; s/^python3 -B -m unittest -q//" solve-less.sh
bash solve-less.sh
