#!/usr/bin/env bash
# The number comes before the first dot, and .profile becomes ~2.profile.
bash "$(dirname "$0")/solve.sh" >/dev/null
sed -i 's/case ${name#?} in .*/case $name in *.*) stem=${name%%.*} end=.${name#*.} ;; esac/' flatten.sh
