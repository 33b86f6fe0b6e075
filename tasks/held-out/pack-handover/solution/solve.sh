#!/usr/bin/env bash
set -euo pipefail
args=()
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  args+=(--exclude "${line%/}")
done <exclude.txt
mapfile -t wanted < <(grep -v -e '^#' -e '^$' include.txt)
tar -czf handover.tar.gz -C project --no-wildcards-match-slash --no-anchored "${args[@]}" \
  --owner=0 --group=0 --numeric-owner --mtime='2024-01-01 00:00:00Z' \
  --transform='s,^,handover/,' --sort=name -- "${wanted[@]}"
tar -tvzf handover.tar.gz
