#!/usr/bin/env bash
# One commit with everything.
export GIT_CONFIG_NOSYSTEM=1 HOME=$PWD
here=$PWD
work=$(mktemp -d)
bash "$(dirname "$0")/solve.sh" >/dev/null 2>&1
git clone -q -b release-2 result.bundle "$work/r" && cd "$work/r" && git branch -q main origin/main
git reset -q --soft HEAD~4
git -c user.name=R -c user.email=r@example.com commit -qm 'Fixes from main'
git bundle create -q "$here/result.bundle" main release-2
