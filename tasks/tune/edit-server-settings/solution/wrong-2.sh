#!/usr/bin/env bash
# Changes every matching line, in all sections.
LC_ALL=C sed -i -e 's/port=8080/port=8081/' -e 's/^; tls = on/tls = on/' -e 's/^Timeout  =  30/Timeout  =  45/' -e '/^retries/d' server.ini
