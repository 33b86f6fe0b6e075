import { isUsageError, toErrorMessage, UsageError } from '../../base/errors.ts';
import type { AnyCommand, CommandFollowUp } from '../../contracts/command.ts';
import { listSlashNames } from '../../commands/registry.ts';
import type { Route } from '../../contracts/gateway-store.ts';
import type { EmitGatewayHook } from '../../contracts/hooks.ts';
import type { CommandLineResult, Host, SessionHandle } from '../../contracts/host.ts';
import type { NewSession, Session, SessionStore } from '../../contracts/session-store.ts';
import type { ReplyAddress } from './contract.ts';
import type { Conversations } from './conversations.ts';
import { describeSession } from './hook-events.ts';
import { writeAddress } from './reply-address.ts';

/** A line that was typed in a chat and begins with a slash. */
export interface ChatLine {
  readonly line: string;
  readonly address: ReplyAddress;
  readonly route: Route | undefined;
  /** The session the chat leads to, when it leads to one. */
  readonly session: Session | undefined;
  /** The same however often the line is handled. */
  readonly key: string;
  /** A session as this chat would begin one. */
  readonly begin: () => Promise<NewSession>;
}
/** What came of it. */
export type ChatLineResult =
  /** It is no command: words for the model. */
  | { readonly type: 'text' }
  /** `isSecret`: it holds a code, which must be in no row. */
  | { readonly type: 'done'; readonly words: string; readonly isSecret?: true };

export interface ChatCommandDeps {
  readonly host: Pick<Host, 'commands'>;
  readonly store: SessionStore;
  readonly conversations: Conversations;
  /** Whether somebody who is not the owner may give it. */
  readonly isForGuests: (command: AnyCommand, address: ReplyAddress) => boolean;
  /** Commands that only a gateway has, by name. They act at once, whatever runs. */
  readonly own: Readonly<Record<string, GatewayCommand>>;
  readonly emit: EmitGatewayHook;
}
export interface GatewayCommand {
  readonly summary: string;
  run(args: string, line: ChatLine): Promise<string>;
}

/** `/word@bot rest` in its parts; a token with a second slash is a path. */
export function readChatLine(text: string): { readonly name: string; readonly args: string } | undefined {
  const [, name, args = ''] = /^\/([^\s/@]+)(?:@\S+)?(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: restoreDashes(args.trim()) };
}
/** Keyboards of phones make one sign of two dashes. */
const restoreDashes = (args: string): string => args.replaceAll(/(?<=^|\s)[—–](?=\w)/g, '--');

/** Runs the command a line names. Nothing a person can type here is thrown. */
export async function runChatLine(typed: ChatLine, deps: ChatCommandDeps): Promise<ChatLineResult> {
  const read = readChatLine(typed.line);
  if (read === undefined) return { type: 'text' };
  try {
    const own = Object.hasOwn(deps.own, read.name) ? deps.own[read.name] : undefined;
    if (own !== undefined) {
      const words = await own.run(read.args, typed);
      emitCommand(read.name, read.args, typed, deps);
      return done(words);
    }
    return await runHostLine(typed, read, deps);
  } catch (error) {
    if (isUsageError(error)) return done(capitalise(error.message));
    return done(`/${read.name} failed: ${toErrorMessage(error)}`);
  }
}

/** Commands whose answer holds a code. */
const HOLDS_CODE: ReadonlySet<string> = new Set(['pairing invite']);

/** Stopping comes first for a command that leaves the session behind. */
const LEAVES_SESSION = new Set(['new', 'reset']);

