import type { MemoryProvider, MemoryProviderOptions, RecalledFact } from '../../contracts/memory-provider.ts';
import { isMessageEntry } from '../../contracts/entry.ts';
import type { SearchHit, SessionStore } from '../../contracts/session-store.ts';

export type SearchableLog = Pick<SessionStore, 'search' | 'entries'>;

/** Words of a message that are looked for; common ones find everything and say nothing. */
const MAX_WORDS = 6;
const COMMON = new Set(
  'about after again also another because been before being could does doing done from have here into just like make more most much need only other over please same should show some such tell than that their them then there these they this those through under very want were what when where which while will with would your'.split(
    ' ',
  ),
);
/** Sessions told about, and how many matches are looked through for them. */
const MAX_SESSIONS = 3;
const MAX_HITS = 20;

/**
 * The plainest external memory: passages of earlier sessions that share words with the message, found in the log on this
 * machine. No model is asked and nothing leaves the machine.
 */
export const sessionLogMemory = ({ log }: Pick<MemoryProviderOptions, 'log'>): MemoryProvider => ({
  name: 'session_log',
  available: () => true,
  systemBlock: () => 'Passages of earlier sessions that share words with a message may be shown beside it. They may be out of date.',
  recall: async (query, { sessionId }) => {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const hits = await log.search({ text: words.join(' OR '), limit: MAX_HITS });
    return Promise.all(bestPerSession(hits, sessionId, words).map((hit) => readFact(hit, log)));
  },
});

/** The longest are the rarest. */
const wordsOf = (query: string): string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_-]{4,}/gu) ?? [])]
    .filter((word) => !COMMON.has(word))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_WORDS);

function bestPerSession(hits: readonly SearchHit[], current: string, words: readonly string[]): SearchHit[] {
  const score = ({ snippet }: SearchHit): number => words.filter((word) => snippet.toLowerCase().includes(word)).length;
  const best = new Map<string, SearchHit>();
  for (const hit of hits) {
    if (hit.sessionId === current || hit.rewound === true || (hit.role !== 'user' && hit.role !== 'assistant')) continue;
    const before = best.get(hit.sessionId);
    if (before === undefined || score(hit) > score(before)) best.set(hit.sessionId, hit);
  }
  return [...best.values()].toSorted((a, b) => score(b) - score(a)).slice(0, MAX_SESSIONS);
}

async function readFact(hit: SearchHit, log: SearchableLog): Promise<RecalledFact> {
  const sources = new Set(await foreignIn(hit, log));
  return { text: line(hit), at: hit.at, ...(sources.size > 0 && { foreign: [...sources].join(', ') }) };
}

/** What the store puts around what it found. */
const HIT_MARKS = ['\u0002', '\u0003'] as const;
const withoutMarks = (snippet: string): string => HIT_MARKS.reduce((text, mark) => text.replaceAll(mark, ''), snippet);

const line = ({ sessionId, at, role, snippet }: SearchHit): string =>
  `${new Date(at).toISOString().slice(0, 10)}, session ${sessionId}, ${role}: ${withoutMarks(snippet).replaceAll(/\s+/g, ' ').trim()}`;

/** Words that were foreign there are foreign here. */
async function foreignIn({ sessionId, seq }: SearchHit, log: SearchableLog): Promise<string[]> {
  const entry = (await log.entries(sessionId, seq - 1))[0];
  if (entry === undefined || !isMessageEntry(entry)) return [];
  return entry.message.content.flatMap((block) =>
    block.trust === 'foreign' ? [block.type === 'text' ? (block.source ?? `session ${sessionId}`) : `session ${sessionId}`] : [],
  );
}
