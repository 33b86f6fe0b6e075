#!/usr/bin/env bash
# Looks for NULL only.
sed "s/ and (coalesce(l.returned_on, '') = '' or l.returned_on > '2024-06-15')/ and l.returned_on is null/" "$(dirname "$0")/solve.sh" | bash
