#!/usr/bin/env bash
# Counts the lines that were cut off as well.
{ echo status,count; sed -E 's/\\"//g; s/^[^"]*"[^"]*" ([0-9]{3}) .*/\1/' access.log | sort | uniq -c | sort -k1,1nr -k2,2n | awk '{print $2","$1}'; } >status.csv
