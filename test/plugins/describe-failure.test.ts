import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { describeFailure, describeLoadFailure } from '../../src/plugins/isolated/describe-failure.ts';

const denied = (facts: object, words = 'Use --allow-x'): Error => Object.assign(new Error(words), { code: 'ERR_ACCESS_DENIED' }, facts);

const FAILURES: readonly (readonly [error: unknown, words: RegExp])[] = [
  [denied({ permission: 'ChildProcess', resource: 'ls' }), /^it may not start ls: .*capabilities: \{ exec: true \}$/],
  [denied({ permission: 'FileSystemRead', resource: '/etc/passwd' }), /^it may not read \/etc\/passwd: /],
  [denied({ permission: 'FileSystemWrite', resource: '/etc/x' }), /^it may not write \/etc\/x: .*host\.dataFolder/],
  [
    new TypeError('fetch failed', { cause: denied({}, 'getaddrinfo ERR_ACCESS_DENIED api.example.com') }),
    /^it may not reach api\.example\.com: .*network: \[api\.example\.com\]/,
  ],
  [denied({ permission: 'WorkerThreads' }), /^Use --allow-x$/],
  [new TypeError('fetch failed', { cause: new Error('no route') }), /^fetch failed$/],
  ['words', /^words$/],
];
for (const [error, words] of FAILURES)
  test(`a failure in words: ${String(words)}`, () => {
    assert.match(describeFailure(error), words);
  });

test('what cannot be loaded is told with its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-load-'));
  const load = async (file: string, text: string): Promise<string> => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return import(pathToFileURL(path).href).then(
      () => 'loaded',
      (error: unknown) => describeLoadFailure(error, path),
    );
  };
  try {
    assert.match(await load('one.mjs', 'no script'), /^one\.mjs or a file it imports cannot be read: Unexpected identifier/);
    assert.match(await load('two.mts', 'const a = 1;\nenum B { c }\n'), /enum is not supported.*\(two\.mts:2\)$/);
    assert.match(await load('three.mjs', "throw new Error('early')"), /^early$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
