import { execFileSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isMessageEntry, type Entry } from '../../src/contracts/entry.ts';
import { joinTextBlocks } from '../../src/contracts/message.ts';
import type { MigrationSource } from '../../src/contracts/services/migration.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { hermes, type Ran } from './hermes.ts';

/** A home that another program wrote, and what was said in it as that program tells it. */
export interface OtherHome {
  readonly source: MigrationSource;
  readonly folder: string;
  readonly said: readonly SaidMessage[];
}
export interface SaidMessage {
  readonly role: string;
  readonly content: unknown;
}

const FIXTURES = resolve('test/fixtures/homes-of-others');
/** One for each file `NAME.tar.gz`; `NAME.json` says what was said. */
export const OTHER_HOMES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.slice(0, -'.tar.gz'.length));

/** Unpacks a home as it was, with the times of its files. */
export function unpackOtherHome(name: string, into: string): OtherHome {
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['-xzf', join(FIXTURES, `${name}.tar.gz`), '--no-same-owner', '-C', into]);
  const source = name.startsWith('openclaw') ? 'openclaw' : 'hermes';
  return { source, folder: join(into, `.${source}`), said: readSaid(join(FIXTURES, `${name}.json`)) };
}

export function readSaid(path: string): readonly SaidMessage[] {
  const { messages }: { readonly messages: readonly SaidMessage[] } = JSON.parse(readFileSync(path, 'utf8'));
  return messages;
}

/** Everything about every file and folder that a change would change. */
export function snapshotFolder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].toSorted().map((name) => {
    const path = join(folder, name);
    const found = lstatSync(path, { bigint: true });
    const bytes = found.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
    return [name, found.ino, found.mode, found.size, found.mtimeNs, bytes].join(' ');
  });
}

/** The program with a home of ours of its own, for a person whose other home lies elsewhere. */
export const runMigrate = (home: string, { source, folder }: OtherHome, ...args: readonly string[]): Promise<Ran> =>
  hermes(['migrate', source, '--from', folder, ...args], { home: join(home), cwd: resolve('.'), env: { TZ: 'UTC' } });

/** All sessions of a home with their entries, and what is wrong with the store. */
export async function readSessionsOf(
  home: string,
): Promise<{ readonly sessions: ReadonlyMap<string, readonly Entry[]>; readonly trouble: readonly string[] }> {
  const path = join(home, 'sessions.db');
  if (!existsSync(path)) return { sessions: new Map(), trouble: [] };
  await using store = await openSqliteStore({ path });
  const sessions = new Map<string, readonly Entry[]>();
  for (const { id } of await store.list()) sessions.set(id, withoutSalt(await store.entries(id)));
  return { sessions, trouble: await store.care.check() };
}

/** Placeholders of secrets are made with a salt that every home has of its own. */
const withoutSalt = (entries: readonly Entry[]): readonly Entry[] => JSON.parse(JSON.stringify(entries).replaceAll(/:[0-9a-f]{10}»/g, '»'));

/** Messages of the other home whose words search does not find here. */
export async function findMissing(home: string, { said }: OtherHome): Promise<readonly SaidMessage[]> {
  await using store = await openSqliteStore({ path: join(home, 'sessions.db') });
  while (await store.care.tend());
  const missing: SaidMessage[] = [];
  for (const message of said) {
    const words = wordsOf(message.content);
    if (words.trim() === '') continue;
    const hits = await store.search({ text: searchable(words), limit: 50 });
    const found = await Promise.all(
      hits.map(async ({ sessionId, seq, role }) => {
        const entry = (await store.entries(sessionId, seq - 1))[0];
        return (
          role === message.role &&
          entry !== undefined &&
          isMessageEntry(entry) &&
          joinTextBlocks(entry.message).includes(withoutKeys(words))
        );
      }),
    );
    if (!found.includes(true)) missing.push(message);
  }
  return missing;
}

/** The first words, as somebody would type them who looks for the message. */
const searchable = (words: string): string => (withoutKeys(words).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 6).join(' ');
const withoutKeys = (words: string): string => words.split(/(?=sk-or-)/)[0]?.trim() ?? '';

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { readonly text?: string }) => part.text ?? '').join('');
}

