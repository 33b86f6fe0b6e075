import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { printable } from '../../base/printable.ts';
import type { SessionOptions } from '../../contracts/host.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import { runOneShot } from '../../faces/cli/one-shot.ts';
import type { ChatFlags } from '../../faces/cli/verbs.ts';
import { isYolo } from '../../parts/safety/approval/yolo.ts';
import { asRollback } from '../../parts/safety/checkpoints/lazy-undo.ts';
import { openHost, type AppHost } from '../host/host.ts';
import { asCompress, messageContent } from '../host/invocation.ts';
import { oneSession } from '../host/store.ts';
import { personPorts, processStreams, stopSignal, tellNotices } from '../streams.ts';

const NOTHING_YET =
  'there is nothing to compress: without --resume or --continue this would be a new session. Name one, as in hermes chat --resume ID -q "/compress", or hermes sessions compress ID [TOPIC]; hermes sessions list shows them.';

const NO_SESSION =
  'a rollback needs to know whose changes are meant: name a session, as in hermes chat --continue -q "/rollback", or use hermes checkpoints list and restore in the folder.';

/** One question, one answer; or the end of a turn that was cut off. */
export async function chat(flags: ChatFlags): Promise<number> {
  const signal = stopSignal();
  const query = readQuery(flags);
  refuseWithoutSession(query, flags);
  await using host = await openHost({ env: process.env, home: homeAt(process.env) });
  await using _ = tellNotices(host);
  const here = workingFolder(flags.cwd ?? host.config.settings['terminal.cwd']);
  const earlier = await earlierSession(flags, here, host);
  const back = asRollback(query);
  if (back !== undefined && earlier !== undefined) return await (await import('./rollback.ts')).rollback(back, earlier, host, flags);
  const cwd = flags.cwd === undefined && earlier !== undefined ? sameFolder(earlier, here) : here;
  await using open = await host.openSession(optionsOf(flags, { earlier, cwd, title: query ?? '' }));
  const topic = earlier === undefined ? undefined : asCompress(query);
  if (topic !== undefined) return await (await import('./compress.ts')).tell(open, signal, topic.topic, flags);
  const content = query === undefined ? undefined : await messageContent(query, open.session.id, host);
  const turns = content === undefined ? open.resume(signal) : open.send({ role: 'user', content }, signal);
  const streams = processStreams();
  const code = await runOneShot({ sessionId: open.session.id, resumed: open.resumed, json: flags.json === true, turns }, streams);
  await tidyUp(host.store, streams.err);
  return code;
}

/** What needs an earlier session is told before anything is opened. */
function refuseWithoutSession(query: string | undefined, flags: ChatFlags): void {
  if (flags.resume !== undefined || flags.continue === true) return;
  if (query === undefined)
    throw new UsageError('chat needs a message: -q "…" (or --query-file), or --resume/--continue to finish a turn that was cut off.');
  if (asCompress(query) !== undefined) throw new UsageError(NOTHING_YET);
  if (asRollback(query) !== undefined) throw new UsageError(NO_SESSION);
}

interface Standing {
  readonly earlier: Session | undefined;
  readonly cwd: string;
  readonly title: string;
}
function optionsOf(flags: ChatFlags, { earlier, cwd, title }: Standing): SessionOptions {
  const { model, provider, baseUrl, apiMode, toolsets, maxTurns } = flags;
  const allowAll = flags.yolo === true ? '--yolo' : isYolo(process.env) ? 'HERMES_YOLO_MODE' : undefined;
  return {
    platform: 'cli',
    cwd,
    title,
    model: {
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiMode !== undefined && { apiMode }),
    },
    ports: personPorts(),
    contextFiles: flags.ignoreRules !== true,
    ...(earlier !== undefined && { session: earlier }),
    ...(toolsets !== undefined && { toolsets: toolsets.split(',').map((name) => name.trim()) }),
    ...(maxTurns !== undefined && { maxSteps: maxTurns }),
    ...(allowAll !== undefined && { allowAll }),
  };
}

/** Keeping the store in order is no part of the answer: its trouble is told and the answer stands. */
export async function tidyUp(store: Pick<SessionStore, 'tend'>, tell: (text: string) => void): Promise<void> {
  try {
    await store.tend();
  } catch (error) {
    tell(`hermes: what was said above is saved, but tidying up the session store failed: ${printable(messageOf(error))}\n`);
  }
}

function workingFolder(path: string): string {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${folder} is not a folder to work in; name another with --cwd or the setting terminal.cwd.`);
  return folder;
}

/** A session goes on in the folder it was started in, as its prompt says, unless the owner names another or it is gone. */
const sameFolder = (earlier: Session, here: string): string =>
  statSync(earlier.cwd, { throwIfNoEntry: false })?.isDirectory() === true ? earlier.cwd : here;

function readQuery({ query, queryFile }: ChatFlags): string | undefined {
  const source = queryFile ?? (query === '-' ? '-' : undefined);
  const words = source === undefined ? query : readSource(source);
  if (words !== undefined && words.trim() === '') throw new UsageError('the message is empty.');
  return words;
}

function readSource(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path).toString('utf8');
  } catch (error) {
    throw new UsageError(`the message could not be read from ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function earlierSession(flags: ChatFlags, cwd: string, { store }: Pick<AppHost, 'store'>): Promise<Session | undefined> {
  if (flags.resume !== undefined) return oneSession(flags.resume, await store.find(flags.resume));
  if (flags.continue !== true) return undefined;
  const [newest] = await store.list({ platform: 'cli', cwd, limit: 1 });
  if (newest === undefined) throw new UsageError(`there is no earlier session in ${cwd}; start one with -q.`);
  return newest;
}
