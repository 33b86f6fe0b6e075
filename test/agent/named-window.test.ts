import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAgent } from '../../src/agent/agent.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import type { RouteFacts } from '../../src/contracts/routes.ts';
import { faults, startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer } from '../walks/hermes.ts';
import { NOTES, sceneWith, SMALL, talk } from './compaction-scene.ts';
import { collect, says } from './setup.ts';

const WINDOW = 24_000;
const FILES = 24;
const sizeOf = ({ body }: RecordedRequest): number => JSON.stringify(body).length / 4;
/** Summaries are asked for without tools. */
const isSummary = ({ body }: RecordedRequest): boolean => !('tools' in Object(body));

/** Long files, and a model whose window nobody knows before it says so itself. */
function place(): { readonly home: string; readonly cwd: string } {
  const root = tempHome();
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  const line = (index: number) => `line ${index}: ${'lorem ipsum dolor '.repeat(6)}`;
  for (let file = 0; file < FILES; file++)
    writeFileSync(join(cwd, `big${file}.txt`), Array.from({ length: 60 }, (_, index) => `${file} ${line(index)}`).join('\n'));
  return { home, cwd };
}

test('a window that a refusal names holds at once: one refusal in a long turn, none in the next, and replay is identical', async () => {
  const refused: number[] = [];
  let step = 0;
  const answer = (request: RecordedRequest): Reply => {
    if (sizeOf(request) > WINDOW) {
      refused.push(sizeOf(request));
      return { fault: faults.overflow(Math.ceil(sizeOf(request)), WINDOW) };
    }
    if (isSummary(request)) return { text: NOTES };
    const file = step++ % (FILES + 1);
    return file === FILES ? { text: 'All read.' } : { calls: [{ name: 'read_file', arguments: { path: `big${file}.txt` } }] };
  };
  await using server = await startWireServer({ answer });
  const there = place();
  const first = await hermes(['chat', '-q', 'Read all files.', '--json', ...toServer(server.url)], there);
  assert.equal(first.code, 0, first.err);
  assert.equal(refused.length, 1, refused.join());
  const told = jsonLines(first.out);
  const reasons = told.flatMap(({ type, reason }) => (type === 'compacting' ? [reason] : []));
  assert.ok(reasons.length > 0 && reasons.every((reason) => reason === 'threshold'), 'from then on it is made smaller before it is sent');
  assert.ok(told.every(({ type }) => type !== 'runtime_changed'));
  const id = String(told[0]?.['id']);
  const again = await hermes(['chat', '--resume', id, '-q', 'Read them again.', ...toServer(server.url)], there);
  assert.deepEqual([again.code, refused.length], [0, 1], again.err);
  const shown: { readonly entries: readonly { readonly type: string }[] } = JSON.parse(
    (await hermes(['sessions', 'show', id, '--json'], there)).out,
  );
  assert.equal(shown.entries.filter(({ type }) => type === 'model_change').length, 0);
  const replayed: readonly { readonly identical: boolean }[] = JSON.parse((await hermes(['replay', id, '--json'], there)).out);
  assert.ok(replayed.length > 2 * FILES && replayed.every(({ identical }) => identical));
});

/** Six long messages, then a refusal that names a window, and what each request after it was asked with. */
async function windowsAfter(limits: Runtime['limits'], inferred: boolean): Promise<readonly [windows: number[], learnt: RouteFacts[]]> {
  const learnt: RouteFacts[] = [];
  const fails = { type: 'context_overflow', detail: 'too many', limit: 6_000, ...(inferred && { inferred }) } as const;
  const scene = await sceneWith({
    window: 200_000,
    model: (index) => (index === 6 ? { fails } : { text: `answer ${index}` }),
    routes: { learn: async (_runtime, facts) => void learnt.push(facts) },
  });
  await talk(scene, 6);
  const agent = createAgent(scene.store, scene.deps, { ...SMALL, limits });
  const { outcome } = await collect(agent.send(scene.session, says('go on'), new AbortController().signal));
  assert.equal(outcome?.type, 'answered');
  return [scene.provider.requests.slice(6).map(({ runtime }) => runtime.limits.window), learnt];
}

