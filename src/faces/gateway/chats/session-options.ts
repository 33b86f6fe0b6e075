import type { AccountRef, Route } from '../../../contracts/gateway-store.ts';
import type { MemoryPerson, SessionOptions } from '../../../contracts/host.ts';
import type { Session } from '../../../contracts/session-store.ts';
import { isOwnersChat, selectToolsets } from '../access/access.ts';
import type { GatewayAccount } from '../accounts/account.ts';
import { readTaskAddress, readTaskToolsets } from '../addresses/task-facts.ts';
import { BOOT_OPTIONS, BOOT_SOURCE } from './boot.ts';
import { findReceived } from './workspace.ts';

export interface SessionOptionsDeps {
  readonly findConfig: (ref: AccountRef) => GatewayAccount | undefined;
  /** Commands run behind a wall. */
  readonly isWalled: boolean;
}

/** What the session of a chat is opened with: by who reads it, and who speaks there. */
export function selectSessionOptions(session: Session, route: Route | undefined, deps: SessionOptionsDeps): Partial<SessionOptions> {
  const { platform } = session;
  if (session.source === BOOT_SOURCE) return { platform, ...BOOT_OPTIONS };
  const role = route?.facts['owner'] === true ? 'owner' : 'guest';
  const toolsets = route && selectChatToolsets(route, role, deps);
  return {
    platform,
    received: findReceived(session.cwd),
    // What is the owner's stands only where the owner alone reads it.
    ...(!(route !== undefined && isOwnersChat(route.chat, role)) && { memory: false }),
    // A task is the owner's, whoever wrote the message that set it off.
    ...(role === 'guest' && (route === undefined || readTaskAddress(route) === undefined) && { forGuests: true }),
    ...(route !== undefined && { person: describePerson(route, role) }),
    ...(toolsets !== undefined && { toolsets }),
  };
}

/** Whose memory may be asked here: of the person in a private chat, of the group in any other. */
const describePerson = ({ target, chat, facts }: Route, role: 'owner' | 'guest'): MemoryPerson => ({
  isOwner: role === 'owner',
  chatId: [target.account, target.chatId, ...(target.threadId === undefined ? [] : [target.threadId])].join('/'),
  ...(typeof facts['person'] === 'string' && { userId: facts['person'] }),
  ...(chat.type !== 'private' && { isGroup: true }),
});

function selectChatToolsets(
  { target, chat, facts }: Route,
  role: 'owner' | 'guest',
  { findConfig, isWalled }: SessionOptionsDeps,
): readonly string[] | undefined {
  const account = findConfig(target);
  const id = typeof facts['person'] === 'string' ? facts['person'] : '';
  const toolsets = readTaskToolsets({ facts }) ?? (account && selectToolsets(account.tools, chat, { id }, role));
  // Without a wall guests have no commands and files, unless the owner named toolsets for them.
  return !isWalled && toolsets?.includes('hermes-guest') === true ? UNWALLED_GUESTS : toolsets;
}
const UNWALLED_GUESTS: readonly string[] = ['web', 'vision', 'clarify'];
