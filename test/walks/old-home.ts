import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, toServer, type Ran, type RunOptions } from './hermes.ts';
import { userWords } from './stage.ts';

/** The home without its endings: `.tar.gz` and `.expected.json`. */
export const FIXTURE = resolve('test/fixtures/homes/1c0484f');
/** Where it was written, and on what host. */
export const OLD_ROOT = '/tmp/hermes-old-home';
export const OLD_HOST = 'old-host';
const OLD_PID_SPACE = /pid:\[\d+\]/g;

export type Wire = 'chat_completions' | 'anthropic_messages' | 'responses';

/** The unpacked home, with what its sessions and questions are called in the story that wrote them. */
export interface OldHome {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly sessions: Readonly<Record<string, string>>;
  readonly questions: Readonly<Record<string, string>>;
  /** How many entries each session has. */
  readonly lengths: Readonly<Record<string, number>>;
  run(args: readonly string[], more?: Partial<RunOptions>): Promise<Ran>;
}

/**
 * Unpacks the home into a folder that is not there yet, as if it had always been there, on this machine, which was started
 * anew since. The log itself stays as it is, old paths included: its rows and the bodies that were sent have checksums.
 */
export function unpackHome(root: string): OldHome {
  mkdirSync(root, { recursive: true });
  // Times of files are those of the unpacking: what is old is swept away.
  execFileSync('tar', ['-xzmf', `${FIXTURE}.tar.gz`, '--no-same-owner', '-C', root]);
  const [home, cwd, tmp] = [join(root, 'home'), join(root, 'work'), join(root, 'tmp')];
  mkdirSync(tmp);
  // As Hermes makes it; the test's own umask made another.
  execFileSync('chmod', ['-R', 'go-rwx', home]);
  // Where its sessions worked: at this machine itself.
  appendFileSync(join(home, 'config.yaml'), '\nterminal:\n  backend: local\n  background_outlives: true\n');
  for (const path of textsBelow(home)) writeFileSync(path, moved(readFileSync(path, 'utf8'), root));
  const database = new DatabaseSync(join(home, 'state.db'));
  database.prepare('UPDATE sessions SET cwd = replace(cwd, ?, ?)').run(OLD_ROOT, root);
  database.prepare('UPDATE claims SET host = ? WHERE host = ?').run(hostname(), OLD_HOST);
  const lengths = database.prepare('SELECT id, last_seq FROM sessions').all();
  database.close();
  const names: Pick<OldHome, 'sessions' | 'questions'> = JSON.parse(readFileSync(join(root, 'names.json'), 'utf8'));
  return {
    root,
    home,
    cwd,
    ...names,
    lengths: Object.fromEntries(lengths.map((row) => [String(row['id']), Number(row['last_seq'])])),
    run: (args, more) => hermes(args, { home, cwd, env: { TMPDIR: tmp, TZ: 'UTC' }, ...more }),
  };
}

/** Files that name places and processes; contents of checkpoints and the trash are bytes of others. */
const textsBelow = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && (entry.name.endsWith('.json') || entry.name === 'who') && !/\/(blobs|content)(\/|$)/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name));
const moved = (text: string, root: string): string =>
  text.replaceAll(OLD_ROOT, root).replaceAll(`"${OLD_HOST}"`, JSON.stringify(hostname())).replaceAll(OLD_PID_SPACE, pidSpace());
