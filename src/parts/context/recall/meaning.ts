import type { Embed } from '../../../contracts/embed.ts';
import type { PassageIndex } from './passage-index.ts';
import type { Passage } from './passages.ts';

/** Passages by how near their meaning is to a query, and why that could not be told where it could not. */
export interface MeaningResult {
  /** Numbers of passages, nearest first. */
  readonly nearest: readonly number[];
  readonly why?: string;
}
export interface MeaningQuery {
  readonly sessionId: string;
  readonly query: string;
  readonly index: PassageIndex;
  textOf(passage: Passage): string;
  allowed(seq: number): boolean;
  readonly signal: AbortSignal;
}
export type FindByMeaning = (query: MeaningQuery) => Promise<MeaningResult>;

/** Passages that are looked at by meaning: what was said first, then the newest of the rest that is no bulk. */
const MAX_PASSAGES = 2_000;
const BATCH = 64;
/** Characters of a passage that are sent. */
const SENT = 1_200;
const NEAREST = 40;
/** Sessions whose vectors are kept. */
const MAX_SESSIONS = 4;

/** Looks passages up by their vectors. A passage is sent once; what could not be had is tried again with the next query. */
export function findByMeaning(embed: Embed): FindByMeaning {
  const kept = new Map<string, Map<string, Float32Array>>();
  return async ({ sessionId, query, index, textOf, allowed, signal }) => {
    const vectors = kept.get(sessionId) ?? new Map<string, Float32Array>();
    kept.delete(sessionId);
    kept.set(sessionId, vectors);
    const [oldest] = kept.keys();
    if (kept.size > MAX_SESSIONS && oldest !== undefined) kept.delete(oldest);
    const passages = chosen(index.passages, allowed);
    const missing = passages.filter(({ passage }) => !vectors.has(keyOf(passage)));
    const asked = await embed([query], signal);
    if (!asked.ok) return { nearest: [], why: asked.why };
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH);
      const given = await embed(
        batch.map(({ passage }) => textOf(passage).slice(0, SENT).toWellFormed() || ' '),
        signal,
      );
      if (!given.ok) return { nearest: [], why: given.why };
      for (const [place, { passage }] of batch.entries()) vectors.set(keyOf(passage), unit(given.vectors[place] ?? []));
    }
    return { nearest: nearestTo(unit(asked.vectors[0] ?? []), passages, vectors) };
  };
}

interface Numbered {
  readonly passage: Passage;
  readonly number: number;
}

function chosen(passages: readonly Passage[], allowed: (seq: number) => boolean): Numbered[] {
  const open = passages.map((passage, number) => ({ passage, number })).filter(({ passage }) => allowed(passage.seq));
  const said = open.filter(({ passage: { voice } }) => voice === 'user' || voice === 'assistant');
  const rest = open.filter(({ passage: { voice, bulk } }) => voice !== 'user' && voice !== 'assistant' && voice !== 'ours' && !bulk);
  return [...said.slice(-MAX_PASSAGES), ...rest.slice(-Math.max(1, MAX_PASSAGES - said.length))].slice(0, MAX_PASSAGES);
}

const keyOf = ({ seq, start }: Passage): string => `${seq}:${start}`;

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

function nearestTo(query: Float32Array, passages: readonly Numbered[], vectors: ReadonlyMap<string, Float32Array>): number[] {
  const likeness = (vector: Float32Array | undefined): number =>
    vector === undefined ? -1 : vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
  return passages
    .map(({ passage, number }) => ({ number, near: likeness(vectors.get(keyOf(passage))) }))
    .toSorted((a, b) => b.near - a.near)
    .slice(0, NEAREST)
    .map(({ number }) => number);
}
