import { joinTextBlocks, collectToolCalls, type ToolCall } from '../../../../contracts/message.ts';
import type { AgentEvent } from '../../../../contracts/event.ts';
import type { Entry, LogMessage } from '../../../../contracts/entry.ts';
import type { ConsentQuestion } from '../../../../contracts/consent.ts';
import type { NewRunEvent } from '../../../../contracts/run-store.ts';
import { describeToolCall } from '../../../../commands/tool-words.ts';
import { createRunEvent, toKnownEvent, type KnownRunEvent, type RunEventType } from './run-events.ts';

/**
 * What a run tells of the events of its turn. What is durable in the log is told once, whoever tells it: the turn as it goes, or
 * the log itself after a restart. Words that stream in are told as they come, and taken back when they turn out to be void.
 */
export interface Recorder {
  hear(event: AgentEvent): readonly NewRunEvent[];
  /** What the log has of the turn and the run did not tell; words that nobody will finish are taken back. */
  catchUp(entries: readonly Entry[]): readonly NewRunEvent[];
  /** The words of a message of the turn. */
  textOf(messageId: string): string;
}

const MAX_OUTPUT = 100_000;
export const CONSENT_CHOICES = ['once', 'session', 'always', 'deny'] as const;

/** `clients`: names of tools that the client runs. */
export function createRecorder(told: readonly NewRunEvent[] = [], clients: ReadonlySet<string> = new Set()): Recorder {
  const [texts, calls] = [new Map<string, string>(), new Map<string, ToolCall>()];
  const known = new Set(told.flatMap(nameEvent));
  let words = told.map(toKnownEvent).reduce(followWords, '');
  const isNew = (type: RunEventType, id: string): boolean => {
    const name = `${type} ${id}`;
    return !known.has(name) && known.add(name).has(name);
  };

  const discard = (reason: string): NewRunEvent[] => {
    if (words === '') return [];
    words = '';
    return [createRunEvent('message.discarded', { reason })];
  };
  const start = (call: ToolCall): NewRunEvent[] => (isNew('tool.started', call.id) ? [createStarted(call, clients)] : []);
  /** The words of a message that is in the log, as far as they were not told. */
  const complete = ({ id, message }: LogMessage): NewRunEvent[] => {
    const text = joinTextBlocks(message);
    texts.set(id, text);
    if (message.role === 'assistant') for (const call of collectToolCalls(message)) calls.set(call.id, call);
    if (!isNew('message.completed', id) || text === '') return [];
    const before = text.startsWith(words) ? [] : discard('rewritten');
    const rest = text.slice(words.length);
    words = '';
    return [
      ...before,
      ...(rest === '' ? [] : [createRunEvent('message.delta', { delta: rest })]),
      createRunEvent('message.completed', { message_id: id }),
    ];
  };
  const finish = (callId: string, result: LogMessage['message'], ms: number): NewRunEvent[] => {
    if (result.role !== 'tool' || !isNew('tool.completed', callId)) return [];
    const call = calls.get(callId);
    const output = joinTextBlocks(result).slice(0, MAX_OUTPUT);
    const end = createRunEvent('tool.completed', {
      tool: result.name,
      call_id: callId,
      duration: ms / 1_000,
      error: result.failed,
      output,
      ...(clients.has(result.name) && { client: true as const }),
    });
    return [...(call === undefined ? [] : start(call)), end];
  };
  const hearEntry = (entry: Entry): NewRunEvent[] => {
    if (entry.type !== 'message') return [];
    const { message } = entry;
    if (message.role === 'assistant') return complete(entry);
    return message.role === 'tool' ? finish(message.callId, message, entry.ms ?? 0) : [];
  };
  return {
    textOf: (messageId) => texts.get(messageId) ?? '',
    catchUp: (entries) => [...entries.flatMap(hearEntry), ...discard('restarted')],
    hear: (event) => {
      switch (event.type) {
        case 'text_delta':
          words += event.delta;
          return event.delta === '' ? [] : [createRunEvent('message.delta', { delta: event.delta })];
        case 'thinking_delta':
          return event.delta === '' ? [] : [createRunEvent('reasoning.delta', { delta: event.delta })];
        case 'recovering':
          return discard('retried');
        case 'entry':
          return hearEntry(event.entry);
        case 'tool_started':
          return start(event.call);
        case 'tool_finished':
          return finish(event.callId, event.result, event.ms);
        case 'asking':
          return isNew('approval.request', event.question.id) ? [createApprovalRequest(event.question)] : [];
        case 'asked':
          return isNew('approval.responded', event.questionId)
            ? [createRunEvent('approval.responded', { approval_id: event.questionId, allowed: event.allowed })]
            : [];
        default:
          return [];
      }
    },
  };
}

/** What is told once, by what it is about. */
function nameEvent(event: NewRunEvent): string[] {
  const known = toKnownEvent(event);
  if (known.type === 'message.completed') return [`${known.type} ${known.data.message_id}`];
  if (known.type === 'tool.started' || known.type === 'tool.completed') return [`${known.type} ${known.data.call_id}`];
  if (known.type === 'approval.request' || known.type === 'approval.responded') return [`${known.type} ${known.data.approval_id}`];
  return [];
}
/** The words so far of the message that is being written. */
function followWords(words: string, event: KnownRunEvent): string {
  if (event.type === 'message.delta') return words + event.data.delta;
  return event.type === 'message.discarded' || event.type === 'message.completed' ? '' : words;
}

function createStarted(call: ToolCall, clients: ReadonlySet<string>): NewRunEvent {
  const { verb, object } = describeToolCall(call);
  const preview = object === '' ? verb : `${verb} ${object}`;
  const given = call.malformed ?? JSON.stringify(call.input);
  const client = clients.has(call.name) && { client: true as const };
  return createRunEvent('tool.started', { tool: call.name, call_id: call.id, preview, arguments: given.slice(0, MAX_OUTPUT), ...client });
}

const createApprovalRequest = ({ id, action: { tool, summary, reason } }: ConsentQuestion): NewRunEvent =>
  createRunEvent('approval.request', { approval_id: id, tool, summary, reason, choices: CONSENT_CHOICES });
