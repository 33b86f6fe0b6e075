import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../src/base/errors.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { EXIT, toResultExitCode } from '../../src/faces/cli/exit-codes.ts';
import { runProgram } from '../../src/faces/cli/program.ts';

const registry = createBuiltinRegistry();
const RECORDS = registry.at('shell');

/** Parses one command line and keeps what it complains about; nothing is run. */
async function complaint(argv: readonly string[]): Promise<{ readonly code: number; readonly err: string }> {
  const write = process.stderr.write.bind(process.stderr);
  let err = '';
  process.stderr.write = (chunk: string) => ((err += chunk), true);
  try {
    return { code: await runProgram(argv, registry, { version: '0', run: async () => 0 }), err };
  } finally {
    process.stderr.write = write;
  }
}

/** What it prints is a protocol. */
const PROTOCOLS: ReadonlySet<string> = new Set(['acp']);

test('every command that answers something has --json', () => {
  assert.deepEqual(
    RECORDS.filter(({ json, options = {} }) => json === undefined && !('json' in options))
      .map(({ name }) => name)
      .filter((name) => !PROTOCOLS.has(name)),
    [],
  );
});

for (const record of RECORDS)
  test(`${record.name}: a command line that cannot be is exit code 2`, async () => {
    const { code, err } = await complaint([...record.name.split(' '), '--no-such-option']);
    assert.equal(code, EXIT.usage, err);
    assert.match(err, /^hermes: /);
  });

test('unknown flags never suggest --yolo, and still suggest other flags', async () => {
  for (const flag of ['--yol', '--yoloo', '--yolo-mode', '--polo', '--solo', '--colo', '--y'])
    assert.doesNotMatch((await complaint(['chat', flag, '-q', 'x'])).err, /mean.*yolo/i, flag);
  assert.match((await complaint(['chat', '--modle', 'x'])).err, /Did you mean --model\?/);
});

test('one rule for exit codes: done is 0, what needs the owner is 1, what cannot be is 2', () => {
  assert.deepEqual([undefined, 'text', [], {}, { ok: true }, { ok: false }].map(toResultExitCode), [0, 0, 0, 0, 0, 1]);
  assert.ok(new UsageError('x') instanceof Error);
});
