#!/usr/bin/env bash
# Takes the first deletion instead of the last one.
git clone -q garden.bundle garden && cd garden
commit=$(git log --format=%H --diff-filter=D -- notes/plan.md | tail -n 1)
mkdir -p ../recovered && git show "$commit^:notes/plan.md" >../recovered/plan.md && echo "$commit" >../recovered/commit.txt
