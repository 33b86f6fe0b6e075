#!/usr/bin/env bash
# Lines without a value count as readings.
sed "s/ if row\['celsius'\].strip()//" "$(dirname "$0")/solve.sh" | bash
