#!/usr/bin/env bash
# Parity is not used.
sed "s/if len(gone) == 1 and 'parity' in parts/if False/" "$(dirname "$0")/solve.sh" | bash
