import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stem } from '../../../../src/parts/context/recall/stems.ts';
import { splitRuns, extractTerms } from '../../../../src/parts/context/recall/terms.ts';

const ALIKE: readonly (readonly string[])[] = [
  ['decide', 'decided', 'decides', 'decision', 'decisions', 'deciding'],
  ['migrate', 'migrated', 'migration', 'migrations', 'migrating'],
  ['cache', 'caches', 'cached', 'caching'],
  ['retry', 'retries', 'retried'],
  ['run', 'running'],
  ['deploy', 'deployed', 'deployment', 'deployments', 'deploying'],
  ['einstellung', 'einstellungen', 'einstellen'],
  ['datei', 'dateien'],
  ['process', 'processes'],
  ['порт', 'порта', 'порту', 'портов'],
];
for (const words of ALIKE)
  test(`one stem: ${words.join(', ')}`, () => assert.deepEqual(new Set(words.map(stem)).size, 1, words.map(stem).join(' ')));

test('words that differ keep different stems', () => {
  const words = ['port', 'report', 'status', 'state', 'list', 'listen', 'token', 'test', 'text', 'class', 'process'];
  assert.equal(new Set(words.map(stem)).size, words.length, words.map(stem).join(' '));
});

test('identifiers are found whole and by their words', () => {
  const terms = (run: string) => [...extractTerms(run).whole, ...extractTerms(run).words];
  assert.deepEqual(terms('getUserById'), ['getuserbyid', 'get', 'user', 'by', 'id']);
  assert.deepEqual(terms('MAX_POOL_SIZE'), ['max_pool_size', 'max', 'pool', 'siz']);
  assert.deepEqual(terms('src/shop/cart.ts'), ['src/shop/cart.ts', 'cart.ts', 'src', 'shop', 'cart', 'ts']);
  assert.deepEqual(terms('HTTPServer'), ['httpserver', 'http', 'serv']);
  assert.deepEqual(terms('512MB'), ['512mb', '512', 'mb']);
  assert.deepEqual(terms('7f3c9be41d02'), ['7f3c9be', '7f3c9be41d02']);
  assert.deepEqual(terms('数据库8443'), ['数据', '据库', '8443']);
  assert.deepEqual(terms('x'.repeat(500)), []);
});

test('accents, full-width forms and sharp s are folded', () => {
  assert.deepEqual(splitRuns('Kündigung Straße ＡＢＣ été 데이터 が'), ['Kundigung', 'Strasse', 'ABC', 'ete', '데이터', 'が']);
});
