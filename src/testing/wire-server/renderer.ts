import type { WireAnswer } from './answer.ts';
import type { ProviderFault } from './faults.ts';

/** One server-sent event. Chat completions names no events. */
export interface WireFrame {
  readonly event: string | null;
  readonly data: string;
}

/** A request turned down, in the words of one wire. */
export interface WireRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One wire, pure: values in, values out. Every `render-*.ts` exports one of these. */
export interface WireRenderer {
  /** Names the request in the headers of every response. */
  readonly requestIdHeader: string;
  /** The whole stream of one answer. */
  frames(answer: WireAnswer): readonly WireFrame[];
  /** The same answer for a request that did not ask for a stream. */
  body(answer: WireAnswer): object;
  /** Half of the stream, then the wire's way to say that it failed. */
  failing(answer: WireAnswer, problem: ProviderFault): readonly WireFrame[];
  refusal(problem: ProviderFault, requestId: string): WireRefusal;
}

export function toText(frame: WireFrame): string {
  return `${frame.event === null ? '' : `event: ${frame.event}\n`}data: ${frame.data}\n\n`;
}

export function takeUntilMiddle<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(0, Math.floor(items.length / 2));
}

/** What all wires do alike: a verbatim body wins over the wire's own, and `retry-after` is a header. */
export function refuse(problem: ProviderFault, status: number, ownBody: object): WireRefusal {
  const headers =
    problem.type === 'rate_limited' && problem.retryAfterSeconds !== undefined ? { 'retry-after': String(problem.retryAfterSeconds) } : {};
  if (problem.type !== 'status') return { status, headers, body: ownBody };
  return { status, headers: problem.headers ?? {}, body: problem.body ?? ownBody };
}
