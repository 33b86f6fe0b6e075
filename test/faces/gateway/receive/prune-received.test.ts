import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findWorkspaces } from '../../../../src/faces/gateway/chats/workspace.ts';
import { createReceivedPruner, type ReceivedLimits } from '../../../../src/faces/gateway/receive/prune-received.ts';
import { openScene, type GatewayScene } from '../scene.ts';

const DAY = 86_400_000;
const ROOMY: ReceivedLimits = { maxAgeMs: 30 * DAY, maxBytes: 1_000_000 };

const prune = ({ host, root }: GatewayScene, limits: ReceivedLimits): Promise<void> =>
  createReceivedPruner({ workspaces: findWorkspaces(root), store: host().store, limits: () => limits, now: Date.now })();

/** The folder of the chat, and its files by name without their marks. */
async function openFolder(scene: GatewayScene) {
  const [session] = await scene.host().store.list({});
  const folder = join(session?.cwd ?? '', 'received');
  const find = (stem: string): string => join(folder, readdirSync(folder).find((name) => name.startsWith(stem)) ?? stem);
  return {
    folder,
    age: (stem: string, days: number) => utimesSync(find(stem), new Date(Date.now() - days * DAY), new Date(Date.now() - days * DAY)),
    names: () =>
      readdirSync(folder)
        .map((name) => name.replace(/-[0-9a-f]{8}(?=\.)/, ''))
        .toSorted(),
  };
}
const send = (scene: GatewayScene, name: string, bytes: Buffer = Buffer.from(name)): void => {
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, { document: { bytes, name } });
};

test('files that were sent go when they are old or take too much room, the oldest first; nothing else goes', async () => {
  await using scene = await openScene({ script: (_request, index) => ({ text: `Answer ${index}.` }) });
  const big = Buffer.alloc(10_000, 1);
  for (const [index, name] of ['old.bin', 'older.bin', 'new.bin', 'fresh.bin'].entries()) {
    send(scene, name, Buffer.concat([Buffer.from(name), big]));
    await scene.until(() => scene.said().includes(`Answer ${index}.`) && scene.gateway().running === 0);
  }
  const { folder, age, names } = await openFolder(scene);
  writeFileSync(join(folder, 'made-by-a-command.txt'), 'x');
  age('made-by', 400);
  for (const [stem, days] of [
    ['old.', 20],
    ['older', 25],
    ['new', 2],
  ] as const)
    age(stem === 'old.' ? 'old-' : stem, days);
  const seen: (readonly string[])[] = [];
  // The freshest came just now: it stays however little room there is.
  for (const limits of [ROOMY, { ...ROOMY, maxAgeMs: 24 * DAY }, { ...ROOMY, maxBytes: 25_000 }, { ...ROOMY, maxBytes: 1 }]) {
    await prune(scene, limits);
    seen.push(names());
  }
  assert.deepEqual(seen, [
    ['fresh.bin', 'made-by-a-command.txt', 'new.bin', 'old.bin', 'older.bin'],
    ['fresh.bin', 'made-by-a-command.txt', 'new.bin', 'old.bin'],
    ['fresh.bin', 'made-by-a-command.txt', 'new.bin'],
    ['fresh.bin', 'made-by-a-command.txt'],
  ]);
  // Sent again, a file counts as new.
  age('fresh', 40);
  send(scene, 'fresh.bin', Buffer.concat([Buffer.from('fresh.bin'), big]));
  await scene.until(() => scene.said().includes('Answer 4.') && scene.gateway().running === 0);
  await prune(scene, ROOMY);
  assert.deepEqual(names(), ['fresh.bin', 'made-by-a-command.txt']);
});

test('what a message needs that waits, or whose turn is unfinished, stays; a folder that is a link is left alone', async () => {
  const going = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using scene = await openScene({
    script: async (_request, index) => {
      asked.resolve();
      await going.promise;
      return { text: `Answer ${index}.` };
    },
  });
  send(scene, 'needed.bin', Buffer.from([0, 1, 2]));
  await asked.promise;
  const { age, names } = await openFolder(scene);
  age('needed', 400);
  const elsewhere = join(scene.root, 'elsewhere');
  const other = join(findWorkspaces(scene.root), 'telegram-other');
  for (const folder of [elsewhere, other]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(elsewhere, 'theirs-00000001.txt'), 'x');
  utimesSync(join(elsewhere, 'theirs-00000001.txt'), 0, 0);
  symlinkSync(elsewhere, join(other, 'received'));
  await prune(scene, ROOMY);
  assert.deepEqual(names(), ['needed.bin']);
  going.resolve();
  await scene.until(() => scene.said().includes('Answer 0.') && scene.gateway().running === 0);
  await prune(scene, ROOMY);
  assert.deepEqual([names(), existsSync(join(elsewhere, 'theirs-00000001.txt'))], [[], true]);
});

test('an empty folder that no chat used for long goes, with an empty one for files in it; what holds anything stays, and a message makes it anew', async () => {
  await using scene = await openScene({ script: (_request, index) => ({ text: `Answer ${index}.` }) });
  const { server, ann, dm } = scene.stage;
  const say = async (index: number): Promise<void> => {
    server.people.say(dm, ann, 'hi');
    await scene.until(() => scene.said().includes(`Answer ${index}.`) && scene.gateway().running === 0);
  };
  await say(0);
  const [session] = await scene.host().store.list({});
  const workspaces = findWorkspaces(scene.root);
  const own = session?.cwd ?? assert.fail();
  for (const folder of ['webhook-empty/received', 'webhook-full', 'webhook-young'])
    mkdirSync(join(workspaces, folder), { recursive: true });
  writeFileSync(join(workspaces, 'webhook-full', 'result.txt'), 'x');
  const weekAgo = new Date(Date.now() - 8 * DAY);
  for (const folder of [own, join(workspaces, 'webhook-empty'), join(workspaces, 'webhook-full')]) utimesSync(folder, weekAgo, weekAgo);
  await prune(scene, ROOMY);
  assert.deepEqual(readdirSync(workspaces).toSorted(), ['webhook-full', 'webhook-young']);
  await say(1);
  assert.ok(existsSync(own));
});
