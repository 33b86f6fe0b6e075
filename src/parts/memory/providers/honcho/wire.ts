import { readPath, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { RecalledFact, SyncedTurn } from '../../../../contracts/memory-provider.ts';
import { readList, toForeignFact, toTurnMetadata } from '../facts.ts';
import { toSegment } from '../service-client.ts';
import { HONCHO, type HonchoNames, type HonchoSettings } from './settings.ts';

/** Below the workspace; every name in it is encoded. */
export const toPath = ({ workspace }: Pick<HonchoSettings, 'workspace'>, ...parts: readonly string[]): string =>
  `/v3/workspaces/${[workspace, ...parts].map(toSegment).join('/')}`;

export const toSessionBody = ({ peer, ai, session }: HonchoNames): JsonObject => ({
  id: session,
  peers: { [peer]: { observe_me: true, observe_others: false }, [ai]: { observe_me: false, observe_others: false } },
});

/** The service takes messages of up to 25,000 characters. */
const MAX_CONTENT = 24_000;
export function toMessagesBody(turn: SyncedTurn, { peer, ai }: HonchoNames): JsonObject {
  const metadata = toTurnMetadata(turn);
  const created = new Date(turn.at).toISOString();
  const messages = [
    { peer_id: peer, content: turn.userMessage },
    { peer_id: ai, content: turn.assistantResponse },
  ].flatMap(({ peer_id, content }) => splitText(content).map((part) => ({ peer_id, content: part, metadata, created_at: created })));
  return { messages };
}
const splitText = (text: string): string[] =>
  text.trim() === ''
    ? []
    : Array.from({ length: Math.ceil(text.length / MAX_CONTENT) }, (_, part) => text.slice(part * MAX_CONTENT, (part + 1) * MAX_CONTENT));

/** A picture of a peer is a card of lines, and a text with a line for each conclusion, some with their times in front. */
export function readPicture(answer: Json): RecalledFact[] {
  const card = readList(answer, 'peer_card').flatMap((line) =>
    typeof line === 'string' ? [toForeignFact(HONCHO.name, line, undefined)] : [],
  );
  const lines = (readStringAt(answer, 'representation') ?? '').split('\n').flatMap((line) => {
    const plain = line.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, '');
    if (plain === '' || plain.startsWith('#')) return [];
    const [, time, words = plain] = /^\[(\d{4}-\d{2}-\d{2}[T ][\d:.+Z]+)\]\s*(.*)$/.exec(plain) ?? [];
    return [toForeignFact(HONCHO.name, words, time === undefined ? undefined : toUtc(time))];
  });
  return [...card, ...lines];
}
/** A time without a zone is in UTC. */
const toUtc = (time: string): string => (/(?:Z|[+-]\d{2}:?\d{2})$/.test(time) ? time : `${time.replace(' ', 'T')}Z`);

export interface HonchoConclusion {
  readonly id: string;
  readonly content: string;
  readonly observer?: string;
  readonly observed?: string;
  readonly session?: string;
  readonly at?: string;
}
export function readConclusion(each: Json): HonchoConclusion | undefined {
  const [id, content] = [readStringAt(each, 'id'), readStringAt(each, 'content')];
  if (id === undefined || content === undefined) return undefined;
  const [observer, observed] = [readStringAt(each, 'observer_id'), readStringAt(each, 'observed_id')];
  const [session, at] = [readStringAt(each, 'session_id'), readStringAt(each, 'created_at')];
  return {
    id,
    content,
    ...(observer !== undefined && { observer }),
    ...(observed !== undefined && { observed }),
    ...(session !== undefined && { session }),
    ...(at !== undefined && { at }),
  };
}
/** Conclusions of a peer about itself: what makes up its picture. */
export const toOwnFilter = (peer: string, session?: string): JsonObject => ({
  observer_id: peer,
  observed_id: peer,
  ...(session !== undefined && { session_id: session }),
});
export const toConclusionBody = (content: string, peer: string, session: string | null): JsonObject => ({
  conclusions: [{ content, observer_id: peer, observed_id: peer, session_id: session }],
});

export const readMessages = (answer: Json) =>
  (Array.isArray(answer) ? answer : []).flatMap((each: Json) => {
    const content = readStringAt(each, 'content');
    return content === undefined ? [] : [{ content, at: readStringAt(each, 'created_at') ?? '' }];
  });
export const hasItems = (answer: Json): boolean => readPath(answer, 'items', 0) !== undefined;
