import { isUsageError, toErrorMessage, UsageError } from '../../../base/errors.ts';
import { readPath, readStringAt } from '../../../base/json.ts';
import { listSlashNames } from '../../../commands/registry.ts';
import type { AnyCommand } from '../../../contracts/command.ts';
import type { CommandLineResult, SessionHandle } from '../../../contracts/host.ts';
import type { InboxItem, Session, SessionStore } from '../../../contracts/session-store.ts';
import { isReadByOwnerAlone } from '../access/read-by-owner.ts';
import { describePosted } from '../addresses/reply-address.ts';
import { followUp } from './follow-up.ts';
import { describeRefusedCommand } from './guest-commands.ts';
import { addOwn, explainOwn, shortHelp } from './own-help.ts';
import { readTypedCommand, type ChatCommandDeps, type CommandWords, type TypedCommand, type TypedCommandResult } from './typed-command.ts';

/** Runs the command that was typed. Nothing a person can type here is thrown. */
export async function runTypedCommand(typed: TypedCommand, deps: ChatCommandDeps): Promise<TypedCommandResult> {
  const read = readTypedCommand(typed.text);
  if (read === undefined) return { type: 'text' };
  try {
    const own = Object.hasOwn(deps.own, read.name) ? deps.own[read.name] : undefined;
    if (own !== undefined) {
      const { address, session } = typed;
      const about = { command: read.name, args: read.args, place: 'chat', by: address.role === 'owner' ? 'owner' : 'other' } as const;
      deps.host.hooks.tell({ name: 'pre_command', input: { ...about, ...(session !== undefined && { sessionId: session.id }) } });
      const words = await own.run(read.args, typed);
      emitCommand(read.name, read.args, typed, deps);
      return done(words);
    }
    const explained = await explainOwn(read, typed, deps);
    return explained === undefined ? await runHostCommand(typed, read, deps) : done(explained);
  } catch (error) {
    if (isUsageError(error)) return done(capitalise(error.message));
    deps.log(`/${read.name} failed: ${toErrorMessage(error)}`);
    const why = isReadByOwnerAlone(typed.address) ? `: ${toErrorMessage(error)}` : '. My owner can see why in the log.';
    return done(`/${read.name} failed${why}`);
  }
}

/** Commands whose answer holds a code. */
const HOLDS_CODE: ReadonlySet<string> = new Set(['pairing invite']);

/** Stopping comes first for a command that leaves the session behind. */
const LEAVES_SESSION = new Set(['new', 'reset']);

async function runHostCommand(typed: TypedCommand, { name, args }: CommandWords, deps: ChatCommandDeps): Promise<TypedCommandResult> {
  const { session, address } = typed;
  const { conversations } = deps;
  const isGuest = address.role !== 'owner';
  // By whatever name or beginning of one it was typed.
  const isLeft = LEAVES_SESSION.has((await deps.host.commands.findBare(`/${name}`, 'chat')) ?? name);
  using held = new DisposableStack();
  let dropped = 0;
  if (name === 'stop' && args.toLowerCase() === 'all') return done(describeStoppedAll(await stopAndDrop(typed, held, deps)));
  const result = await deps.host.commands.run(`/${name} ${args}`.trim(), {
    place: 'chat',
    by: address.role === 'owner' ? 'owner' : 'other',
    ...(session !== undefined && {
      // What runs is stopped by a command that leaves it.
      busy: !isLeft && conversations.isBusy(session.id),
      session: { session, open: async () => withAddress(await conversations.open(session), typed) },
    }),
    ...(isGuest && { offers: (command: AnyCommand) => deps.isForGuests(command, address) }),
    context: async (command) => {
      if (isGuest && !deps.isForGuests(command, address)) throw new UsageError(describeRefusedCommand(name));
      if (isLeft) dropped = await stopAndDrop(typed, held, deps);
      return { chat: address.target, othersRead: !isReadByOwnerAlone(address) };
    },
  });
  if (result.type === 'done') emitCommand(listSlashNames(result.command)[0] ?? name, args, typed, deps);
  const finished = await finishCommand(result, typed, deps);
  if (finished.type === 'done' && result.type === 'done' && HOLDS_CODE.has(result.command.name)) return { ...finished, isSecret: true };
  if (finished.type === 'done' && result.type === 'done' && result.command.name === 'help' && args === '' && !isGuest)
    return done(name === 'commands' ? await addOwn(finished.words, deps) : await shortHelp(deps));
  if (finished.type === 'done' && result.type === 'done' && result.command.name === 'stop' && session !== undefined)
    return done(await addWaiting(finished.words, session, deps));
  if (dropped === 0 || finished.type !== 'done') return finished;
  return done(
    `${finished.words}\n${dropped === 1 ? 'One message that was waiting was' : `${dropped} messages that were waiting were`} dropped.`,
  );
}

