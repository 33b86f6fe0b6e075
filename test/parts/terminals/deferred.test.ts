import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { deferTerminal } from '../../../src/parts/terminals/deferred.ts';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';

const COMING = { isCalled: true } as const;
const HERE = { where: 'here', cwd: '/', onThisMachine: true } as const;

/** A terminal that is opened later, with what happened to it in order; each opening is let through by `trouble`. */
function stage({ place = HERE, trouble = [] }: { readonly place?: object; readonly trouble?: readonly (string | undefined)[] } = {}) {
  const happened: string[] = [];
  const left = [...trouble];
  const open = async (): Promise<Terminal> => {
    const why = left.shift();
    happened.push(why === undefined ? 'opened' : `not opened: ${why}`);
    if (why !== undefined) throw new Error(why);
    const terminal = await localTerminal.open({ cwd: '/', env: { PATH: '/usr/bin:/bin' } });
    return {
      ...terminal,
      prepare: async () => void happened.push('prepared'),
      [Symbol.asyncDispose]: async () => {
        happened.push('closed');
        await terminal[Symbol.asyncDispose]();
      },
    };
  };
  const fail = (error: unknown): never => {
    happened.push(`told: ${String(error)}`);
    throw error;
  };
  return { happened, terminal: deferTerminal({ kind: 'sandbox', cwd: '/', place: { where: '', cwd: '/', ...place }, open, fail }) };
}

test('what is opened for a command that is on its way, and never used, is closed', async () => {
  const { happened, terminal } = stage();
  await terminal.prepare?.(COMING);
  assert.deepEqual(happened, ['opened', 'prepared']);
  await terminal[Symbol.asyncDispose]();
  assert.deepEqual(happened, ['opened', 'prepared', 'closed']);
});

test('a session that ends while its terminal is being opened for a command closes it, and prepares no more', async () => {
  const { happened, terminal } = stage();
  const preparing = terminal.prepare?.(COMING);
  await terminal[Symbol.asyncDispose]();
  await preparing;
  await terminal.prepare?.(COMING);
  assert.deepEqual(happened, ['opened', 'closed']);
});

test('nothing is opened because a command may come, nor on another machine', async () => {
  for (const [place, expected] of [
    [HERE, undefined],
    [{ onThisMachine: undefined }, COMING],
  ] as const) {
    const { happened, terminal } = stage({ place });
    await terminal.prepare?.(expected);
    await terminal[Symbol.asyncDispose]();
    assert.deepEqual(happened, []);
  }
});

test('trouble with an opening ahead is told to nobody, and the first command opens in the usual way', async () => {
  const { happened, terminal } = stage({ trouble: ['busy'] });
  await using _ = terminal;
  await terminal.prepare?.(COMING);
  assert.deepEqual(happened, ['not opened: busy']);
  assert.equal((await run(terminal, 'echo hello')).output, 'hello\n');
  assert.deepEqual(happened, ['not opened: busy', 'opened']);
});

test('trouble that stays is told by the first command', async () => {
  const { happened, terminal } = stage({ trouble: ['busy', 'still busy'] });
  await using _ = terminal;
  await terminal.prepare?.(COMING);
  await assert.rejects(run(terminal, 'echo hello'), /still busy/);
  assert.deepEqual(happened, ['not opened: busy', 'not opened: still busy', 'told: Error: still busy']);
});
