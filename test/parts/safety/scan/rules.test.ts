import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHUNK_CONCEPTS } from '../../../../src/parts/safety/scan/match/chunks.ts';
import { ALL_TERMS } from '../../../../src/parts/safety/scan/match/vocabulary.ts';
import { RULES } from '../../../../src/parts/safety/scan/rules/all.ts';
import { scanText } from '../../../../src/parts/safety/scan/scan.ts';

const known = new Set([...ALL_TERMS.flatMap((terms) => Object.keys(terms)), ...CHUNK_CONCEPTS]);
const bare = (concept: string) => concept.replace(/^!/, '');
const used = new Set(RULES.flatMap(({ need, unless = [] }) => [...need.flat(), ...unless]).map(bare));

test('every concept of a rule has terms, and every concept with terms is used', () => {
  assert.deepEqual(
    [...used].filter((concept) => !known.has(concept)),
    [],
  );
  const elsewhere = new Set(['no', 'fail', 'security']);
  assert.deepEqual(
    [...known].map(bare).filter((concept) => !used.has(concept) && !elsewhere.has(concept)),
    [],
  );
});

test('stems are long enough to be arranged, and no term stands twice in a concept', () => {
  const bad = ALL_TERMS.flatMap((terms) =>
    Object.entries(terms).flatMap(([concept, list]) => {
      const all = list.split(',').map((term) => term.trim());
      const short = all.filter((term) => /^[^ ]{0,2}\*/.test(term));
      return [...short, ...all.filter((term, at) => all.indexOf(term) !== at)].map((term) => `${concept}: ${term}`);
    }),
  );
  assert.deepEqual(bad, []);
});

test('our own documents and skills are clean', () => {
  const root = new URL('../../../..', import.meta.url);
  const files = ['docs', 'skills'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const texts = ['README.md', 'AGENTS.md', 'CONTEXT.md', ...files].filter((name) => name.endsWith('.md'));
  const found = texts.flatMap((name) =>
    scanText(readFileSync(new URL(name, root), 'utf8'), 'context').map(({ threat, line }) => `${name}:${line} ${threat}`),
  );
  assert.ok(texts.length > 20);
  assert.deepEqual(found, []);
});
