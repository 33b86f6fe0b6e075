#!/usr/bin/env bash
# Disabled sections count too.
sed "s/ in ('no', 'off', 'false')/ == 'never'/" "$(dirname "$0")/solve.sh" | bash