async function runHostLine(
  typed: ChatLine,
  { name, args }: { readonly name: string; readonly args: string },
  deps: ChatCommandDeps,
): Promise<ChatLineResult> {
  const { session, address } = typed;
  const { conversations } = deps;
  const dropped = session !== undefined && LEAVES_SESSION.has(name) ? await leaveSession(session, deps) : 0;
  const result = await deps.host.commands.run(`/${name} ${args}`.trim(), {
    place: 'chat',
    by: address.role === 'owner' ? 'owner' : 'other',
    ...(session !== undefined && {
      busy: conversations.isBusy(session.id),
      session: { session, open: async () => withAddress(await conversations.open(session), typed) },
    }),
    context: (command) => {
      if (address.role !== 'owner' && !deps.isForGuests(command, address))
        throw new UsageError(`/${name} is for the owner of this agent. Ask the owner, or use /help to see what you can do here.`);
      return {};
    },
  });
  if (result.type === 'done') emitCommand(listSlashNames(result.command)[0] ?? name, args, typed, deps);
  const finished = await finishLine(result, typed, deps);
  if (finished.type === 'done' && result.type === 'done' && HOLDS_CODE.has(result.command.name)) return { ...finished, isSecret: true };
  if (dropped === 0 || finished.type !== 'done') return finished;
  return done(
    `${finished.words}\n${dropped === 1 ? 'One message that was waiting was' : `${dropped} messages that were waiting were`} dropped.`,
  );
}

/** Stops what runs and drops what waits: a session that is left answers nothing any more. Gives how many messages that were. */
async function leaveSession(session: Session, { conversations, store }: ChatCommandDeps): Promise<number> {
  await conversations.close(session.id);
  const handle = await conversations.open(session);
  const waiting = await store.waiting(session.id);
  for (const { id } of waiting) await handle.dismiss(id, 'expired');
  return waiting.length;
}

const emitCommand = (command: string, args: string, { address }: ChatLine, { emit }: ChatCommandDeps): void =>
  emit(`command:${command.replaceAll(' ', '-')}`, { platform: address.target.platform, user_id: address.senderId, command, args });

/** The session as a command sees it: what it leaves there is answered in this chat. It is not closed with the command. */
const withAddress = (handle: SessionHandle, { address, key }: ChatLine): SessionHandle => ({
  ...handle,
  session: handle.session,
  runtime: handle.runtime,
  allowAll: handle.allowAll,
  // With the key of its line a command that is carried out again after a crash leaves its words once.
  post: (item) => handle.post({ replyTo: writeAddress(address), key, ...item }),
  [Symbol.asyncDispose]: async () => {},
});

async function finishLine(result: CommandLineResult, typed: ChatLine, deps: ChatCommandDeps): Promise<ChatLineResult> {
  switch (result.type) {
    case 'text':
      return { type: 'text' };
    case 'unknown':
    case 'refused':
      return done(capitalise(result.words));
    case 'queue':
      return done(`/${result.command.name} has to wait until the running turn is over. Send it again then, or /stop first.`);
    case 'done': {
      if (result.followUp !== undefined) await follow(result.followUp, typed, deps);
      return done([result.text, ...result.notices].filter((part) => part !== '').join('\n'));
    }
  }
}

async function follow(
  step: CommandFollowUp,
  { address, session, route, key }: ChatLine,
  { conversations, store, emit }: ChatCommandDeps,
): Promise<void> {
  const { routeKey } = address;
  switch (step.type) {
    case 'new':
      if (session !== undefined) await conversations.close(session.id);
      await store.gateway.reroute(routeKey, route?.sessionId, null);
      return emit('session:reset', describeSession(address));
    case 'open':
      if (session !== undefined && session.id !== step.session.id) await conversations.close(session.id);
      await store.gateway.reroute(routeKey, route?.sessionId, step.session.id);
      return;
    case 'send': {
      if (session === undefined) return;
      await store.post({ sessionId: session.id, content: step.message.content, mode: 'queue', replyTo: writeAddress(address), key });
      return conversations.wake(session.id);
    }
    case 'resume':
      return session && conversations.wake(session.id);
    case 'stop':
      return session && conversations.stop(session.id);
    default:
      // The rest is for a screen.
      return;
  }
}

const done = (words: string): ChatLineResult => ({ type: 'done', words });
const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
