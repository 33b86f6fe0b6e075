import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { formatInstallCommand } from '../../src/base/install-line.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-install-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const make = (...paths: readonly string[]): void => {
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '{}');
  }
};

test('the line that installs a missing package fits the way hermes itself was installed', () => {
  make(
    'prefix/lib/node_modules/hermes-ts/package.json',
    'prefix/lib/node_modules/hermes-ts/dist/chunks/a.cjs',
    'my project/package.json',
    'my project/node_modules/hermes-ts/package.json',
    'checkout/package.json',
    'checkout/src/base/a.ts',
  );
  const line = (from: string) => formatInstallCommand('modal@0.11.1', join(folder, from));
  assert.deepEqual(['prefix/lib/node_modules/hermes-ts/dist/chunks', 'my project/node_modules/hermes-ts', 'checkout/src/base'].map(line), [
    `npm install --global --prefix ${folder}/prefix modal@0.11.1`,
    `npm install --prefix '${folder}/my project' modal@0.11.1`,
    `npm install --prefix ${folder}/checkout modal@0.11.1`,
  ]);
});
