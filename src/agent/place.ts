import { dropRewound, isMessageEntry, type Entry } from '../contracts/entry.ts';
import { createTextBlock, type TextBlock } from '../contracts/message.ts';
import type { RenderedSlot, SessionPlace } from '../contracts/prompt.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Session } from '../contracts/session-store.ts';
import type { AgentDeps } from './deps.ts';
import { createPromptContext } from './epoch.ts';
import { findCurrentEpoch } from './request.ts';
import { MOVED } from './words.ts';

/** What a message brings along when its session goes on in another place than the model was told. */
export interface PlaceChange {
  readonly place: SessionPlace;
  readonly beside: readonly TextBlock[];
  readonly notices: readonly string[];
}

/** The stored prompt stays as it is: a session that goes on in another folder or back end is told so beside its next message. */
export async function describeMove(
  session: Session,
  entries: readonly Entry[],
  deps: AgentDeps,
  runtime: Runtime,
): Promise<PlaceChange | undefined> {
  const { place, prompt } = deps;
  const told = findToldPlace(entries);
  if (
    place === undefined ||
    prompt.renderPlace === undefined ||
    !hasMoved(told.place, place, deps.cwd !== undefined && deps.cwd !== session.cwd)
  )
    return undefined;
  const { text, notices } = await prompt.renderPlace(createPromptContext(session, entries, deps, runtime), told.slots);
  return { place, notices, beside: text === '' ? [] : [{ ...createTextBlock(`${MOVED}\n\n${text}`, 'tool'), source: 'place' }] };
}

/** A prompt of an earlier version tells the folder the session began in; of its back end nothing is known. */
const hasMoved = (told: SessionPlace | undefined, now: SessionPlace, leftFirstFolder: boolean): boolean =>
  told === undefined
    ? leftFirstFolder
    : told.backend !== now.backend || told.cwd !== now.cwd || told.project !== now.project || told.network !== now.network;

interface ToldPlace {
  readonly place?: SessionPlace;
  /** Of the prompt, while nothing else was told since. */
  readonly slots?: readonly RenderedSlot[];
}
/** What a summary stands for is no longer told. */
function findToldPlace(log: readonly Entry[]): ToldPlace {
  const entries = dropRewound(log);
  const since = entries.findLastIndex(({ type }) => type === 'epoch');
  const spans = entries.filter((entry) => entry.type === 'compaction');
  const moves = entries.slice(since + 1).flatMap((entry) => (isMessageEntry(entry) && entry.place !== undefined ? [entry] : []));
  const seen = moves.findLast(({ seq }) => !spans.some(({ fromSeq, toSeq }) => seq >= fromSeq && seq <= toSeq));
  const epoch = findCurrentEpoch(log);
  const place = seen?.place ?? epoch?.place;
  return { ...(place !== undefined && { place }), ...(moves.length === 0 && epoch !== undefined && { slots: epoch.slots }) };
}
