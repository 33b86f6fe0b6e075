import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { UsageError } from '../../../src/base/errors.ts';
import { daytonaTerminal } from '../../../src/parts/terminals/daytona/daytona.ts';
import { modalTerminal } from '../../../src/parts/terminals/modal/modal.ts';

/** A machine on which the optional packages are not there. */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'modal' || specifier === '@daytona/sdk') throw new Error(`Cannot find package '${specifier}'`);
    return next(specifier, context);
  },
});

test('an SDK that is not there is told with the command that installs it', async () => {
  const size = { image: 'debian:12', cpu: 1, memoryMB: 1, diskMB: 1, persistent: false };
  const tells = (words: RegExp) => (error: unknown) => error instanceof UsageError && words.test(error.message);
  await assert.rejects(
    daytonaTerminal({ settings: size, task: 't', apiKey: 'key' }).open({ cwd: '~', env: {} }),
    tells(/npm install --prefix \/.* @daytona\/sdk@0\.216\.0/),
  );
  await assert.rejects(
    modalTerminal({ settings: { ...size, mode: 'auto' }, task: 't', snapshots: '/nowhere', notice: () => {} }).open({ cwd: '~', env: {} }),
    tells(/npm install --prefix \/.* modal@0\.11\.1/),
  );
});
