import type { Secrets } from '../../../../src/contracts/secrets.ts';
import { createSecrets } from '../../../../src/parts/safety/secrets/secrets.ts';
import type { SeededRandom } from '../../../../src/testing/seeded-random.ts';

/** Secrets by name, behind one salt. */
export const secretsWith = (known: Readonly<Record<string, string>>, salt = 'of this test'): Secrets =>
  createSecrets({ known: () => Object.entries(known).map(([name, value]) => ({ name, value })), salt: () => salt });

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const MARKS = `${LETTERS}+/=-_.!$%&'"\\<>{}[]()*~ äß漢字🙂\n\t`;

const drawn = (chance: SeededRandom, characters: string, least: number, most: number): string => {
  // Code points, so that no character is cut in two.
  const all = Array.from(characters);
  return Array.from({ length: chance.int(least, most) }, () => all[chance.int(0, all.length - 1)] ?? 'a').join('');
};
/** Keys as makers draw them. */
export const key = (chance: SeededRandom, least = 12, most = 48): string => drawn(chance, LETTERS, least, most);
/** Passwords as people and generators draw them: any character at all. */
export const anyText = (chance: SeededRandom, least = 8, most = 40): string => drawn(chance, MARKS, least, most).padEnd(8, 'x');

/** Values as they stand in texts: plain, encoded, cut in two, side by side, with anything between them. */
export function textWith(chance: SeededRandom, values: readonly string[]): string {
  const pieces = chance.list(0, 12, () => {
    const value = values[chance.int(0, Math.max(0, values.length - 1))] ?? '';
    return PIECES[chance.int(0, PIECES.length - 1)]?.(value, chance) ?? '';
  });
  return pieces.join('');
}

const PIECES: readonly ((value: string, chance: SeededRandom) => string)[] = [
  (value) => value,
  (value) => JSON.stringify({ value }),
  (value) => JSON.stringify(JSON.stringify(value)),
  (value) => encodeURIComponent(value.toWellFormed()),
  (value, chance) => Buffer.from(`${anyText(chance, 0, 3)}${value}${anyText(chance, 0, 3)}`).toString('base64'),
  (value) => Buffer.from(value).toString('base64url'),
  (value) => Buffer.from(value).toString('hex'),
  (value, chance) => value.slice(0, chance.int(0, value.length)),
  (value, chance) => value.slice(chance.int(0, value.length)),
  (_value, chance) => anyText(chance, 0, 30),
  (value) => `password=${value}\n`,
  (value) => `postgres://user:${value}@host/db\n`,
  (_value, chance) => `export API_TOKEN=${key(chance)}\n`,
  (_value, chance) => `ghp_${key(chance, 30, 30)} `,
  () => '«secret:NAME:0123456789»',
  () => '«secret:',
  () => '«',
];
