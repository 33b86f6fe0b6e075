#!/usr/bin/env bash
# Only numbers written exactly as in the list are recognized.
sed 's/R\[- \]?(\\d{4})\[- \]?(\\d{4})(?!\\d)/R-(\\d{4})-(\\d{4})/; s/, re\.I)/)/' "$(dirname "$0")/solve.sh" | bash
