#!/usr/bin/env bash
# The commit that was undone is carried over too.
sed '/This reverts commit/d; s/retry = 3/retry = 5/' "$(dirname "$0")/solve.sh" | bash
