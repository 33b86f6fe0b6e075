#!/usr/bin/env bash
# Looks only back in time when counting companions: nobody is met by those who came first.
bash "$(dirname "$0")/solve.sh" || true
python3 - <<'P'
text = open('visits.py').read()
open('visits.py', 'w').write(text.replace("            met[other].add(person)\n", "            pass\n"))
P
