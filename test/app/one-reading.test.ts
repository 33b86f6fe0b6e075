import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../src/app/config/config.ts';
import { toolingOf } from './tooling.ts';
import { resolveHome } from '../../src/base/home.ts';
import { joinTextBlocks } from '../../src/contracts/message.ts';
import { executed } from '../parts/tools/executed.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-one-reading-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'notes.txt'), 'one\n');
const home = resolveHome({ HERMES_HOME: join(folder, 'home') });

/** How often a function was called while something ran, as the engine itself counts. */
async function callsOf(name: string, file: string, run: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result.filter(({ url }) => url.endsWith(file)).flatMap(({ functions: found }) => found);
    return functions.find(({ functionName }) => functionName === name)?.ranges[0]?.count ?? 0;
  } finally {
    session.disconnect();
  }
}

/** One call of a toolkit of its own, with every gate that looks at a command: hooks aside, all that a session has. */
async function call(command: string): Promise<string> {
  const config = await loadConfig(home.config, {}, () => {});
  const settings = { ...config.settings, 'terminal.backend': 'local', 'approvals.deny': ['shutdown *'] } as const;
  const ports = { clarify: async () => 'no' };
  const { toolkit, terminal } = await toolingOf({
    home,
    config: { ...config, settings },
    env: { PATH: process.env['PATH'] },
    cwd: folder,
    kept: undefined,
    ports,
  });
  await using _ = terminal;
  const resolved = toolkit.resolve({ type: 'tool_call', id: 'c', name: 'terminal', input: { command }, trust: 'model' });
  assert.ok(resolved.ok);
  const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: ['web_extract'], report: () => {} };
  return joinTextBlocks(await executed(toolkit, resolved, run));
}

const CALLS: readonly (readonly [command: string, answer: RegExp])[] = [
  // Reads and answers by its exit code: judge, deny list, checkpoints, provenance, advice, meaning, hints.
  ['  grep -n nothing ./notes.txt ', /nothing matched/],
  ['cat ./notes.txt > ./copy.txt && echo "copied $(wc -l < copy.txt)"', /copied 1/],
  // Asked about: where its danger lies is looked for as well.
  ['rm -rf ~/somewhere-else', /^Not run/],
];
for (const [command, answer] of CALLS)
  test(`all that a call asks about its command is told from one reading: ${command}`, async () => {
    let said = '';
    const parsed = await callsOf('parseBeginning', '/src/base/shell/parse.ts', async () => (said = await call(command)));
    assert.match(said, answer);
    assert.equal(parsed, 1);
  });