function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** What the commands that only look say about the home. */
export async function readHome(place: OldHome): Promise<Readonly<Record<string, unknown>>> {
  const read = async (args: readonly string[]): Promise<unknown> => valueOf(await place.run([...args, '--json']), place);
  // Alone, because whoever comes first brings the store to the present version.
  const list = await read(['sessions', 'list', '--limit', '100']);
  const asked = [...(list as { id: string }[]).flatMap(({ id }) => LOOKS.map((look) => [...look, id])), ...QUESTIONS];
  const told = new Map<string, unknown>();
  const rest = asked.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => answerAll(rest, async (args) => void told.set(args.join(' '), await read(args)))),
  );
  return { list, ...Object.fromEntries(asked.map((args) => [args.join(' '), told.get(args.join(' '))])) };
}
/** Commands that change nothing may run side by side. */
const AT_ONCE = 3;
async function answerAll(rest: Iterator<readonly string[]>, answer: (args: readonly string[]) => Promise<void>): Promise<void> {
  for (let next = rest.next(); next.done !== true; next = rest.next()) await answer(next.value);
}
/** Asked of every session. */
const LOOKS: readonly (readonly string[])[] = [['sessions', 'show'], ['usage', '--session'], ['replay']];
const QUESTIONS: readonly (readonly string[])[] = [
  ...['marmot', '漢', 'heron', 'kettle', 'otter reads', 'What the marmot'].map((words) => ['sessions', 'search', words]),
  ['usage', '--days', '0'],
  ['approvals', 'list', '--all'],
  ['checkpoints', 'list'],
  ['trash', 'list'],
  ['memory', 'list'],
  ...['approvals.keep_hours', 'approvals.deny', 'command_allowlist', 'compression.protect_last_n'].map((key) => ['config', 'get', key]),
];
/** A session that is taken up again, with what the model says meanwhile. */
interface Resume {
  readonly name: string;
  readonly wire?: Wire;
  readonly toolsets?: string;
  readonly message?: string;
  readonly replies?: readonly Reply[];
  readonly answer?: (request: RecordedRequest) => Reply;
}
const says = (...texts: readonly string[]): Reply[] => texts.map((text) => ({ text }));
const opens = (folder: string): Reply => ({
  calls: [{ name: 'terminal', arguments: { command: `chmod -R 777 ${folder} && mkdir ${folder}/done` } }],
});
/** The parent waits for its children; B, which was in the middle of a command, looks after it and reports. */
const family = (request: RecordedRequest): Reply => ({
  text: userWords(request)[0]?.includes('TASK-') === true ? 'B looked after it.' : 'Both are reported.',
});
const RESUMES: readonly Resume[] = [
  { name: 'acting', replies: says('I checked.') },
  { name: 'sampling', wire: 'anthropic_messages', replies: says('The whole answer.') },
  { name: 'acting_with_texts', wire: 'anthropic_messages', replies: says('The heron is minded.', 'Three herons.') },
  { name: 'acting_interrupted', wire: 'responses', replies: says('The cat is fed.') },
  { name: 'waiting', replies: says('The kettle is on.', 'The toast is done.', 'The eggs are soft.') },
  { name: 'backgrounded', replies: says('It is built.') },
  { name: 'delegated_cut_off', toolsets: 'delegation,terminal,file', answer: family },
  { name: 'asked', replies: [opens('allowed'), opens('allowed'), { text: 'Once.' }, opens('open'), { text: 'That, too.' }] },
  { name: 'chat', message: 'once more', replies: says('Chat again.') },
  { name: 'anthropic', wire: 'anthropic_messages', message: 'once more', replies: says('Anthropic again.') },
  { name: 'responses', wire: 'responses', message: 'once more', replies: says('Responses again.') },
  { name: 'compacted', toolsets: 'file', message: 'once more', replies: says('Compacted again.') },
];

/** What becomes of a session when it is taken up, and when nothing is left to do. */
export interface Resumed {
  readonly code: number | null;
  readonly err: string;
  /** Messages of each request, as they were sent. */
  readonly asked: readonly unknown[];
  /** What the log gained, without ids and times. */
  readonly appended: readonly unknown[];
  /** How many requests of the session there are, and whether all of them replay to the same bytes. */
  readonly replayed: { readonly requests: number; readonly identical: boolean };
  readonly afterwards: unknown;
}

/** Answers the open question, takes up every session there is something to do in, and rolls files back. */
export async function resumeHome(place: OldHome): Promise<Readonly<Record<string, unknown>>> {
  const allowed = valueOf(await place.run(['approvals', 'allow', place.questions['open'] ?? '', '--json'], { onTerminal: true }), place);
  const resumed: Record<string, unknown> = { allowed };
  for (const each of RESUMES) resumed[each.name] = await resumeSession(each, place);
  resumed['marks'] = readFileSync(join(place.cwd, 'marks'), 'utf8').trim().split('\n');
  return { ...resumed, ...(await rollBack(place)) };
}

