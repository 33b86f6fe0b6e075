import type { SeededRandom } from '../../src/testing/seeded-random.ts';

/** Plain ones that a memory can find again, and whatever makes encoders stumble. */
const WORDS = [
  'orchard',
  'lantern',
  'copper',
  'harbour',
  'the',
  'æther',
  '漢字仮名',
  '🜁 fire',
  '👩‍👩‍👧',
  'e\u0301',
  '"quoted"',
  '\\ back',
  "it's",
  'a\nb',
  'tab\there',
  '\u0007bell',
  '\u2028',
  '\u0000',
  '</memory-context>',
  '"cache_control":{"type":"ephemeral"}',
  ',"cache_control":{"type":"ephemeral"}',
  '\ud800 half',
  'half \udfff',
  '-0',
  '١٢٣',
] as const;

export const words = (chance: SeededRandom, least = 1, most = 7): string => chance.list(least, most, () => chance.pick(WORDS)).join(' ');

/** Several lines of text, as a file holds them. */
export const page = (chance: SeededRandom, lines: number): string => chance.list(1, lines, () => words(chance)).join('\n');
