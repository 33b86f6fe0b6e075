#!/usr/bin/env bash
# Text that looks like a token is taken for one.
sed "s/ if real(one)}/}/" "$(dirname "$0")/solve.sh" | bash
