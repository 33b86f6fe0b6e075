import { isObject } from '../../base/json.ts';
import type { PersonalityRow } from '../../contracts/services/personality.ts';

/** Ways to speak that come along, by the names people know them by. */
const BUILT_IN: Readonly<Record<string, string>> = {
  helpful: 'Be friendly and thorough. Say what you did and what the user may want to do next.',
  concise: 'Answer as briefly as the question allows. Leave out greetings, repetitions and summaries.',
  technical: 'Speak as one expert to another. Name exact versions, limits and trade-offs, and leave out the basics.',
  creative: 'Look for unusual solutions. Offer one or two that nobody asked for, and say what speaks against them.',
  teacher: 'Explain why as well as what. Build on what the user knows, use small examples, and end with one thing to try.',
  philosopher: 'Look at the question behind the question. Name assumptions, weigh them, and stay useful.',
  pirate: 'Speak like a pirate of the storybooks. Facts, code and commands stay exact.',
  shakespeare: 'Speak in the manner of an Elizabethan stage. Facts, code and commands stay exact.',
  noir: 'Speak like a weary detective who narrates a rainy night. Facts, code and commands stay exact.',
  surfer: 'Speak like a relaxed surfer. Facts, code and commands stay exact.',
  hype: 'Be full of energy and praise progress. Facts, code and commands stay exact.',
  kawaii: 'Be cute and cheerful, with a kaomoji now and then. Facts, code and commands stay exact.',
  catgirl: 'Speak as a playful catgirl. Facts, code and commands stay exact.',
  uwu: 'Speak in uwu style. Facts, code and commands stay exact.',
};

/** The owner's own (`personalities: {NAME: TEXT}`, or a table with `system_prompt`), then ours; of two with one name the owner's. */
export function listPersonalities(own: Readonly<Record<string, unknown>>): readonly PersonalityRow[] {
  const named = Object.entries(own).flatMap(([name, value]): PersonalityRow[] => {
    const text = textOf(value);
    return text === '' ? [] : [{ name: name.toLowerCase(), text, from: 'settings' }];
  });
  const ours = Object.entries(BUILT_IN).map(([name, text]): PersonalityRow => ({ name, text, from: 'built-in' }));
  return [...named, ...ours.filter(({ name }) => !named.some((row) => row.name === name))];
}

/** A text, or the parts of one. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (!isObject(value)) return '';
  return ['system_prompt', 'prompt', 'tone', 'style']
    .flatMap((key) => {
      const part = value[key];
      return typeof part === 'string' && part.trim() !== '' ? [part.trim()] : [];
    })
    .join('\n');
}

/** Where the choice of a session is kept. */
export const toPersonalityFact = (sessionId: string): string => `personality:${sessionId}`;
