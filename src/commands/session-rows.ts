import { createRewoundCheck, type Entry } from '../contracts/entry.ts';
import type { SearchHit, Session } from '../contracts/session-store.ts';
import { toSnakeCase } from '../base/snake-case.ts';

const iso = (at: number): string => new Date(at).toISOString();

/** A session as scripts read it: times as ISO text, a title or null. */
export const toSessionRow = ({ id, startedAt, updatedAt, endedAt, title, ...session }: Session): unknown =>
  toSnakeCase({
    id,
    title: title ?? null,
    startedAt: iso(startedAt),
    updatedAt: iso(updatedAt),
    ...session,
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
  });

/** An entry as it leaves the store. Call-time text belongs to the wire alone, details and times of calls to the faces: both stay behind. */
export function toEntryRow(entry: Entry, rewound = false): unknown {
  const mark = rewound && { rewound };
  if (entry.type !== 'message') return toSnakeCase({ ...entry, ...mark });
  const { wireOnly: _, wireBefore: __, details: ___, ms: ____, ...rest } = entry;
  return toSnakeCase({ ...rest, ...mark });
}

/** A whole log; what was taken back says so. */
export function toEntryRows(entries: readonly Entry[]): unknown[] {
  const isRewound = createRewoundCheck(entries);
  return entries.map((entry) => toEntryRow(entry, isRewound(entry.seq)));
}

/** What the store puts around what was found. */
const [OPEN, CLOSE] = ['\u0002', '\u0003'] as const;

/** A hit as scripts read it: the snippet as it would be read aloud, and the texts in it that were found. */
export const toHitRow = ({ at, title, snippet, ...hit }: SearchHit): unknown =>
  toSnakeCase({
    ...hit,
    snippet: snippet.replaceAll(OPEN, '').replaceAll(CLOSE, ''),
    matches: snippet
      .split(OPEN)
      .slice(1)
      .map((part) => part.split(CLOSE)[0]),
    title: title ?? null,
    at: iso(at),
  });
