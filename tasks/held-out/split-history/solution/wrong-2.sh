#!/usr/bin/env bash
# Messages stay as they are.
sed "s/        message = re.sub.*//" "$(dirname "$0")/solve.sh" | bash