test('a window the owner has stated stays his, and one that was only inferred is not remembered', async () => {
  assert.deepEqual(await windowsAfter({ window: 200_000 }, false), [[200_000, 6_000], [{ window: 6_000 }]]);
  assert.deepEqual(await windowsAfter({ window: 200_000 }, true), [[200_000, 6_000], []]);
  assert.deepEqual(await windowsAfter({ window: 200_000, stated: true }, false), [[200_000, 200_000], [{ window: 6_000 }]]);
});

test('a window learnt from an error text is not believed below what the route has already answered', async () => {
  const learnt: RouteFacts[] = [];
  const scene = await sceneWith({
    window: 200_000,
    model: (index) =>
      index === 6
        ? { fails: { type: 'context_overflow', detail: '400: exceeded, code 2013', limit: 2_013 } }
        : { text: `answer ${index}`, usage: { input: 1_000 + 1_000 * index, output: 10 } },
    routes: { learn: async (_runtime, facts) => void learnt.push(facts) },
  });
  await talk(scene, 6);
  const { outcome } = await scene.say('go on');
  assert.equal(outcome?.type, 'answered');
  assert.deepEqual(learnt, []);
  assert.deepEqual(
    scene.provider.requests.slice(6).map(({ runtime }) => runtime.limits.window),
    [200_000, 200_000],
  );
});

test('a window that system prompt and tools alone would fill is a code, not a window', async () => {
  const learnt: RouteFacts[] = [];
  const scene = await sceneWith({
    window: 200_000,
    model: (index) =>
      index === 6 ? { fails: { type: 'context_overflow', detail: '400: exceeded (2)', limit: 2 } } : { text: `answer ${index}` },
    routes: { learn: async (_runtime, facts) => void learnt.push(facts) },
  });
  await talk(scene, 6);
  assert.equal((await scene.say('go on')).outcome?.type, 'answered');
  assert.deepEqual(learnt, []);
  assert.ok(scene.provider.requests.every(({ runtime }) => runtime.limits.window === 200_000));
});

test('a learnt window holds until the route has answered more than that', async () => {
  const scene = await sceneWith({
    window: 200_000,
    model: (index) => ({ text: `answer ${index}`, usage: { input: index === 2 ? 9_000 : 1_000, output: 10 } }),
    routes: { learnt: async () => ({ window: 8_000 }) },
  });
  for (let turn = 0; turn < 5; turn++) await scene.say('go on');
  assert.deepEqual(
    scene.provider.requests.map(({ runtime }) => runtime.limits.window),
    [8_000, 8_000, 8_000, 200_000, 200_000],
  );
});

test('doctor names a window that the server has stated, and the line of a compaction says whose figure it is', async () => {
  let refused = false;
  const answer = (request: RecordedRequest): Reply => {
    if (isSummary(request)) return { text: NOTES };
    const overflows = !refused && sizeOf(request) > WINDOW;
    refused ||= overflows;
    return overflows ? { fault: faults.overflow(30_000, WINDOW) } : { text: 'Noted.' };
  };
  await using server = await startWireServer({ answer });
  const there = place();
  writeFileSync(join(there.home, 'config.yaml'), `model:\n  base_url: ${server.url}\n  default: m\n`);
  const text = 'lorem ipsum dolor '.repeat(1_500);
  const begun = await hermes(['chat', '-q', `One. ${text}`, '--json'], there);
  const id = String(jsonLines(begun.out)[0]?.['id']);
  let shown = '';
  for (let turn = 0; turn < 6; turn++) shown += (await hermes(['chat', '--resume', id, '-q', `More. ${text}`], there)).err;
  assert.ok(refused);
  assert.match(shown, /of 24000 tokens \(the window this server has named\)/);
  const found: readonly { readonly name: string; readonly words: string }[] = JSON.parse((await hermes(['doctor', '--json'], there)).out);
  assert.match(found.find(({ name }) => name === 'window')?.words ?? '', /^24000 tokens, as the server of m has stated itself/);
});
