import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { collectArtefacts } from '../../src/app/host/child-files.ts';
import { SETTINGS } from '../../src/app/config/config.ts';
import { undoFor } from '../../src/parts/safety/checkpoints/open.ts';
import { resolveHome } from '../../src/base/home.ts';
import { isObject } from '../../src/base/json.ts';
import type { ToolCall } from '../../src/contracts/message.ts';
import type { Session } from '../../src/contracts/session-store.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-follow-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const [home, work] = [resolveHome({ HERMES_HOME: join(folder, 'home') }), join(folder, 'work')];
for (const path of [home.root, work]) mkdirSync(path);
const settings = { ...collectDefaults(SETTINGS), 'checkpoints.enabled': true };

const session = (id: string, cwd: string): Session => {
  const times = { startedAt: 1, updatedAt: 1, messages: 1, unfinished: false };
  return { id, source: 'child', platform: 'child', cwd, model: 'm', provider: 'p', ...times };
};
const terminal = (command: string, more: object = {}): ToolCall => {
  const input = { command, ...more };
  return { type: 'tool_call', id: 'c', name: 'terminal', input, trust: 'model' };
};
const files = [{ path: join(work, 'by-tool.txt'), fate: 'written' }] as const;

/** A call as it runs: what was there is kept, then it changes something, then what it left is noted. */
async function ran(sessionId: string, call: ToolCall): Promise<void> {
  const touching = {
    tool: call.name,
    input: isObject(call.input) ? call.input : {},
    cwd: work,
    sessionId,
    effects: { kind: 'write', resources: ['*'] },
  } as const;
  const undo = undoFor({ home, settings, kind: 'local' });
  await undo.before(touching, 't1');
  writeFileSync(join(work, `${sessionId}.txt`), 'x');
  await undo.after(touching, 't1');
}

/** Where a child worked and what it ran, and how much of its files is known. */
const CASES: readonly (readonly [what: string, id: string, kind: string, call: ToolCall, known: string, more?: readonly string[]])[] = [
  ['a command near by', 'near', 'local', terminal('make'), 'all', ['near.txt']],
  ['the same command on another machine', 'far', 'ssh', terminal('make'), 'file_tools'],
  ['a command that goes on', 'lasting', 'local', terminal('make', { background: true }), 'partly'],
];
for (const [what, id, kind, call, known, more = []] of CASES)
  test(`what a child did to files is known: ${what}`, async () => {
    if (kind === 'local') await ran(id, call);
    const found = collectArtefacts({ home, settings, kind }, session(id, work), { calls: [call], files });
    const written = [...files.map(({ path }) => path), ...more.map((name) => join(work, name))];
    assert.deepEqual(found, { written, deleted: [], shared: [], known });
  });

test('a command in the owner’s home, which is not kept as a whole, makes it doubtful; one that only reads does not', () => {
  const known = (call: ToolCall) =>
    collectArtefacts({ home, settings, kind: 'local' }, session('at-home', homedir()), { calls: [call], files }).known;
  assert.deepEqual([known(terminal('make')), known(terminal('ls -l'))], ['partly', 'all']);
});
