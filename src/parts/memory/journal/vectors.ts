import { breathe } from '../../../base/breathe.ts';
import type { Embed } from '../../../contracts/embed.ts';
import type { JournalDatabase } from './database.ts';
import { isRecallable, type FactTable } from './facts.ts';
import { mayRead, type JournalReader, type TurnLikeness } from './recall.ts';

/** The newest facts are compared, so many at a time; then whatever else waits goes first. */
const MAX_COMPARED = 20_000;
const AT_A_TIME = 2_000;

/** Keeps the meaning of a turn's facts. What fails is left to the words. */
export async function keepVectors(turn: number, embed: Embed, db: JournalDatabase, table: FactTable, signal: AbortSignal): Promise<void> {
  const facts = table.factsOf(turn).filter((fact) => isRecallable(fact) && fact.kind !== 'asked');
  if (facts.length === 0) return;
  const answer = await embed(
    facts.map(({ text }) => text),
    signal,
  );
  if (!answer.ok) return;
  db.write(() => {
    for (const [index, { id }] of facts.entries()) {
      const vector = answer.vectors[index];
      if (vector !== undefined) db.run('INSERT OR REPLACE INTO vectors (fact, vector) VALUES (?, ?)', id, toBytes(vector));
    }
  });
}

/**
 * How far each turn that the reader may see stands out by its meaning: how many standard deviations its closest fact is above
 * the likeness that facts of this journal have with the question anyway. A plain likeness says little: models differ in what is
 * high, and to one that does not know a language all its sentences look alike. Nothing when the model gave no vector, or when
 * there are too few facts for anything to stand out.
 */
export async function measureLikeness(
  query: string,
  reader: JournalReader,
  embed: Embed,
  db: JournalDatabase,
  table: FactTable,
  signal: AbortSignal,
): Promise<TurnLikeness | undefined> {
  const answer = await embed([query], signal);
  const asked = answer.ok ? toUnit(answer.vectors[0] ?? []) : undefined;
  if (asked === undefined || asked.length === 0) return undefined;
  const best = new Map<number, number>();
  const hidden = new Set<number>();
  let [count, sum, squares] = [0, 0, 0];
  for (let after = Number.MAX_SAFE_INTEGER, seen = 0; seen < MAX_COMPARED; seen += AT_A_TIME) {
    const rows = db.all<{ fact: number; turn: number; vector: Uint8Array }>(
      'SELECT fact, turn, vector FROM vectors JOIN facts ON facts.id = fact WHERE fact < ? AND valid_to IS NULL AND quarantine IS NULL ORDER BY fact DESC LIMIT ?',
      after,
      AT_A_TIME,
    );
    for (const { fact, turn, vector } of rows) {
      after = fact;
      if (hidden.has(turn) || (!best.has(turn) && !isReadable(turn, reader, table))) {
        hidden.add(turn);
        continue;
      }
      const alike = likeness(asked, vector);
      [count, sum, squares] = [count + 1, sum + alike, squares + alike * alike];
      best.set(turn, Math.max(alike, best.get(turn) ?? -1));
    }
    if (rows.length < AT_A_TIME) break;
    await breathe();
    signal.throwIfAborted();
  }
  if (count < MIN_COMPARED) return undefined;
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(MIN_VARIANCE, squares / count - mean * mean));
  return new Map([...best].map(([turn, alike]) => [turn, (alike - mean) / deviation]));
}
const MIN_COMPARED = 30;
const MIN_VARIANCE = 1e-9;

function isReadable(id: number, reader: JournalReader, table: FactTable): boolean {
  const turn = table.turn(id);
  return turn !== undefined && mayRead(reader, turn);
}

const toUnit = (vector: readonly number[]): Float32Array => {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
};
const toBytes = (vector: readonly number[]): Uint8Array => new Uint8Array(toUnit(vector).buffer);
function likeness(asked: Float32Array, bytes: Uint8Array): number {
  const told = new Float32Array(bytes.slice().buffer);
  if (told.length !== asked.length) return 0;
  return asked.reduce((sum, value, index) => sum + value * (told[index] ?? 0), 0);
}
