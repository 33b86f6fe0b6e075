#!/usr/bin/env bash
# Evaluates both branches of IF, so that circles are seen that are not needed.
bash "$(dirname "$0")/solve.sh"
sed -i "s/^            return self.value(arguments\[1\] if number(condition) else arguments\[2\])/            both = self.value(arguments[1]), self.value(arguments[2]); return both[0 if number(condition) else 1]/" sheet.py
