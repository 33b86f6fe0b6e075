#!/usr/bin/env bash
# All moves are kept, those of both stores twice.
sed 's/moves |= /moves += /' "$(dirname "$0")/solve.sh" | bash
