import type { SeededRandom } from '../../../../src/testing/seeded-random.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');

interface FieldKind {
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}
const FIELDS: readonly FieldKind[] = [
  { first: 0, last: 59 },
  { first: 0, last: 23 },
  { first: 1, last: 31 },
  { first: 1, last: 12, names: MONTHS },
  { first: 0, last: 6, names: DAYS },
];
const SECOND: FieldKind = { first: 0, last: 59 };

/** Expressions people write, which a drawn one seldom is. */
const USUAL = [
  '* * * * *',
  '*/5 * * * *',
  '*/15 * * * *',
  '0 * * * *',
  '30 * * * *',
  '0 */2 * * *',
  '0 9 * * *',
  '0 9 * * 1-5',
  '30 2 * * *',
  '15 2,3 * * *',
  '0 0 * * *',
  '0 0 1 * *',
  '0 0 1 1 *',
  '0 0 * * 0',
  '0 0 * * 7',
  '0 0 29 2 *',
  '59 23 31 12 *',
  '0 0 1,15 * mon',
  '0 22-2 * * *',
  '0 12 * * fri-mon',
  '5/15 * * * *',
  '*/10 1-3 * * *',
  '0 2 * * sun',
  '0 3 * * *',
  '0 1 * * *',
  '30 1 * * *',
  '0 9 * * * 30',
  '*/20 * * * * 15',
  '0 3-3 * * *',
  '59/18 * * * *',
  '0 17-4/8 * * *',
  '0 9 * * 7/2',
];

/** Five fields or six, drawn so that most of them come within a few days. */
export function drawExpressions(chance: SeededRandom, count: number): readonly string[] {
  const found = new Set(USUAL);
  while (found.size < count) {
    const [minute, hour, day, month, weekday] = FIELDS.map((kind, place) =>
      drawField(chance, kind, [0.2, 0.25, 0.7, 0.85, 0.6][place] ?? 0.5),
    );
    const second = chance.hits(0.1) ? ` ${drawField(chance, SECOND, 0)}` : '';
    found.add(`${minute} ${hour} ${day} ${month} ${weekday}${second}`);
  }
  return [...found].slice(0, count);
}

function drawField(chance: SeededRandom, kind: FieldKind, star: number): string {
  if (chance.hits(star)) return '*';
  return chance.list(1, chance.hits(0.3) ? 3 : 1, () => drawItem(chance, kind)).join(',');
}

function drawItem(chance: SeededRandom, { first, last, names }: FieldKind): string {
  const word = (number: number) => (names !== undefined && chance.hits(0.4) ? (names[number - first] ?? String(number)) : String(number));
  const step = () => chance.int(2, Math.max(2, Math.floor((last - first) / 2)));
  const [low, high] = [chance.int(first, last - 1), last];
  const range = `${word(low)}-${word(chance.int(low + 1, high))}`;
  const forms = {
    value: () => word(chance.int(first, last)),
    range: () => range,
    wrapped: () => `${word(chance.int(low + 1, high))}-${word(low)}`,
    steps: () => `*/${step()}`,
    rangeSteps: () => `${range}/${step()}`,
    fromSteps: () => `${low}/${step()}`,
  };
  return forms[chance.weighed({ value: 5, range: 3, wrapped: 0.5, steps: 2, rangeSteps: 1, fromSteps: 1 })]();
}
