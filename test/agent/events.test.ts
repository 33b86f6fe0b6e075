import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = `${import.meta.dirname}/../../src`;
const sources = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    .join('\n');

test('every kind of event a face can meet is told by somebody', () => {
  const kinds = [...sources('contracts/event.ts').matchAll(/readonly type: '(\w+)'/g)].map(([, kind]) => kind);
  assert.ok(kinds.includes('settled'));
  const told = sources('{agent,parts/providers}/**/*.ts');
  assert.deepEqual(
    kinds.filter((kind) => !new RegExp(`\\{\\s*type: '${kind}'`).test(told)),
    [],
  );
});
