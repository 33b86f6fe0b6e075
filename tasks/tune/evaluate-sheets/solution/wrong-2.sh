#!/usr/bin/env bash
# Right, but without a deep stack.
bash "$(dirname "$0")/solve.sh"
sed -i '/^    # Long chains/,$d' sheet.py && echo '    main()' >>sheet.py
