import type { SyncedTurn } from '../../../contracts/memory-provider.ts';
import { classifySentence, hasHardValue } from './classify.ts';
import { toDatedText } from './days.ts';
import type { NewFact } from './facts.ts';
import { toSentences } from './sentences.ts';

/** A message longer than this was pasted, mostly; its beginning and its end say what it is about. */
const MAX_SENTENCES = 40;
const MAX_ANSWER_SENTENCES = 12;
/** An answer to something told is short; a longer one is advice. */
const MAX_ECHO = 3;

/**
 * What a turn leaves behind, by rules: every sentence of the person, told apart by its form, and what the agent said about it
 * or found. The agent's words in a turn with foreign text in view may repeat what others planted: they go to quarantine.
 */
export function extractByRules({
  userMessage,
  assistantResponse,
  foreign,
  foreignWhenAsked = foreign,
  at,
}: SyncedTurn): readonly NewFact[] {
  const [asked, source] = [toSource(foreignWhenAsked), toSource(foreign)];
  const said = firstAndLast(toSentences(userMessage), MAX_SENTENCES).map((text): NewFact => ({
    speaker: 'person',
    kind: classifySentence(text),
    text: toDatedText(text, at),
    foreign_source: asked,
    quarantine: null,
  }));
  const isTelling = said.every(({ kind }) => kind !== 'asked');
  const sentences = toSentences(assistantResponse);
  const isEcho = isTelling && sentences.length <= MAX_ECHO;
  const answered = sentences
    .slice(0, MAX_ANSWER_SENTENCES)
    .map((text): NewFact => ({
      speaker: 'agent',
      kind: /[?？]$/u.test(text) ? 'asked' : 'statement',
      text: toDatedText(text, at),
      foreign_source: source,
      quarantine: source,
    }))
    .filter(({ kind, text }) => kind === 'asked' || isEcho || hasHardValue(text));
  return [...said, ...answered];
}

/** Sources as one label; none where there are none. */
export const toSource = (sources: readonly string[]): string | null => (sources.length === 0 ? null : sources.join(', '));

const firstAndLast = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.length <= most ? items : [...items.slice(0, most / 2), ...items.slice(-most / 2)];
