import { setTimeout as pause } from 'node:timers/promises';
import { createTurnRunner, type TurnRunner } from '../../../agent/turn-runner.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { Outcome } from '../../../contracts/event.ts';
import type { SessionHandle } from '../../../contracts/host.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { ServeDeps, ConversationTool } from './contract.ts';
import { defineConversationTool } from './define-tool.ts';
import { createCursor } from './events.ts';
import { findVisibleSession, isVisible } from './sessions.ts';

/** Where these sessions are held, and which program opened them. */
export const PLATFORM = 'mcp';
/** Clients give up after a minute unless they were told otherwise. */
const WAIT_SECONDS = 50;
const MAX_WAIT_SECONDS = 600;

/** The turns this server runs. What runs is stopped when it closes, and that is stored. */
export interface SendingService extends AsyncDisposable {
  readonly tools: readonly ConversationTool[];
  /** Goes on with a session this server has run a turn of; leaves all others to whoever has them. */
  resume(sessionId: string): void;
  /** Finishes what an earlier server was killed in. */
  recover(): Promise<void>;
}

interface OpenConversation {
  readonly handle: SessionHandle;
  readonly runner: TurnRunner;
  last: Outcome | undefined;
  problem: string | undefined;
}

export function createSending(deps: ServeDeps): SendingService {
  const open = new Map<string, Promise<OpenConversation>>();
  const openOnce = (session: Session): Promise<OpenConversation> => {
    const known = open.get(session.id);
    if (known !== undefined) return known;
    const opening = openConversation(deps, session);
    open.set(session.id, opening);
    opening.catch(() => open.delete(session.id));
    return opening;
  };
  const begin = async (title: string): Promise<OpenConversation> => {
    const conversation = await openConversation(deps, undefined, title);
    open.set(conversation.handle.session.id, Promise.resolve(conversation));
    return conversation;
  };
  return {
    tools: [createSendTool(deps, (session, title) => (session === undefined ? begin(title) : openOnce(session)))],
    resume: (sessionId) => void open.get(sessionId)?.then(({ runner }) => runner.resume()),
    recover: async () => {
      const left = (await deps.host.store.pending()).filter(({ session }) => session.source === PLATFORM && isVisible(session, deps));
      for (const { session } of left) (await openOnce(session)).runner.resume();
    },
    [Symbol.asyncDispose]: async () => {
      const all = await Promise.allSettled(open.values());
      for (const one of all.flatMap((settled) => (settled.status === 'fulfilled' ? [settled.value] : []))) {
        await one.runner[Symbol.asyncDispose]();
        await one.handle[Symbol.asyncDispose]();
      }
    },
  };
}

/** Nobody is at hand who could be asked: what needs consent is denied, and the question is kept. */
async function openConversation({ host, rules }: ServeDeps, session: Session | undefined, title?: string): Promise<OpenConversation> {
  const handle = await host.openSession({
    ...(session !== undefined && { session }),
    ...(title !== undefined && { title }),
    ...(!rules.attended && { platform: PLATFORM }),
    source: PLATFORM,
  });
  const conversation: OpenConversation = {
    handle,
    last: undefined,
    problem: undefined,
    runner: createTurnRunner(handle, {
      event: (event) => {
        if (event.type === 'settled') conversation.last = event.outcome;
      },
      error: (error) => (conversation.problem = toErrorMessage(error)),
    }),
  };
  return conversation;
}

type OpenFor = (session: Session | undefined, title: string) => Promise<OpenConversation>;

const createSendTool = (deps: ServeDeps, openFor: OpenFor): ConversationTool =>
  defineConversationTool({
    name: 'messages_send',
    description:
      'Sends a message to a conversation, or to a new one, and waits for the answer. A turn that takes longer goes on: the answer says `running`, and events_wait with its cursor tells the rest. Sent while a turn runs, the message joins it.',
    readOnly: false,
    parameters: {
      text: { kind: 'text', required: true, description: 'the message' },
      conversation_id: { kind: 'text', description: 'the conversation; a new one when left out' },
      mode: {
        kind: 'choice',
        choices: ['steer', 'queue', 'interrupt'],
        default: 'steer',
        description: 'while a turn runs: join it, wait for its end, or stop it',
      },
      wait_seconds: {
        kind: 'whole_number',
        default: WAIT_SECONDS,
        description: `how long to wait for the answer, at most ${MAX_WAIT_SECONDS}`,
      },
    },
    run: async ({ text, conversation_id: ref, mode, wait_seconds: seconds }, signal) => {
      const stored = ref === undefined ? undefined : await findVisibleSession(ref, deps);
      const conversation = await openFor(stored, text);
      const cursor = createCursor(Date.now());
      const { handle, runner } = conversation;
      conversation.last = undefined;
      conversation.problem = undefined;
      const waits = await runner.send(await handle.message(text), mode === 'interrupt' || mode === 'queue' ? mode : 'steer');
      const patience = pause(Math.min(seconds, MAX_WAIT_SECONDS) * 1000, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([runner.idle(), patience]);
      return {
        data: { conversation_id: handle.session.id, ...(waits !== undefined && { joined: true }), ...describeEnd(conversation, cursor) },
      };
    },
  });

function describeEnd({ runner, last, problem }: OpenConversation, cursor: string): object {
  if (problem !== undefined) return { status: 'broken', text: problem };
  if (runner.busy || last === undefined) return { status: 'running', cursor };
  return { status: last.type, exit_reason: last.exitReason, text: last.text, cursor };
}
