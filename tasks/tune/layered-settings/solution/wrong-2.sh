#!/usr/bin/env bash
# Right but for circles: the reference remains in the text.
bash "$(dirname "$0")/solve.sh" >/dev/null
sed -i "s/            raise Wrong(f'{path} refers to itself')/            return '\${' + path + '}'/" render.py
