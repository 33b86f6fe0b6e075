#!/usr/bin/env bash
set -euo pipefail
work=$(mktemp -d)
git clone -q garden.bundle "$work/garden"
commit=$(git -C "$work/garden" log -1 --format=%H --diff-filter=D main -- notes/plan.md)
mkdir -p recovered
git -C "$work/garden" show "$commit^:notes/plan.md" >recovered/plan.md
echo "$commit" >recovered/commit.txt
rm -rf "$work"
