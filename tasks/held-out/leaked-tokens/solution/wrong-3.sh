#!/usr/bin/env bash
# Tokens are looked for as whole words.
sed 's/(?=(kx_\(.*\){{22}}))/\\b(kx_\1{{22}})\\b/' "$(dirname "$0")/solve.sh" | bash
