import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import { openScene } from '../scene.ts';

test('other settings hold for a chat that is open: its tools with the next turn, and who may speak with the next message', async () => {
  const tools: (readonly string[])[] = [];
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using scene = await openScene({
    isUnlimited: true,
    config: '    tools:\n      users: {}\nstreaming:\n  enabled: false\ndisplay:\n  busy_input_mode: queue\n',
    script: async (request) => {
      tools.push((request.tools ?? []).map(({ name }) => name));
      if (tools.length === 1) {
        asked.resolve();
        await go.promise;
      }
      return { text: `Answer ${tools.length}.` };
    },
  });
  const { server, ann, dm } = scene.stage;
  const ref = { platform: 'telegram', account: 'main' };
  const before = scene.gateway().config(ref);
  assert.ok(before !== undefined);
  const change = (more: Partial<GatewayAccount>) => scene.gateway().replaceAccounts([{ ...before, ...more }]);
  server.people.say(dm, ann, 'one');
  await asked.promise;
  // What runs, and what waits behind it, goes on with what it has.
  server.people.say(dm, ann, 'two');
  await scene.until(async () => (await scene.host().store.gateway.arrivals({ states: ['admitted'] })).length === 2);
  const narrow = { tools: { ...before.tools, users: new Map([[String(ann.id), ['todo']]]) } };
  assert.deepEqual(await change(narrow), { opened: [], reopened: [], closed: [] });
  go.resolve();
  await scene.until(() => scene.said().length === 2);
  server.people.say(dm, ann, 'three');
  await scene.until(() => scene.said().length === 3);
  assert.deepEqual(
    ['terminal', 'todo'].map((name) => [tools[0]?.includes(name), tools[2]?.includes(name)]),
    [
      [true, false],
      [true, true],
    ],
  );
  await change({ access: { ...before.access, allowedUsers: [], owners: [] } });
  server.people.say(dm, ann, 'four');
  await scene.until(async () => (await scene.host().store.gateway.arrivals({ states: ['refused'] })).length === 1);
  assert.equal(tools.length, 3);
  assert.deepEqual(await scene.gateway().replaceAccounts([]), { opened: [], reopened: [], closed: [ref] });
  assert.deepEqual(scene.gateway().accounts, []);
});
