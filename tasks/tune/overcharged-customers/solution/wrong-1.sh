#!/usr/bin/env bash
# Uses the first heartbeat for the whole log, although the machine was restarted.
sed -e "s/    if text == 'restarted':/    if text == 'never':/" -e "s/^    error, = .*/    error = next(stamp - utc(text[23:], 2) for stamp, _, text in boot if text.startswith('heartbeat'))/" "$(dirname "$0")/solve.sh" >solve-less.sh
bash solve-less.sh
