#!/usr/bin/env bash
# Counts a commit that does not run as wrong, and so names the one before.
bash "$(dirname "$0")/solve.sh"
git clone -q till.bundle till && git -C till rev-parse "$(cat answer/commit.txt)^" >commit && mv commit answer/commit.txt
