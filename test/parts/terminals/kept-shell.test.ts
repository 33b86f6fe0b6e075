import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunOptions, Terminal } from '../../../src/contracts/terminal.ts';
import { keepShell, type KeptShell } from '../../../src/parts/terminals/shell/kept-shell.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-kept-shell-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const options: RunOptions = { signal: new AbortController().signal, timeoutMs: 10_000, maxOutput: 10_000 };
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const openKept = async (kept: KeptShell, change: (plain: Terminal) => Terminal = (plain) => plain): Promise<Terminal> =>
  keepShell(change(await localTerminal.open({ cwd: folder, env: { PATH } })), kept);

test('folder and shell are known before the next command, and are there for it; what was unused is kept on', async () => {
  const kept: KeptShell = {};
  {
    await using first = await openKept(kept);
    await first.run('mkdir -p deep; cd deep; TEA=green; alias hi="echo hello"; set -o pipefail', options);
  }
  {
    await using unused = await openKept(kept);
    assert.equal(unused.cwd, join(folder, 'deep'));
    assert.match(unused.carried?.()[0]?.script ?? '', /TEA="?green/);
  }
  await using second = await openKept(kept);
  const { output, cwd } = await second.run('echo "$TEA"; hi; set -o | grep pipefail', options);
  assert.deepEqual([output.replaceAll(/\s+/g, ' ').trim(), cwd], ['green hello pipefail on', join(folder, 'deep')]);
});

test('what a place elsewhere holds is read from there', async () => {
  const kept: KeptShell = {};
  // As a place far away tells it: the commands, and the file.
  const elsewhere = (plain: Terminal): Terminal => ({
    ...plain,
    carried: () => [{ type: 'told', script: 'TEA=black', whole: true, file: join(folder, 'snapshot') }],
  });
  {
    await using first = await openKept(kept, elsewhere);
    await first.run(`echo 'declare -- TEA="black"' > ${folder}/snapshot`, options);
  }
  await using second = await openKept(kept);
  assert.equal((await second.run('echo "$TEA"', options)).output, 'black\n');
});

test('the model is told with the next result what could not be kept, once', async () => {
  const kept: KeptShell = {};
  {
    await using first = await openKept(kept, (plain) => ({ ...plain, carried: () => [{ type: 'told', script: 'TEA=red', whole: true }] }));
    await first.run('mkdir -p gone; cd gone', options);
  }
  rmSync(join(folder, 'gone'), { recursive: true, force: true });
  kept.state = kept.state && { ...kept.state, cwd: join(folder, 'gone') };
  await using second = await openKept(kept);
  const { output, movedTo } = await second.run('echo next', options);
  assert.match(output, /^\[The terminal was opened anew: variables, functions and aliases .* are gone\.\]\nnext\n$/);
  assert.equal(movedTo, folder);
  assert.equal((await second.run('echo then', options)).output, 'then\n');
});
