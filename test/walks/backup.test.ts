import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { openHomeStore } from '../../src/parts/store/home-store.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage, type GatewayStage } from './gateway-stage.ts';

const MESSAGES = 5;

test('a backup taken while chats are answered comes back in an empty home: every entry, no answer again without a word about it, no job a second time, and the next message is answered', async () => {
  const answer = ({ text }: { readonly text: string }) => ({
    text: `Answer to ${text.match(/message-\d+|and-now/g)?.at(-1)}.`,
    chunk: 2,
    paceMs: 10,
  });
  await using scene = await gatewayStage({ answer }, { streaming: { enabled: false }, display: { busy_input_mode: 'queue' } });
  const { place, env } = scene;
  const file = join(place.home, '..', 'tmp', 'backup.tar.gz');
  const program = await scene.start();
  const marks = await addJob(scene);
  for (let at = 0; at < MESSAGES; at++) scene.say(`message-${at}`);
  await until(() => scene.said().length >= 2, 'at work');
  const backup = await place.run(['backup', file], { env });
  assert.equal(backup.code, 0, backup.err);
  await until(() => scene.said().length === MESSAGES, 'all answered');
  await until(() => marks() === 1, 'the job has run');
  program.kill('SIGTERM');
  await program.ended;

  const home = join(place.home, '..', 'other');
  const restored = await place.run(['restore', file, '--json'], { env: { ...env, HERMES_HOME: home } });
  assert.equal(restored.code, 0, restored.err);
  const { settled } = JSON.parse(restored.out);
  assert.ok(settled.turns_given_up <= 1, restored.out);
  await assertBeginning(home, place.home);
  // In the copy its time has passed, and nobody knows there what was done.
  assert.equal((await place.run(['cron', 'run-due'], { env: { ...env, HERMES_HOME: home } })).out, 'Nothing is due.\n');

  const next = await scene.startIn(home);
  scene.say('and-now');
  await until(() => scene.said().includes('Answer to and-now.'), 'answered after the restore');
  next.kill('SIGTERM');
  await next.ended;
  const again = scene.said().slice(MESSAGES);
  // What waited unread in the copy is answered there; what was begun or on its way says so.
  const count = (pattern: RegExp): number => again.filter((words) => pattern.test(words)).length;
  assert.deepEqual(
    { givenUp: count(/restored from a backup/), marked: count(/may be a repeat/i) },
    { givenUp: settled.turns_given_up, marked: settled.deliveries_marked },
    again.join('\n'),
  );
  assert.equal(new Set(again).size, again.length, again.join('\n'));
  assert.equal(marks(), 1);
});

/** A job whose time comes in a moment, when the backup was taken; how often it has run is noted outside of both homes. */
async function addJob({ place }: GatewayStage): Promise<() => number> {
  const file = join(place.home, '..', 'marks');
  mkdirSync(join(place.home, 'scripts'), { recursive: true });
  writeFileSync(join(place.home, 'scripts', 'mark.sh'), `echo ran >> '${file}'\n`);
  await using store = await openHomeStore(resolveHome({ HERMES_HOME: place.home }));
  const at = Date.now() + 3_000;
  const schedule = { kind: 'once', at } as const;
  const definition = { name: 'mark', schedule, said: 'once', prompt: '', script: 'mark.sh', noAgent: true, deliver: ['local'] } as const;
  await store.jobs.add({ definition, nextAt: at });
  return () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0);
}

/** Each session of the one is a beginning of that session in the other, down to the bytes. */
async function assertBeginning(restored: string, original: string): Promise<void> {
  await using one = await openHomeStore(resolveHome({ HERMES_HOME: restored }));
  await using other = await openHomeStore(resolveHome({ HERMES_HOME: original }));
  const sessions = await one.list();
  assert.equal(sessions.length, 1);
  for (const { id } of sessions) {
    const entries = await one.entries(id);
    assert.ok(entries.length >= 4);
    assert.deepEqual(entries, (await other.entries(id)).slice(0, entries.length));
  }
}
