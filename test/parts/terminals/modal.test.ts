import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../../src/base/errors.ts';
import { parseJson } from '../../../src/base/json.ts';
import { modalTerminal, type ModalOptions, type ModalSettings } from '../../../src/parts/terminals/modal/modal.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';
import { onlyThese } from '../../size.ts';
import { startFakeModal, TOKEN } from './modal-fake.ts';

const SETTINGS: ModalSettings = { image: 'debian:12', mode: 'auto', cpu: 1, memoryMB: 512, persistent: false };
const noSdk = await Promise.all([import('modal'), import('nice-grpc')]).then(
  () => undefined,
  () => 'modal is not installed',
);
if (noSdk !== undefined) console.log(`modal: skipped, ${noSdk}`);

if (noSdk !== undefined) test('the Modal terminal', { skip: noSdk }, () => {});
else {
  const fake = await startFakeModal();
  // The SDK takes the address of its server from nowhere else.
  process.env['MODAL_SERVER_URL'] = fake.serverUrl;
  process.env['MODAL_LOGLEVEL'] = 'error';
  const store = mkdtempSync(join(tmpdir(), 'hermes-modal-store-'));
  after(async () => {
    await fake.close();
    rmSync(store, { recursive: true, force: true });
  });
  const notices: string[] = [];
  const opened = (more: Partial<ModalOptions> = {}, cwd = '~') =>
    modalTerminal({
      settings: SETTINGS,
      task: 'task',
      token: TOKEN,
      snapshots: join(store, 'modal_snapshots.json'),
      notice: (text) => notices.push(text),
      ...more,
    }).open({ cwd, env: {} });
  const inFolder = async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-far-')));
    after(() => rmSync(folder, { recursive: true, force: true }));
    return { terminal: await opened({}, folder), folder };
  };

  testTerminalConformance('Modal over its SDK, against a fake of its wire (unproved live),', inFolder, {
    noPty: 'Modal is given no terminal',
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
  testFilesConformance('Modal over its SDK, against a fake of its wire,', openFiles, onlyThese('bytes come back', 'what is not there'));

  test('a sandbox is made as the settings say, in an app of ours, and ended at the end', async () => {
    const terminal = await opened();
    const sandbox = [...fake.sandboxes.values()].at(-1);
    const { entrypointArgs, timeoutSecs, idleTimeoutSecs, imageId } = sandbox?.definition ?? {};
    assert.deepEqual(
      { entrypointArgs, timeoutSecs, idleTimeoutSecs, imageId },
      { entrypointArgs: ['sleep', 'infinity'], timeoutSecs: 86_400, idleTimeoutSecs: 3_600, imageId: 'im-base' },
    );
    assert.equal(fake.apps.at(-1), 'hermes-agent');
    assert.equal(sandbox?.ended, false);
    await terminal[Symbol.asyncDispose]();
    assert.equal(sandbox?.ended, true);
    assert.equal(fake.images.size, 0);
  });

  test('the files of a task are kept as a snapshot and are there next time; a lost one means a new beginning, and is told', async () => {
    const settings = { ...SETTINGS, persistent: true };
    const first = await opened({ settings, task: 'lasting' });
    await run(first, 'echo kept > ~/file');
    await first[Symbol.asyncDispose]();
    const [image] = [...fake.images.keys()];
    assert.deepEqual(parseJson(readFileSync(join(store, 'modal_snapshots.json'), 'utf8')), { lasting: image });
    const again = await opened({ settings, task: 'lasting' });
    assert.equal((await run(again, 'cat ~/file')).output, 'kept\n');
    await again[Symbol.asyncDispose]();
    fake.images.clear();
    const anew = await opened({ settings, task: 'lasting' });
    assert.equal((await run(anew, 'cat ~/file 2>/dev/null || echo none')).output, 'none\n');
    assert.match(notices.join(), /task lasting left on Modal could not be brought back.*begins anew from debian:12/);
    await anew[Symbol.asyncDispose]();
  });

  test('a wrong token, the managed mode, and a sandbox that ends under a command are told', async () => {
    await assert.rejects(
      opened({ token: { id: 'ak', secret: 'wrong' } }),
      (error) => error instanceof UsageError && /Token validation failed.*MODAL_TOKEN_ID/.test(error.message),
    );
    await assert.rejects(
      opened({ settings: { ...SETTINGS, mode: 'managed' } }),
      (error) => error instanceof UsageError && /modal_mode/.test(error.message),
    );
    const terminal = await opened();
    const sandbox = [...fake.sandboxes.values()].at(-1);
    assert.ok(sandbox !== undefined);
    sandbox.ended = true;
    const { ended, output } = await run(terminal, 'echo never');
    assert.equal(ended, 'failed_to_start');
    assert.match(output, /Modal sandbox sb-\w+ could not be reached.*the sandbox has ended.*start a new session/);
    sandbox.ended = false;
    await terminal[Symbol.asyncDispose]();
  });
}
