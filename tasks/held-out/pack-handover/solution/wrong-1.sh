#!/usr/bin/env bash
# The exclusions are forgotten below the first level.
rm -rf stage && mkdir -p stage/handover
cp -r project/README.txt project/-readme-first.txt project/plans project/costs project/letters stage/handover/
rm -rf stage/handover/*/drafts stage/handover/*/private stage/handover/*.bak
tar -czf handover.tar.gz -C stage --owner=0 --group=0 --mtime='2024-01-01 00:00:00Z' handover
