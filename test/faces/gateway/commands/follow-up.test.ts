import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene } from '../scene.ts';

test('a session that is continued in another chat leaves the one it was in, and has the tools of the new one; the one that was there ends', async () => {
  const tools: (readonly string[])[] = [];
  await using scene = await openScene({
    isUnlimited: true,
    script: ({ tools: offered }) => {
      tools.push(offered.map(({ name }) => name));
      return { text: `Answer ${tools.length}.` };
    },
  });
  const { server, ann, bot, dm } = scene.stage;
  const group = server.people.openGroup('group', 'Family', [ann, bot]);
  const told = async (chat: typeof dm, line: string): Promise<string> => {
    const texts = () => server.log.visible(chat).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
    const before = texts().length;
    server.people.say(chat, ann, line);
    await scene.until(() => texts().length > before && scene.gateway().running === 0);
    return texts().at(-1) ?? '';
  };
  const { store } = scene.host();
  const leads = async (chat: typeof dm) =>
    (await store.gateway.routes({})).find(({ target }) => target.chatId === String(chat.id))?.sessionId;
  await told(dm, 'hi');
  const own = (await leads(dm)) ?? assert.fail();
  const early = await told(group, `/resume ${own}`);
  assert.match(early, /^Nobody has written in this chat yet\./);
  await told(group, 'hi all');
  const left = (await leads(group)) ?? assert.fail();

  await told(group, `/resume ${own}`);
  assert.deepEqual([await leads(dm), await leads(group)], [undefined, own]);
  assert.equal((await store.find(left))[0]?.endReason, 'resumed_elsewhere');
  await told(group, 'and now?');
  assert.ok(tools[0]?.includes('memory') && !tools[2]?.includes('memory'), 'the tools of a group');

  await told(group, '/branch');
  const copy = (await leads(group)) ?? assert.fail();
  assert.equal((await store.find(copy))[0]?.parent?.sessionId, own);
  assert.equal((await store.find(own))[0]?.endReason, undefined);
});
