#!/usr/bin/env bash
# The definitions keep their old order and the unused one stays.
python3 - <<'P'
import re
text = open('article.md').read()
number = {}
head, tail = text[:text.index('[^1]: ')], text[text.index('[^1]: '):]
swap = lambda m: m[1] if m[1] else f'[^{number.setdefault(m[2], len(number) + 1)}]'
pattern = r'(```[\s\S]*?```|`[^`]*`)|\[\^([^\]]+)\]'
open('article.md', 'w').write(re.sub(pattern, swap, head) + re.sub(pattern, swap, tail))
P
