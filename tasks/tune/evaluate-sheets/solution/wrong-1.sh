#!/usr/bin/env bash
# Right, but a sign binds more strongly than a power.
bash "$(dirname "$0")/solve.sh"
python3 - <<'P'
text = open('sheet.py').read()
old = "        if sign := self.take('-', '+'):\n            return ('sign', sign, self.signed())\n"
assert old in text
new = "        if sign := self.take('-', '+'):\n            inner = ('sign', sign, self.atom())\n            return ('calculate', '^', inner, self.signed()) if self.take('^') else inner\n"
open('sheet.py', 'w').write(text.replace(old, new))
P
