#!/usr/bin/env bash
# Counts late answers as lost ones.
sed "s/    elif 'answer' in text:/    elif text.startswith('answer'):/" "$(dirname "$0")/solve.sh" >solve-less.sh
bash solve-less.sh
