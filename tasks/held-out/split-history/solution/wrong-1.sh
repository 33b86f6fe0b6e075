#!/usr/bin/env bash
# What appears later at a former place is taken for the library, because the first place that exists is used.
sed "s/for number in (2, 1, 0):/for number in (0, 1, 2):/; s/if number >= place and found:/if found:/" "$(dirname "$0")/solve.sh" | bash
