import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { printable } from '../../base/printable.ts';
import type { SessionOptions } from '../../contracts/host.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import { runOneShot } from '../../faces/cli/one-shot.ts';
import type { ChatValues } from '../../commands/chat.ts';
import { findSession } from '../../commands/find-session.ts';
import { isYolo } from '../../parts/safety/approval/yolo.ts';
import { openHost, type AppHost } from '../host/host.ts';
import { messageContent } from '../host/invocation.ts';
import { personPorts, personSecrets, processStreams, stopSignal, tellNotices } from '../../faces/cli/streams.ts';

/** One question, one answer; or the end of a turn that was cut off. */
export async function chat(flags: ChatValues): Promise<number> {
  const signal = stopSignal();
  const query = readQuery(flags);
  const json = flags.json === true;
  // Only a line that may be a command loads them.
  const slash = query !== undefined && /^\s*\//.test(query) ? await import('../slash.ts') : undefined;
  if (flags.resume === undefined && flags.continue !== true) {
    if (query === undefined) throw new UsageError(NO_MESSAGE);
    const typed = slash?.readMessage(query);
    if (slash !== undefined && typed?.type === 'command') return await slash.runMessage(typed, json);
  }
  await using host = await openHost({ env: process.env, home: homeAt(process.env) });
  await using _ = tellNotices(host);
  const here = workingFolder(flags.cwd ?? host.config.settings['terminal.cwd']);
  const earlier = await earlierSession(flags, here, host);
  const cwd = flags.cwd === undefined && earlier !== undefined ? sameFolder(earlier, here) : here;
  const options = optionsOf(flags, { earlier, cwd, title: query ?? '' });
  const typed = query === undefined || earlier === undefined ? undefined : slash?.readMessage(query, earlier.id);
  if (slash !== undefined && typed?.type === 'command')
    return await slash.runMessage(typed, json, { host, openSession: () => host.openSession(options) });
  await using open = await host.openSession(options);
  const content = query === undefined ? undefined : await messageContent(query, open.session.id, host);
  const turns = content === undefined ? open.resume(signal) : open.send({ role: 'user', content }, signal);
  const streams = processStreams();
  const code = await runOneShot({ sessionId: open.session.id, resumed: open.resumed, json, turns }, streams);
  await tidyUp(host.store, streams.err);
  return code;
}

const NO_MESSAGE = 'chat needs a message: -q "…" (or --query-file), or --resume/--continue to finish a turn that was cut off.';

interface Standing {
  readonly earlier: Session | undefined;
  readonly cwd: string;
  readonly title: string;
}
function optionsOf(flags: ChatValues, { earlier, cwd, title }: Standing): SessionOptions {
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
    ...personSecrets(),
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

function readQuery({ query, queryFile }: ChatValues): string | undefined {
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

async function earlierSession(flags: ChatValues, cwd: string, { store }: Pick<AppHost, 'store'>): Promise<Session | undefined> {
  if (flags.resume !== undefined) return findSession(flags.resume, store);
  if (flags.continue !== true) return undefined;
  const [newest] = await store.list({ platform: 'cli', cwd, limit: 1 });
  if (newest === undefined) throw new UsageError(`there is no earlier session in ${cwd}; start one with -q.`);
  return newest;
}
