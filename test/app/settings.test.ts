import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BACKOFF, BOUNDS, GUARD_BOUNDS } from '../../src/agent/bounds.ts';
import { FIELDS } from '../../src/app/config/config.ts';
import { readValue } from '../../src/parts/config/read-value.ts';
import { listDeclaredSettings } from '../../src/parts/config/setting-rows.ts';
import { createSettingsSchema } from '../../src/parts/config/schema.ts';
import { settingsPage } from '../../scripts/docs.ts';

/** The figures of the seeds and of the reference (core §0.1, §1.6, §1.11, §2.8; tools §1.8, §6.8), written down a second time. */
const FIGURES: readonly (readonly [key: string, figure: unknown])[] = [
  ['agent.max_turns', 90],
  ['agent.api_max_retries', 3],
  ['agent.parallel_tools', 8],
  ['tool_output.max_result_chars', 100_000],
  ['tool_output.max_turn_chars', 200_000],
  ['tool_output.preview_chars', 1_500],
  // Ours, not the reference's: see ADR 41.
  ['tool_output.max_bytes', 30_000],
  // Ours, not the reference's: see ADR 54.
  ['terminal.backend', 'auto'],
  ['terminal.cwd', '.'],
  ['terminal.timeout', 180],
  ['terminal.max_foreground_timeout', 600],
  ['stream.idle_timeout', 180],
  ['stream.local_timeout', 900],
  ['prompt_caching.cache_ttl', '5m'],
  ['credential_pool_strategy', 'fill_first'],
  ['model.provider', 'auto'],
  ['toolsets', ['hermes-cli']],
  ['fallback_providers', []],
];
for (const [key, figure] of FIGURES) {
  test(`the default of ${key} is the figure of the seeds and the reference`, () => assert.deepEqual(FIELDS.get(key)?.default, figure));
}

test('the bounds of a turn are the figures of the reference', () => {
  const limits = Object.fromEntries(Object.entries(BOUNDS).map(([name, { limit }]) => [name, limit]));
  const { wait, shrink, continue_truncated, reask_truncated_call, invalid_tool, prefill_thinking, retry_empty, nudge_empty, refresh } =
    limits;
  assert.deepEqual(
    {
      wait,
      shrink,
      continue_truncated,
      reask_truncated_call,
      invalid_tool,
      prefill_thinking,
      retry_empty,
      nudge_empty,
      refresh,
    },
    {
      wait: 3,
      shrink: 3,
      continue_truncated: 4,
      reask_truncated_call: 4,
      invalid_tool: 3,
      prefill_thinking: 2,
      retry_empty: 3,
      nudge_empty: 1,
      refresh: 2,
    },
  );
  const { refused: _ours, reads_failing: _reads, ...known } = GUARD_BOUNDS;
  const guard = Object.values(known).map(({ warn, halt }) => [warn, halt]);
  assert.deepEqual(guard, [
    [2, 5],
    [3, 8],
    [2, 5],
  ]);
  assert.deepEqual([BACKOFF.api, BACKOFF.retryAfterCapMs], [{ baseMs: 2_000, capMs: 60_000 }, 600_000]);
});

test('every setting describes itself and takes its own default', () => {
  for (const { key, field, describe } of listDeclaredSettings(FIELDS)) {
    assert.match(describe, /^\p{Lu}.*\.$/su, `${key}: a sentence`);
    assert.deepEqual(readValue(field, field.default), { ok: true, value: field.default }, key);
  }
});

test('docs/settings.md is up to date (npm run docs writes it)', () => {
  assert.equal(readFileSync('docs/settings.md', 'utf8'), settingsPage());
});

test('the schema has every setting at its place, with its description and default', () => {
  const schema = createSettingsSchema(FIELDS) as { readonly $schema: string; readonly properties: Record<string, Node> };
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  for (const { key, describe, default: standard } of listDeclaredSettings(FIELDS)) {
    const [section = '', ...members] = key.split('.');
    let node = schema.properties[section];
    for (const member of members) node = (node?.anyOf?.at(-1) ?? node)?.properties?.[member];
    assert.deepEqual([node?.description, node?.default], [describe, standard], key);
  }
});
interface Node {
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
}
