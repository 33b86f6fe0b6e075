import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReceiver, never } from '../../../src/testing/conformance/platform-scene.ts';
import { findLeaks } from '../../leaks.ts';
import { openBot, outbound, receive } from './bot.ts';

test('an adapter that was used and closed leaves nothing behind', async () => {
  await using bot = await openBot();
  const { server, ann, direct, openAdapter } = bot;
  const leaks = await findLeaks(
    async (index) => {
      await using adapter = await openAdapter();
      const { connection } = await receive(adapter, 1, {
        receiver: createReceiver(),
        whenConnected: () => void server.people.say(direct, ann, `hello ${index}`),
      });
      await adapter.send(outbound(direct.id, 'yes?'), never);
      if (index % 2 === 0) server.gateway.drop();
      await connection[Symbol.asyncDispose]();
    },
    { uses: 12 },
  );
  assert.deepEqual(
    leaks.filter(({ what, heldBy }) => heldBy === undefined || OURS.test(what)),
    [],
  );
});

/** The server in this process keeps its log, as a judge must; of all that grows, this would be the adapter's. */
const OURS =
  /Discord(?:Adapter|Connection|Socket|Rest)|RestExchange|ChannelBook|AbortSignal|AbortController|Timeout|WebSocket|Agent|ClientRequest/;
