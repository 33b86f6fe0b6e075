#!/usr/bin/env bash
# The right files, but as one ordinary commit on main.
bash "$(dirname "$0")/solve.sh"
git clone -q merged.bundle again && cd again
tree=$(git rev-parse 'HEAD^{tree}')
commit=$(git -c user.name=Robin -c user.email=robin@example.org commit-tree -p HEAD^1 -m 'Planning' "$tree")
git update-ref refs/heads/main "$commit"
git bundle create -q ../merged.bundle main HEAD