const describeStoppedAll = (dropped: number): string =>
  dropped === 0 ? 'Stopped. No message was waiting.' : `Stopped. ${countMessages(dropped)} waiting and dropped.`;
const countMessages = (count: number): string => (count === 1 ? 'One message was' : `${count} messages were`);

/** What waits is still answered: a stop ends one turn. */
async function addWaiting(words: string, { id }: Session, { store }: ChatCommandDeps): Promise<string> {
  const count = (await store.waiting(id)).length;
  if (count === 0) return words;
  return `${words} ${count === 1 ? 'One message still waits and is' : `${count} messages still wait and are`} answered next; /stop all drops what waits.`;
}

/** Nothing before the command is understood and allowed: one that is refused stops nobody's turn. */
async function stopAndDrop(typed: TypedCommand, held: DisposableStack, deps: ChatCommandDeps): Promise<number> {
  const waited = await noteWaiting(typed, deps);
  if (typed.session !== undefined) held.use(await deps.conversations.hold(typed.session.id));
  return leaveSession(typed, waited, deps);
}

/**
 * Drops what waits: a session that is left answers nothing any more. Gives how many messages that were, also when another process
 * dropped them and died before it could say so.
 */
async function leaveSession(
  { session, route, key }: TypedCommand,
  waited: readonly string[],
  { conversations, store }: ChatCommandDeps,
): Promise<number> {
  if (session === undefined) {
    const left = route?.facts[LEFT];
    const sessionId = readStringAt(left, 'sessionId');
    return sessionId !== undefined && readStringAt(left, 'key') === key ? countDropped(sessionId, waited, store) : 0;
  }
  const handle = await conversations.open(session);
  for (const { id } of await store.waiting(session.id)) await handle.dismiss(id, 'expired');
  return countDropped(session.id, waited, store);
}

/**
 * What waits when somebody leaves a session, noted before anything is stopped: after a death one of them may have got a turn, which
 * the same command then stops when it is carried out again.
 */
async function noteWaiting({ session, route, address, key }: TypedCommand, { store }: ChatCommandDeps): Promise<readonly string[]> {
  const left = route?.facts[LEFT];
  if (readStringAt(left, 'key') === key) return readStrings(readPath(left, 'waiting'));
  if (session === undefined) return [];
  const waiting = (await store.waiting(session.id)).map(({ id }) => id);
  await store.gateway.remember(address.routeKey, { [LEFT]: { key, sessionId: session.id, waiting } });
  return waiting;
}
/** The session that a chat left, by which command, and what waited in it then. */
const LEFT = 'left';
const readStrings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Messages that no turn answers: dropped, or stopped with the turn they had got. */
async function countDropped(sessionId: string, waited: readonly string[], store: SessionStore): Promise<number> {
  const stopped = new Set(
    (await store.entries(sessionId)).flatMap((entry) => (entry.type === 'outcome' && entry.outcome === 'stopped' ? [entry.turnId] : [])),
  );
  const isDropped = ({ id, fate, turnId }: InboxItem): boolean =>
    fate === 'expired' || (waited.includes(id) && turnId !== undefined && stopped.has(turnId));
  return (await store.inbox(sessionId)).filter(isDropped).length;
}

const emitCommand = (command: string, args: string, { address }: TypedCommand, { emit }: ChatCommandDeps): void =>
  emit(`command:${command.replaceAll(' ', '-')}`, { platform: address.target.platform, user_id: address.senderId, command, args });

/** The session as a command sees it: what it leaves there is answered in this chat. It is not closed with the command. */
const withAddress = (handle: SessionHandle, { address, key }: TypedCommand): SessionHandle => ({
  ...handle,
  session: handle.session,
  runtime: handle.runtime,
  allowAll: handle.allowAll,
  // With its own key a command that is carried out again after a crash leaves its words once.
  post: (item) => handle.post({ ...describePosted(address, key), ...item }),
  [Symbol.asyncDispose]: async () => {},
});

async function finishCommand(result: CommandLineResult, typed: TypedCommand, deps: ChatCommandDeps): Promise<TypedCommandResult> {
  switch (result.type) {
    case 'text':
      return { type: 'text' };
    case 'unknown':
    case 'refused':
      return done(capitalise(result.words));
    case 'queue':
      return done(`/${result.command.name} has to wait until the running turn is over. Send it again then, or /stop first.`);
    case 'done': {
      if (result.followUp !== undefined) await followUp(result.followUp, typed, deps);
      // Notices are about the owner's settings and files.
      const notices = isReadByOwnerAlone(typed.address) ? result.notices : [];
      // A screen shows that the turn ended; in a chat somebody has to say so.
      const text = result.followUp?.type === 'stop' && result.text === '' ? STOPPED : result.text;
      return done([text, ...notices].filter((part) => part !== '').join('\n'));
    }
  }
}
const STOPPED = 'The running turn was stopped.';

const done = (words: string): TypedCommandResult => ({ type: 'done', words });
const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
