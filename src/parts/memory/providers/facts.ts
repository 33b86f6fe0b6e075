import { readPath, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import type { RecalledFact, SyncedTurn } from '../../../contracts/memory-provider.ts';

/** Where words come from that a service gives: nobody but the service vouches for them. */
export const toSource = (name: string, more?: string): string =>
  `memory provider ${name}${more === undefined || more === '' ? '' : `, ${more}`}`;

/** A fact of a service. What it was told along with foreign sources keeps them, as far as the service gives them back. */
export function toForeignFact(name: string, text: string, at: string | undefined, metadata?: Json): RecalledFact {
  const time = Date.parse(at ?? '');
  return {
    text: text.trim(),
    ...(Number.isFinite(time) && { at: time }),
    foreign: toSource(name, readStringAt(metadata, 'hermes_foreign')),
  };
}

/** As many of the best facts as fit, empty ones left out: a service that floods costs its own facts. */
export function fitFacts(facts: readonly RecalledFact[], maxChars: number): RecalledFact[] {
  let left = maxChars;
  const fitting: RecalledFact[] = [];
  for (const fact of facts) {
    if (fact.text === '') continue;
    left -= fact.text.length;
    if (left < 0) break;
    fitting.push(fact);
  }
  return fitting;
}

/** What is kept beside a turn, so that it is known again and its sources are not forgotten. */
export const toTurnMetadata = ({ key, platform, sessionId, foreign }: SyncedTurn) => ({
  hermes_key: key,
  hermes_session: sessionId,
  platform,
  ...(foreign.length > 0 && { hermes_foreign: foreign.join(', ').slice(0, 300) }),
});

/** A list at a path of an answer; nothing where there is none. */
export function readList(answer: Json, ...path: readonly string[]): readonly Json[] {
  const found = readPath(answer, ...path);
  return Array.isArray(found) ? found : [];
}
