#!/usr/bin/env bash
# Names the last commit that changed the file before it was deleted.
git clone -q garden.bundle garden && cd garden
deleted=$(git log -1 --format=%H --diff-filter=D -- notes/plan.md)
mkdir -p ../recovered && git show "$deleted^:notes/plan.md" >../recovered/plan.md
git log -1 --format=%H "$deleted^" -- notes/plan.md >../recovered/commit.txt
