#!/usr/bin/env bash
# Moves are made distinct.
sed 's/sorted(moves.elements()/sorted(set(moves)/' "$(dirname "$0")/solve.sh" | bash
