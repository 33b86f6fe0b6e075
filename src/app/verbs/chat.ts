import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UsageError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import { runOneShot } from '../../faces/cli/one-shot.ts';
import type { ChatFlags } from '../../faces/cli/verbs.ts';
import { findSession } from '../../commands/find-session.ts';
import { messageContent } from '../invocation.ts';
import { personPorts, processStreams, stopSignal } from '../../faces/cli/streams.ts';
import { openWorkshop, type Workshop } from '../workshop.ts';

const SOURCE = 'cli';
/** One question, one answer; or the end of a turn that was cut off. */
export async function chat(flags: ChatFlags): Promise<number> {
  const signal = stopSignal();
  const query = readQuery(flags);
  if (query === undefined && flags.resume === undefined && flags.continue !== true) {
    throw new UsageError('chat needs a message: -q "…" (or --query-file), or --resume/--continue to finish a turn that was cut off.');
  }
  const slash = query !== undefined && /^\s*\//.test(query) ? await import('../slash.ts') : undefined;
  if (slash !== undefined && query !== undefined && flags.resume === undefined && flags.continue !== true) {
    const typed = slash.readMessage(query);
    if (typed.type === 'command') return await slash.runMessage(typed, flags.json === true);
  }
  await using workshop = await openWorkshop(process.env);
  const here = workingFolder(flags.cwd ?? workshop.config.settings['terminal.cwd']);
  const earlier = await earlierSession(flags, here, workshop);
  const typed = query === undefined || earlier === undefined ? undefined : slash?.readMessage(query, earlier.id);
  const cwd = flags.cwd === undefined && earlier !== undefined ? sameFolder(earlier, here) : here;
  if (slash !== undefined && typed?.type === 'command')
    return await slash.runMessage(typed, flags.json === true, {
      store: async () => workshop.store,
      openSession: async () => async (session) => {
        const compacting = await workshop.agent(flags, session, cwd, personPorts());
        return { compact: (stop, focus) => compacting.compact(session, stop, focus) };
      },
    });
  const agent = await workshop.agent(flags, earlier, cwd, personPorts());
  const session = earlier ?? (await workshop.begin(agent.runtime, SOURCE, cwd, query ?? ''));
  const content = query === undefined ? undefined : await messageContent(query, session.id, workshop);
  const turns = content === undefined ? agent.resume(session, signal) : agent.send(session, { role: 'user', content }, signal);
  const streams = processStreams();
  const code = await runOneShot({ sessionId: session.id, resumed: earlier !== undefined, json: flags.json === true, turns }, streams);
  await tidyUp(workshop.store, streams.err);
  return code;
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

async function earlierSession(flags: ChatFlags, cwd: string, { store }: Workshop): Promise<Session | undefined> {
  if (flags.resume !== undefined) return findSession(flags.resume, store);
  if (flags.continue !== true) return undefined;
  const [newest] = await store.list({ source: SOURCE, cwd, limit: 1 });
  if (newest === undefined) throw new UsageError(`there is no earlier session in ${cwd}; start one with -q.`);
  return newest;
}
