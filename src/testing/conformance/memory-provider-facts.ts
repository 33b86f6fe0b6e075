import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { isAbsolute, normalize } from 'node:path';
import { test } from 'node:test';
import { isSecretName, isVariable } from '../../base/secret-names.ts';
import type { MemoryConfigField } from '../../contracts/memory-provider.ts';
import { NEVER, OWNER, sceneOf, type StageMemoryProvider } from './memory-provider-samples.ts';

const MAX_BLOCK = 4_000;
const FIELD_KEYS: ReadonlySet<string> = new Set<keyof MemoryConfigField>([
  'key',
  'description',
  'secret',
  'required',
  'env_var',
  'url',
  'default',
  'choices',
]);

/** What a provider says of itself before any session begins. */
export function testMemoryProviderFacts(stage: StageMemoryProvider): void {
  test('it has a name, and says at once whether it can be used, and if not why', async () => {
    await using staged = await stage();
    const { provider } = staged;
    match(provider.name, /^[a-z][a-z0-9_-]*$/);
    equal(typeof provider.available(), 'boolean');
    if (!provider.available()) match(provider.unavailableReason?.() ?? '', /\S/);
  });

  test('its tools have names and schemas a model can be shown, and stay the same', async () => {
    await using staged = await stage();
    const { provider } = staged;
    const tools = provider.tools?.() ?? [];
    for (const { name, description, input } of tools) {
      match(name, /^[a-zA-Z0-9_-]{1,64}$/);
      match(description, /\S/);
      equal(input['type'], 'object');
    }
    equal(new Set(tools.map(({ name }) => name)).size, tools.length);
    await provider.initialize?.(sceneOf(OWNER, staged.home));
    deepEqual(provider.tools?.() ?? [], tools);
    if (tools.length > 0) ok(provider.call, 'a provider with tools answers their calls');
  });

  test('a call of a tool it does not have is refused', async (context) => {
    await using staged = await stage();
    const { provider } = staged;
    const call = provider.call?.bind(provider);
    if (call === undefined) return context.skip('it has no tools');
    await provider.initialize?.(sceneOf(OWNER, staged.home));
    await rejects(async () => call('no_such_tool', {}, { ...OWNER, signal: NEVER }));
  });

  test('its words for the system prompt are short and always the same', async () => {
    await using staged = await stage();
    const { provider } = staged;
    const block = provider.systemBlock?.(OWNER);
    ok((block ?? '').length <= MAX_BLOCK, `at most ${MAX_BLOCK} characters are shown`);
    await provider.initialize?.(sceneOf(OWNER, staged.home));
    equal(provider.systemBlock?.(OWNER), block);
    equal((await staged.reopen()).systemBlock?.(OWNER), block);
  });

  test('what setup asks is described by the eight keys, and a secret names a variable for secrets', async () => {
    await using staged = await stage();
    const fields = staged.provider.configFields?.() ?? [];
    for (const field of fields) {
      deepEqual(
        Object.keys(field).filter((key) => !FIELD_KEYS.has(key)),
        [],
      );
      match(field.description, /\S/);
      // `hermes memory setup` keeps nothing else.
      if (field.secret === true)
        ok(isVariable(field.env_var ?? '') && isSecretName(field.env_var ?? ''), `${field.env_var} is not the name of a secret`);
      if (field.secret === true) equal(field.default, undefined);
      if (field.choices !== undefined && field.default !== undefined) ok(field.choices.includes(field.default));
    }
    equal(new Set(fields.map(({ key }) => key)).size, fields.length);
  });

  test('what a backup must hold lies below the folder of the profile', async () => {
    await using staged = await stage();
    for (const path of staged.provider.backupPaths?.() ?? []) {
      const below = normalize(path);
      ok(!isAbsolute(below) && !below.startsWith('..'), `${path} is relative to the folder of the profile`);
    }
  });
}
