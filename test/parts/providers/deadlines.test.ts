import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHost, isLocal, joinUrl } from '../../../src/base/http.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { resolveDeadlines } from '../../../src/parts/providers/deadlines.ts';
import { resolveOutputLimit } from '../../../src/parts/providers/protocols/output-limits.ts';
import { providerSettings } from '../../../src/parts/providers/settings.ts';
import { runtimeOf } from './setup.ts';

const DEFAULTS = collectDefaults(providerSettings);
const remote = runtimeOf('openai-chat');
const thinker = runtimeOf('openai-chat', { model: 'deepseek/deepseek-r1' });
const local = runtimeOf('openai-chat', { baseUrl: 'http://127.0.0.1:11434/v1' });

test('deadlines: defaults, reasoning models, local servers', () => {
  assert.deepEqual(resolveDeadlines(remote, DEFAULTS), { connect: 15_000, firstByte: 120_000, idle: 180_000, total: 1_800_000 });
  assert.deepEqual(resolveDeadlines(thinker, DEFAULTS), { connect: 15_000, firstByte: 600_000, idle: 600_000, total: 1_800_000 });
  assert.deepEqual(resolveDeadlines(local, DEFAULTS), { connect: 15_000, firstByte: 900_000, idle: 900_000, total: 1_800_000 });
});

const SET = { 'stream.idle_timeout': 'file', 'stream.first_byte_timeout': 'env' };
test('deadlines: a value the owner set is taken at its word', () => {
  const values = { ...DEFAULTS, 'stream.idle_timeout': 2, 'stream.first_byte_timeout': 1.5 };
  for (const runtime of [remote, thinker, local])
    assert.deepEqual(resolveDeadlines(runtime, values, SET), { connect: 15_000, firstByte: 1500, idle: 2000, total: 1_800_000 });
});

test('deadlines: so is the default’s own figure, when the owner wrote it', () => {
  for (const runtime of [thinker, local])
    assert.deepEqual(resolveDeadlines(runtime, DEFAULTS, SET), { connect: 15_000, firstByte: 120_000, idle: 180_000, total: 1_800_000 });
});

test('addresses', () => {
  assert.equal(joinUrl('https://a.example/v1/', '/chat/completions'), 'https://a.example/v1/chat/completions');
  assert.equal(joinUrl('https://a.example/v1', '/v1/messages'), 'https://a.example/v1/messages');
  assert.equal(joinUrl('https://a.example', '/v1/messages'), 'https://a.example/v1/messages');
  assert.equal(joinUrl('https://a.example/openai?api-version=1', '/responses'), 'https://a.example/openai/responses?api-version=1');
  assert.deepEqual([parseHost('https://a.example:8443/x'), parseHost('nonsense')], ['a.example:8443', '']);
  for (const url of ['http://localhost:1', 'http://[::1]:8', 'http://192.168.1.4', 'http://box.local']) assert.ok(isLocal(url), url);
  for (const url of ['https://10.example.com', 'https://api.openai.com', 'https://172.32.0.1']) assert.ok(!isLocal(url), url);
});

test('output limits by family', () => {
  const table = {
    'claude-sonnet-4-6': 64_000,
    'anthropic/claude-opus-4.7': 128_000,
    'claude-opus-4-20250514': 32_000,
    'claude-3-haiku': 4096,
    'claude-3-5-sonnet': 8192,
    'claude-sonnet-5': 128_000,
    unknown: 128_000,
  };
  for (const [model, limit] of Object.entries(table)) assert.equal(resolveOutputLimit(model), limit, model);
});
