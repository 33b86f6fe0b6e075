import { readFileSync } from 'node:fs';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { toPrintable } from '../../base/printable.ts';
import type { ChatValues } from '../../commands/chat.ts';
import { findEarlierSession, resolveSessionFolder, resolveWorkingFolder, toSessionOptions } from '../../commands/chat-session.ts';
import type { AttachedText, CompletedCommand, Host, SessionOptions, UnopenedSession } from '../../contracts/host.ts';
import type { Session, StoreCare } from '../../contracts/session-store.ts';
import { leaveSession } from '../../agent/leave-session.ts';
import { runOneShot } from './one-shot.ts';
import { findPerson, type WithTerminal } from './person.ts';
import { isPiped, MAX_PIPED_BYTES, readPiped } from './piped-input.ts';
import { createProcessStreams, createStopSignal, tellNotice, tellNotices } from './streams.ts';

/** What a question on the command line needs of the program around it. */
export interface ChatDeps {
  openHost(): Promise<Host>;
  /** The profile's folder. */
  readonly root: string;
  /** Who allowed everything above the floor in advance. */
  readonly allowAll?: string | undefined;
}

/** One question, one answer; or the end of a turn that was cut off. */
export async function runChatCommand(values: ChatValues, deps: ChatDeps): Promise<number> {
  const signal = createStopSignal();
  const query = readQuery(values);
  const json = values.json === true;
  if (query === undefined && values.resume === undefined && values.continue !== true) throw new UsageError(NO_MESSAGE);
  await using host = await deps.openHost();
  using screen = json || !process.stdout.isTTY ? undefined : (await import('./live-screen.ts')).openLiveScreen();
  await using _ = tellNotices(host, screen?.spinner?.clear);
  const here = resolveWorkingFolder(values.cwd ?? host.cwd);
  const earlier = await findEarlierSession(values, here, host);
  const cwd = resolveSessionFolder(values, earlier, here, deps.root);
  const withTerminal = screen?.spinner?.during;
  const options = optionsOf(values, { earlier, cwd, title: query ?? '', allowAll: deps.allowAll, ...(withTerminal && { withTerminal }) });
  const done =
    query === undefined
      ? undefined
      : await runTyped(query, json, host, earlier && { session: earlier, open: () => host.openSession(options) });
  const again = done?.followUp?.type === 'send' ? done.followUp.message : undefined;
  const posted = done?.followUp?.type === 'resume' ? done : undefined;
  if (done !== undefined && again === undefined && posted === undefined) return await showDone(done, json);
  if (posted !== undefined) tellNotice(posted.text);
  const attached = query === undefined || done !== undefined || readsInput(values) ? undefined : await pipedText(signal);
  await using open = await host.openSession(options);
  const message =
    again ??
    (query === undefined || posted !== undefined ? undefined : await open.message(query, attached === undefined ? [] : [attached]));
  const turns = message === undefined ? open.resume(signal) : open.send(message, signal);
  const streams = createProcessStreams();
  const code = await runOneShot(
    {
      sessionId: open.session.id,
      resumed: open.resumed,
      json,
      turns,
      verbose: values.verbose === true,
      ...(screen && { live: screen.turn }),
      ...(posted && { nothing: 'The running turn has taken it in.' }),
    },
    streams,
  );
  await leaveSession(open);
  await tidyUp(host.store.care, streams.err);
  return code;
}

/** A command in place of a message. In a script's message only whole names count, and what is none goes to the model. */
async function runTyped(
  line: string,
  json: boolean,
  host: Host,
  session: UnopenedSession | undefined,
): Promise<CompletedCommand | undefined> {
  if (!line.trimStart().startsWith('/')) return undefined;
  const [{ createShellContext }, { loadRenderer }] = await Promise.all([import('./show.ts'), import('./renderers.ts')]);
  const outcome = await host.commands.run(line, {
    place: 'terminal',
    exact: true,
    ...(session !== undefined && { session }),
    context: async ({ name }) => {
      const { commands: _, ...context } = createShellContext(await loadRenderer(name), json, () => []);
      return context;
    },
  });
  return outcome.type === 'done' ? outcome : undefined;
}

async function showDone({ command, result, notices }: CompletedCommand, json: boolean): Promise<number> {
  const [{ showResult }, { loadRenderer }] = await Promise.all([import('./show.ts'), import('./renderers.ts')]);
  for (const words of notices) tellNotice(words);
  return showResult(result, await loadRenderer(command.name, command.describe), json);
}

const NO_MESSAGE =
  'chat needs a message here: hermes chat -q "…", or -q - to read it from standard input. To finish a turn that was cut off, use --resume or --continue.';

interface ChatState {
  readonly earlier: Session | undefined;
  readonly cwd: string;
  readonly title: string;
  readonly allowAll: string | undefined;
  readonly withTerminal?: WithTerminal;
}
function optionsOf(values: ChatValues, { earlier, cwd, title, allowAll, withTerminal }: ChatState): SessionOptions {
  const person = findPerson(withTerminal);
  return {
    ...toSessionOptions(values, allowAll),
    platform: 'cli',
    cwd,
    title,
    ports: person === undefined ? {} : { clarify: person.clarify },
    ...(person !== undefined && { readSecret: person.readSecret }),
    ...(earlier !== undefined && { session: earlier }),
  };
}

/** Keeping the store in order is no part of the answer: its trouble is told and the answer stands. */
export async function tidyUp(care: Pick<StoreCare, 'tend'> | undefined, tell: (text: string) => void): Promise<void> {
  try {
    await care?.tend();
  } catch (error) {
    tell(`hermes: maintenance of the session store failed: ${toPrintable(toErrorMessage(error))}\n`);
  }
}

function readQuery({ query, queryFile }: ChatValues): string | undefined {
  const source = queryFile ?? (query === '-' ? '-' : undefined);
  const words = source === undefined ? query : readSource(source);
  if (words !== undefined && words.trim() === '') throw new UsageError('the message is empty.');
  return words;
}

/** Whether standard input is the message itself. */
const readsInput = ({ query, queryFile }: ChatValues): boolean => queryFile === '-' || (queryFile === undefined && query === '-');

/** What was piped in beside the message, to be sent along. */
async function pipedText(signal: AbortSignal): Promise<AttachedText | undefined> {
  if (!isPiped()) return undefined;
  const piped = await readPiped(process.stdin, signal);
  if (piped.type === 'silent')
    tellNotice(
      'standard input is a pipe that sent nothing for 3 seconds, so Hermes sends only the message. To wait for the pipe, use -q -. If there is no input, add </dev/null.',
    );
  if (piped.type === 'binary')
    throw new UsageError(
      `standard input is binary data (${piped.bytes} bytes), which cannot be sent as text. Save it to a file and name the file in the message.`,
    );
  if (piped.type !== 'text') return undefined;
  if (piped.cut) tellNotice(`standard input is larger than ${MAX_PIPED_BYTES / 1024 / 1024} MB. Hermes sends only the first part.`);
  return { name: 'standard input', text: piped.text };
}

function readSource(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path).toString('utf8');
  } catch (error) {
    throw new UsageError(`the message could not be read from ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
