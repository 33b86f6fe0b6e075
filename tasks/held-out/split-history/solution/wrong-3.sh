#!/usr/bin/env bash
# Tags become simple ones, and the removal is left out.
sed "s/    if kind == 'tag':/    if False:/; s/if now != tree:/if now != tree and now != EMPTY:/" "$(dirname "$0")/solve.sh" | bash
