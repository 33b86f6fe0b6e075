#!/usr/bin/env bash
# Counts the door that opened for nobody.
sed 's, && !/note=no-passage/,,' "$(dirname "$0")/solve.sh" | bash
