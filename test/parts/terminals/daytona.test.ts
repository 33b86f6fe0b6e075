import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../../src/base/errors.ts';
import { daytonaTerminal, type DaytonaOptions } from '../../../src/parts/terminals/daytona/daytona.ts';
import { toDaytonaResources, type DaytonaSettings } from '../../../src/parts/terminals/daytona/resources.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';
import { onlyThese } from '../../size.ts';
import { KEY, startFakeDaytona } from './daytona-fake.ts';

const SETTINGS: DaytonaSettings = { image: 'debian:12', cpu: 1, memoryMB: 5_120, diskMB: 51_200, persistent: false };
const noSdk = await import('@daytona/sdk').then(
  () => undefined,
  () => '@daytona/sdk is not installed',
);
if (noSdk !== undefined) console.log(`daytona: skipped, ${noSdk}`);

test('resources are whole GiB, and the disk is no larger than Daytona allows', () => {
  assert.deepEqual(toDaytonaResources(SETTINGS), { cpu: 1, memory: 5, disk: 10 });
  assert.deepEqual(toDaytonaResources({ ...SETTINGS, cpu: 0.5, memoryMB: 1_025, diskMB: 2_000 }), { cpu: 1, memory: 2, disk: 2 });
  assert.deepEqual(toDaytonaResources({ ...SETTINGS, cpu: 0, memoryMB: 0, diskMB: 0 }), {});
});

if (noSdk !== undefined) test('the Daytona terminal', { skip: noSdk }, () => {});
else {
  const fake = await startFakeDaytona();
  after(() => fake.close());
  const opened = async (more: Partial<DaytonaOptions> = {}, cwd = '~') =>
    daytonaTerminal({ settings: SETTINGS, task: 'task', apiKey: KEY, apiUrl: fake.apiUrl, ...more }).open({ cwd, env: {} });
  const inFolder = async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-far-')));
    after(() => rmSync(folder, { recursive: true, force: true }));
    return { terminal: await opened({}, folder), folder };
  };

  testTerminalConformance('Daytona over its SDK, against a fake of its wire (unproved live),', inFolder, {
    noPty: 'Daytona is given no terminal',
    begunWithinMs: 1_000,
    // The far end of a line is the same for all services; ssh tries every promise of it.
    leftOut: onlyThese(
      'a command gives its output',
      'input is handed over whole',
      'output is bounded',
      'a time-out also ends what left the group',
      'an abort is through',
      'a started command goes on',
      'closing the terminal',
      'variables, functions, aliases',
    ),
  });
  const openFiles = async () => {
    const { terminal, folder } = await inFolder();
    return {
      files: terminal.files,
      folder,
      shell: async (command: string) => (await run(terminal, command)).output,
      close: () => terminal[Symbol.asyncDispose](),
    };
  };
  testFilesConformance('Daytona over its SDK, against a fake of its wire,', openFiles, onlyThese('bytes come back', 'what is not there'));

  test('a sandbox is made as the settings say, and gone at the end', async () => {
    const before = fake.sandboxes.size;
    const terminal = await opened({ task: 'once' });
    const [sandbox] = [...fake.sandboxes.values()].slice(-1);
    const { labels, cpu, memory, disk, autoStopInterval, buildInfo } = sandbox?.body ?? {};
    assert.deepEqual(
      { cpu, memory, disk, autoStopInterval, buildInfo },
      { cpu: 1, memory: 5, disk: 10, autoStopInterval: 0, buildInfo: { dockerfileContent: 'FROM debian:12\n' } },
    );
    assert.equal(typeof labels === 'object' && labels !== null && 'hermes_task_id' in labels && labels.hermes_task_id, 'once');
    await terminal[Symbol.asyncDispose]();
    assert.equal(fake.sandboxes.size, before);
  });

  test('a lasting one is stopped at the end and woken by the same task, with its files', async () => {
    const settings = { ...SETTINGS, persistent: true };
    const first = await opened({ settings, task: 'lasting' });
    await run(first, 'echo kept > ~/file');
    await first[Symbol.asyncDispose]();
    const sandbox = [...fake.sandboxes.values()].find(({ body }) => body['name'] === 'hermes-lasting');
    assert.equal(sandbox?.state, 'stopped');
    const count = fake.sandboxes.size;
    const again = await opened({ settings, task: 'lasting' });
    assert.equal((await run(again, 'cat ~/file')).output, 'kept\n');
    assert.deepEqual([sandbox?.state, fake.sandboxes.size], ['started', count]);
    await again[Symbol.asyncDispose]();
    const other = await opened({ settings, task: 'other' });
    assert.equal(fake.sandboxes.size, count + 1);
    await other[Symbol.asyncDispose]();
  });

  test('a child leaves the sandbox of its parent running, and the last of them stops it; whoever comes meanwhile waits for the stop', async () => {
    const lasting = { settings: { ...SETTINGS, persistent: true }, task: 'family' };
    const [parent, child] = await Promise.all([opened(lasting), opened(lasting)]);
    const family = [...fake.sandboxes.values()].filter(({ body }) => body['name'] === 'hermes-family');
    assert.deepEqual(family.length, 1, 'they share one');
    const [sandbox] = family;
    await child[Symbol.asyncDispose]();
    assert.equal(sandbox?.state, 'started');
    assert.equal((await run(parent, 'echo here')).output, 'here\n');
    const leaving = parent[Symbol.asyncDispose]();
    const [again] = await Promise.all([opened(lasting), leaving]);
    assert.equal((await run(again, 'echo again')).output, 'again\n');
    await again[Symbol.asyncDispose]();
    assert.equal(sandbox?.state, 'stopped');
  });

  test('a wrong key, none, and a service that breaks under a command are told', async () => {
    await assert.rejects(
      opened({ apiKey: 'wrong' }),
      (error) => error instanceof UsageError && /Invalid credentials.*DAYTONA_API_KEY/.test(error.message),
    );
    await assert.rejects(opened({ apiKey: undefined }), (error) => error instanceof UsageError && /DAYTONA_API_KEY/.test(error.message));
    const terminal = await opened();
    const { ended, exitCode, output } = await run(terminal, 'echo begun; sleep 1; echo late', { onOutput: () => (fake.broken = true) });
    assert.deepEqual([ended, exitCode], ['exited', null]);
    assert.match(output, /^begun\n\n\[The line to the Daytona sandbox \S+ broke/);
    fake.broken = false;
    assert.equal((await run(terminal, 'echo again')).output, 'again\n');
    await terminal[Symbol.asyncDispose]();
  });
}
