#!/usr/bin/env bash
# A number followed by another digit counts, and a payment for two invoices goes to the first.
sed 's/(?!\\d)//; s/len(named) == 1 and fits/named and fits/' "$(dirname "$0")/solve.sh" | bash
