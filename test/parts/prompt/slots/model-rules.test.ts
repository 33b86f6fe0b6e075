import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelRulesSlot, type Enforcement } from '../../../../src/parts/prompt/slots/model-rules.ts';
import { textOf } from './setup.ts';

const rules = async (model: string, enforce: Enforcement = 'auto', tools?: readonly string[]): Promise<string> =>
  (await textOf(modelRulesSlot({ enforce }), { model, ...(tools !== undefined && { tools }) })) ?? '';
const headings = (text: string): string[] => text.match(/^# .*$/gm) ?? [];
const PARTS = ['Persistence', 'Ambiguity', 'Prerequisites', 'Verification', 'Missing context', 'Lookup'];
const partsOf = (text: string): string[] => [...text.matchAll(/^- ([A-Z][A-Za-z, ]+): \S/gm)].map(([, name = '']) => name);

test('each family gets its blocks, others get none', async () => {
  assert.deepEqual(headings(await rules('openai/gpt-5.2')), ['# Act through tools', '# Execution discipline']);
  assert.deepEqual(headings(await rules('google/gemini-3-pro')), ['# Act through tools', '# Operation']);
  assert.deepEqual(headings(await rules('x-ai/grok-4')), ['# Act through tools']);
  assert.equal(await rules('claude-opus-4.8'), '');
});

test('the discipline has its six parts, each with words', async () => {
  assert.deepEqual(partsOf(await rules('gpt-5.2')), PARTS);
});

test('the list of what must not be answered by heart names only tools that are there', async () => {
  const listed = async (...tools: string[]) =>
    /^- Lookup: always use tools for (.*)\.$/m.exec(await rules('gpt-5.2', 'auto', tools))?.[1]?.split('; ');
  assert.equal((await listed('terminal', 'execute_code', 'read_file', 'search_files', 'web_search'))?.length, 4);
  assert.deepEqual(await listed('web_search'), ['current facts (web_search)']);
  assert.deepEqual(await listed('read_file'), ['file contents and sizes (read_file)']);
  assert.deepEqual(
    partsOf(await rules('gpt-5.2', 'auto', ['todo'])),
    PARTS.filter((name) => name !== 'Lookup'),
  );
});

test("Gemini and Gemma get five rules, naming the reading tools they have; the seed's other two stand in the blocks before", async () => {
  const named = (await rules('gemma-4-31b-it')).match(/^- ([A-Z][a-z ]+):/gm);
  assert.deepEqual(
    named,
    ['Paths', 'Verify first', 'Dependencies', 'Brevity', 'Input'].map((name) => `- ${name}:`),
  );
  assert.match(await rules('gemini-3-pro', 'auto', ['read_file', 'patch']), /look at the project \(read_file\) before/);
  assert.match(await rules('gemini-3-pro', 'auto', ['terminal']), /look at the project before/);
});

test('a rule is said only where its tools are, and nobody is told to ask who cannot', async () => {
  assert.match(await rules('gpt-5.2', 'auto', ['clarify', 'terminal']), /Ask only if/);
  assert.doesNotMatch(await rules('gpt-5.2', 'auto', ['terminal']), /\bask\b/i);
  assert.deepEqual((await rules('gemini-3-pro', 'auto', ['web_search'])).match(/^- ([A-Z][a-z ]+):/gm), ['- Brevity:']);
});

test('without tools nothing is said, whatever the setting', async () => {
  for (const enforce of ['auto', 'on', 'off'] as const) assert.equal(await rules('gpt-5.2', enforce, []), '');
});

test('the setting tells every model, or none', async () => {
  for (const on of ['on', 'true'] as const) {
    assert.deepEqual(headings(await rules('claude-opus-4.8', on)), ['# Act through tools']);
    assert.equal(await rules('gemini-3-pro', on), await rules('gemini-3-pro'));
  }
  for (const off of ['off', 'false'] as const) assert.equal(await rules('gpt-5.2', off), '');
});

test('the OpenAI family stays within 1,200 characters, Google within 900', async () => {
  const [openai, google] = [(await rules('gpt-5.2')).length, (await rules('gemini-3-pro')).length];
  assert.ok(openai > 700 && openai <= 1_200, String(openai));
  assert.ok(google > 500 && google <= 900, String(google));
});
