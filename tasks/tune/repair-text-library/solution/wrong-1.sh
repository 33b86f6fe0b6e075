#!/usr/bin/env bash
# Makes the tests that are there pass and goes no further.
sed -i "s/'NFC'/'NFKD'/" textkit/slugs.py
sed -i -e 's/+ 1 < width/+ 1 <= width/' -e 's/^                lines.append(line)/                if line: lines.append(line)/' textkit/paragraphs.py
sed -i 's/^    lines = \[\]/    widths = [max(len(str(row[c])) for row in rows) for c in range(len(rows[0]))]\n    lines = []/; s/\.strip()/.rstrip()/' textkit/columns.py
sed -i 's/^    total = 0/    if not re.fullmatch(r"(\\d+[smhd]\\s*)+", text): raise ValueError(text)\n    total = 0/' textkit/durations.py
sed -i 's/into=\[\]/into=None/; s/^    known/    into = list(into or [])\n    known/' textkit/tags.py
python3 -m unittest discover tests
