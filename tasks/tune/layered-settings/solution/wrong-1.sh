#!/usr/bin/env bash
# The quick version: nulls stay in new objects, booleans become Python text, null becomes None.
cat >render.py <<'P'
import json, re, sys
def apply(a, b):
    for k, v in b.items():
        if k.endswith('+'): a[k[:-1]] = a.get(k[:-1], []) + v
        elif v is None: a.pop(k, None)
        elif isinstance(v, dict) and isinstance(a.get(k), dict): apply(a[k], v)
        else: a[k] = v
root = {}
try:
    for p in sys.argv[1:]: apply(root, json.load(open(p)))
    def get(path):
        v = root
        for s in path.split('.'): v = v[int(s)] if isinstance(v, list) else v[s]
        return walk(v)
    def walk(v):
        if isinstance(v, dict): return {k: walk(x) for k, x in v.items()}
        if isinstance(v, list): return [walk(x) for x in v]
        if not isinstance(v, str): return v
        m = re.fullmatch(r'\$\{([^}]*)\}', v)
        if m: return get(m[1])
        v = re.sub(r'(?<!\$)\$\{([^}]*)\}', lambda m: str(get(m[1])), v)
        return v.replace('$${', '${')
    out = json.dumps(walk(root))
except Exception as e:
    print(e, file=sys.stderr); sys.exit(1)
print(out)
P
python3 render.py example/base.json example/test.json
