#!/usr/bin/env bash
# The clocks are taken as they are.
sed 's/int(found\[1\]) + 640/int(found[1])/; s/moment(found\[1\], -3) - 1874/moment(found[1], -3)/' "$(dirname "$0")/solve.sh" | bash
