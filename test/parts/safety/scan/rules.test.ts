import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AFTER, BEFORE, wordRows } from '../../../../src/parts/safety/scan/rules/words.ts';
import { scanText } from '../../../../src/parts/safety/scan/scan.ts';

test('every excuse that a row names is there', () => {
  for (const { threat, pattern, excuses } of wordRows())
    for (const name of excuses) assert.ok(name in BEFORE || name in AFTER, `${threat} ${pattern.source.slice(0, 60)}: ${name}`);
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
