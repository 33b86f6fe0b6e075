#!/usr/bin/env bash
# Everything but the goal of moves in the history.
bash "$(dirname "$0")/solve.sh"
sed -i 's/            days\[-1\]\[1\].add(place)/            days[-1][1].add(here)/' stock/replay.py
