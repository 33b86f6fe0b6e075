#!/usr/bin/env bash
# Takes the ninth word as the status, which fails for requests and users with spaces.
{ echo status,count; awk '{print $9}' access.log | sort | uniq -c | sort -k1,1nr -k2,2n | awk '{print $2","$1}'; } >status.csv
