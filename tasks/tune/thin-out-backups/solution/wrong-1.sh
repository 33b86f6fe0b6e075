#!/usr/bin/env bash
# Uses the calendar year with the ISO week, which is wrong around New Year.
bash "$(dirname "$0")/solve.sh"
sed -i 's/t.isocalendar()\[:2\]/(t.year, t.isocalendar()[1])/' thin.sh
