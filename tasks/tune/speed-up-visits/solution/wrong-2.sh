#!/usr/bin/env bash
# Faster reading only; the rest stays quadratic.
python3 - <<'P'
text = open('visits.py').read()
text = text.replace('    visits = []\n', '    visits = {}\n').replace('            if visit not in visits:\n                visits.append(visit)\n    return visits', '            visits[visit] = 1\n    return list(visits)')
text = text.replace('    seen = []\n', '    return list(dict.fromkeys(values))\n    seen = []\n')
open('visits.py', 'w').write(text)
P
