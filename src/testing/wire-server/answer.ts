import type { FinishReason } from '../../contracts/provider.ts';
import type { Reply, ReplyCall, ReplyUsage } from './reply.ts';
import { asJsonObject, type ModelCall } from './request.ts';
import { takeFirstHalf } from './text.ts';

/** A reply with every choice made, ready to be rendered. */
export interface WireAnswer {
  /** Tells apart the ids of two answers of one server. */
  readonly serial: number;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The fields of the request body; some wires repeat them in the answer. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly thinking: string;
  readonly signature: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: FinishReason;
  readonly usage: Required<ReplyUsage>;
  readonly chunk: number;
}

export interface AnswerCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
}

export function toAnswer(reply: Reply, request: ModelCall): WireAnswer {
  const { text = '', thinking = '', signature = '', calls = [], finish, usage = {}, chunk = 16 } = misbehave(reply, request);
  const made = calls.map((call, index) => toCall(call, `${idPrefix[request.protocol]}${request.index}_${index}`));
  const { model } = asJsonObject(request.body);
  return {
    serial: request.index,
    model: typeof model === 'string' ? model : 'wire-model',
    created: Math.floor(request.at / 1000),
    request: asJsonObject(request.body),
    text,
    thinking,
    signature,
    calls: made,
    finish: finish ?? (made.length > 0 ? 'tool_calls' : 'stop'),
    usage: fullUsage(usage, request.text, [thinking, text, ...made.map((call) => call.name + call.arguments)].join('')),
    chunk,
  };
}

const idPrefix = { 'openai-chat': 'call_', 'anthropic-messages': 'toolu_', 'openai-responses': 'call_' } as const;

/** The reply as the model fault on it would have it. */
function misbehave(reply: Reply, request: ModelCall): Reply {
  const { fault } = reply;
  if (fault?.type === 'empty') return { ...reply, text: '', thinking: '', signature: '', calls: [], finish: 'stop' };
  if (fault?.type === 'length') return { ...reply, text: reply.text ?? (reply.calls ? '' : UNFINISHED), finish: 'length' };
  if (fault?.type === 'unknown_tool') return withLastCall(reply, request, (call) => ({ ...call, name: fault.name }));
  if (fault?.type !== 'bad_arguments') return reply;
  return withLastCall(reply, request, (call) => ({ ...call, arguments: takeFirstHalf(serialised(call.arguments)) }));
}

const UNFINISHED = 'The answer breaks off in the middle of';

function withLastCall(reply: Reply, request: ModelCall, change: (call: ReplyCall) => ReplyCall): Reply {
  const calls = reply.calls ?? [{ name: firstToolName(request), arguments: { path: 'notes.txt' } }];
  return { ...reply, calls: calls.map((call, index) => (index === calls.length - 1 ? change(call) : call)) };
}

/** A tool the client did offer, so that a bad call fails for the reason the fault names and for no other. */
function firstToolName(request: ModelCall): string {
  const { tools } = asJsonObject(request.body);
  const first = asJsonObject(Array.isArray(tools) ? tools[0] : undefined);
  const name = first['name'] ?? asJsonObject(first['function'])['name'];
  return typeof name === 'string' ? name : 'read_file';
}

function toCall(call: ReplyCall, freshId: string): AnswerCall {
  return { id: call.id === undefined ? freshId : call.id, name: call.name, arguments: serialised(call.arguments) };
}

function serialised(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? {});
}

function fullUsage(given: ReplyUsage, asked: string, answered: string): Required<ReplyUsage> {
  return { input: weigh(asked), output: weigh(answered), cacheRead: 0, cacheWrite: 0, reasoning: 0, ...given };
}

function weigh(text: string): number {
  return Math.ceil(text.length / 4);
}
