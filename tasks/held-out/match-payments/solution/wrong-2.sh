#!/usr/bin/env bash
# A payment without a number is compared with the amounts of the invoices, paid or not.
sed "s/one\['open'\] == amount/round(float(one['amount']) * 100) == amount/" "$(dirname "$0")/solve.sh" | bash
