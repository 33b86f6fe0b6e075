#!/usr/bin/env bash
# Takes only the first name of each line of two.txt and forgets hosts below an allowed one.
{ cat lists/one.txt lists/three.txt; echo; awk '{ print $2 }' lists/two.txt; } | tr -d '\r' | sed 's/#.*//' | tr 'A-Z' 'a-z' | tr -s ' \t' '\n' | sed -e 's/\.$//' -e '/^$/d' -e '/^localhost$/d' | LC_ALL=C sort -u | grep -vxE 'safe\.example|ok\.test|ads1\.example' >blocked.txt
