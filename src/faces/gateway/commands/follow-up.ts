import { UsageError } from '../../../base/errors.ts';
import { readStringAt } from '../../../base/json.ts';
import type { CommandFollowUp } from '../../../contracts/command.ts';
import type { Session } from '../../../contracts/session.ts';
import { describePosted } from '../addresses/reply-address.ts';
import type { Conversations } from '../chats/conversations.ts';
import { describeSession } from '../chats/hook-events.ts';
import type { ChatCommandDeps, TypedCommand } from './typed-command.ts';

export interface FollowUpDeps extends Pick<ChatCommandDeps, 'store' | 'emit'> {
  readonly conversations: Pick<Conversations, 'open' | 'close' | 'stop' | 'wake' | 'isBusy'>;
}

/** Carries out what a command left to the chat: another session, words for the model, a stop. */
export async function followUp(
  step: CommandFollowUp,
  { address, session, route, key }: Pick<TypedCommand, 'address' | 'session' | 'route' | 'key'>,
  { conversations, store, emit }: FollowUpDeps,
): Promise<void> {
  const { routeKey } = address;
  switch (step.type) {
    case 'new':
      if (session !== undefined) await conversations.close(session.id);
      await store.gateway.reroute(routeKey, route?.sessionId, null);
      return emit('session:reset', describeSession(address));
    case 'open':
      return takeUp(step.session, { address, session, route }, { conversations, store });
    case 'send': {
      if (session === undefined) return;
      await store.post({ sessionId: session.id, content: step.message.content, mode: 'queue', ...describePosted(address, key) });
      return conversations.wake(session.id);
    }
    case 'resume':
      return session && conversations.wake(session.id);
    case 'stop':
      return session && stopNoted(session.id, { address, route, key }, { conversations, store });
    default:
      // The rest is for a screen.
      return;
  }
}

/**
 * Stops the turn that runs, noted before it is stopped: after a death the same command is carried out again, and must not stop the
 * turn that came after it.
 */
async function stopNoted(
  sessionId: string,
  { address: { routeKey }, route, key }: Pick<TypedCommand, 'address' | 'route' | 'key'>,
  { conversations, store }: Pick<FollowUpDeps, 'conversations' | 'store'>,
): Promise<void> {
  const turnId = (await store.turn(sessionId))?.turnId ?? '';
  const noted = route?.facts[STOPPED];
  if (readStringAt(noted, 'key') !== key) await store.gateway.remember(routeKey, { [STOPPED]: { key, turnId } });
  else if (readStringAt(noted, 'turnId') !== turnId) return;
  conversations.stop(sessionId);
}
/** The turn that a chat stopped last, and by which command. */
const STOPPED = 'stopped';

/**
 * The chat goes on with another session. That one leaves the chat it was in: who may speak in a session, and with which tools, goes
 * by the one chat that leads to it. The session that is left ends, unless the other is a copy of it.
 */
async function takeUp(
  to: Session,
  { address: { routeKey }, session, route }: Pick<TypedCommand, 'address' | 'session' | 'route'>,
  { conversations, store }: Pick<FollowUpDeps, 'conversations' | 'store'>,
): Promise<void> {
  if (route === undefined) throw new UsageError('nobody has written in this chat yet. Send a message first, then continue the session.');
  if (to.id === session?.id) return conversations.close(to.id);
  if (conversations.isBusy(to.id)) throw new UsageError(`session ${to.id} is at work. Continue it here once it has answered.`);
  for (const { key } of await store.gateway.routes({ sessionId: to.id })) await store.gateway.reroute(key, to.id, null);
  await conversations.close(to.id);
  if (session !== undefined && to.parent?.sessionId !== session.id) await (await conversations.open(session)).end('resumed_elsewhere');
  if (session !== undefined) await conversations.close(session.id);
  await store.gateway.reroute(routeKey, route.sessionId, to.id);
}
