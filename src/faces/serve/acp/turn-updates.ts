import type { ClientCapabilities, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import { randomHex } from '../../../base/ids.ts';
import { findMeantCall } from '../../../commands/tool-words.ts';
import type { AgentEvent, Outcome } from '../../../contracts/event.ts';
import { joinTextBlocks } from '../../../contracts/message.ts';
import { toPlan } from './plan.ts';
import { describeCall, locateCall, locateChanges, renderOutput, renderResult, toToolKind } from './tool-calls.ts';

export interface TurnUpdatesOptions {
  /** The folder paths of calls are meant from. */
  readonly cwd: string;
  readonly capabilities: ClientCapabilities;
  readonly now?: () => number;
  /** What of a call stays on screen whatever it answers: a terminal of the editor's. */
  shownFor?(callId: string): readonly ToolCallContent[];
}
/** Turns what a turn tells into what an editor draws, in order. */
export type ToUpdates = (event: AgentEvent) => readonly SessionUpdate[];

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>;

export function createTurnUpdates(options: TurnUpdatesOptions): ToUpdates {
  const reply = createReplyUpdates();
  const calls = createCallUpdates(options);
  const compaction = createCompactionUpdates(options.capabilities);
  return (event) => {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta':
      case 'sampled':
      case 'recovering':
      case 'settled':
        return reply(event);
      case 'tool_started':
      case 'tool_progress':
      case 'tool_finished':
        return calls(event);
      case 'compacting':
      case 'compacted':
        return compaction(event);
      default:
        return [];
    }
  };
}

/** The model's words. A reply that broke off cannot be taken back: another message begins, and says so. */
function createReplyUpdates(): (
  event: EventOf<'text_delta' | 'thinking_delta' | 'sampled' | 'recovering' | 'settled'>,
) => readonly SessionUpdate[] {
  let messageId = randomHex(16);
  let hasText = false;
  const startNext = (): void => {
    messageId = randomHex(16);
    hasText = false;
  };
  return (event) => {
    if (event.type === 'text_delta') {
      hasText = true;
      return [toTextChunk(event.delta, messageId)];
    }
    if (event.type === 'thinking_delta') return [toThoughtChunk(event.delta, `${messageId}-thought`)];
    const updates = closingWords(event, hasText).map((words) => toTextChunk(words, messageId));
    startNext();
    return updates;
  };
}

function closingWords(event: EventOf<'sampled' | 'recovering' | 'settled'>, hasText: boolean): readonly string[] {
  if (event.type === 'recovering') return hasText ? ['\n\n[The reply broke off. Trying again.]\n\n'] : [];
  if (event.type === 'settled') return ownWords(event.outcome);
  // A provider that does not stream says it all at once.
  const words = joinTextBlocks(event.message);
  return hasText || words === '' ? [] : [words];
}

/** What we say in place of the model. A failure is told by the request itself, and who cancelled knows it. */
const ownWords = (outcome: Outcome): readonly string[] =>
  (outcome.type === 'partial' || outcome.type === 'stopped') &&
  outcome.words === 'ours' &&
  outcome.exitReason !== 'interrupted' &&
  outcome.exitReason !== 'terminated'
    ? [outcome.text]
    : [];

export const toTextChunk = (text: string, messageId: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  messageId,
});
export const toThoughtChunk = (text: string, messageId: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text },
  messageId,
});

/** How often the output of a running command is sent, and how much of its end. */
const PROGRESS_MS = 200;
const MAX_TAIL_CHARS = 4_000;

function createCallUpdates({
  cwd,
  now = Date.now,
  shownFor = () => [],
}: TurnUpdatesOptions): (event: EventOf<'tool_started' | 'tool_progress' | 'tool_finished'>) => readonly SessionUpdate[] {
  const running = new Map<string, { readonly name: string; tail: string; at: number }>();
  return (event) => {
    if (event.type === 'tool_started') {
      running.set(event.call.id, { name: findMeantCall(event.call).name, tail: '', at: 0 });
      return [toStartedCall(event.call, cwd)];
    }
    const toolCallId = event.callId;
    const call = running.get(toolCallId);
    if (event.type === 'tool_finished') {
      running.delete(toolCallId);
      return [toFinishedCall(event, cwd, shownFor(toolCallId)), ...planOf(event)];
    }
    if (call === undefined) return [];
    call.tail = `${call.tail}${event.note}${event.note.endsWith('\n') || toToolKind(call.name) === 'execute' ? '' : '\n'}`.slice(
      -MAX_TAIL_CHARS,
    );
    if (shownFor(toolCallId).length > 0 || now() - call.at < PROGRESS_MS) return [];
    call.at = now();
    const content = renderOutput(call.tail, toToolKind(call.name) === 'execute');
    return content.length === 0 ? [] : [{ sessionUpdate: 'tool_call_update', toolCallId, content }];
  };
}

export const toStartedCall = (call: EventOf<'tool_started'>['call'], cwd: string): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId: call.id,
  title: describeCall(call),
  name: findMeantCall(call).name,
  kind: toToolKind(findMeantCall(call).name),
  status: 'in_progress',
  rawInput: call.input,
  locations: locateCall(call, cwd),
});

export function toFinishedCall(
  { callId, result, details }: Pick<EventOf<'tool_finished'>, 'callId' | 'result' | 'details'>,
  cwd: string,
  shown: readonly ToolCallContent[] = [],
): SessionUpdate {
  const locations = locateChanges(details, cwd);
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: callId,
    status: result.failed ? 'failed' : 'completed',
    content: shown.length > 0 ? [...shown] : renderResult(result, details, cwd),
    ...(locations.length > 0 && { locations }),
  };
}

const planOf = ({ details }: EventOf<'tool_finished'>): SessionUpdate[] => (details?.kind === 'tasks' ? [toPlan(details.tasks)] : []);

/** Only a client that knows of compactions may be told of one. */
function createCompactionUpdates({
  session,
}: ClientCapabilities): (event: EventOf<'compacting' | 'compacted'>) => readonly SessionUpdate[] {
  let compactionId: string | undefined;
  return (event) => {
    if (session?.compaction === undefined || session.compaction === null) return [];
    compactionId ??= randomHex(8);
    const update = { sessionUpdate: 'compaction_update', compactionId } as const;
    if (event.type === 'compacting') return [{ ...update, status: 'in_progress' }];
    compactionId = undefined;
    const { outcome, why } = event.report;
    return [
      outcome === 'refused'
        ? { ...update, status: 'failed', error: why ?? 'the context was not made smaller' }
        : { ...update, status: 'completed' },
    ];
  };
}
