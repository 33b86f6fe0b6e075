import { toAnswer } from './answer.ts';
import { isProblem, type Fault, type ProviderFault } from './faults.ts';
import { anthropicMessages } from './render-anthropic-messages.ts';
import { openAiChat } from './render-openai-chat.ts';
import { openAiResponses } from './render-openai-responses.ts';
import { toText, type WireFrame, type WireRenderer } from './renderer.ts';
import type { Reply } from './reply.ts';
import { asksForStream, type ModelCall, type WireProtocol } from './request.ts';
import { takeFirstHalf } from './text.ts';

/** Everything that will go over the socket, decided before the first byte goes out. */
export interface ReplyPlan {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each is written on its own, `paceMs` apart. */
  readonly chunks: readonly string[];
  readonly paceMs: number;
  readonly ending: ReplyEnding;
}

export type ReplyEnding =
  | { readonly type: 'end' }
  | { readonly type: 'stall_before_headers' }
  | { readonly type: 'stall' | 'cut'; readonly afterBytes: number };

export function planReply(reply: Reply, request: ModelCall): ReplyPlan {
  const problem = problemOf(reply.fault, asksForStream(request));
  if (problem) return planRefusal(problem, request);
  if (reply.fault?.type === 'verbatim') return planVerbatim(reply.fault);
  const kind = asksForStream(request) ? 'text/event-stream; charset=utf-8' : 'application/json';
  return {
    status: 200,
    headers: { 'content-type': kind, 'cache-control': 'no-cache', ...requestId(request) },
    chunks: asksForStream(request) ? streamed(reply, request) : [whole(reply, request)],
    paceMs: reply.paceMs ?? 0,
    ending: endingOf(reply.fault),
  };
}

function planVerbatim({ body, contentType = 'text/event-stream', headers, ending: type }: VerbatimFault): ReplyPlan {
  const ending: ReplyEnding = type === undefined ? { type: 'end' } : { type, afterBytes: Infinity };
  return { status: 200, headers: { 'content-type': contentType, ...headers }, chunks: [body], paceMs: 0, ending };
}
type VerbatimFault = Extract<Fault, { readonly type: 'verbatim' }>;

export function planRefusal(problem: ProviderFault, request: ModelCall): ReplyPlan {
  const { status, headers, body } = renderers[request.protocol].refusal(problem, idOf(request));
  return planJson(status, body, { ...requestId(request), ...headers });
}

export function planJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ReplyPlan {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json', ...headers }, chunks: [text], paceMs: 0, ending: { type: 'end' } };
}

const renderers: Readonly<Record<WireProtocol, WireRenderer>> = {
  'openai-chat': openAiChat,
  'anthropic-messages': anthropicMessages,
  'openai-responses': openAiResponses,
};

/** The problem that takes the place of the whole answer, if there is one. */
function problemOf(fault: Fault | undefined, streaming: boolean): ProviderFault | undefined {
  if (fault?.type === 'error_frame') return streaming ? undefined : fault.problem;
  if (fault === undefined || !isProblem(fault)) return undefined;
  return fault.type === 'stream_unsupported' && !streaming ? undefined : fault;
}

function streamed(reply: Reply, request: ModelCall): readonly string[] {
  const renderer = renderers[request.protocol];
  const answer = toAnswer(reply, request);
  if (reply.fault?.type === 'error_frame') return renderer.failing(answer, reply.fault.problem).map(toText);
  const frames = renderer.frames(answer);
  return (reply.fault?.type === 'malformed_frame' ? withBrokenMiddle(frames) : frames).map(toText);
}

function whole(reply: Reply, request: ModelCall): string {
  const text = JSON.stringify(renderers[request.protocol].body(toAnswer(reply, request)));
  return reply.fault?.type === 'malformed_frame' ? takeFirstHalf(text) : text;
}

function withBrokenMiddle(frames: readonly WireFrame[]): readonly WireFrame[] {
  // Clients do not read the data of a ping, so a broken one would go unnoticed.
  const read = frames.filter((frame) => frame.event !== 'ping');
  const middle = read[Math.floor((read.length - 1) / 2)];
  return frames.map((frame) => (frame === middle ? { ...frame, data: takeFirstHalf(frame.data) } : frame));
}

function endingOf(fault: Fault | undefined): ReplyEnding {
  return fault?.type === 'stall_before_headers' || fault?.type === 'stall' || fault?.type === 'cut' ? fault : { type: 'end' };
}

function requestId(request: ModelCall): Readonly<Record<string, string>> {
  return { [renderers[request.protocol].requestIdHeader]: idOf(request) };
}

function idOf(request: ModelCall): string {
  return `req_wire_${request.index}`;
}
