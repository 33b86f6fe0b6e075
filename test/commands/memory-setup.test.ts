import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memorySetup } from '../../src/commands/memory-provider.ts';
import type { CommandContext } from '../../src/contracts/command.ts';
import type { AskedField } from '../../src/contracts/services/memory-provider.ts';

const TONE: AskedField = { key: 'tone', description: 'How it is worded', required: true, isSet: false };
const SECRET: AskedField = { key: 'sign', description: 'A signature', secret: true, env_var: 'BOOK_SIGNATURE', isSet: false };

/** What is asked and saved when a provider asks for these. */
async function setUp(fields: readonly AskedField[], answer = 'plain') {
  const [asked, saved]: [string[], object[]] = [[], []];
  const memoryProvider = {
    fields: async () => fields,
    setUp: async (provider: string, values: object) => (saved.push(values), { provider, variables: [], ok: true }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two members it uses
  const context = { ask: async (question: string) => (asked.push(question), answer) } as unknown as CommandContext;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two members it uses
  await memorySetup.run?.({ provider: 'book' }, { memoryProvider } as never, context).catch((error: unknown) => asked.push(String(error)));
  return { asked, saved };
}

test('a secret that could not be kept is refused before anything is saved; one that is set already is not asked for', async () => {
  const { asked, saved } = await setUp([SECRET, TONE]);
  assert.match(asked.join('\n'), /^Error: book keeps the secret sign in BOOK_SIGNATURE.*Nothing was saved\..*BOOK_SIGNATURE=VALUE/);
  assert.deepEqual(saved, []);
  assert.deepEqual((await setUp([{ ...SECRET, isSet: true }, TONE])).saved, [{ tone: 'plain' }]);
});

test('all fields are looked at before the first is asked', async () => {
  const { asked } = await setUp([TONE, SECRET]);
  assert.match(asked[0] ?? '', /Nothing was saved/, asked.join('\n'));
});

test('every field is asked for, with its default; an empty answer keeps the default and saves nothing', async () => {
  const fields: AskedField[] = [TONE, { key: 'shelf', description: 'Where it stands', default: 'top', isSet: false }];
  assert.deepEqual(await setUp(fields, 'low'), {
    asked: ['How it is worded (tone)?', 'Where it stands (shelf) [top]?'],
    saved: [{ tone: 'low', shelf: 'low' }],
  });
  assert.deepEqual((await setUp([{ ...TONE, default: 'dry' }, ...fields.slice(1)], '')).saved, [{ tone: 'dry' }]);
});
