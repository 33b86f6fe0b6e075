#!/usr/bin/env bash
set -euo pipefail
LC_ALL=C sed -i \
  -e '/^\[web\]/,/^\[admin\]/{s/^port=8080/port=8081/;s/^; tls = on/tls = on/}' \
  -e '/^\[proxy\.upstream\]/,/^\[paths\]/{s/^\(Timeout  =  \)30/\145/;/^retries = /d}' server.ini
