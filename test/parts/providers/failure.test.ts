import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { classify, type Evidence } from '../../../src/parts/providers/failure.ts';

interface Case extends Evidence {
  readonly id: string;
  readonly expect: { readonly type: string } & Readonly<Record<string, unknown>>;
}
const ROOT = join(import.meta.dirname, '../../fixtures/failures');
const NOW = Date.parse('2026-10-14T09:00:00Z');

const casesIn = (folder: string): Case[] =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8')) as Case[]);

/** What differs from the expectation, or '' when nothing does. */
function miss({ expect, ...evidence }: Case): string {
  const failure: Readonly<Record<string, unknown>> = { ...classify({ ...evidence, now: NOW }) };
  const wrong = Object.entries(expect).filter(([key, value]) => (value === 'date' ? typeof failure[key] !== 'number' : failure[key] !== value));
  return wrong.map(([key, value]) => `${key}: expected ${String(value)}, got ${String(failure[key])}`).join('; ');
}

function score(folder: string): { readonly share: number; readonly misses: readonly string[]; readonly total: number } {
  const cases = casesIn(folder);
  const misses = cases.flatMap((one) => (miss(one) === '' ? [] : [`${one.id}: ${miss(one)}`]));
  return { share: 1 - misses.length / cases.length, misses, total: cases.length };
}

test('the tune half of the corpus is named rightly', (t) => {
  const { share, misses, total } = score('tune');
  t.diagnostic(`tune: ${(share * 100).toFixed(1)} % of ${total}`);
  for (const line of misses) t.diagnostic(line);
  assert.ok(share >= 0.98);
});

test('so is the half that nobody looked at', (t) => {
  const { share, misses, total } = score('held-out');
  t.diagnostic(`held-out: ${(share * 100).toFixed(1)} % of ${total}, ${misses.length} missed`);
  assert.ok(share >= 0.85);
});
