import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isUsageError, UsageError } from '../../src/base/errors.ts';
import { isStoreError, StoreError } from '../../src/contracts/session-store.ts';
import { isToolFailure, isToolRefusal, ToolFailure, ToolRefusal } from '../../src/contracts/tool.ts';
import { race, start } from '../../src/parts/tools/race.ts';

/** The same classes once more, as another bundle has them: what is thrown there is no instance of ours. */
const copyOf = async (path: string): Promise<Readonly<Record<string, unknown>>> => import(`${path}?another-bundle`);
const other = {
  ...(await copyOf('../../src/base/errors.ts')),
  ...(await copyOf('../../src/contracts/session-store.ts')),
  ...(await copyOf('../../src/contracts/tool.ts')),
};
function fromOtherBundle(name: string, ...given: readonly unknown[]): unknown {
  const made = other[name];
  assert.ok(typeof made === 'function');
  return Reflect.construct(made, given);
}

test('an error of another bundle is known for what it is', () => {
  const failure = fromOtherBundle('ToolFailure', 'no such page');
  const refusal = fromOtherBundle('ToolRefusal', 'not allowed');
  const busy = fromOtherBundle('StoreError', 'busy', 'held by another process');
  const usage = fromOtherBundle('UsageError', 'no such flag');
  assert.ok(![failure, refusal].some((error) => error instanceof ToolFailure || error instanceof ToolRefusal));
  assert.ok(!(busy instanceof StoreError || usage instanceof UsageError));
  const guards = [isToolFailure, isToolRefusal, isStoreError, isUsageError];
  assert.deepEqual(
    [failure, refusal, busy, usage].map((error) => guards.map((guard) => guard(error))),
    [
      [true, false, false, false],
      [true, true, false, false],
      [false, false, true, false],
      [false, false, false, true],
    ],
  );
  assert.ok(isStoreError(busy, 'full', 'busy'));
  assert.ok(!isStoreError(busy, 'full'));
});

test('words that other errors use too make no trouble of the store', () => {
  for (const code of ['busy', 'missing', 'io']) assert.ok(!isStoreError(Object.assign(new Error('x'), { code })));
  assert.ok(!isStoreError(Object.assign(new Error('x'), { name: 'StoreError', code: 'EACCES' })));
  for (const guard of [isToolFailure, isToolRefusal, isStoreError, isUsageError])
    for (const value of [undefined, null, 'tool_failure', { code: 'tool_failure', name: 'StoreError' }, new Error('tool_failure')])
      assert.ok(!guard(value));
});

test("a tool of another bundle speaks to the model with its own failure's words, and its refusal is one", async () => {
  const thrown = (error: unknown) =>
    race(
      start(() => Promise.reject(error)),
      0,
      new AbortController().signal,
      new AbortController(),
    );
  const content = (text: string) => [{ type: 'text', trust: 'tool', text }];
  assert.deepEqual(await thrown(fromOtherBundle('ToolFailure', 'no such page')), { content: content('no such page'), failed: true });
  assert.deepEqual(await thrown(fromOtherBundle('ToolRefusal', 'not allowed')), {
    content: content('not allowed'),
    failed: true,
    refused: true,
  });
});

test('no source tells these errors by their class', () => {
  const byClass = /instanceof\s+(?:ToolFailure|ToolRefusal|StoreError|UsageError)\b/;
  assert.deepEqual(
    globSync('src/**/*.ts').filter((file) => byClass.test(readFileSync(file, 'utf8'))),
    [],
  );
});
