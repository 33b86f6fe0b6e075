#!/usr/bin/env bash
# The due day counts as late, and extensions are forgotten.
sed "s/ + l.extensions \* p.extension_days//; s/due < '2024/due <= '2024/" "$(dirname "$0")/solve.sh" | bash
