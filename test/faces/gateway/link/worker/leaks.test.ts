import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLeaks } from '../../../../leaks.ts';
import { LINK_TIMES } from '../../../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../../../src/faces/gateway/link/link.ts';
import { send } from '../link-scene.ts';
import { openEcho, textsOf } from './open-echo.ts';
test('links and their workers leave nothing behind, reconnects included', async () => {
  const leaks = await findLeaks(
    async () => {
      const heard: string[] = [];
      await using link = openLink({
        account: { platform: 'echo', account: 'main' },
        openAdapter: () => openEcho(),
        receive: async (b) => void heard.push(...textsOf(b)),
        cursors: async () => [],
        log: () => {},
        times: { ...LINK_TIMES, waits: [5] },
      });
      while (link.state().type !== 'connected') await sleep(1);
      await send(link, 'hello');
      await send(link, 'break');
      while (link.state().reconnects < 1 || link.state().type !== 'connected') await sleep(1);
      await send(link, 'again');
      while (!heard.includes('again')) await sleep(1);
    },
    { uses: 8 },
  );
  assert.deepEqual(leaks, []);
});
