#!/usr/bin/env bash
# Looks only at what sha256sum reports, so extra files are overlooked.
mkdir x && tar -xzf delivery.tar.gz -C x && cd x
sha256sum -c MANIFEST.sha256 2>/dev/null | sed -n -e 's/^\(.*\): FAILED open or read$/missing \1/p' -e 's/^\(.*\): FAILED$/damaged \1/p' | LC_ALL=C sort -k2 >../problems.txt
