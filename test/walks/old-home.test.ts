import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hermes, tempHome } from './hermes.ts';
import { FIXTURE, readHome, resumeHome, unpackHome, type OldHome, type Resumed } from './old-home.ts';

type Told = Readonly<Record<string, unknown>>;
/** What the version that wrote the home said about it, and did with it. */
const EXPECTED: { readonly read: Told; readonly resumed: Told } = JSON.parse(readFileSync(`${FIXTURE}.expected.json`, 'utf8'));

const oldHome = (): OldHome => unpackHome(join(tempHome(), 'old'));

/** The part of a value that was there when it was written down: a later version may tell more, never less or other. */
function known(value: unknown, written: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(written)) return value.map((each, index) => known(each, written[index]));
  if (!isObject(value) || !isObject(written)) return value;
  return Object.fromEntries(Object.keys(written).flatMap((key) => (key in value ? [[key, known(value[key], written[key])]] : [])));
}
const isObject = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value);

function assertSame(told: Told, written: Told): void {
  assert.deepEqual(Object.keys(told), Object.keys(written));
  for (const [name, value] of Object.entries(written)) assert.deepEqual(untimed(known(told[name], value)), untimed(value), name);
}

/** Without how long a child took, which hangs on the machine, and with what we say in other words today. */
const untimed = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(reworded(JSON.stringify(value).replaceAll(/(\d+ steps?, )\d+ s,/g, '$1N s,')));
const reworded = (text: string): string => REWORDED.reduce((done, [before, now]) => done.replaceAll(before, now), text);
const REWORDED = [
  [
    'Do not look for another way to do the same thing; say what you would have done and why.',
    'Do not try to get the same result another way. Continue without it, or say what you need and why.',
  ],
  ['it opens files to everybody', 'it lets everyone change files'],
  ['With hermes approvals allow ID the owner can still allow it.', 'The user can still allow it with: hermes approvals allow ID'],
  ['new session: its first call has nothing to find in a cache', 'first call of a session, nothing is cached yet'],
] as const;

test('more may be told of an old home than was written down, but nothing less and nothing else', () => {
  const written = { list: [{ id: 'a', state: 'open' }] };
  assert.doesNotThrow(() => assertSame({ list: [{ id: 'a', state: 'open', more: 1 }] }, written));
  for (const list of [[{ id: 'a' }], [{ id: 'a', state: 'shut' }], [], [{ id: 'a', state: 'open' }, { id: 'b' }], undefined])
    assert.throws(() => assertSame({ list }, written));
  assert.throws(() => assertSame({}, written));
});

test('an old home is read as it was: sessions, search, usage, replays, questions, checkpoints, trash, memory, settings', async () => {
  const place = oldHome();
  const told = await readHome(place);
  assertSame(told, EXPECTED.read);
  const replays = Object.keys(told).filter((name) => name.startsWith('replay '));
  const requests = replays.flatMap((name) => told[name] as { identical: boolean; protocol: string }[]);
  assert.deepEqual([replays.length, requests.every(({ identical }) => identical)], [19, true]);
  assert.deepEqual([...new Set(requests.map(({ protocol }) => protocol))].toSorted(), [
    'anthropic-messages',
    'openai-chat',
    'openai-responses',
  ]);
});

test('the doctor finds nothing in an old home that it does not find in an empty one', async () => {
  const place = oldHome();
  const empty = join(place.root, 'empty');
  mkdirSync(empty);
  const troubles = async (home: string): Promise<string[]> => {
    const { out } = await hermes(['doctor', '--json'], { home, cwd: place.cwd });
    return (JSON.parse(out) as { name: string; ok: boolean }[]).filter(({ ok }) => !ok).map(({ name }) => name);
  };
  const [before, now] = [await troubles(empty), await troubles(place.home)];
  assert.deepEqual(
    now.filter((name) => !before.includes(name)),
    [],
  );
  // The owner allowed the rules of the project, which say what an attack would say: in a home without that word they are trouble.
  assert.ok(before.includes('prompt files') && !now.includes('prompt files'));
});

test('what was cut off, waited or was asked in an old home is finished, answered and done, each once and in order', async () => {
  const place = oldHome();
  const told = await resumeHome(place);
  assertSame(told, { ...EXPECTED.resumed, backgrounded: inOurName(EXPECTED.resumed['backgrounded']) });
  for (const name of ['acting', 'acting_with_texts', 'acting_interrupted']) {
    const results = (
      textsOf(told[name])
        .join('\n')
        .match(/Whether it took effect is unknown/g) ?? []
    ).length;
    assert.equal(results, 1, `${name}: the call that ran is told once to have an unknown outcome`);
  }
  assert.deepEqual(said(told['acting_with_texts']), [
    ['steer', 'and mind the heron'],
    ['model', 'The heron is minded.'],
    ['user', 'afterwards count the herons'],
    ['model', 'Three herons.'],
  ]);
  assert.deepEqual(said(told['waiting']), [
    ['user', 'first the kettle'],
    ['model', 'The kettle is on.'],
    ['steer', 'then the toast'],
    ['model', 'The toast is done.'],
    ['user', 'last the eggs'],
    ['model', 'The eggs are soft.'],
  ]);
  assert.deepEqual(said(told['sampling']), [['model', 'The whole answer.']]);
  for (const [name, value] of Object.entries(told)) {
    if (!isResumed(value)) continue;
    assert.deepEqual([value.code, value.replayed.identical], [0, true], name);
    assert.deepEqual(value.afterwards, { type: 'outcome', outcome: 'answered', exit_reason: 'nothing_to_do', text: '', requests: 0 }, name);
  }
  assert.deepEqual(
    ['allowed', 'open', 'denied'].map((folder) => existsSync(join(place.cwd, folder, 'done'))),
    [true, true, false],
  );
  assert.equal(statSync(join(place.cwd, 'run.sh')).mode & 0o777, 0o755);
});

interface Appended {
  readonly origin: string;
  readonly message?: { readonly role: string; readonly content: readonly { readonly text?: string }[] };
}
/** Meant otherwise since: that a process has ended is news of ours, and no longer said in the user's name. */
const inOurName = (written: unknown): unknown => ({
  ...(isObject(written) ? written : {}),
  appended: appendedTo(written).map((entry, index) => (index === 0 ? { ...entry, origin: 'system' } : entry)),
});
const isResumed = (value: unknown): value is Resumed => isObject(value) && 'appended' in value;
const appendedTo = (value: unknown): readonly Appended[] => (isResumed(value) ? (value.appended as readonly Appended[]) : []);
const textsOf = (value: unknown): string[] =>
  appendedTo(value).flatMap(({ message }) => message?.content.flatMap(({ text }) => text ?? []) ?? []);
/** What people and the model said, with who said it. */
const said = (value: unknown): (readonly [string, string])[] =>
  appendedTo(value).flatMap((entry) =>
    entry.message !== undefined && entry.origin !== 'tool' && entry.message.content.length > 0
      ? [[entry.origin, textsOf({ appended: [entry] }).join('\n')] as const]
      : [],
  );
