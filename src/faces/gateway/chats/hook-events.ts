import { takeStart } from '../../../base/text.ts';
import { isMessageEntry, type Entry } from '../../../contracts/entry.ts';
import type { AgentEvent } from '../../../contracts/event.ts';
import type { Route } from '../../../contracts/gateway-store.ts';
import type { AgentHookPayload, EmitGatewayHook, SessionHookPayload } from '../../../contracts/hooks.ts';
import { joinTextBlocks } from '../../../contracts/message.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { ReplyAddress } from '../contract.ts';
import type { ConversationsDeps } from './conversations.ts';

/** What handlers are told of a text. */
const MAX_WORDS = 500;

/** What is known of the turn that runs in a session. */
interface TurnFacts {
  words: string;
  iteration: number;
  /** Of the sampling that is carried out: names of its tools, and the calls that have not answered. */
  tools: readonly string[];
  open: Set<string>;
  model: string;
  provider: string;
}

export interface HookEvents {
  readonly onEvent: NonNullable<ConversationsDeps['onEvent']>;
  /** A session is over; `route` leads there unless the chat has gone on already. */
  ended(sessionId: string, reason: string, route: Route | undefined): void;
}

/** Sessions whose chat is remembered after it has gone on. */
const MAX_REMEMBERED = 1_000;

/** Tells hooks of turns and of sessions that end, from what those themselves tell. */
export function createHookEvents(emit: EmitGatewayHook): HookEvents {
  const turns = new Map<string, TurnFacts>();
  const chats = new Map<string, SessionHookPayload>();
  return {
    onEvent: (event, { session, address }) => {
      const turn = turns.get(session.id) ?? newTurn(session);
      turns.set(session.id, turn);
      follow(turn, event, { session, address }, emit);
      if (event.type !== 'settled') return;
      turns.delete(session.id);
      chats.delete(session.id);
      if (address !== undefined) chats.set(session.id, describeSession(address));
      for (const oldest of [...chats.keys()].slice(0, Math.max(0, chats.size - MAX_REMEMBERED))) chats.delete(oldest);
    },
    ended: (sessionId, reason, route) => {
      const chat = chats.get(sessionId) ?? (route && describeRoute(route));
      chats.delete(sessionId);
      if (chat !== undefined) emit('session:end', { ...chat, session_id: sessionId, reason });
    },
  };
}
const newTurn = ({ model, provider }: Session): TurnFacts => ({ words: '', iteration: 0, tools: [], open: new Set(), model, provider });

/** Origins of user messages that open no turn. */
const JOINING: ReadonlySet<string> = new Set<Entry['origin']>(['steer', 'nudge', 'summary']);

interface TurnPlace {
  readonly session: Session;
  readonly address: ReplyAddress | undefined;
}

function follow(turn: TurnFacts, event: AgentEvent, place: TurnPlace, emit: EmitGatewayHook): void {
  switch (event.type) {
    case 'entry':
      // A message that joins the turn opens none: the end must name the message that the start named.
      if (isMessageEntry(event.entry) && event.entry.message.role === 'user' && !JOINING.has(event.entry.origin))
        turn.words = joinTextBlocks(event.entry.message);
      if (event.entry.type === 'epoch') [turn.model, turn.provider] = [event.entry.epoch.model, event.entry.epoch.provider];
      return;
    case 'runtime_changed':
      [turn.model, turn.provider] = [event.to.model, event.to.provider];
      return;
    case 'inbox':
      if (event.fate === 'turn' || event.fate === 'interrupted') emit('agent:start', describeTurn(turn, place));
      return;
    case 'sampled': {
      const calls = event.message.content.flatMap((block) => (block.type === 'tool_call' ? [block] : []));
      turn.tools = calls.map(({ name }) => name);
      turn.open = new Set(calls.map(({ id }) => id));
      return;
    }
    case 'tool_finished':
      if (!turn.open.delete(event.callId) || turn.open.size > 0) return;
      turn.iteration++;
      return emit('agent:step', { ...describePerson(place), iteration: turn.iteration, tool_names: turn.tools });
    case 'settled': {
      const { model, provider } = turn;
      return emit('agent:end', { ...describeTurn(turn, place), response: takeStart(event.outcome.text, MAX_WORDS), model, provider });
    }
    default:
      return;
  }
}

const describePerson = ({ session, address }: TurnPlace) => ({
  platform: address?.target.platform ?? session.platform,
  user_id: address?.senderId ?? '',
  session_id: session.id,
});
const describeTurn = ({ words }: TurnFacts, place: TurnPlace): AgentHookPayload => ({
  ...describePerson(place),
  chat_id: place.address?.target.chatId ?? '',
  thread_id: place.address?.target.threadId ?? null,
  chat_type: chatTypeOf(place.address),
  message: takeStart(words, MAX_WORDS),
});
/** The key of a session has it: `agent:main:telegram:private:7`. */
const chatTypeOf = (address: ReplyAddress | undefined): string => address?.routeKey.split(':')[3] ?? '';

export const describeSession = ({
  routeKey,
  target,
  senderId,
}: Pick<ReplyAddress, 'routeKey' | 'target' | 'senderId'>): SessionHookPayload => ({
  platform: target.platform,
  user_id: senderId,
  session_key: routeKey,
});
const describeRoute = ({ key, target, chat }: Route): SessionHookPayload => ({
  platform: target.platform,
  user_id: chat.type === 'private' ? target.chatId : '',
  session_key: key,
});
