#!/usr/bin/env bash
# Reads and writes the file as text, which changes its line endings.
python3 - <<'P'
s = open('server.ini', encoding='latin-1').read()
s = s.replace('port=8080   ; public port\n; tls = on', 'port=8081   ; public port\ntls = on').replace('Timeout  =  30', 'Timeout  =  45').replace('retries = 2\n', '')
open('server.ini', 'w', encoding='latin-1').write(s)
P
