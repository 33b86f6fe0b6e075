#!/usr/bin/env bash
# Days are grouped by their number in the month, and the price is rounded instead of the discount.
bash "$(dirname "$0")/solve.sh"
sed -i 's/moment.date()/moment.day/; s,total -= total // 10,total = total * 9 // 10,' parking/fees.py
