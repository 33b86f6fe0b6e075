import { toErrorMessage } from '../../src/base/errors.ts';
import { createModelRequest, type RequestExtras } from '../../src/agent/request.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import type { ModelRequest } from '../../src/contracts/provider.ts';
import { toRouteKey, type ProtocolId } from '../../src/contracts/runtime.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { findProviderProfile } from '../../src/parts/providers/catalog/all.ts';
import { createWireFormats } from '../../src/parts/providers/wire-format.ts';
import { PROTOCOLS } from '../agent/invariants/story.ts';
import { assertSound } from '../agent/invariants/wire.ts';
import { cut, type Cut } from './cut.ts';

/** One request as it left, and the log it was made from. */
export interface Call {
  readonly entries: readonly Entry[];
  readonly ask: RequestExtras;
  /** In every wire format, whichever the session speaks. */
  readonly bodies: Bodies;
}
export type Bodies = Readonly<Record<ProtocolId, string>>;
export type Encode = (request: ModelRequest) => string;

/** An encoder that remembers nothing of what others encoded. */
export function freshEncoder(): Encode {
  const formatOf = createWireFormats(findProviderProfile);
  return (request) => formatOf(request.runtime).encode(request).body;
}

export const inAll = (request: ModelRequest, encode: Encode): Bodies => ({
  'openai-chat': encode(spoken(request, 'openai-chat')),
  'anthropic-messages': encode(spoken(request, 'anthropic-messages')),
  'openai-responses': encode(spoken(request, 'openai-responses')),
});
const spoken = (request: ModelRequest, protocol: ProtocolId): ModelRequest => ({ ...request, runtime: { ...request.runtime, protocol } });

/** What went wrong, told so that it can be found. */
export interface Violation {
  readonly request: number;
  readonly protocol: ProtocolId;
  readonly segment: string;
  readonly words: string;
}
export interface Verdict {
  readonly violations: readonly Violation[];
  /** Neighbours held against each other byte by byte, once per wire format. */
  readonly pairs: number;
  /** Pairs between which the log or the ledger says that something changed, by what. */
  readonly explained: Readonly<Record<string, number>>;
  readonly mostMarks: number;
}

const MAX_MARKS = 4;

/** The prefix rule over all requests of a session, and that the log as it is now gives the same bytes again. */
export function judgeCalls(calls: readonly Call[], log: readonly Entry[]): Verdict {
  const violations: Violation[] = [];
  const explained: Record<string, number> = {};
  let mostMarks = 0;
  for (const protocol of PROTOCOLS) {
    const again = freshEncoder();
    const cuts = calls.map((call) => cut(call.bodies[protocol]));
    for (const [index, call] of calls.entries()) {
      const report = (segment: string, words: string) => violations.push({ request: index + 1, protocol, segment, words });
      const [now, before, previous] = [cuts[index], cuts[index - 1], calls[index - 1]];
      if (now === undefined) continue;
      mostMarks = Math.max(mostMarks, now.marks);
      if (now.marks > MAX_MARKS) report('marks', `${now.marks} cache marks`);
      sound(protocol, call.bodies[protocol], report);
      replayed(call, log, protocol, again, report);
      if (before === undefined || previous === undefined) continue;
      const changes = changesBetween(previous, call);
      for (const change of protocol === 'openai-chat' ? changes : []) explained[change] = (explained[change] ?? 0) + 1;
      prefixOf(changes.length === 0 ? before : cut(remade(previous, call, protocol)), now, report);
    }
  }
  return { violations, pairs: Math.max(calls.length - 1, 0) * PROTOCOLS.length, explained, mostMarks };
}

type Report = (segment: string, words: string) => void;

/** Sides alternate, and every call has its result. */
function sound(protocol: ProtocolId, body: string, report: Report): void {
  try {
    assertSound(protocol, body);
  } catch (error) {
    report('transcript', toErrorMessage(error));
  }
}

function replayed(call: Call, log: readonly Entry[], protocol: ProtocolId, encode: Encode, report: Report): void {
  const through = call.entries.at(-1)?.seq ?? 0;
  const then = log.filter(({ sessionId, seq }) => sessionId === call.entries[0]?.sessionId && seq <= through);
  const body = encode(spoken(createModelRequest(standing(then), call.ask, windowEngine), protocol));
  if (body !== call.bodies[protocol]) report('replay', difference(call.bodies[protocol], body));
}

function prefixOf(before: Cut, now: Cut, report: Report): void {
  for (const [index, { name, bytes }] of before.segments.entries()) {
    const segment = now.segments[index];
    if (segment?.bytes === bytes) continue;
    return report(name, segment === undefined ? 'it is gone' : difference(bytes, segment.bytes));
  }
}

/** What the log and the recorded asks give as reasons for other bytes. */
function changesBetween(before: Call, after: Call): string[] {
  const [a, b] = [before.ask, after.ask];
  const { gone, news } = passage(before, after);
  return [
    ...(gone ? [before.entries[0]?.sessionId === after.entries[0]?.sessionId ? 'rewind' : 'branch'] : []),
    ...news.map((entry) => (entry.type === 'epoch' ? `epoch: ${entry.cause}` : entry.type === 'note' ? 'signatures' : entry.type)),
    ...(toRouteKey(a.runtime) === toRouteKey(b.runtime) ? [] : ['route']),
    ...(['images', 'natives', 'plainSchemas'] as const).filter((name) => a.adjust[name] !== b.adjust[name]),
  ];
}

const isChange = (entry: Entry): boolean =>
  entry.type === 'epoch' || entry.type === 'compaction' || (entry.type === 'note' && entry.signatures === 'refused');

/** What stands in both logs, whether anything of the first is gone, and what of the second makes for other bytes. */
function passage(before: Call, after: Call) {
  const [was, is] = [standing(before.entries), standing(after.entries)];
  const parted = was.findIndex(({ id }, index) => is[index]?.id !== id);
  const shared = parted < 0 ? was : was.slice(0, parted);
  return { shared, gone: parted >= 0, news: is.slice(shared.length).filter(isChange) };
}

/** As the contract says it, entry by entry: nothing that a later rewind goes back to before. */
const standing = (log: readonly Entry[]): Entry[] => {
  const rewinds = log.flatMap((entry) => (entry.type === 'rewind' ? [entry] : []));
  return log.filter(({ type, seq }) => type !== 'rewind' && !rewinds.some((rewind) => rewind.toSeq < seq && seq < rewind.seq));
};

/** The request before, made again with nothing but what the log says has changed since: only that may differ. */
function remade(before: Call, after: Call, protocol: ProtocolId): string {
  const { shared, news } = passage(before, after);
  return freshEncoder()(spoken(createModelRequest([...shared, ...news], after.ask, windowEngine), protocol));
}

const AROUND = 50;
/** The first place where two texts part, with a little on both sides. */
export function difference(was: string, is: string): string {
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  const near = (text: string) => JSON.stringify(text.slice(Math.max(at - AROUND, 0), at + AROUND));
  return `differs from character ${at} on: was ${near(was)}, is ${near(is)}`;
}
