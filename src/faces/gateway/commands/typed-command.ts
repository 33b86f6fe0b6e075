import type { AnyCommand } from '../../../contracts/command.ts';
import type { Route } from '../../../contracts/gateway-store.ts';
import type { EmitGatewayHook } from '../../../contracts/hooks.ts';
import type { Host } from '../../../contracts/host.ts';
import type { NewSession, Session, SessionStore } from '../../../contracts/session-store.ts';
import type { Conversations } from '../chats/conversations.ts';
import type { ReplyAddress, WriteLog } from '../contract.ts';

/** What was typed in a chat and may be a command: it begins with a slash. */
export interface TypedCommand {
  readonly text: string;
  readonly address: ReplyAddress;
  readonly route: Route | undefined;
  /** The session the chat leads to, when it leads to one. */
  readonly session: Session | undefined;
  /** What brought it. */
  readonly arrivalId: string;
  /** The same however often it is handled. */
  readonly key: string;
  /** A session as this chat would begin one. */
  readonly begin: () => Promise<NewSession>;
}
/** What came of it. */
export type TypedCommandResult =
  /** It is no command: words for the model. */
  | { readonly type: 'text' }
  /** `isSecret`: it holds a code, which must be in no row. */
  | { readonly type: 'done'; readonly words: string; readonly isSecret?: true };

export interface ChatCommandDeps {
  readonly host: Pick<Host, 'commands' | 'hooks'>;
  readonly store: SessionStore;
  readonly conversations: Conversations;
  /** Whether somebody who is not the owner may give it. */
  readonly isForGuests: (command: AnyCommand, address: ReplyAddress) => boolean;
  /** Commands that only a gateway has, by name. They act at once, whatever runs. */
  readonly own: Readonly<Record<string, GatewayCommand>>;
  readonly emit: EmitGatewayHook;
  readonly log: WriteLog;
}
export interface GatewayCommand {
  readonly summary: string;
  run(args: string, typed: TypedCommand): Promise<string>;
}

/** The name of a command, in small letters, and what stands behind it. */
export interface CommandWords {
  readonly name: string;
  readonly args: string;
}
/** `/word@bot rest` in its parts; a token with a second slash is a path. */
export function readTypedCommand(text: string): CommandWords | undefined {
  const [, name, args = ''] = /^\/([^\s/@]+)(?:@\S+)?(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: restoreDashes(args.trim()) };
}
/** Keyboards of phones make one sign of two dashes. */
const restoreDashes = (args: string): string => args.replaceAll(/(?<=^|\s)[—–](?=\w)/g, '--');