/** Three files as they were before a session changed them: two by checkpoints, one from the trash. */
async function rollBack(place: OldHome): Promise<Readonly<Record<string, unknown>>> {
  const rows = async (...args: string[]): Promise<readonly Row[]> => JSON.parse((await place.run([...args, '--json'])).out);
  const kept = (await rows('checkpoints', 'list')).filter((row) => row.session_id === place.sessions['changed']);
  const first = kept.at(-1)?.id ?? '';
  const told: Record<string, unknown> = {};
  for (const file of ['notes.txt', 'run.sh'])
    for (const action of ['diff', 'restore'])
      told[`${action} ${file}`] = valueOf(await place.run(['checkpoints', action, first, file, '--json']), place);
  const [thrown] = await rows('trash', 'list');
  told['trash restore'] = valueOf(await place.run(['trash', 'restore', thrown?.id ?? '', '--json']), place);
  for (const file of ['notes.txt', 'run.sh', 'old.txt']) told[file] = readFileSync(join(place.cwd, file), 'utf8');
  return told;
}
interface Row {
  readonly id: string;
  readonly session_id?: string;
}

async function resumeSession({ name, wire, toolsets = 'terminal,file', message, ...script }: Resume, place: OldHome): Promise<Resumed> {
  const id = place.sessions[name] ?? '';
  await using server = await startWireServer(script);
  const chat = (...more: readonly string[]) =>
    place.run(['chat', '--resume', id, '--json', '-t', toolsets, ...toServer(server.url, wire), ...more]);
  const { code, err } = await chat(...(message === undefined ? [] : ['-q', message]));
  const asked = server.requests.map(({ body }) => condensed(messagesOf(body)));
  const { entries }: { readonly entries: readonly { readonly seq: number }[] } = JSON.parse(
    (await place.run(['sessions', 'show', id, '--json'])).out,
  );
  const appended = entries.filter(({ seq }) => seq > (place.lengths[id] ?? 0)).map((entry) => condensed(timeless(entry)));
  const replayed: readonly { identical: boolean }[] = JSON.parse((await place.run(['replay', id, '--json'])).out);
  const afterwards = jsonLines((await chat()).out).at(-1);
  return {
    code,
    err: neutral(err, place),
    asked: JSON.parse(neutral(JSON.stringify(asked), place)),
    appended: JSON.parse(neutral(JSON.stringify(appended), place)),
    replayed: { requests: replayed.length, identical: replayed.every(({ identical }) => identical) },
    afterwards: { ...afterwards, requests: server.requests.length - asked.length },
  };
}
const messagesOf = (body: unknown): unknown => {
  const { messages, input } = body as { messages?: unknown; input?: unknown };
  return messages ?? input;
};

/** What every run makes anew. */
const FRESH = new Set(['id', 'at', 'turn_id', 'message_id', 'session_id']);
const timeless = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(timeless)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).flatMap(([key, each]) => (FRESH.has(key) ? [] : [[key, timeless(each)]])))
      : value;

function valueOf({ code, out, err }: Ran, place: OldHome): unknown {
  if (code !== 0) throw new Error(`${code} ${err}`);
  return condensed(JSON.parse(neutral(out, place)));
}
/** Paths as they were where the home was written; a question that is asked anew has another id each time. */
const neutral = (text: string, { root }: OldHome): string =>
  text.replaceAll(root, OLD_ROOT).replaceAll(/approvals allow [0-9a-f]{8}/g, 'approvals allow ID');

const LONG = 500;
/** The same value with its long texts, and the slots and tools of a prompt, as hashes. */
function condensed(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONG ? hashed(value) : value;
  if (Array.isArray(value)) return value.map(condensed);
  if (!isObject(value)) return value;
  const isPrompt = 'slots' in value && 'tools' in value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, condensed(isPrompt ? JSON.stringify(each) : each)]));
}
const hashed = (text: string): string =>
  `sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)} of ${text.length} characters`;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