/** What a take-over leaves, apart from what differs from run to run: times, and which run took what. */
export async function describeHome(home: string): Promise<Readonly<Record<string, unknown>>> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => lstatSync(join(home, name)).isFile() && !CHANGING.test(name),
  );
  const files = names.toSorted().map((name) => [name, readFileSync(join(home, name), 'utf8')]);
  const { sessions, trouble } = await readSessionsOf(home);
  return {
    files: Object.fromEntries(files),
    sessions: Object.fromEntries([...sessions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    trouble,
  };
}
/** A write or an installation that was killed also leaves what it was at, hidden or beside the file. */
const CHANGING =
  /\.quarantine\/|\.\d+\.new$|secrets\.salt|sessions\.db|report\.json|\.sources\.jsonl|\.lock\.json|snapshot\.json|^cache\/|backup-/;

/** What came of taking a home over, and all that is wrong about it. */
export interface TakeOver {
  readonly sessions: number;
  readonly messages: number;
  readonly wrong: readonly string[];
}

/** Looks, takes over and takes over again, into a home that holds nothing yet. */
export async function takeOver(home: string, other: OtherHome): Promise<TakeOver> {
  mkdirSync(home, { recursive: true });
  const theirs = snapshotFolder(other.folder);
  const wrong: string[] = [];
  const expect = (holds: boolean, words: string) => void (holds || wrong.push(words));
  const unchanged = (before: readonly string[], now: readonly string[]) => before.join('\n') === now.join('\n');

  const ours = snapshotFolder(home);
  const look = await runMigrate(home, other);
  expect(
    look.code === 0 && /Nothing was changed\. To take over \d+ things: hermes migrate/.test(look.out),
    `looking: ${look.out}${look.err}`,
  );
  expect(unchanged(ours, snapshotFolder(home)), 'looking changed our home');
  const taken = await runMigrate(home, other, '--yes');
  expect(taken.code === 0, `taking over: ${taken.err}`);
  for (const { role, content } of await findMissing(home, other)) wrong.push(`not found: ${role} ${JSON.stringify(content)}`);
  for (const message of [other.said[0], other.said.at(-1)]) {
    const words = searchable(wordsOf(message?.content));
    const { out } = await hermes(['sessions', 'search', words], { home });
    expect(/\d{8}_\d{6}_[0-9a-f]{6}/.test(out), `hermes sessions search ${words}: ${out}`);
  }
  const { sessions, trouble } = await readSessionsOf(home);
  wrong.push(...trouble);
  expect(sessions.size > 0, 'no session was taken');
  const check = await hermes(['config', 'check'], { home });
  expect(check.out.startsWith('No problems'), `config check: ${check.out}${check.err}`);
  const after = snapshotFolder(home);
  const again = await runMigrate(home, other, '--yes');
  expect(again.out.includes('There is nothing left to take.'), `taking over again: ${again.out}${again.err}`);
  expect(unchanged(after, snapshotFolder(home)), 'the second time changed our home');
  expect(unchanged(theirs, snapshotFolder(other.folder)), 'the other home was changed');
  return { sessions: sessions.size, messages: other.said.length, wrong };
}

/** The same for a home that both programs use: what was there stays as it was, to the last byte. */
export async function takeOverShared(home: string, other: OtherHome): Promise<readonly string[]> {
  cpSync(other.folder, home, { recursive: true, preserveTimestamps: true });
  const theirs = snapshotFolder(home).slice(1);
  const run = (...args: readonly string[]) => hermes(args, { home, env: { HOME: dirname(home) } });
  const wrong: string[] = [];
  const expect = (holds: boolean, words: string) => void (holds || wrong.push(`shared: ${words}`));
  const met = await run('sessions', 'list');
  expect(met.err.includes('To take them over: hermes migrate'), `the first meeting says ${met.err}`);
  const taken = await run('migrate', '--yes');
  expect(taken.code === 0, taken.err);
  for (const { role, content } of await findMissing(home, other)) wrong.push(`shared, not found: ${role} ${JSON.stringify(content)}`);
  const check = await run('config', 'check');
  expect(check.out.startsWith('No problems'), `config check: ${check.out}${check.err}`);
  const after = new Set(snapshotFolder(home));
  for (const line of theirs.filter((each) => !after.has(each))) wrong.push(`shared, changed: ${line}`);
  expect((await run('migrate', '--yes')).out.includes('There is nothing left to take.'), 'the second run takes something');
  return wrong;
}

/** A moment to end the program without a word: after so many steps it has told, or after a time. */
export type KillMoment = { readonly line: number } | { readonly ms: number };

/** Kills a run, looks at what it left, and lets the next run finish. Says what is wrong, compared with a run nobody killed. */
export async function killAndFinish(home: string, other: OtherHome, moment: KillMoment, whole: string): Promise<readonly string[]> {
  mkdirSync(home, { recursive: true });
  const run = hermes(['migrate', other.source, '--from', other.folder, '--yes', '--json'], {
    home,
    started: (child) => killAt(child, moment),
  });
  const { signal } = await run;
  const told = `${JSON.stringify(moment)}${signal === null ? ' (too late)' : ''}`;
  const { sessions: complete } = await readSessionsOf(whole);
  const { sessions, trouble } = await readSessionsOf(home);
  const halves = [...sessions].filter(([id, entries]) => JSON.stringify(entries) !== JSON.stringify(complete.get(id)));
  const next = await runMigrate(home, other, '--yes');
  const isSame = JSON.stringify(await describeHome(home)) === JSON.stringify(await describeHome(whole));
  return [
    ...trouble,
    ...halves.map(([id]) => `half of session ${id} was seen after a kill at ${told}`),
    ...(next.code === 0 ? [] : [`after a kill at ${told}: ${next.err}`]),
    ...(isSame ? [] : [`another home after a kill at ${told}`]),
  ];
}

function killAt(child: ChildProcess, moment: KillMoment): void {
  if ('ms' in moment) {
    setTimeout(() => child.kill('SIGKILL'), moment.ms);
    return;
  }
  let seen = 0;
  child.stdout?.on('data', (chunk: string) => {
    seen += chunk.split('\n').length - 1;
    if (seen >= moment.line) child.kill('SIGKILL');
  });
}

/** How many steps a run tells. */
export const countSteps = (out: string): number => out.split('\n').filter((line) => line.startsWith('{"item":')).length;
