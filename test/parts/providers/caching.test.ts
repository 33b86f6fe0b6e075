import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE, type Usage } from '../../../src/contracts/message.ts';
import type { Runtime } from '../../../src/contracts/runtime.ts';
import { describeCaching } from '../../../src/parts/providers/caching.ts';
import { createCallRecord } from '../../../src/testing/conformance/session-store-samples.ts';
import { runtimeOf } from './setup.ts';

const LOCAL = runtimeOf('openai-chat', { provider: 'ollama', baseUrl: 'http://127.0.0.1:1/v1' });
const CLAUDE = runtimeOf('anthropic-messages', { provider: 'anthropic', baseUrl: 'https://api.anthropic.com' });
const call = (runtime: Runtime, usage: Partial<Usage>, estimated = false) =>
  createCallRecord('s', 'c', { runtime, usage: { ...NO_USAGE, ...usage }, ...(estimated && { usageEstimated: true }) });
const known = { ttl: '5m', profile: undefined } as const;

test('a route without marks claims nothing until its server has said what it gave', () => {
  const unknown = 'left to ollama; not known yet whether it caches';
  assert.equal(describeCaching(LOCAL, { ...known, calls: [] }), unknown);
  assert.equal(describeCaching(LOCAL, { ...known, calls: [call(LOCAL, { input: 100 }, true), call(CLAUDE, { cacheRead: 9 })] }), unknown);
  const calls = [call(LOCAL, { input: 100 }), call(LOCAL, { input: 20, cacheRead: 80 })];
  assert.equal(describeCaching(LOCAL, { ...known, calls }), 'left to ollama; 40% of its last 2 prompts came from a cache');
  const none = [call(LOCAL, { input: 100 }), call(LOCAL, { input: 100 })];
  assert.equal(describeCaching(LOCAL, { ...known, calls: none }), 'left to ollama; no cache used in its last 2 calls');
});

test('marks are on or off, and what came of them is told', () => {
  assert.equal(describeCaching(CLAUDE, { ...known, calls: [] }), 'on (anthropic, 5m TTL)');
  assert.equal(describeCaching(CLAUDE, { ...known, ttl: 'off', calls: [] }), 'off (prompt_caching.cache_ttl is off)');
  const calls = [call(CLAUDE, { cacheWrite: 100 }), call(CLAUDE, { cacheRead: 100 })];
  assert.equal(describeCaching(CLAUDE, { ...known, calls }), 'on (anthropic, 5m TTL); 50% of its last 2 prompts came from a cache');
});
