#!/usr/bin/env bash
# Only the last place is followed; tags from before have no commit.
sed "s/for number in (2, 1, 0):/for number in (2,):/; s/    if kind == 'tag':/    if target is None:\n        continue\n    if kind == 'tag':/" "$(dirname "$0")/solve.sh" | bash
